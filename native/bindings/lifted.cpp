// Policies carried out, and plans checked, on problems that are not ground.
#include <limits>
#include <memory>

#include "bindings/bindings.hpp"
#include "lifted/agent.hpp"
#include "lifted/executor.hpp"
#include "lifted/plan_checker.hpp"

namespace pg3 {

namespace {

// Throws unless there is a name for every action and object of the task.
void check_names(const NameCode& names, const Task& task) {
  if (names.first.size() != task.actions.size() ||
      names.second.size() != task.object_types.size()) {
    throw std::invalid_argument("the names are not those of the task");
  }
}

std::vector<std::shared_ptr<const Rule>> rules_of(const std::vector<RuleId>& policy,
                                                  const RuleTable& table) {
  std::vector<std::shared_ptr<const Rule>> rules;
  for (RuleId rule : policy) rules.push_back(table.get(rule));
  return rules;
}

nb::tuple run_policy(const std::shared_ptr<Task>& task, const RuleTable& rules,
                     const std::vector<RuleId>& policy, std::optional<int64_t> max_steps,
                     std::optional<double> seconds, std::optional<double> megabytes,
                     bool time_steps, const std::optional<std::string>& plan_path,
                     const std::optional<NameCode>& names) {
  const auto list = rules_of(policy, rules);
  ExecutionOptions options;
  if (max_steps) options.max_steps = *max_steps;
  options.time_steps = time_steps;
  if (plan_path) check_names(names.value(), *task);
  std::optional<PlanWriter> writer;
  if (plan_path) writer.emplace(*plan_path, plan_names(names.value()));
  if (writer) options.writer = &*writer;
  const Limits limits = make_limits({}, seconds, megabytes);
  const Execution result = run_released([&] {
    Execution execution = execute(task, list, rules, options, limits);
    if (writer) writer->close();
    return execution;
  });
  const auto& times = result.step_nanoseconds;
  return nb::make_tuple(name(result.status), result.steps, to_bytes(result.plan), result.rule,
                        result.action, result.obstacle, to_bytes(times));
}

// (few, partners, patience, fair work, grace, turn)
using TuningCode = std::tuple<int32_t, double, int64_t, double, int64_t, int64_t>;

// The agent, or the name of the limit that was reached.
nb::object start_agent(const std::shared_ptr<Task>& task, const RuleTable& rules,
                       const std::vector<RuleId>& policy, const std::optional<TuningCode>& tuning,
                       std::optional<double> seconds) {
  const auto list = rules_of(policy, rules);
  Tuning values;
  if (tuning) {
    const auto& [few, partners, patience, fair_work, grace, turn] = *tuning;
    // Nothing is said of the atoms: in a test the patience given is to be the patience.
    values = {few, partners, patience, std::numeric_limits<int64_t>::max(), fair_work, grace, turn};
  }
  struct Result {
    std::shared_ptr<Agent> agent;
    Status status = Status::solved;
  };
  const Limits limits = make_limits({}, seconds, {});
  const Result result = run_released([&]() -> Result {
    try {
      return {std::make_shared<Agent>(task, list, rules, values, limits)};
    } catch (const Stopped& stopped) {
      return {nullptr, stopped.status};
    }
  });
  if (result.status != Status::solved) return nb::cast(name(result.status));
  return nb::cast(result.agent);
}

// (whether the goal holds, the rule and its objects), or the name of the limit that was reached.
nb::object ask_agent(Agent& agent, const std::vector<std::pair<bool, std::vector<int32_t>>>& code) {
  std::vector<Agent::Change> changes;
  for (const auto& [present, atom] : code) changes.push_back({present, atom});
  const Agent::Answer answer = run_released([&] { return agent.ask(changes); });
  if (answer.status != Status::solved) return nb::cast(name(answer.status));
  return nb::make_tuple(answer.is_goal, answer.choice);
}

nb::tuple validate_plan(const Task& task, const nb::bytes& plan) {
  const std::vector<int32_t> codes = integers(plan);
  PlanVerdict verdict;
  {
    const GilReleased release;
    verdict = check_plan(task, codes);
  }
  return nb::make_tuple(verdict.valid, verdict.steps, verdict.cost, verdict.failed_step,
                        verdict.obstacle, verdict.missing_goals, verdict.violated_goals);
}

}  // namespace

void bind_lifted(nb::module_& m) {
  m.def("execute", &run_policy, nb::arg("task"), nb::arg("rules"), nb::arg("policy"),
        nb::arg("max_steps").none(), nb::arg("seconds").none(), nb::arg("megabytes").none(),
        nb::arg("time_steps") = false, nb::arg("plan_path").none() = nb::none(),
        nb::arg("names").none() = nb::none());
  m.def("start_agent", &start_agent, nb::arg("task"), nb::arg("rules"), nb::arg("policy"),
        nb::arg("tuning").none() = nb::none(), nb::arg("seconds").none() = nb::none());
  nb::class_<Agent>(m, "Agent").def("ask", &ask_agent, nb::arg("changes"));
  m.def("check_plan", &validate_plan, nb::arg("task"), nb::arg("plan"));
}

}  // namespace pg3
