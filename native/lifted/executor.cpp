#include "lifted/executor.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "lifted/effects.hpp"
#include "lifted/lifted_policy.hpp"
#include "lifted/lifted_state.hpp"
#include "lifted/view.hpp"
#include "lifted/visited.hpp"

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Clock = std::chrono::steady_clock;

class Executor {
 public:
  Executor(std::shared_ptr<const Task> task, const std::vector<std::shared_ptr<const Rule>>& policy,
           const RuleTable& table, const ExecutionOptions& options, const Limits& limits)
      : task_(std::move(task)),
        lowered_(lower(task_, policy, table)),
        options_(options),
        limits_(limits),
        watch_(limits) {}

  Execution run() {
    try {
      world_.emplace(lowered_, watch_);
      rules_.emplace(lowered_.rules, world_->views());
      return go();
    } catch (const Stopped& stopped) {
      return stop(stopped.status);
    }
  }

 private:
  Execution go() {
    const LiftedState& state = world_->state();
    visited_.visit(state.hash(), 0);
    while (true) {
      if (state.is_goal()) return stop(Status::solved);
      if (result_.steps >= options_.max_steps) return stop(Status::horizon);
      if (watch_.must_stop(8)) return stop(watch_.status());
      if (result_.steps % 256 == 0 && bytes() > limits_.bytes) return stop(Status::memory_limit);
      const auto started = options_.time_steps ? Clock::now() : Clock::time_point();
      if (!choose()) return stop(result_.status);
      world_->apply(task_->schema(GroundAction{action_}.schema()), {action_});
      result_.plan.insert(result_.plan.end(), action_.begin(), action_.end());
      ++result_.steps;
      if (options_.writer) options_.writer->write({action_});
      const int64_t before = visited_.visit(state.hash(), result_.steps);
      if (options_.time_steps) {
        const std::chrono::nanoseconds taken = Clock::now() - started;
        result_.step_nanoseconds.push_back(taken.count());
      }
      if (before >= 0 && was_at(before)) return stop(Status::cycle);
    }
  }

  // Puts the policy's action into action_, or the reason why there is none into the result.
  bool choose() {
    result_.status = Status::not_applicable;
    switch (rules_->first(watch_)) {
      case LiftedQuery::Answer::stopped:
      case LiftedQuery::Answer::too_long:  // never said of a policy
        result_.status = watch_.status();
        return false;
      case LiftedQuery::Answer::none:
        return false;
      case LiftedQuery::Answer::found:
        break;
    }
    const Rule& rule = *lowered_.rules[rules_->rule()];
    instantiate(rule.action, rule.arguments, rules_->binding().data(), action_);
    const int32_t failed = obstacle({action_});
    if (failed < 0) return true;
    result_.rule = static_cast<int32_t>(rules_->rule());
    result_.action = action_;
    result_.obstacle = failed;
    return false;
  }

  // Stands until the next one.
  Atom ground_atom(const Condition& condition, GroundAction action) {
    return {instantiate(condition.predicate(), condition.terms, action.objects().data(), atom_)};
  }

  // What keeps the action from being done: the number of a false precondition; after those, of a
  // wrongly typed argument; after those, a number that the problem does not give. -1 if nothing.
  int32_t obstacle(GroundAction action) {
    const ActionSchema& schema = task_->schema(action.schema());
    const Tuple objects = action.objects();
    for (size_t i = 0; i < schema.preconditions.size(); ++i) {
      const Condition& condition = schema.preconditions[i];
      const bool holds = condition.kind == Kind::equality
                             ? value_of(condition.terms[0], objects.data()) ==
                                   value_of(condition.terms[1], objects.data())
                             : world_->state().holds(ground_atom(condition, action));
      if (holds != condition.positive) return static_cast<int32_t>(i);
    }
    for (size_t i = 0; i < schema.parameter_types.size(); ++i) {
      const auto& types = schema.parameter_types[i];
      if (std::ranges::find(types, task_->type_of(ObjectId{objects[i]})) == types.end()) {
        return static_cast<int32_t>(schema.preconditions.size() + i);
      }
    }
    if (task_->cost(action.schema(), objects.data()) < 0 ||
        !task_->has_amounts(action.schema(), objects.data())) {
      return static_cast<int32_t>(schema.preconditions.size() + schema.parameter_types.size());
    }
    return -1;
  }

  // Whether the state now is the one after `step` steps: hashes agree, this makes sure.
  bool was_at(int64_t step) {
    World then(lowered_, watch_);
    size_t at = 0;
    for (int64_t i = 0; i < step; ++i) {
      const ActionSchema& schema = task_->schema(SchemaId{result_.plan[at]});
      const size_t length = 1 + schema.parameter_types.size();
      then.apply(schema, {Tuple(result_.plan).subspan(at, length)});
      at += length;
    }
    return then.state().equals(world_->state());
  }

  Execution stop(Status status) {
    result_.status = status;
    return std::move(result_);
  }

  size_t bytes() const {
    return world_->bytes() + visited_.bytes() + result_.plan.capacity() * sizeof(int32_t);
  }

  std::shared_ptr<const Task> task_;
  const LoweredPolicy lowered_;
  const ExecutionOptions& options_;
  const Limits& limits_;
  Watch watch_;
  std::optional<World> world_;
  std::optional<LiftedPolicy> rules_;
  Visited visited_;
  std::vector<int32_t> action_;
  std::vector<int32_t> atom_;
  Execution result_;
};

}  // namespace

Execution execute(std::shared_ptr<const Task> task,
                  const std::vector<std::shared_ptr<const Rule>>& policy, const RuleTable& table,
                  const ExecutionOptions& options, const Limits& limits) {
  return Executor(std::move(task), policy, table, options, limits).run();
}

}  // namespace pg3
