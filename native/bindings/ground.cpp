// Ground problems: their states, searches on them, walks through them.
#include <algorithm>
#include <limits>
#include <memory>

#include "bindings/bindings.hpp"
#include "ground/astar.hpp"
#include "ground/grounding.hpp"
#include "ground/lazy_search.hpp"
#include "ground/random_walk.hpp"
#include "ground/state_space.hpp"

namespace pg3 {

namespace {

HeuristicKind heuristic_kind(const std::string& text) {
  if (text == "add") return HeuristicKind::add;
  if (text == "max") return HeuristicKind::max;
  if (text == "blind") return HeuristicKind::blind;
  throw std::invalid_argument("unknown heuristic '" + text + "'");
}

// Runs work on a space with its lock held, if need be after other work on it.
template <typename Work>
auto locked(StateSpace& space, const Limits& limits, Work work) {
  return watched(limits, [&](Watch& watch) {
    const auto lock = space.lock(watch);
    const StateSpace::Guard queries(space, watch);
    return work();
  });
}

template <typename Work>
auto locked(StateSpace& space, Work work) {
  return locked(space, Limits{.interrupted = signalled}, work);
}

// What the work says, or the name of the limit that is reached first.
template <typename Work>
nb::object limited(StateSpace& space, const Limits& limits, Work work) {
  try {
    return nb::cast(locked(space, limits, work));
  } catch (const Stopped& stopped) {
    return nb::cast(name(stopped.status));
  }
}

// Runs a search on a space that may be busy: waiting for it takes time as well.
template <typename Search>
SearchResult search_locked(StateSpace& space, StateId start, Limits limits, Search search) {
  return run_released([&]() -> SearchResult {
    Watch watch(limits);
    try {
      const auto lock = space.lock(watch);
      check_state(space, start);
      limits.seconds -= watch.elapsed();
      return search(limits);
    } catch (const Stopped& stopped) {
      SearchResult nothing;
      nothing.status = stopped.status;
      return nothing;
    }
  });
}

nb::object ground_task(const std::shared_ptr<Task>& task, const std::shared_ptr<RuleTable>& rules,
                       std::optional<double> seconds, std::optional<double> megabytes,
                       std::optional<double> process_megabytes) {
  struct Result {
    std::shared_ptr<StateSpace> space;
    Status status = Status::solved;
  };
  const Limits limits = make_limits({}, seconds, megabytes, process_megabytes);
  const Result result = run_released([&]() -> Result {
    GroundingResult grounded = ground(task, limits);
    if (!grounded.ground) return {nullptr, grounded.status};
    return {std::make_shared<StateSpace>(std::move(grounded.ground), rules), Status::solved};
  });
  if (!result.space) return nb::cast(name(result.status));
  return nb::cast(result.space);
}

void check_fluents(const GroundTask& ground, const std::vector<FluentId>& fluents) {
  for (FluentId fluent : fluents) {
    if (!in_range(fluent, ground.num_fluents())) throw nb::index_error("no such fluent");
  }
}

std::vector<int32_t> list_of(Tuple tuple) {
  return {tuple.begin(), tuple.end()};
}

// All fluent atoms that hold in a state, one after the other.
std::vector<int32_t> atoms_in(const GroundTask& ground, const uint64_t* state) {
  std::vector<int32_t> codes;
  for (int32_t i = 0; i < ground.num_fluents(); ++i) {
    const FluentId fluent{i};
    if (!GroundTask::holds(state, fluent)) continue;
    const Tuple code = ground.atom(fluent).code;
    codes.insert(codes.end(), code.begin(), code.end());
  }
  return codes;
}

// The weights of a search's heuristic and of each open goal.
void check_weights(const std::pair<int32_t, int32_t>& weights) {
  for (int32_t weight : {weights.first, weights.second}) {
    if (weight < 0 || weight > kMostWeight) throw nb::value_error("no such weight");
  }
}

nb::tuple to_tuple(const SearchResult& result) {
  nb::list plan;
  for (const PlanStep& step : result.plan)
    plan.append(nb::make_tuple(step.action, step.from_policy));
  return nb::make_tuple(name(result.status), plan, result.cost, result.expansions,
                        result.generated);
}

nb::tuple search(StateSpace& space, const std::vector<RuleId>& policy, int32_t rollout,
                 const std::string& heuristic, bool use_costs, std::optional<int64_t> expansions,
                 std::optional<double> seconds, std::optional<double> megabytes,
                 std::optional<double> process_megabytes, std::optional<StateId> start,
                 std::pair<int32_t, int32_t> weights, std::optional<int64_t> generated) {
  check_weights(weights);
  const SearchOptions options{.heuristic = heuristic_kind(heuristic),
                              .use_costs = use_costs,
                              .rollout = rollout,
                              .start = start.value_or(space.initial()),
                              .heuristic_weight = weights.first,
                              .goal_weight = weights.second};
  Limits limits = make_limits(expansions, seconds, megabytes, process_megabytes);
  if (generated) limits.generated = *generated;
  const SearchResult result = search_locked(space, options.start, limits, [&](const Limits& left) {
    return AStar().run(space, policy, options, left);
  });
  return to_tuple(result);
}

nb::tuple search_lazily(StateSpace& space, const std::vector<RuleId>& policy,
                        const std::vector<FluentId>& fluents, bool use_costs, int32_t weight,
                        std::optional<int64_t> bound, std::optional<int64_t> expansions,
                        std::optional<int64_t> generated, std::optional<double> seconds,
                        std::optional<double> megabytes, std::optional<double> process_megabytes,
                        std::optional<StateId> start) {
  check_fluents(space.ground(), fluents);
  check_weights({weight, 0});
  LazyOptions options{.use_costs = use_costs,
                      .start = start.value_or(space.initial()),
                      .subgoal = fluents,
                      .weight = weight};
  if (bound) options.bound = *bound;
  Limits limits = make_limits(expansions, seconds, megabytes, process_megabytes);
  if (generated) limits.generated = *generated;
  return to_tuple(search_locked(space, options.start, limits, [&](const Limits& left) {
    return LazySearch().run(space, policy, options, left);
  }));
}

nb::tuple plan_to(StateSpace& space, StateId start, const std::vector<FluentId>& fluents,
                  int64_t expansions, std::optional<double> seconds,
                  std::optional<double> process_megabytes, std::pair<int32_t, int32_t> weights,
                  std::optional<int64_t> generated) {
  check_fluents(space.ground(), fluents);
  check_weights(weights);
  Limits limits = make_limits(expansions, seconds, {}, process_megabytes);
  if (generated) limits.generated = *generated;
  const SearchOptions options{.start = start,
                              .heuristic_weight = weights.first,
                              .goal_weight = weights.second,
                              .subgoal = fluents};
  const SearchResult result = search_locked(space, start, limits, [&](const Limits& left) {
    // A learner asks thousands of times, from few threads: the working memory is kept for the next.
    thread_local AStar search;
    return search.run(space, {}, options, left);
  });
  std::vector<ActionId> actions;
  for (const PlanStep& step : result.plan) actions.push_back(step.action);
  return nb::make_tuple(name(result.status), actions);
}

// The ground task of a space, for as long as it is used.
std::shared_ptr<const GroundTask> ground_of(const std::shared_ptr<StateSpace>& space) {
  return {space, &space->ground()};
}

nb::tuple walk_randomly(const std::shared_ptr<StateSpace>& space, uint64_t seed,
                        std::optional<int64_t> max_steps, std::optional<double> seconds,
                        std::optional<double> megabytes) {
  const Limits limits = make_limits({}, seconds, megabytes);
  const RandomWalk result = run_released([&] {
    const int64_t most = max_steps.value_or(std::numeric_limits<int64_t>::max());
    return random_walk(ground_of(space), seed, most, limits);
  });
  return nb::make_tuple(name(result.status), result.steps, to_bytes(result.plan));
}

}  // namespace

void check_state(const StateSpace& space, StateId state) {
  if (!in_range(state, space.num_states())) throw nb::index_error("no such state");
}

void check_action(const GroundTask& ground, ActionId action) {
  if (!in_range(action, ground.num_actions())) throw nb::index_error("no such action");
}

void bind_ground(nb::module_& m) {
  nb::class_<StateSpace>(m, "StateSpace")
      .def_prop_ro("initial", &StateSpace::initial)
      .def_prop_ro("num_actions", [](const StateSpace& s) { return s.ground().num_actions(); })
      .def_prop_ro("num_fluents", [](const StateSpace& s) { return s.ground().num_fluents(); })
      .def("num_states", [](StateSpace& s) { return locked(s, [&] { return s.num_states(); }); })
      .def("bytes", [](StateSpace& s) { return locked(s, [&] { return s.bytes(); }); })
      .def(
          "find_fluent",
          [](const StateSpace& s, const std::vector<int32_t>& atom) {
            return s.ground().find(Atom{atom});
          },
          nb::arg("atom"))
      .def(
          "find_action",
          [](const StateSpace& s, const std::vector<int32_t>& action) {
            return s.ground().find(GroundAction{action});
          },
          nb::arg("action"))
      .def(
          "action",
          [](const StateSpace& s, ActionId number) {
            check_action(s.ground(), number);
            return list_of(s.ground().action(number).code);
          },
          nb::arg("number"))
      .def(
          "intern",
          [](StateSpace& s, const std::vector<FluentId>& fluents,
             const std::optional<std::vector<int64_t>>& values) {
            check_fluents(s.ground(), fluents);
            const Task& task = *s.ground().task;
            if (values && values->size() != task.num_numbers()) {
              throw nb::value_error("not a value for each number");
            }
            for (int64_t value : values.value_or(std::vector<int64_t>())) {
              if (capped(value) != value) throw nb::value_error("value out of range");
            }
            return locked(
                s, [&] { return s.intern(fluents, values.value_or(task.initial_values())); });
          },
          nb::arg("fluents"), nb::arg("values") = nb::none())
      .def(
          "values",
          [](StateSpace& s, StateId state) {
            return locked(s, [&] {
              check_state(s, state);
              const int64_t* values = s.ground().values(s.words(state));
              return std::vector<int64_t>(values, values + s.ground().task->num_numbers());
            });
          },
          nb::arg("state"))
      .def(
          "atoms",
          [](StateSpace& s, StateId state) {
            return to_bytes(locked(s, [&] {
              check_state(s, state);
              return atoms_in(s.ground(), s.words(state));
            }));
          },
          nb::arg("state"), "The fluent atoms that hold, coded one after the other.")
      .def(
          "is_goal",
          [](StateSpace& s, StateId state) {
            return locked(s, [&] {
              check_state(s, state);
              return s.is_goal(state);
            });
          },
          nb::arg("state"))
      .def(
          "successors",
          [](StateSpace& s, StateId state) {
            return locked(s, [&] {
              check_state(s, state);
              std::vector<std::pair<ActionId, StateId>> pairs;
              for (const Successor& next : s.successors(state)) {
                pairs.emplace_back(next.action, next.state);
              }
              return pairs;
            });
          },
          nb::arg("state"), "All (action, state) in the order of the actions.")
      .def(
          "applicable",
          [](StateSpace& s, StateId state) {
            return to_bytes(locked(s, [&] {
              check_state(s, state);
              const auto actions = s.applicable(state);
              return std::vector<ActionId>(actions.begin(), actions.end());
            }));
          },
          nb::arg("state"), "The applicable actions in number order; no state is made.")
      .def(
          "heuristic",
          [](StateSpace& s, StateId state, const std::string& kind,
             bool use_costs) -> std::optional<int32_t> {
            const HeuristicKind chosen = heuristic_kind(kind);
            const int32_t value = locked(s, [&] {
              check_state(s, state);
              return s.heuristic(state, chosen, use_costs);
            });
            if (value == kUnreachable) return std::nullopt;
            return value;
          },
          nb::arg("state"), nb::arg("kind"), nb::arg("use_costs") = false)
      .def(
          "derived",
          [](StateSpace& s, RelationId relation, StateId state, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            return limited(s, make_limits({}, seconds, {}, process_megabytes), [&] {
              check_state(s, state);
              return s.derived(relation, state);
            });
          },
          nb::arg("relation"), nb::arg("state"), nb::arg("seconds").none() = nb::none(),
          nb::arg("process_megabytes").none() = nb::none(),
          "The tuples of a derived relation, or the name of the limit that was reached.")
      .def(
          "rule_match",
          [](StateSpace& s, RuleId rule, StateId state, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            return limited(s, make_limits({}, seconds, {}, process_megabytes), [&] {
              check_state(s, state);
              return s.rule_match(rule, state);
            });
          },
          nb::arg("rule"), nb::arg("state"), nb::arg("seconds").none() = nb::none(),
          nb::arg("process_megabytes").none() = nb::none(),
          "The objects of the first match or none, or the name of the limit that was reached.")
      .def(
          "policy_action",
          [](StateSpace& s, const std::vector<RuleId>& policy, StateId state,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            return limited(s, make_limits({}, seconds, {}, process_megabytes), [&] {
              check_state(s, state);
              return s.policy_action(policy, state);
            });
          },
          nb::arg("policy"), nb::arg("state"), nb::arg("seconds").none() = nb::none(),
          nb::arg("process_megabytes").none() = nb::none(),
          "The policy's action or a negative number, or the name of the limit that was reached.")
      .def(
          "compare",
          [](StateSpace& s, const std::vector<RuleId>& policy, const std::vector<ActionId>& actions,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            return limited(s, make_limits({}, seconds, {}, process_megabytes), [&] {
              std::vector<bool> agreed;
              StateId state = s.initial();
              for (ActionId action : actions) {
                if (!in_range(action, s.ground().num_actions())) break;
                if (!s.is_applicable(state, action)) break;
                agreed.push_back(s.policy_action(policy, state) == action);
                state = s.apply(state, action);
              }
              return agreed;
            });
          },
          nb::arg("policy"), nb::arg("actions"), nb::arg("seconds").none() = nb::none(),
          nb::arg("process_megabytes").none() = nb::none(),
          "Whether the policy agrees with each action, as far as they are applicable, or the name "
          "of the limit that was reached.")
      .def("plan_to", &plan_to, nb::arg("start"), nb::arg("fluents"), nb::arg("expansions"),
           nb::arg("seconds").none() = nb::none(), nb::arg("process_megabytes").none() = nb::none(),
           nb::arg("weights") = std::pair(1, 0), nb::arg("generated").none() = nb::none(),
           "The status of a search from a state for one where the fluents hold, and the plan.")
      .def(
          "apply",
          [](StateSpace& s, StateId state, ActionId action) {
            check_action(s.ground(), action);
            return locked(s, [&] {
              check_state(s, state);
              return s.is_applicable(state, action) ? s.apply(state, action) : StateId::none;
            });
          },
          nb::arg("state"), nb::arg("action"), "The state after an action; -1 if not applicable.")
      .def("search", &search, nb::arg("policy"), nb::arg("rollout"), nb::arg("heuristic"),
           nb::arg("use_costs"), nb::arg("expansions").none(), nb::arg("seconds").none(),
           nb::arg("megabytes").none(), nb::arg("process_megabytes").none() = nb::none(),
           nb::arg("start").none() = nb::none(), nb::arg("weights") = std::pair(1, 0),
           nb::arg("generated").none() = nb::none(),
           "From a state, by default the initial one: (status, plan, cost, expansions, generated).")
      .def("search_lazily", &search_lazily, nb::arg("policy"), nb::arg("fluents"),
           nb::arg("use_costs"), nb::arg("weight"), nb::arg("bound").none(),
           nb::arg("expansions").none(), nb::arg("generated").none(), nb::arg("seconds").none(),
           nb::arg("megabytes").none(), nb::arg("process_megabytes").none(),
           nb::arg("start").none(), "As `search`, by lazy search with preferred actions.");

  m.def("ground", &ground_task, nb::arg("task"), nb::arg("rules"), nb::arg("seconds").none(),
        nb::arg("megabytes").none(), nb::arg("process_megabytes").none() = nb::none(),
        "The state space of a task, or the name of the limit that was reached.");
  nb::class_<Walk>(m, "Walk")
      .def("__init__",
           [](Walk* walk, const std::shared_ptr<StateSpace>& space) {
             new (walk) Walk(ground_of(space));
           })
      .def_prop_ro("is_goal", &Walk::is_goal)
      .def_prop_ro("state",
                   [](const Walk& walk) {
                     const auto words = walk.words();
                     return to_bytes(std::vector<uint64_t>(words.begin(), words.end()));
                   })
      .def("atoms",
           [](const Walk& walk) { return to_bytes(atoms_in(walk.ground(), walk.words().data())); })
      .def("applicable",
           [](Walk& walk) {
             const auto actions = walk.applicable();
             return to_bytes(std::vector<ActionId>(actions.begin(), actions.end()));
           })
      .def(
          "action",
          [](const Walk& walk, ActionId action) {
            check_action(walk.ground(), action);
            return list_of(walk.ground().action(action).code);
          },
          nb::arg("action"))
      .def(
          "apply",
          [](Walk& walk, ActionId action) {
            check_action(walk.ground(), action);
            const bool possible = walk.is_applicable(action);
            if (possible) walk.apply(action);
            return possible;
          },
          nb::arg("action"), "Whether the action could be done; if so, it is.")
      .def(
          "action_table",
          [](const Walk& walk, size_t width) {
            std::vector<int32_t> table;
            for (int32_t action = 0; action < walk.ground().num_actions(); ++action) {
              const Tuple code = walk.ground().action(ActionId{action}).code;
              if (code.size() > width) throw std::invalid_argument("the actions are wider");
              table.insert(table.end(), code.begin(), code.end());
              table.resize((action + 1) * width, -1);
            }
            return to_bytes(table);
          },
          nb::arg("width"), "All ground actions in number order, each filled up with -1.");
  m.def("random_walk", &walk_randomly, nb::arg("space"), nb::arg("seed"),
        nb::arg("max_steps").none(), nb::arg("seconds").none(), nb::arg("megabytes").none());
}

}  // namespace pg3
