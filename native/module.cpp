// The one file that knows Python: plain values in, plain values out, the GIL released in long work.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "astar.hpp"
#include "executor.hpp"
#include "gnn_trainer.hpp"
#include "grounding.hpp"
#include "plan_checker.hpp"
#include "plan_text.hpp"
#include "problem_reader.hpp"
#include "random_walk.hpp"
#include "rule.hpp"
#include "state_space.hpp"
#include "task.hpp"
#include "tokens.hpp"
#include "training_set.hpp"

namespace nb = nanobind;
using namespace pg3;

namespace {

// Takes the GIL by `take`, or waits for the end of the process. A thread that asks for the GIL when
// the interpreter ends is ended there and then, in a way that unwinds its stack: C++ would abort
// the process where that comes by a destructor, and where a handler is left. This one never is.
template <typename Take>
auto take_gil(Take take) {
  try {
    return take();
  } catch (...) {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    take_gil([this] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

// (kind, positive, predicate, terms)
using ConditionCode = std::tuple<int, bool, int32_t, std::vector<Term>>;
// (action, arguments, parameter types, conditions)
using RuleCode = std::tuple<int32_t, std::vector<Term>, std::vector<std::vector<int32_t>>,
                            std::vector<ConditionCode>>;
// (parameter types, conditions)
using ClauseCode = std::pair<std::vector<std::vector<int32_t>>, std::vector<ConditionCode>>;
// (form, arity, clauses, kind and number of the relation whose edges a graph has)
using RelationCode = std::tuple<int, int32_t, std::vector<ClauseCode>, int, int32_t>;
// (parameter types, preconditions, effects, cost, cost function or -1, its terms)
using ActionCode = std::tuple<std::vector<std::vector<int32_t>>, std::vector<ConditionCode>,
                              std::vector<ConditionCode>, int32_t, int32_t, std::vector<Term>>;
// (predicate, parameter types, conditions)
using AxiomCode =
    std::tuple<int32_t, std::vector<std::vector<int32_t>>, std::vector<ConditionCode>>;
// ((function, object, ...), value)
using FunctionValue = std::pair<std::vector<int32_t>, int32_t>;

template <typename Number>
std::vector<Number> numbers(const nb::bytes& bytes) {
  std::vector<Number> result(bytes.size() / sizeof(Number));
  if (!result.empty()) std::memcpy(result.data(), bytes.c_str(), result.size() * sizeof(Number));
  return result;
}

std::vector<int32_t> integers(const nb::bytes& bytes) {
  return numbers<int32_t>(bytes);
}

template <typename Number>
nb::bytes to_bytes(const std::vector<Number>& values) {
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
}

std::vector<Condition> conditions(const std::vector<ConditionCode>& codes) {
  std::vector<Condition> result;
  for (const auto& [kind, positive, predicate, terms] : codes) {
    if (kind < 0 || kind > 3) throw std::invalid_argument("malformed condition: unknown kind");
    result.push_back({static_cast<Condition::Kind>(kind), positive, predicate, terms});
  }
  return result;
}

std::shared_ptr<Task> make_task(int32_t num_types, const nb::bytes& object_types,
                                std::vector<int32_t> arities,
                                const std::vector<ActionCode>& actions, const nb::bytes& init,
                                const nb::bytes& goal, const nb::bytes& negative_goal,
                                const std::vector<FunctionValue>& function_values,
                                const std::vector<std::vector<AxiomCode>>& axioms) {
  auto task = std::make_shared<Task>();
  task->num_types = num_types;
  task->object_types = integers(object_types);
  task->arities = std::move(arities);
  for (const auto& [types, preconditions, effects, cost, function, terms] : actions) {
    task->actions.push_back(
        {types, conditions(preconditions), conditions(effects), cost, function, terms});
  }
  for (const auto& group : axioms) {
    auto& list = task->axioms.emplace_back();
    for (const auto& [predicate, types, body] : group) {
      list.push_back({predicate, types, conditions(body)});
    }
  }
  task->init = integers(init);
  task->goal = integers(goal);
  task->negative_goal = integers(negative_goal);
  for (const auto& [term, value] : function_values) {
    if (task->function_terms.insert(term).second) task->function_values.push_back(value);
  }
  const GilReleased release;
  task->finish();
  return task;
}

// Whether Python has a signal to deliver (Ctrl-C); the pending exception is left set.
bool signalled() {
  const PyGILState_STATE state = take_gil(PyGILState_Ensure);
  const bool pending = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return pending;
}

Limits make_limits(std::optional<int64_t> expansions, std::optional<double> seconds,
                   std::optional<double> megabytes, std::optional<double> process_megabytes = {}) {
  Limits limits;
  if (expansions) limits.expansions = *expansions;
  if (seconds) limits.seconds = *seconds;
  const auto bad = [](const std::optional<double>& number) { return number && !(*number >= 0); };
  if ((seconds && std::isnan(*seconds)) || bad(megabytes) || bad(process_megabytes)) {
    throw std::invalid_argument("a limit must be a number, and not negative");
  }
  // Beyond this there is no such memory, nor a number for it.
  const auto bytes = [](double number, size_t& limit) {
    if (number < 0x1p40) limit = static_cast<size_t>(number * 0x1p20);
  };
  if (megabytes) bytes(*megabytes, limits.bytes);
  if (process_megabytes) bytes(*process_megabytes, limits.process_bytes);
  limits.interrupted = signalled;
  return limits;
}

const char* name(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::unsolvable:
      return "unsolvable";
    case Status::not_applicable:
      return "not applicable";
    case Status::horizon:
      return "horizon";
    case Status::cycle:
      return "cycle";
    case Status::expansion_limit:
      return "expansion limit";
    case Status::time_limit:
      return "time limit";
    case Status::memory_limit:
      return "memory limit";
    case Status::interrupted:
      return "interrupted";
  }
  return "";
}

// Long work without the GIL: running out of memory is a status, Ctrl-C is Python's exception.
template <typename Work>
auto run_released(Work work) {
  decltype(work()) result;
  {
    const GilReleased release;
    try {
      result = work();
    } catch (const std::bad_alloc&) {
      result = {};
      result.status = Status::memory_limit;
    } catch (const std::length_error&) {  // more than any vector holds
      result = {};
      result.status = Status::memory_limit;
    }
  }
  if (result.status == Status::interrupted) throw nb::python_error();
  return result;
}

void check_state(const StateSpace& space, int32_t state) {
  if (state < 0 || state >= space.num_states()) throw nb::index_error("no such state");
}

HeuristicKind heuristic_kind(const std::string& text) {
  if (text == "add") return HeuristicKind::add;
  if (text == "max") return HeuristicKind::max;
  if (text == "blind") return HeuristicKind::blind;
  throw std::invalid_argument("unknown heuristic '" + text + "'");
}

// Runs work with a watch and the GIL released. Stopped, or Ctrl-C as Python's exception, if a limit
// is reached first.
template <typename Work>
auto watched(const Limits& limits, Work work) {
  try {
    const GilReleased release;
    Watch watch(limits);
    return work(watch);
  } catch (const Stopped& stopped) {
    if (stopped.status == Status::interrupted) throw nb::python_error();
    throw;
  }
}

// The same without limits: Ctrl-C ends it all the same.
template <typename Work>
auto interruptible(Work work) {
  return watched(Limits{.interrupted = signalled}, work);
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
SearchResult search_locked(StateSpace& space, int32_t start, Limits limits, Search search) {
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

size_t checked(const Tokens& tokens, size_t index) {
  if (index >= tokens.size()) throw nb::index_error("no such token");
  return index;
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

// The weights of a search's heuristic and of each open goal.
void check_weights(const std::pair<int32_t, int32_t>& weights) {
  for (int32_t weight : {weights.first, weights.second}) {
    if (weight < 0 || weight > kMostWeight) throw nb::value_error("no such weight");
  }
}

nb::tuple search(StateSpace& space, const std::vector<int32_t>& policy, int32_t rollout,
                 const std::string& heuristic, bool use_costs, std::optional<int64_t> expansions,
                 std::optional<double> seconds, std::optional<double> megabytes,
                 std::optional<double> process_megabytes, std::optional<int32_t> start,
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
  nb::list plan;
  for (const PlanStep& step : result.plan)
    plan.append(nb::make_tuple(step.action, step.from_policy));
  return nb::make_tuple(name(result.status), plan, result.cost, result.expansions,
                        result.generated);
}

nb::tuple plan_to(StateSpace& space, int32_t start, const std::vector<int32_t>& fluents,
                  int64_t expansions, std::optional<double> seconds,
                  std::optional<double> process_megabytes, std::pair<int32_t, int32_t> weights) {
  for (int32_t fluent : fluents) {
    if (fluent < 0 || fluent >= space.ground().num_fluents()) throw nb::index_error();
  }
  check_weights(weights);
  const Limits limits = make_limits(expansions, seconds, {}, process_megabytes);
  const SearchOptions options{.start = start,
                              .heuristic_weight = weights.first,
                              .goal_weight = weights.second,
                              .subgoal = fluents};
  const SearchResult result = search_locked(space, start, limits, [&](const Limits& left) {
    // A learner asks thousands of times, from few threads: the working memory is kept for the next.
    thread_local AStar search;
    return search.run(space, {}, options, left);
  });
  std::vector<int32_t> actions;
  for (const PlanStep& step : result.plan) actions.push_back(step.action);
  return nb::make_tuple(name(result.status), actions);
}

// ((action name, arity) ..., object names)
using NameCode = std::pair<std::vector<std::pair<std::string, int32_t>>, std::vector<std::string>>;

PlanNames plan_names(const NameCode& code) {
  PlanNames names;
  for (const auto& [action, arity] : code.first) {
    names.actions.push_back(action);
    names.arities.push_back(arity);
  }
  names.objects = code.second;
  return names;
}

// Throws unless there is a name for every action and object of the task.
void check_names(const NameCode& names, const Task& task) {
  if (names.first.size() != task.actions.size() ||
      names.second.size() != task.object_types.size()) {
    throw std::invalid_argument("the names are not those of the task");
  }
}

nb::tuple run_policy(const std::shared_ptr<Task>& task, const RuleTable& rules,
                     const std::vector<int32_t>& policy, std::optional<int64_t> max_steps,
                     std::optional<double> seconds, std::optional<double> megabytes,
                     bool time_steps, const std::optional<std::string>& plan_path,
                     const std::optional<NameCode>& names) {
  std::vector<std::shared_ptr<const Rule>> list;
  for (int32_t rule : policy) list.push_back(rules.get(rule));
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

int32_t checked_action(const Walk& walk, int32_t action) {
  if (action < 0 || action >= walk.ground().num_actions()) throw nb::index_error("no such action");
  return action;
}

void bind_walk(nb::module_& m) {
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
           [](const Walk& walk) {
             std::vector<int32_t> codes;
             for (int32_t fluent = 0; fluent < walk.ground().num_fluents(); ++fluent) {
               if (!walk.holds(fluent)) continue;
               const Tuple atom = walk.ground().fluents[fluent];
               codes.insert(codes.end(), atom.begin(), atom.end());
             }
             return to_bytes(codes);
           })
      .def("applicable",
           [](Walk& walk) {
             const auto actions = walk.applicable();
             return to_bytes(std::vector<int32_t>(actions.begin(), actions.end()));
           })
      .def(
          "action",
          [](const Walk& walk, int32_t action) {
            const Tuple code = walk.ground().actions[checked_action(walk, action)];
            return std::vector<int32_t>(code.begin(), code.end());
          },
          nb::arg("action"))
      .def(
          "apply",
          [](Walk& walk, int32_t action) {
            const bool possible = walk.is_applicable(checked_action(walk, action));
            if (possible) walk.apply(action);
            return possible;
          },
          nb::arg("action"), "Whether the action could be done; if so, it is.")
      .def(
          "action_table",
          [](const Walk& walk, size_t width) {
            std::vector<int32_t> table;
            for (int32_t action = 0; action < walk.ground().num_actions(); ++action) {
              const Tuple code = walk.ground().actions[action];
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

void bind_gnn_trainer(nb::module_& m) {
  using Bytes = nb::bytes;
  nb::class_<GnnTrainer>(m, "GnnTrainer")
      .def(
          "__init__",
          [](GnnTrainer* trainer, const std::array<int32_t, 5>& shape,
             const std::array<Bytes, 3>& rows, const std::array<Bytes, 11>& samples, int64_t epoch,
             const std::array<Bytes, 3>& state, int32_t batch, double learning_rate, bool plain) {
            GnnSamples data{
                numbers<float>(rows[0]), numbers<float>(rows[1]), numbers<float>(rows[2]),
                integers(samples[0]),    integers(samples[1]),    integers(samples[2]),
                integers(samples[3]),    integers(samples[4]),    integers(samples[5]),
                integers(samples[6]),    integers(samples[7]),    integers(samples[8]),
                integers(samples[9]),    integers(samples[10])};
            new (trainer)
                GnnTrainer({shape[0], shape[1], shape[2], shape[3], shape[4]}, std::move(data),
                           {epoch, numbers<float>(state[0]), numbers<float>(state[1]),
                            numbers<float>(state[2])},
                           {batch, learning_rate, plain});
          },
          nb::kw_only(), nb::arg("shape"), nb::arg("rows"), nb::arg("samples"), nb::arg("epoch"),
          nb::arg("state"), nb::arg("batch"), nb::arg("learning_rate"), nb::arg("plain") = false)
      .def(
          "run_epoch",
          [](GnnTrainer& trainer, std::optional<double> seconds) -> nb::object {
            const Limits limits = make_limits({}, seconds, {});
            const auto epoch = run_released([&] { return trainer.run_epoch(limits); });
            if (epoch.status != Status::solved) return nb::cast(name(epoch.status));
            return nb::cast(epoch.loss);
          },
          nb::arg("seconds").none() = nb::none(),
          "The mean loss, or the name of the limit that was reached: then nothing has happened.")
      .def("state", [](const GnnTrainer& trainer) {
        const GnnState state = trainer.state();
        return nb::make_tuple(to_bytes(state.weights), to_bytes(state.means),
                              to_bytes(state.squares));
      });
}

// (few, partners, patience, fair work, grace, turn)
using TuningCode = std::tuple<int32_t, double, int64_t, double, int64_t, int64_t>;

nb::object policy_answers(const std::shared_ptr<Task>& task, const RuleTable& rules,
                          const std::vector<int32_t>& policy,
                          const std::vector<std::pair<bool, std::vector<int32_t>>>& changes,
                          const TuningCode& tuning, std::optional<double> seconds) {
  std::vector<std::shared_ptr<const Rule>> list;
  for (int32_t rule : policy) list.push_back(rules.get(rule));
  std::vector<Change> steps;
  for (const auto& [present, atom] : changes) steps.push_back({present, atom});
  const auto& [few, partners, patience, fair_work, grace, turn] = tuning;
  // Nothing is said of the atoms: in a test the patience given is to be the patience.
  const Tuning values{few,       partners, patience, std::numeric_limits<int64_t>::max(),
                      fair_work, grace,    turn};
  struct Result {
    std::vector<std::vector<int32_t>> answers;
    Status status = Status::solved;
  };
  const Limits limits = make_limits({}, seconds, {});
  const Result result = run_released([&]() -> Result {
    try {
      return {answers(task, list, rules, steps, values, limits)};
    } catch (const Stopped& stopped) {
      return {{}, stopped.status};
    }
  });
  if (result.status != Status::solved) return nb::cast(name(result.status));
  return nb::cast(result.answers);
}

nb::tuple judge_plan(const Task& task, const nb::bytes& plan) {
  const std::vector<int32_t> codes = integers(plan);
  PlanVerdict verdict;
  {
    const GilReleased release;
    verdict = check_plan(task, codes);
  }
  return nb::make_tuple(verdict.valid, verdict.steps, verdict.cost, verdict.failed_step,
                        verdict.obstacle, verdict.missing_goals, verdict.violated_goals);
}

using SymbolSpec = std::pair<std::string, std::vector<std::string>>;

// Throws unless the numbers of a vocabulary fit each other and the sections are closed expressions
// that begin with a word: the reader relies on it.
void check_reading(const Tokens& tokens, const Vocabulary& vocabulary, const Sections& sections) {
  auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("malformed question: ") + what);
  };
  auto is_type = [&](int32_t type) {
    return type >= 0 && static_cast<size_t>(type) < vocabulary.types.size();
  };
  require(is_type(vocabulary.default_type), "type out of range");
  require(std::ranges::all_of(vocabulary.constant_types, is_type), "type out of range");
  require(vocabulary.constant_types.size() == vocabulary.constants.size(), "types of constants");
  for (const auto* list : {&vocabulary.predicates, &vocabulary.functions}) {
    for (const Symbol& symbol : *list) {
      for (const std::string& accepted : symbol.accepts) {
        require(accepted.size() == vocabulary.types.size(), "types of a symbol");
      }
    }
  }
  auto is_section = [&](size_t token) {
    return token < tokens.size() && tokens.is_open(token) &&
           tokens.closing(token) < tokens.size() && tokens.closing(token) > token + 1;
  };
  require(sections.objects >= tokens.size() || is_section(sections.objects), "no section");
  require(is_section(sections.init) && is_section(sections.goal), "no section");
}

std::vector<Symbol> symbols(std::vector<SymbolSpec>& specs) {
  std::vector<Symbol> result;
  for (SymbolSpec& spec : specs) result.push_back({std::move(spec.first), std::move(spec.second)});
  return result;
}

void bind_problem_reader(nb::module_& m) {
  nb::class_<ProblemLists>(m, "ProblemLists")
      .def_prop_ro("names",
                   [](const ProblemLists& lists) {
                     nb::list names;
                     for (std::string_view name : lists.names) {
                       names.append(nb::str(name.data(), name.size()));
                     }
                     return names;
                   })
      .def_prop_ro("types", [](const ProblemLists& lists) { return to_bytes(lists.types); })
      .def_prop_ro("init", [](const ProblemLists& lists) { return to_bytes(lists.init.flat()); })
      .def_prop_ro("goal", [](const ProblemLists& lists) { return to_bytes(lists.goal.flat()); })
      .def_prop_ro("negative_goal",
                   [](const ProblemLists& lists) { return to_bytes(lists.negative_goal.flat()); })
      .def_prop_ro("valued",
                   [](const ProblemLists& lists) { return to_bytes(lists.valued.flat()); })
      .def_prop_ro("values", [](const ProblemLists& lists) { return to_bytes(lists.values); })
      .def_ro("repeated_constants", &ProblemLists::repeated_constants)
      .def_prop_ro("fault",
                   [](const ProblemLists& lists) {
                     switch (lists.fault) {
                       case Fault::objects:
                         return ":objects";
                       case Fault::init:
                         return ":init";
                       case Fault::goal:
                         return ":goal";
                       default:
                         return "";
                     }
                   })
      .def_ro("fault_at", &ProblemLists::fault_at)
      .def_ro("contradicts", &ProblemLists::contradicts);

  m.def(
      "read_problem_lists",
      [](const Tokens& tokens, std::vector<std::string> types, std::vector<std::string> constants,
         std::vector<int32_t> constant_types, std::vector<SymbolSpec> predicates,
         std::vector<SymbolSpec> functions, int32_t default_type, int32_t total_cost,
         size_t objects, size_t init, size_t goal) {
        GilReleased release;
        const Vocabulary vocabulary{
            std::move(types),    std::move(constants), std::move(constant_types),
            symbols(predicates), symbols(functions),   default_type,
            total_cost};
        const Sections sections{objects, init, goal};
        check_reading(tokens, vocabulary, sections);
        return read_problem_lists(tokens, vocabulary, sections);
      },
      nb::arg("tokens"), nb::kw_only(), nb::arg("types"), nb::arg("constants"),
      nb::arg("constant_types"), nb::arg("predicates"), nb::arg("functions"),
      nb::arg("default_type"), nb::arg("total_cost"), nb::arg("objects"), nb::arg("init"),
      nb::arg("goal"), nb::keep_alive<0, 1>());
}

// Scores a batch without the GIL; Ctrl-C during it is Python's exception.
template <typename Work>
auto scored(TrainingSet& set, Work work) {
  decltype(work()) scores;
  {
    const GilReleased release;
    scores = work();
  }
  if (set.status() == Status::interrupted) throw nb::python_error();
  return scores;
}

// Throws unless there are states of each problem, and for each problem.
void check_states(const TrainingSet& set, const std::vector<std::vector<int32_t>>& states) {
  if (states.size() != set.size()) throw std::invalid_argument("one list of states a problem");
  for (size_t p = 0; p < states.size(); ++p) {
    for (int32_t state : states[p]) check_state(set.space(p), state);
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

NB_MODULE(_native, m) {
  // Whoever is interrupted leaves objects behind, which is nothing to tell users about.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& fault, void*) {
    try {
      std::rethrow_exception(fault);
    } catch (const std::system_error& error) {
      errno = error.code().value();
      PyErr_SetFromErrno(PyExc_OSError);
    }
  });

  m.doc() = "The kernel of pg3: everything that touches tokens or states in a loop.";

  nb::class_<Tokens>(m, "Tokens")
      .def(
          "__init__",
          [](Tokens* self, nb::bytes text) {
            std::string copy(text.c_str(), text.size());
            GilReleased release;
            new (self) Tokens(std::move(copy));
          },
          nb::arg("text"))
      .def("__len__", &Tokens::size)
      .def(
          "word", [](const Tokens& t, size_t i) { return t.word(checked(t, i)); }, nb::arg("index"))
      .def(
          "begin", [](const Tokens& t, size_t i) { return t.token(checked(t, i)).begin; },
          nb::arg("index"))
      .def(
          "end", [](const Tokens& t, size_t i) { return t.token(checked(t, i)).end; },
          nb::arg("index"))
      .def(
          "closing", [](const Tokens& t, size_t i) { return t.closing(checked(t, i)); },
          nb::arg("index"))
      .def("unclosed", &Tokens::unclosed)
      .def("buried_section", [](const Tokens& t) {
        const Tokens::Buried buried = t.buried_section();
        return nb::make_tuple(buried.section, buried.around);
      });
  bind_problem_reader(m);

  nb::class_<Task>(m, "Task").def(
      nb::new_(&make_task), nb::arg("num_types"), nb::arg("object_types"), nb::arg("arities"),
      nb::arg("actions"), nb::arg("init"), nb::arg("goal"), nb::arg("negative_goal"),
      nb::arg("function_values"), nb::arg("axioms") = std::vector<std::vector<AxiomCode>>());

  nb::class_<RuleTable>(m, "RuleTable")
      .def(nb::init<>())
      .def(
          "add",
          [](RuleTable& table, const RuleCode& code) {
            const auto& [action, arguments, types, codes] = code;
            return table.add({action, arguments, types, conditions(codes)});
          },
          nb::arg("rule"))
      .def(
          "extend",
          [](RuleTable& table, int32_t number, const std::vector<ConditionCode>& codes) {
            return table.extend(number, conditions(codes));
          },
          nb::arg("number"), nb::arg("conditions"))
      .def(
          "get",
          [](const RuleTable& table, int32_t number) -> RuleCode {
            const auto rule = table.get(number);
            std::vector<ConditionCode> codes;
            for (const Condition& condition : rule->conditions) {
              codes.emplace_back(static_cast<int>(condition.kind), condition.positive,
                                 condition.predicate, condition.terms);
            }
            return {rule->action, rule->arguments, rule->parameter_types, codes};
          },
          nb::arg("number"))
      .def(
          "define",
          [](RuleTable& table, const std::vector<RelationCode>& group) {
            std::vector<DerivedRelation> relations;
            for (const auto& [form, arity, clauses, edge_kind, edges] : group) {
              if (form < 0 || form > 2) throw std::invalid_argument("malformed relation: form");
              if (edge_kind < 0 || edge_kind > 3) {
                throw std::invalid_argument("malformed relation: edges");
              }
              DerivedRelation& relation = relations.emplace_back();
              relation.form = static_cast<DerivedRelation::Form>(form);
              if (relation.form != DerivedRelation::Form::clauses && group.size() != 1) {
                throw std::invalid_argument("malformed relation: a graph stands alone");
              }
              relation.arity = arity;
              for (const auto& [types, codes] : clauses) {
                relation.clauses.push_back({types, conditions(codes)});
              }
              relation.edge_kind = static_cast<Condition::Kind>(edge_kind);
              relation.edges = edges;
            }
            return table.define(std::move(relations));
          },
          nb::arg("group"))
      .def("__len__", &RuleTable::size);

  nb::class_<StateSpace>(m, "StateSpace")
      .def_prop_ro("initial", &StateSpace::initial)
      .def_prop_ro("num_actions", [](const StateSpace& s) { return s.ground().num_actions(); })
      .def_prop_ro("num_fluents", [](const StateSpace& s) { return s.ground().num_fluents(); })
      .def("num_states", [](StateSpace& s) { return locked(s, [&] { return s.num_states(); }); })
      .def("bytes", [](StateSpace& s) { return locked(s, [&] { return s.bytes(); }); })
      .def(
          "find_fluent",
          [](const StateSpace& s, const std::vector<int32_t>& atom) {
            return s.ground().fluents.find(atom);
          },
          nb::arg("atom"))
      .def(
          "find_action",
          [](const StateSpace& s, const std::vector<int32_t>& action) {
            return s.ground().actions.find(action);
          },
          nb::arg("action"))
      .def(
          "action",
          [](const StateSpace& s, int32_t number) {
            if (number < 0 || number >= s.ground().num_actions()) throw nb::index_error();
            const Tuple code = s.ground().actions[number];
            return std::vector<int32_t>(code.begin(), code.end());
          },
          nb::arg("number"))
      .def(
          "intern",
          [](StateSpace& s, const std::vector<int32_t>& fluents) {
            for (int32_t fluent : fluents) {
              if (fluent < 0 || fluent >= s.ground().num_fluents()) throw nb::index_error();
            }
            return locked(s, [&] { return s.intern(fluents); });
          },
          nb::arg("fluents"))
      .def(
          "atoms",
          [](StateSpace& s, int32_t state) {
            return to_bytes(locked(s, [&] {
              check_state(s, state);
              std::vector<int32_t> codes;
              for (int32_t fluent = 0; fluent < s.ground().num_fluents(); ++fluent) {
                if (!(s.state(state)[fluent >> 6] >> (fluent & 63) & 1)) continue;
                const Tuple atom = s.ground().fluents[fluent];
                codes.insert(codes.end(), atom.begin(), atom.end());
              }
              return codes;
            }));
          },
          nb::arg("state"), "The fluent atoms that hold, coded one after the other.")
      .def(
          "is_goal",
          [](StateSpace& s, int32_t state) {
            return locked(s, [&] {
              check_state(s, state);
              return s.is_goal(state);
            });
          },
          nb::arg("state"))
      .def(
          "successors",
          [](StateSpace& s, int32_t state) {
            return locked(s, [&] {
              check_state(s, state);
              std::vector<std::pair<int32_t, int32_t>> pairs;
              for (const Successor& next : s.successors(state)) {
                pairs.emplace_back(next.action, next.state);
              }
              return pairs;
            });
          },
          nb::arg("state"), "All (action, state) in the order of the actions.")
      .def(
          "heuristic",
          [](StateSpace& s, int32_t state, const std::string& kind,
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
          [](StateSpace& s, int32_t relation, int32_t state, std::optional<double> seconds,
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
          [](StateSpace& s, int32_t rule, int32_t state, std::optional<double> seconds,
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
          [](StateSpace& s, const std::vector<int32_t>& policy, int32_t state,
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
          [](StateSpace& s, const std::vector<int32_t>& policy, const std::vector<int32_t>& actions,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            return limited(s, make_limits({}, seconds, {}, process_megabytes), [&] {
              std::vector<bool> agreed;
              int32_t state = s.initial();
              for (int32_t action : actions) {
                if (action < 0 || action >= s.ground().num_actions()) break;
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
           nb::arg("weights") = std::pair(1, 0),
           "The status of a search from a state for one where the fluents hold, and the plan.")
      .def(
          "apply",
          [](StateSpace& s, int32_t state, int32_t action) {
            if (action < 0 || action >= s.ground().num_actions()) throw nb::index_error();
            return locked(s, [&] {
              check_state(s, state);
              return s.is_applicable(state, action) ? s.apply(state, action) : -1;
            });
          },
          nb::arg("state"), nb::arg("action"), "The state after an action; -1 if not applicable.")
      .def(
          "search", &search, nb::arg("policy"), nb::arg("rollout"), nb::arg("heuristic"),
          nb::arg("use_costs"), nb::arg("expansions").none(), nb::arg("seconds").none(),
          nb::arg("megabytes").none(), nb::arg("process_megabytes").none() = nb::none(),
          nb::arg("start").none() = nb::none(), nb::arg("weights") = std::pair(1, 0),
          nb::arg("generated").none() = nb::none(),
          "From a state, by default the initial one: (status, plan, cost, expansions, generated).");

  m.def("ground", &ground_task, nb::arg("task"), nb::arg("rules"), nb::arg("seconds").none(),
        nb::arg("megabytes").none(), nb::arg("process_megabytes").none() = nb::none(),
        "The state space of a task, or the name of the limit that was reached.");
  m.def("execute", &run_policy, nb::arg("task"), nb::arg("rules"), nb::arg("policy"),
        nb::arg("max_steps").none(), nb::arg("seconds").none(), nb::arg("megabytes").none(),
        nb::arg("time_steps") = false, nb::arg("plan_path").none() = nb::none(),
        nb::arg("names").none() = nb::none());
  m.def("answers", &policy_answers, nb::arg("task"), nb::arg("rules"), nb::arg("policy"),
        nb::arg("changes"), nb::arg("tuning"), nb::arg("seconds").none() = nb::none());
  m.def("check_plan", &judge_plan, nb::arg("task"), nb::arg("plan"));
  m.def(
      "read_plan",
      [](const Tokens& tokens, const NameCode& code) {
        const PlanNames names = plan_names(code);
        PlanCodes result;
        {
          const GilReleased release;
          result = read_plan_codes(tokens, names);
        }
        return nb::make_tuple(to_bytes(result.codes), result.fault);
      },
      nb::arg("tokens"), nb::arg("names"),
      "The codes of a plan text, and the number of the first token that does not fit or -1.");

  bind_walk(m);
  bind_gnn_trainer(m);

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
      .def_prop_ro("status", [](const TrainingSet& set) { return name(set.status()); })
      .def(
          "guided",
          [](TrainingSet& set, const std::vector<Policy>& policies, int32_t rollout,
             std::optional<int64_t> expansions, std::optional<double> seconds,
             std::optional<double> process_megabytes, std::optional<int32_t> horizon) {
            const Limits limits = make_limits(expansions, seconds, {}, process_megabytes);
            auto scores = scored(set, [&] { return set.guided(policies, rollout, limits); });
            if (horizon) forget_longer(scores, *horizon);
            return nb::make_tuple(
                column(scores, &GuidedScore::mismatches), column(scores, &GuidedScore::plan_length),
                column(scores, &GuidedScore::expansions), new_traces(set, scores));
          },
          nb::arg("policies"), nb::arg("rollout"), nb::arg("expansions").none(),
          nb::arg("seconds").none(), nb::arg("process_megabytes").none() = nb::none(),
          nb::arg("horizon").none() = nb::none(),
          "Mismatches, plan lengths, expansions, and (problem, trace) of each new search.")
      .def(
          "traced",
          [](TrainingSet& set, const std::vector<Policy>& policies, int32_t rollout,
             std::optional<int64_t> expansions, std::optional<double> seconds,
             std::optional<double> process_megabytes, std::optional<int32_t> horizon) {
            const Limits limits = make_limits(expansions, seconds, {}, process_megabytes);
            auto scores = scored(set, [&] { return set.guided(policies, rollout, limits); });
            if (horizon) forget_longer(scores, *horizon);
            std::vector<uint64_t> traces;
            for (const GuidedScore& score : scores) traces.push_back(score.trace);
            return nb::make_tuple(column(scores, &GuidedScore::mismatches),
                                  column(scores, &GuidedScore::expansions), traces);
          },
          nb::arg("policies"), nb::arg("rollout"), nb::arg("expansions").none(),
          nb::arg("seconds").none(), nb::arg("process_megabytes").none() = nb::none(),
          nb::arg("horizon").none() = nb::none(),
          "Mismatches, expansions, and traces, new or known, for a learner to `count` elsewhere.")
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
            const auto scores =
                scored(set, [&] { return set.executed(policies, max_steps, limits); });
            return nb::make_tuple(column(scores, &ExecutionScore::solved),
                                  column(scores, &ExecutionScore::steps),
                                  column(scores, &ExecutionScore::open_goals));
          },
          nb::arg("policies"), nb::arg("max_steps"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none())
      .def(
          "executed_from",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<int32_t>>& starts, int64_t max_steps,
             std::optional<double> seconds, std::optional<double> process_megabytes) {
            check_states(set, starts);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            return column(
                scored(set, [&] { return set.executed_from(policies, starts, max_steps, limits); }),
                &ExecutionScore::solved);
          },
          nb::arg("policies"), nb::arg("starts"), nb::arg("max_steps"),
          nb::arg("seconds").none() = nb::none(), nb::arg("process_megabytes").none() = nb::none(),
          "Whether each policy solves each problem from each of the given states.")
      .def(
          "compared",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<int32_t>>& plans, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            if (plans.size() != set.size()) throw std::invalid_argument("one plan a problem");
            for (size_t p = 0; p < plans.size(); ++p) {
              for (int32_t action : plans[p]) {
                if (action < 0 || action >= set.space(p).ground().num_actions()) {
                  throw nb::index_error("no such action");
                }
              }
            }
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            return to_bytes(scored(set, [&] { return set.compared(policies, plans, limits); }));
          },
          nb::arg("policies"), nb::arg("plans"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none())
      .def(
          "identified",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<int32_t>>& states, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            check_states(set, states);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            return scored(set, [&] { return set.identified(policies, states, limits); });
          },
          nb::arg("policies"), nb::arg("states"), nb::arg("seconds").none(),
          nb::arg("process_megabytes").none() = nb::none())
      .def(
          "answers",
          [](TrainingSet& set, const std::vector<Policy>& policies,
             const std::vector<std::vector<int32_t>>& states, std::optional<double> seconds,
             std::optional<double> process_megabytes) {
            check_states(set, states);
            const Limits limits = make_limits({}, seconds, {}, process_megabytes);
            return scored(set, [&] { return set.answers(policies, states, limits); });
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
  m.def("resident_bytes", &resident_bytes,
        "The memory of this process that is in use, as the system counts it; 0 if unknown.");
}
