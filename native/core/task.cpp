#include "core/task.hpp"

#include <stdexcept>
#include <string>

namespace pg3 {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("malformed task: ") + what);
}

void check_codes(const Task& task, const std::vector<int32_t>& codes) {
  for (size_t at = 0; at < codes.size();) {
    require(codes[at] >= 0 && codes[at] < task.num_predicates(), "predicate out of range");
    const size_t arity = task.arities[codes[at]];
    require(arity < codes.size() - at, "atom cut short");
    for (size_t i = 1; i <= arity; ++i) {
      require(codes[at + i] >= 0 && codes[at + i] < task.num_objects(), "object out of range");
    }
    at += 1 + arity;
  }
}

void check_types(const ParameterTypes& parameter_types, int32_t num_types) {
  for (const auto& types : parameter_types) {
    for (TypeId type : types) require(in_range(type, num_types), "type out of range");
  }
}

void check_terms(const std::vector<Term>& terms, size_t num_objects, size_t num_parameters) {
  for (Term term : terms) {
    if (is_variable(term)) {
      require(index_of(term) < num_parameters, "variable out of range");
    } else {
      require(in_range(object_of(term), num_objects), "constant out of range");
    }
  }
}

}  // namespace

void check_condition(const Condition& condition, const std::vector<int32_t>& arities,
                     int32_t num_objects, size_t num_parameters) {
  require(condition.kind != Condition::Kind::derived, "derived relation out of place");
  if (condition.kind == Condition::Kind::equality) {
    require(condition.terms.size() == 2, "equality needs two terms");
  } else {
    const PredicateId predicate = condition.predicate();
    require(in_range(predicate, arities.size()), "predicate out of range");
    require(static_cast<int32_t>(condition.terms.size()) == arities[index_of(predicate)],
            "wrong number of terms");
  }
  check_terms(condition.terms, num_objects, num_parameters);
}

// Every axiom in its place, and `derived` filled.
static void check_axioms(Task& task) {
  task.derived.assign(task.arities.size(), false);
  std::vector<int32_t> group_of(task.arities.size(), -1);
  for (size_t g = 0; g < task.axioms.size(); ++g) {
    require(!task.axioms[g].empty(), "group without axioms");
    for (const Axiom& axiom : task.axioms[g]) {
      require(in_range(axiom.predicate, task.arities.size()), "predicate out of range");
      const size_t head = index_of(axiom.predicate);
      require(group_of[head] < 0 || group_of[head] == static_cast<int32_t>(g),
              "a predicate is derived twice");
      group_of[head] = static_cast<int32_t>(g);
      task.derived[head] = true;
    }
  }
  for (size_t g = 0; g < task.axioms.size(); ++g) {
    for (const Axiom& axiom : task.axioms[g]) {
      const size_t parameters = axiom.parameter_types.size();
      require(parameters <= kMostTerms, "too many parameters");
      require(parameters >= task.arity(axiom.predicate), "axiom with too few parameters");
      check_types(axiom.parameter_types, task.num_types);
      for (const Condition& condition : axiom.conditions) {
        require(condition.kind != Condition::Kind::goal, "goal condition in an axiom");
        check_condition(condition, task.arities, task.num_objects(), parameters);
        if (condition.kind == Condition::Kind::equality) continue;
        const auto last = static_cast<int32_t>(g) - !condition.positive;
        require(group_of[index_of(condition.predicate())] <= last, "axioms are not stratified");
      }
    }
  }
}

void Task::finish() {
  require(num_types >= 0, "negative number of types");
  for (TypeId type : object_types) require(in_range(type, num_types), "type out of range");
  // Indexes have a column for each place of a predicate, be it used or not.
  for (int32_t arity : arities) {
    require(arity >= 0 && static_cast<size_t>(arity) <= kMostTerms, "arity out of range");
  }
  check_axioms(*this);
  fluent = derived;
  for (const ActionSchema& action : actions) {
    const size_t parameters = action.parameter_types.size();
    require(parameters <= kMostTerms, "too many parameters");
    check_types(action.parameter_types, num_types);
    for (const Condition& condition : action.preconditions) {
      require(condition.kind != Condition::Kind::goal, "goal condition in a precondition");
      check_condition(condition, arities, num_objects(), parameters);
    }
    const auto check_effects = [&](const std::vector<Condition>& effects, size_t variables) {
      for (const Condition& effect : effects) {
        require(effect.kind == Condition::Kind::state, "effects are state literals");
        check_condition(effect, arities, num_objects(), variables);
        require(!derived[index_of(effect.predicate())], "an effect on a derived predicate");
        fluent[index_of(effect.predicate())] = true;
      }
    };
    check_effects(action.effects, parameters);
    for (const ConditionalEffect& effect : action.conditional) {
      const size_t variables = parameters + effect.variable_types.size();
      require(variables <= kMostTerms, "too many variables");
      check_types(effect.variable_types, num_types);
      for (const Condition& condition : effect.conditions) {
        require(condition.kind != Condition::Kind::goal, "goal condition of an effect");
        check_condition(condition, arities, num_objects(), variables);
      }
      check_effects(effect.effects, variables);
    }
    check_terms(action.cost_terms, num_objects(), parameters);
    require(action.cost >= 0, "negative cost");
  }
  check_codes(*this, init);
  for_each_atom(*this, init, [&](Atom atom) {
    require(!derived[index_of(atom.predicate())], "a derived predicate in the initial state");
  });
  check_codes(*this, goal);
  check_codes(*this, negative_goal);
  require(function_values.size() == static_cast<size_t>(function_terms.size()),
          "function values do not match");
  for (int32_t value : function_values) require(value >= 0, "negative cost");
}

ParameterTypes all_types(const ActionSchema& action, const ConditionalEffect& effect) {
  ParameterTypes types = action.parameter_types;
  types.insert(types.end(), effect.variable_types.begin(), effect.variable_types.end());
  return types;
}

std::vector<bool> Task::type_mask(const std::vector<TypeId>& types) const {
  std::vector<bool> mask(num_types, false);
  for (TypeId type : types) mask[index_of(type)] = true;
  return mask;
}

int32_t Task::cost(SchemaId action, const int32_t* arguments) const {
  const ActionSchema& own = schema(action);
  if (number_of(own.cost_function) < 0) return own.cost;
  std::vector<int32_t> key;
  const int32_t found =
      function_terms.find(instantiate(own.cost_function, own.cost_terms, arguments, key));
  return found < 0 ? -1 : function_values[found];
}

}  // namespace pg3
