// Batches of candidate policies.
#include "ground/training_set.hpp"

#include <memory>

#include "bindings/bindings.hpp"

namespace pg3 {

namespace {

// Scores a batch without the GIL; Ctrl-C during it is Python's exception.
template <typename Work>
auto scored(Work work) {
  decltype(work()) batch;
  {
    const GilReleased release;
    batch = work();
  }
  if (batch.status == Status::interrupted) throw nb::python_error();
  return batch;
}

// Throws unless there are states of each problem, and for each problem.
void check_states(const TrainingSet& set, const std::vector<std::vector<StateId>>& states) {
  if (states.size() != set.size()) throw std::invalid_argument("one list of states a problem");
  for (size_t p = 0; p < states.size(); ++p) {
    for (StateId state : states[p]) check_state(set.space(p), state);
  }
}

// The same member of each score, as 32-bit integers.
template <typename Score>
nb::bytes column(const std::vector<Score>& scores, int32_t Score::* member) {
  std::vector<int32_t> values;
  values.reserve(scores.size());
  for (const Score& score : scores) values.push_back(score.*member);
  return to_bytes(values);
}

// A plan of more steps than the horizon is none (Algorithm 3).
void forget_longer(std::vector<GuidedScore>& scores, int32_t horizon) {
  for (GuidedScore& score : scores) {
    if (score.plan_length > horizon) score.mismatches = -1;
  }
}

// (problem, trace) of each search that is new.
std::vector<std::pair<int32_t, uint64_t>> new_traces(const TrainingSet& set,
                                                     const std::vector<GuidedScore>& scores) {
  std::vector<std::pair<int32_t, uint64_t>> traces;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].is_new)
      traces.emplace_back(static_cast<int32_t>(i % set.size()), scores[i].trace);
  }
  return traces;
}

}  // namespace

void bind_training_set(nb::module_& m) {
  // What scores a batch says first whether it got to its end: "solved", or the limit that was
  // reached.
  nb::class_<TrainingSet>(m, "TrainingSet")
      .def(nb::init<std::vector<std::shared_ptr<StateSpace>>, int32_t>(), nb::arg("spaces"),
           nb::arg("jobs"))
      .def("bytes",
           [](TrainingSet& set) {
             return interruptible([&](Watch& watch) { return set.bytes(watch); });
           })
      .def(
          "forget",
          [](TrainingSet& set, bool everything) {
            interruptible([&](Watch& watch) { set.forget(everything, watch); });
          },
          nb::arg("everything"),
          "Free what helps to score more policies like the last ones, or any.")
      .def_prop_ro("expansions", &TrainingSet::expansions)
      .def(
          "guided",
          [](TrainingSet& set, const std::vector<Policy>& policies, int32_t rollout,
             std::optional<int64_t> expansions, std::optional<double> seconds,
             std::optional<double> process_megabytes, std::optional<int32_t> horizon) {
            const Limits limits = make_limits(expansions, seconds, {}, process_megabytes);
            auto [status, scores] = scored([&] { return set.guided(policies, rollout, limits); });
            if (horizon) forget_longer(scores, *horizon);
            return nb::make_tuple(name(status), column(scores, &GuidedScore::mismatches),
                                  column(scores, &GuidedScore::plan_length),
                                  column(scores, &GuidedScore::expansions),
                                  new_traces(set, scores));
          },
          nb::arg("policies"), nb::arg("rollout"), nb::arg("expansions").none(),
          nb::arg("seconds").none(), nb::arg("process_megabytes").none() = nb::none(),
          nb::arg("horizon").none() = nb::none(),
          "Status, mismatches, plan lengths, expansions, and (problem, trace) of each new search.")
      .def(
          "traced",
          [](TrainingSet& set, const std::vector<Policy>& policies, int32_t rollout,
             std::optional<int64_t> expansions, std::optional<double> seconds,
             std::optional<double> process_megabytes, std::optional<int32_t> horizon) {
            const Limits limits = make_limits(expansions, seconds, {}, process_megabytes);
            auto [status, scores] = scored([&] { return set.guided(policies, rollout, limits); });
            if (horizon) forget_longer(scores, *horizon);
            std::vector<uint64_t> traces;
            for (const GuidedScore& score : scores) traces.push_back(score.trace);
            return nb::make_tuple(name(status), column(scores, &GuidedScore::mismatches),
                                  column(scores, &GuidedScore::expansions), traces);
          },
          nb::arg("policies"), nb::arg("rollout"), nb::arg("expansions").none(),
          nb::arg("seconds").none(), nb::arg("process_megabytes").none() = nb::none(),
          nb::arg("horizon").none() = nb::none(),
          "Status, mismatches, expansions, and traces, new or known, for a learner to `count` "
          "elsewhere.")
      .def(
          "count",
          [](TrainingSet& set, const std::vector<Policy>& policies, int32_t rollout,
             const std::vector<int32_t>& expansions, const std::vector<uint64_t>& traces) {
            const size_t size = policies.size() * set.size();
            if (expansions.size() != size || traces.size() != size) {
              throw std::invalid_argument("all policies on all problems");
            }
            std::vector<GuidedScore> scores(size);
            for (size_t i = 0; i < size; ++i) {
              scores[i].expansions = expansions[i];
              scores[i].trace = traces[i];
            }
            set.count(policies, rollout, scores);
            return new_traces(set, scores);
          },
          nb::arg("policies"), nb::arg("rollout"), nb::arg("expansions"), nb::arg("traces"),
          "Count what was `traced` elsewhere; (problem, trace) of each new search.")
      .def(
          "remember",
          [](TrainingSet& set, int64_t expansions,
             const std::vector<std::pair<int32_t, uint64_t>>& traces) {
            set.remember(expansions);
            for (const auto& [problem, trace] : traces) {
              if (problem < 0 || static_cast<size_t>(problem) >= set.size()) {
                throw nb::index_error("no such problem");
              }
              set.remember(problem, {&trace, 1});
            }
          },
          nb::arg("expansions"), nb::arg("traces"),
          "Take over the effort of another run, and traces that it has left.")
      .def(
          "executed",
          [](TrainingSet& set, const std::vector<Policy>& policies, int64_t max_steps,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            const auto [status, scores] =
                scored([&] { return set.executed(policies, max_steps, limits); });
            return nb::make_tuple(name(status), column(scores, &ExecutionScore::solved),
                                  column(scores, &ExecutionScore::steps),
                                  column(scores, &ExecutionScore::open_goals));
          },
          nb::arg("policies"), nb::arg("max_steps"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none())
      .def(
          "executed_from",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<StateId>>& starts, int64_t max_steps,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            check_states(set, starts);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            const auto [status, scores] =
                scored([&] { return set.executed_from(policies, starts, max_steps, limits); });
            return nb::make_tuple(name(status), column(scores, &ExecutionScore::solved));
          },
          nb::arg("policies"), nb::arg("starts"), nb::arg("max_steps"),
          nb::arg("seconds").none() = nb::none(), nb::arg("process_megabytes").none() = nb::none(),
          "Whether each policy solves each problem from each of the given states.")
      .def(
          "tried",
          [](TrainingSet& set, const Policy& policy, const Policy& like,
             const std::vector<std::vector<StateId>>& starts, int64_t max_steps,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            check_states(set, starts);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            const auto [status, steps] =
                scored([&] { return set.tried(policy, like, starts, max_steps, limits); });
            return nb::make_tuple(name(status), to_bytes(steps));
          },
          nb::arg("policy"), nb::arg("like"), nb::arg("starts"), nb::arg("max_steps"),
          nb::arg("seconds").none() = nb::none(), nb::arg("process_megabytes").none() = nb::none(),
          "For each problem the steps of a policy to the goal from the first of the given states, "
          "-1 if it does not reach the goal from all of them. Fast if it resembles another one.")
      .def(
          "compared",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<ActionId>>& plans, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            if (plans.size() != set.size()) throw std::invalid_argument("one plan a problem");
            for (size_t p = 0; p < plans.size(); ++p) {
              for (ActionId action : plans[p]) check_action(set.space(p).ground(), action);
            }
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            const auto [status, mismatches] =
                scored([&] { return set.compared(policies, plans, limits); });
            return nb::make_tuple(name(status), to_bytes(mismatches));
          },
          nb::arg("policies"), nb::arg("plans"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none())
      .def(
          "identified",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<StateId>>& states, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            check_states(set, states);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            const auto [status, identifiers] =
                scored([&] { return set.identified(policies, states, limits); });
            return nb::make_tuple(name(status), identifiers);
          },
          nb::arg("policies"), nb::arg("states"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none())
      .def(
          "answers",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<StateId>>& states, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            check_states(set, states);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            const auto [status, answers] =
                scored([&] { return set.answers(policies, states, limits); });
            return nb::make_tuple(name(status), answers);
          },
          nb::arg("policies"), nb::arg("states"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none(),
          "For each policy and problem a hash of the answers, for `identifiers`.")
      .def(
          "identifiers",
          [](const TrainingSet& set, const std::vector<uint64_t>& answers) {
            return set.identifiers(answers);
          },
          nb::arg("answers"), "What `identified` gives, from the answers on all problems.");
}

}  // namespace pg3
