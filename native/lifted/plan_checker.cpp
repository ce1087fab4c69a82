#include "lifted/plan_checker.hpp"

#include <algorithm>
#include <stdexcept>

namespace pg3 {

namespace {

// The true atoms: numbers for all that were met, and whether each holds now.
class Facts {
 public:
  bool holds(Atom atom) const {
    const int32_t number = known_.find(atom.code);
    return number >= 0 && true_[number];
  }
  void set(Atom atom, bool value) {
    const auto [number, is_new] = known_.insert(atom.code);
    if (is_new) true_.push_back(false);
    true_[number] = value;
  }

 private:
  TupleTable known_;
  std::vector<bool> true_;
};

}  // namespace

PlanVerdict check_plan(const Task& task, const std::vector<int32_t>& plan) {
  // A plan with axioms is for the other referee, in Python.
  if (!task.axioms.empty()) throw std::invalid_argument("a task with axioms");
  PlanVerdict verdict;
  Facts facts;
  for_each_atom(task, task.init, [&](Atom atom) { facts.set(atom, true); });

  std::vector<int32_t> code;
  auto ground = [&](const Condition& condition, const int32_t* objects) -> Atom {
    return {instantiate(condition.predicate(), condition.terms, objects, code)};
  };
  for (size_t at = 0; at < plan.size();) {
    const SchemaId action{plan[at]};
    if (!in_range(action, task.actions.size())) {
      throw std::invalid_argument("malformed plan: action out of range");
    }
    const ActionSchema& schema = task.schema(action);
    const size_t arity = schema.parameter_types.size();
    const int32_t* objects = plan.data() + at + 1;
    if (arity >= plan.size() - at) throw std::invalid_argument("malformed plan: cut short");
    for (size_t i = 0; i < arity; ++i) {
      if (!in_range(ObjectId{objects[i]}, task.object_types.size())) {
        throw std::invalid_argument("malformed plan: object out of range");
      }
    }
    if (verdict.failed_step < 0) {
      const auto needed = static_cast<int32_t>(schema.preconditions.size());
      int32_t obstacle = -1;
      for (size_t i = 0; i < arity && obstacle < 0; ++i) {
        const auto& types = schema.parameter_types[i];
        if (std::ranges::find(types, task.type_of(ObjectId{objects[i]})) == types.end()) {
          obstacle = needed + static_cast<int32_t>(i);
        }
      }
      for (int32_t i = 0; i < needed && obstacle < 0; ++i) {
        const Condition& condition = schema.preconditions[i];
        const bool holds =
            condition.kind == Condition::Kind::equality
                ? value_of(condition.terms[0], objects) == value_of(condition.terms[1], objects)
                : facts.holds(ground(condition, objects));
        if (holds != condition.positive) obstacle = i;
      }
      const int32_t cost = task.cost(action, objects);
      if (obstacle < 0 && cost < 0) obstacle = needed + static_cast<int32_t>(arity);
      if (obstacle >= 0) {
        verdict.valid = false;
        verdict.failed_step = verdict.steps;
        verdict.obstacle = obstacle;
      } else {
        verdict.cost += cost;
        for (const Condition& effect : schema.effects) {
          if (!effect.positive) facts.set(ground(effect, objects), false);
        }
        for (const Condition& effect : schema.effects) {
          if (effect.positive) facts.set(ground(effect, objects), true);
        }
      }
    }
    ++verdict.steps;
    at += 1 + arity;
  }
  if (verdict.failed_step >= 0) return verdict;

  int32_t place = 0;
  for_each_atom(task, task.goal, [&](Atom goal) {
    if (!facts.holds(goal)) verdict.missing_goals.push_back(place);
    ++place;
  });
  place = 0;
  for_each_atom(task, task.negative_goal, [&](Atom goal) {
    if (facts.holds(goal)) verdict.violated_goals.push_back(place);
    ++place;
  });
  verdict.valid = verdict.missing_goals.empty() && verdict.violated_goals.empty();
  return verdict;
}

}  // namespace pg3
