// The kernel on any numbers, under sanitizers: a task is refused as a whole, or everything that can
// be done with it is done, and the parts must agree with each other.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "core/rule.hpp"
#include "ground/astar.hpp"
#include "ground/grounding.hpp"
#include "ground/state_space.hpp"
#include "ground/training_set.hpp"
#include "lifted/executor.hpp"
#include "lifted/plan_checker.hpp"

using namespace pg3;

// Ends the run with the promise that was broken.
#define REQUIRE(promise) \
  if (!(promise)) std::fprintf(stderr, "broken: %s\n", #promise), std::abort()

namespace {

// The input as a stream of numbers, zeros at its end.
class Numbers {
 public:
  Numbers(const uint8_t* data, size_t size) : data_(data), end_(data + size) {}

  uint8_t byte() { return data_ < end_ ? *data_++ : 0; }
  int32_t below(int32_t bound) { return bound <= 0 ? 0 : byte() % bound; }
  // A number of a range, or rarely one that is in no range.
  int32_t number(int32_t bound) {
    const uint8_t value = byte();
    if (value >= 252) return std::array{INT32_MAX, INT32_MIN, -1, bound}[value - 252];
    return bound <= 0 ? 0 : value % bound;
  }

 private:
  const uint8_t* data_;
  const uint8_t* end_;
};

class Builder {
 public:
  Builder(const uint8_t* data, size_t size) : numbers_(data, size) {}

  std::shared_ptr<Task> task() {
    auto task = std::make_shared<Task>();
    task->num_types = 1 + numbers_.below(2);
    for (int32_t n = numbers_.below(6); n > 0; --n) {
      task->object_types.push_back(type(*task));
    }
    for (int32_t n = 1 + numbers_.below(3); n > 0; --n) task->arities.push_back(numbers_.number(4));
    // The last predicates may be derived.
    const int32_t plain = task->num_predicates();
    for (int32_t n = numbers_.below(3); n > 0; --n) task->arities.push_back(numbers_.number(4));
    for (int32_t n = numbers_.below(4); n > 0; --n) {
      ActionSchema action;
      action.parameter_types = parameters(*task);
      const auto count = static_cast<int32_t>(action.parameter_types.size());
      if (numbers_.below(2)) action.preconditions = conditions(*task, count, {});
      action.effects = conditions(*task, count, {});
      // An effect that is none makes the task one to refuse: seldom enough that others are tried.
      if (numbers_.below(8)) {
        for (Condition& effect : action.effects) {
          if (effect.is_of_goal()) effect.kind = Condition::Kind::state;
        }
        std::erase_if(action.effects, [&](const Condition& effect) {
          return effect.kind == Condition::Kind::equality || effect.symbol >= plain;
        });
      }
      action.cost = numbers_.number(3);
      if (numbers_.below(8) == 7) action.cost_function = FunctionId{0};
      task->actions.push_back(std::move(action));
    }
    for (auto* atoms : {&task->init, &task->goal, &task->negative_goal}) {
      TupleTable once;  // as the readers give them
      for (int32_t n = numbers_.below(6); n > 0; --n) {
        std::vector<int32_t> atom{numbers_.number(task->num_predicates())};
        if (atoms == &task->init && atom[0] >= plain && numbers_.below(8)) continue;
        const bool known = atom[0] >= 0 && atom[0] < task->num_predicates();
        for (int32_t i = 0; known && i < std::min(task->arities[atom[0]], 4); ++i) {
          atom.push_back(numbers_.number(task->num_objects()));
        }
        once.insert(atom);
      }
      *atoms = once.flat();
    }
    if (numbers_.below(2)) {
      task->function_terms.insert(std::vector<int32_t>{0});
      task->function_values.push_back(numbers_.number(5));
    }
    for (int32_t head = plain; head < task->num_predicates(); ++head) {
      auto& group = task->axioms.emplace_back();
      for (int32_t n = 1 + numbers_.below(2); n > 0; --n)
        group.push_back(axiom(*task, PredicateId{head}));
    }
    return task;
  }

  // Groups of derived relations and paths, each on those before it and on itself.
  void define(const Task& task, RuleTable& table) {
    for (int32_t n = numbers_.below(4); n > 0; --n) {
      const int32_t form = numbers_.below(4);
      std::vector<DerivedRelation> group(form < 2 ? 1 + numbers_.below(2) : 1);
      std::vector<int32_t> arities;
      for (DerivedRelation& relation : group) {
        relation.arity = form < 2 ? numbers_.below(4) : form;
        arities.push_back(relation.arity);
      }
      for (DerivedRelation& relation : group) {
        if (form >= 2) {
          relation.form = form == 2 ? DerivedRelation::Form::reach : DerivedRelation::Form::next;
          const bool derived = numbers_.below(2) && !relations_.empty();
          relation.edge_kind = derived ? Condition::Kind::derived : Condition::Kind::state;
          relation.edges = numbers_.number(derived ? static_cast<int32_t>(relations_.size())
                                                   : task.num_predicates());
          continue;
        }
        for (int32_t m = 1 + numbers_.below(2); m > 0; --m) {
          Clause clause{parameters(task), {}};
          while (static_cast<int32_t>(clause.parameter_types.size()) < relation.arity) {
            clause.parameter_types.push_back({type(task)});
          }
          const auto count = static_cast<int32_t>(clause.parameter_types.size());
          clause.conditions = conditions(task, count, relations_, arities);
          relation.clauses.push_back(std::move(clause));
        }
      }
      // The same relations get the numbers that they have.
      const size_t first = index_of(table.define(std::move(group)));
      relations_.resize(std::max(relations_.size(), first + arities.size()));
      std::ranges::copy(arities, relations_.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }

  Rule rule(const Task& task) {
    Rule rule;
    rule.action = SchemaId{numbers_.number(static_cast<int32_t>(task.actions.size()))};
    const bool known = in_range(rule.action, task.actions.size());
    if (known && numbers_.below(2)) {
      // The action's own parameters: what the rule chooses can mostly be done.
      rule.parameter_types = task.schema(rule.action).parameter_types;
      for (size_t i = 0; i < rule.parameter_types.size(); ++i) {
        rule.arguments.push_back(static_cast<Term>(i));
      }
    } else {
      rule.parameter_types = parameters(task);
      const auto some = static_cast<int32_t>(rule.parameter_types.size());
      for (size_t i = 0; known && i < task.schema(rule.action).parameter_types.size(); ++i) {
        rule.arguments.push_back(term(task, some));
      }
    }
    const auto count = static_cast<int32_t>(rule.parameter_types.size());
    rule.conditions = conditions(task, count, relations_);
    return rule;
  }

  Numbers& numbers() { return numbers_; }

 private:
  // One way in which a predicate is derived from those before it and, mostly without `not`, itself.
  Axiom axiom(const Task& task, PredicateId head) {
    Axiom axiom{head, parameters(task), {}};
    const int32_t arity = std::min(task.arities[index_of(head)], 4);
    while (static_cast<int32_t>(axiom.parameter_types.size()) < arity) {
      axiom.parameter_types.push_back({type(task)});
    }
    const auto count = static_cast<int32_t>(axiom.parameter_types.size());
    axiom.conditions = conditions(task, count, {});
    // As with effects: what makes the task one to refuse is seldom.
    if (numbers_.below(8)) {
      for (Condition& condition : axiom.conditions) {
        if (condition.is_of_goal()) condition.kind = Condition::Kind::state;
        if (condition.symbol == number_of(head)) condition.positive = true;
      }
      std::erase_if(axiom.conditions,
                    [&](const Condition& one) { return one.symbol > number_of(head); });
    }
    return axiom;
  }

  TypeId type(const Task& task) { return TypeId{numbers_.number(task.num_types)}; }

  ParameterTypes parameters(const Task& task) {
    ParameterTypes types(numbers_.below(4));
    for (auto& one : types) {
      for (int32_t n = 1 + numbers_.below(2); n > 0; --n) one.push_back(type(task));
    }
    return types;
  }

  Term term(const Task& task, int32_t parameters) {
    const bool constant = parameters == 0 || numbers_.below(8) == 7;
    return Term{constant ? -1 - numbers_.below(task.num_objects()) : numbers_.number(parameters)};
  }

  // With the arities of the derived relations that are known, and of those of the same group.
  std::vector<Condition> conditions(const Task& task, int32_t parameters,
                                    const std::vector<int32_t>& derived,
                                    const std::vector<int32_t>& group = {}) {
    std::vector<Condition> result;
    const auto all = static_cast<int32_t>(derived.size() + group.size());
    for (int32_t n = numbers_.below(4); n > 0; --n) {
      const int32_t kind = numbers_.below(all == 0 ? 8 : 12);
      if (kind >= 8) {
        const int32_t which = numbers_.below(all) - static_cast<int32_t>(group.size());
        Condition condition{Condition::Kind::derived, numbers_.below(3) != 2, which, {}};
        for (int32_t i = which < 0 ? group[-1 - which] : derived[which]; i > 0; --i) {
          condition.terms.push_back(term(task, parameters));
        }
        result.push_back(std::move(condition));
        continue;
      }
      Condition condition{kind == 7   ? Condition::Kind::equality
                          : kind == 6 ? Condition::Kind::goal
                          : kind == 5 ? Condition::Kind::unwanted
                                      : Condition::Kind::state,
                          numbers_.below(3) != 2,
                          -1,
                          {}};
      int32_t arity = 2;
      if (condition.kind != Condition::Kind::equality) {
        condition.symbol = numbers_.number(task.num_predicates());
        const bool known = in_range(condition.predicate(), task.arities.size());
        arity = known ? std::min(task.arities[condition.symbol], 4) : 0;
      }
      for (int32_t i = 0; i < arity; ++i) condition.terms.push_back(term(task, parameters));
      result.push_back(std::move(condition));
    }
    return result;
  }

  Numbers numbers_;
  std::vector<int32_t> relations_;  // their arities
};

std::vector<int32_t> codes(const StateSpace& space, const SearchResult& result) {
  std::vector<int32_t> plan;
  for (const PlanStep& step : result.plan) {
    const Tuple code = space.ground().action(step.action).code;
    plan.insert(plan.end(), code.begin(), code.end());
  }
  return plan;
}

// What the policy comes to in the ground task, step by step: the plan as the executor codes it.
std::vector<int32_t> walk(StateSpace& space, const Policy& policy, int64_t steps) {
  std::vector<int32_t> plan;
  for (StateId state = space.initial(); steps > 0 && !space.is_goal(state); --steps) {
    const ActionId action = space.policy_action(policy, state);
    if (!space.can_do(state, action)) break;
    const Tuple code = space.ground().action(action).code;
    plan.insert(plan.end(), code.begin(), code.end());
    state = space.apply(state, action);
  }
  return plan;
}

// Whether a plan can be done in the ground task and reaches the goal: the checker knows no axioms.
bool reaches_goal(StateSpace& space, const std::vector<int32_t>& plan) {
  StateId state = space.initial();
  for (size_t at = 0; at < plan.size();) {
    const size_t size = 1 + space.ground().task->actions[plan[at]].parameter_types.size();
    const ActionId action = space.ground().find(GroundAction{Tuple(plan).subspan(at, size)});
    if (!space.can_do(state, action)) return false;
    state = space.apply(state, action);
    at += size;
  }
  return space.is_goal(state);
}

void use(Builder& builder) {
  const std::shared_ptr<Task> task = builder.task();
  task->finish();
  const auto table = std::make_shared<RuleTable>();
  builder.define(*task, *table);
  Policy policy;
  std::vector<std::shared_ptr<const Rule>> rules;
  for (int32_t n = builder.numbers().below(4); n > 0; --n) {
    policy.push_back(table->add(builder.rule(*task)));
    rules.push_back(table->get(policy.back()));
  }
  Limits limits;
  limits.expansions = 30;
  limits.seconds = 5;
  limits.bytes = size_t{1} << 26;

  const GroundingResult grounded = ground(task, limits);
  if (!grounded.ground) return;
  const auto space = std::make_shared<StateSpace>(grounded.ground, table);
  auto valid = [&](const std::vector<int32_t>& plan) {
    return task->axioms.empty() ? check_plan(*task, plan).valid : reaches_goal(*space, plan);
  };
  for (const HeuristicKind heuristic :
       {HeuristicKind::add, HeuristicKind::max, HeuristicKind::blind}) {
    const SearchResult found =
        AStar().run(*space, {}, {.heuristic = heuristic, .use_costs = true}, limits);
    if (found.status != Status::solved) continue;
    REQUIRE(valid(codes(*space, found)));
    if (task->axioms.empty()) {
      REQUIRE(check_plan(*task, codes(*space, found)).cost == found.cost);
    }
  }
  const SearchResult guided = AStar().run(*space, policy, {.rollout = 10}, limits);
  if (guided.status == Status::solved) REQUIRE(valid(codes(*space, guided)));

  ExecutionOptions options;
  options.max_steps = 20;
  const Execution executed = execute(task, rules, *table, options, limits);
  const bool solved = executed.status == Status::solved;
  REQUIRE(valid(executed.plan) == solved);
  REQUIRE(walk(*space, policy, executed.steps) == executed.plan);

  TrainingSet batch({space}, 2);
  batch.guided({policy, policy}, 10, limits);
  REQUIRE(batch.executed({policy}, 20, limits).scores[0].solved == static_cast<int32_t>(solved));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Builder builder(data, size);
  try {
    use(builder);
  } catch (const std::invalid_argument&) {
    // Numbers out of their range.
  }
  return 0;
}
