#include "lifted/plan_checker.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

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
    if (is_new) {
      true_.push_back(false);
      if (indexed_) index(number);
    }
    true_[number] = value;
  }
  // From now on the atoms met are also listed by the object in each place.
  void make_index() {
    indexed_ = true;
    for (int32_t i = 0; i < known_.size(); ++i) index(i);
  }
  bool is_true(int32_t number) const { return true_[number]; }
  Atom atom(int32_t number) const { return {known_[number]}; }
  // The atoms of a predicate that were met, or of those with an object in a place.
  const std::vector<int32_t>& met(PredicateId predicate, int32_t place, ObjectId object) const {
    static const std::vector<int32_t> none;
    const auto found = lists_.find({number_of(predicate), place, number_of(object)});
    return found == lists_.end() ? none : found->second;
  }

 private:
  void index(int32_t number) {
    const Atom one = atom(number);
    lists_[{number_of(one.predicate()), -1, -1}].push_back(number);
    for (size_t i = 0; i < one.objects().size(); ++i) {
      const auto place = static_cast<int32_t>(i);
      lists_[{number_of(one.predicate()), place, one.objects()[i]}].push_back(number);
    }
  }

  TupleTable known_;
  std::vector<bool> true_;
  bool indexed_ = false;
  std::map<std::array<int32_t, 3>, std::vector<int32_t>> lists_;
};

// Finds the objects of conditional effects, one variable after the other: through the atoms of the
// positive conditions first, then through all objects of a type.
class ConditionalEffects {
 public:
  explicit ConditionalEffects(const Task& task) : task_(task) {}

  void find(const ActionSchema& schema, const ConditionalEffect& effect, const int32_t* objects,
            const Facts& facts, std::vector<std::pair<std::vector<int32_t>, bool>>& changes) {
    effect_ = &effect;
    facts_ = &facts;
    changes_ = &changes;
    const size_t parameters = schema.parameter_types.size();
    binding_.assign(objects, objects + parameters);
    binding_.resize(parameters + effect.variable_types.size(), -1);
    first_ = parameters;
    match(0);
  }

 private:
  bool is_joined(const Condition& condition) const {
    return condition.kind == Condition::Kind::state && condition.positive;
  }

  void match(size_t number) {
    while (number < effect_->conditions.size() && !is_joined(effect_->conditions[number])) ++number;
    if (number == effect_->conditions.size()) {
      complete(first_);
      return;
    }
    const Condition& condition = effect_->conditions[number];
    const std::vector<int32_t>* best = &facts_->met(condition.predicate(), -1, ObjectId::none);
    for (size_t k = 0; k < condition.terms.size(); ++k) {
      const ObjectId object = value_of(condition.terms[k], binding_.data());
      if (object == ObjectId::none) continue;
      const auto& list = facts_->met(condition.predicate(), static_cast<int32_t>(k), object);
      if (list.size() < best->size()) best = &list;
    }
    for (const int32_t atom : *best) {
      if (!facts_->is_true(atom)) continue;
      const std::vector<int32_t> before = binding_;
      if (fits(condition, facts_->atom(atom).objects())) match(number + 1);
      binding_ = before;
    }
  }

  bool fits(const Condition& condition, Tuple objects) {
    for (size_t k = 0; k < condition.terms.size(); ++k) {
      const ObjectId bound = value_of(condition.terms[k], binding_.data());
      const ObjectId object{objects[k]};
      if (bound == ObjectId::none) {
        const size_t variable = index_of(condition.terms[k]);
        if (!has_type(variable, object)) return false;
        binding_[variable] = number_of(object);
      } else if (bound != object) {
        return false;
      }
    }
    return true;
  }

  bool has_type(size_t variable, ObjectId object) const {
    const auto& types = effect_->variable_types[variable - first_];
    return std::ranges::find(types, task_.type_of(object)) != types.end();
  }

  void complete(size_t variable) {
    while (variable < binding_.size() && binding_[variable] >= 0) ++variable;
    if (variable < binding_.size()) {
      for (int32_t i = 0; i < task_.num_objects(); ++i) {
        if (!has_type(variable, ObjectId{i})) continue;
        binding_[variable] = i;
        complete(variable + 1);
      }
      binding_[variable] = -1;
      return;
    }
    std::vector<int32_t> code;
    for (const Condition& condition : effect_->conditions) {
      const bool holds = condition.kind == Condition::Kind::equality
                             ? value_of(condition.terms[0], binding_.data()) ==
                                   value_of(condition.terms[1], binding_.data())
                             : facts_->holds({instantiate(condition.predicate(), condition.terms,
                                                          binding_.data(), code)});
      if (holds != condition.positive) return;
    }
    for (const Condition& effect : effect_->effects) {
      instantiate(effect.predicate(), effect.terms, binding_.data(), code);
      changes_->push_back({code, effect.positive});
    }
  }

  const Task& task_;
  const ConditionalEffect* effect_ = nullptr;
  const Facts* facts_ = nullptr;
  std::vector<std::pair<std::vector<int32_t>, bool>>* changes_ = nullptr;
  std::vector<int32_t> binding_;  // -1 where it is open
  size_t first_ = 0;              // the first variable that is no parameter
};

// The state along a plan.
class PlanState {
 public:
  explicit PlanState(const Task& task)
      : task_(task), conditional_(task), values_(task.initial_values()) {
    for_each_atom(task, task.init, [&](Atom atom) { facts_.set(atom, true); });
    const auto has_conditions = [](const ActionSchema& schema) {
      return !schema.conditional.empty();
    };
    if (std::ranges::any_of(task.actions, has_conditions)) facts_.make_index();
  }

  // A comparison is worked out each time.
  bool holds(Atom atom) const {
    const int32_t place = task_.comparison_of[index_of(atom.predicate())];
    if (place < 0) return facts_.holds(atom);
    const auto& [order, sum] = task_.comparisons[place].comparison;
    const auto ground_sum = task_.ground_sum(sum, atom.objects().data());
    return ground_sum && pg3::holds(order, ground_sum->of(values_.data()));
  }

  // What stands in the way of an action, in the numbers of PlanVerdict; negative if nothing does.
  int32_t obstacle(SchemaId action, const int32_t* objects) {
    const ActionSchema& schema = task_.schema(action);
    const size_t arity = schema.parameter_types.size(), needed = schema.preconditions.size();
    for (size_t i = 0; i < arity; ++i) {
      const auto& types = schema.parameter_types[i];
      if (std::ranges::find(types, task_.type_of(ObjectId{objects[i]})) == types.end()) {
        return static_cast<int32_t>(needed + i);
      }
    }
    for (size_t i = 0; i < needed; ++i) {
      const Condition& condition = schema.preconditions[i];
      const bool is_true =
          condition.kind == Condition::Kind::equality
              ? value_of(condition.terms[0], objects) == value_of(condition.terms[1], objects)
              : holds(ground(condition, objects));
      if (is_true != condition.positive) return static_cast<int32_t>(i);
    }
    const bool defined = task_.cost(action, objects) >= 0 && task_.has_amounts(action, objects);
    return defined ? -1 : static_cast<int32_t>(needed + arity);
  }

  // All conditions are about the state before the action.
  void apply(const ActionSchema& schema, const int32_t* objects) {
    std::vector<std::pair<std::vector<int32_t>, bool>> changes;
    for (const ConditionalEffect& effect : schema.conditional) {
      conditional_.find(schema, effect, objects, facts_, changes);
    }
    for (const bool present : {false, true}) {
      for (const Condition& effect : schema.effects) {
        if (effect.positive == present) facts_.set(ground(effect, objects), present);
      }
      for (const auto& [atom, positive] : changes) {
        if (positive == present) facts_.set({atom}, present);
      }
    }
    for (const NumericEffect& effect : schema.numeric) {
      const NumberId number = task_.find_number(effect.function, effect.terms, objects);
      int64_t& value = values_[index_of(number)];
      const int64_t amount = *task_.amount(effect, objects);
      value = effect.assigns ? amount : capped(Wide{value} + amount);
    }
  }

 private:
  Atom ground(const Condition& condition, const int32_t* objects) {
    return {instantiate(condition.predicate(), condition.terms, objects, code_)};
  }

  const Task& task_;
  Facts facts_;
  ConditionalEffects conditional_;
  std::vector<int64_t> values_;
  std::vector<int32_t> code_;
};

// The first action of the rest of a plan; std::invalid_argument if it is malformed.
SchemaId schema_at(const Task& task, std::span<const int32_t> rest) {
  const SchemaId action{rest[0]};
  if (!in_range(action, task.actions.size())) {
    throw std::invalid_argument("malformed plan: action out of range");
  }
  const size_t arity = task.schema(action).parameter_types.size();
  if (arity >= rest.size()) throw std::invalid_argument("malformed plan: cut short");
  for (int32_t object : rest.subspan(1, arity)) {
    if (!in_range(ObjectId{object}, task.object_types.size())) {
      throw std::invalid_argument("malformed plan: object out of range");
    }
  }
  return action;
}

}  // namespace

PlanVerdict check_plan(const Task& task, const std::vector<int32_t>& plan) {
  // A plan with axioms is for the other referee, in Python.
  if (!task.axioms.empty()) throw std::invalid_argument("a task with axioms");
  PlanVerdict verdict;
  PlanState state(task);
  for (std::span<const int32_t> rest = plan; !rest.empty(); ++verdict.steps) {
    const SchemaId action = schema_at(task, rest);
    const ActionSchema& schema = task.schema(action);
    const int32_t* objects = rest.data() + 1;
    rest = rest.subspan(1 + schema.parameter_types.size());
    if (verdict.failed_step >= 0) continue;
    verdict.obstacle = state.obstacle(action, objects);
    if (verdict.obstacle >= 0) {
      verdict.valid = false;
      verdict.failed_step = verdict.steps;
    } else {
      verdict.cost += task.cost(action, objects);
      state.apply(schema, objects);
    }
  }
  if (verdict.failed_step >= 0) return verdict;

  int32_t place = 0;
  for_each_atom(task, task.goal, [&](Atom goal) {
    if (!state.holds(goal)) verdict.missing_goals.push_back(place);
    ++place;
  });
  place = 0;
  for_each_atom(task, task.negative_goal, [&](Atom goal) {
    if (state.holds(goal)) verdict.violated_goals.push_back(place);
    ++place;
  });
  verdict.valid = verdict.missing_goals.empty() && verdict.violated_goals.empty();
  return verdict;
}

}  // namespace pg3
