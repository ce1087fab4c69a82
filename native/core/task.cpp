#include "core/task.hpp"

#include <algorithm>
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
        require(!condition.is_of_goal(), "goal condition in an axiom");
        check_condition(condition, task.arities, task.num_objects(), parameters);
        if (condition.kind == Condition::Kind::equality) continue;
        const auto last = static_cast<int32_t>(g) - !condition.positive;
        require(group_of[index_of(condition.predicate())] <= last, "axioms are not stratified");
      }
    }
  }
}

static bool is_given(int64_t number) {
  return number >= -kLargestGiven && number <= kLargestGiven;
}

// Whether a function has values, if any, for so many objects.
static bool takes(const Task& task, FunctionId function, size_t objects) {
  for (int32_t i = 0; i < task.value_terms.size(); ++i) {
    const Tuple term = task.value_terms[i];
    if (!term.empty() && FunctionId{term[0]} == function) return term.size() == objects + 1;
  }
  return true;
}

void check_sum(const LinearSum& sum, const Task& task, size_t num_variables) {
  for (const auto& [coefficient, function, terms] : sum.functions) {
    require(in_range(function, kMostFunctions), "function out of range");
    require(is_given(coefficient), "coefficient out of range");
    check_terms(terms, task.object_types.size(), num_variables);
    require(takes(task, function, terms.size()), "wrong number of terms of a function");
  }
  require(is_given(sum.constant), "constant out of range");
}

// Every number in its place, and what follows from them filled.
static void check_numbers(Task& task, std::vector<std::vector<int32_t>>& values_of) {
  require(task.scale > 0 && task.scale <= kLargestGiven, "scale out of range");
  require(task.values.size() == static_cast<size_t>(task.value_terms.size()),
          "values do not match");
  size_t functions = 0;
  const auto meet = [&](FunctionId function) {
    require(in_range(function, kMostFunctions), "function out of range");
    functions = std::max(functions, index_of(function) + 1);
  };
  for (int32_t i = 0; i < task.value_terms.size(); ++i) {
    const Tuple term = task.value_terms[i];
    require(!term.empty(), "empty function term");
    meet(FunctionId{term[0]});
    for (int32_t object : term.subspan(1)) {
      require(in_range(ObjectId{object}, task.object_types.size()), "object out of range");
    }
    require(is_given(task.values[i]), "value out of range");
  }
  const auto meet_sum = [&](const LinearSum& sum, size_t variables) {
    check_sum(sum, task, variables);
    for (const FunctionTerm& term : sum.functions) meet(term.function);
  };
  for (const ActionSchema& action : task.actions) {
    for (const NumericEffect& effect : action.numeric) {
      meet(effect.function);
      check_terms(effect.terms, task.object_types.size(), action.parameter_types.size());
      meet_sum(effect.amount, action.parameter_types.size());
      require(effect.divisor > 0 && effect.divisor <= kLargestGiven, "divisor out of range");
    }
  }
  task.comparison_of.assign(task.arities.size(), -1);
  for (size_t c = 0; c < task.comparisons.size(); ++c) {
    const auto& [predicate, comparison] = task.comparisons[c];
    require(in_range(predicate, task.arities.size()), "predicate out of range");
    require(!task.derived[index_of(predicate)], "a predicate is derived twice");
    task.derived[index_of(predicate)] = true;
    task.comparison_of[index_of(predicate)] = static_cast<int32_t>(c);
    meet_sum(comparison.sum, task.arity(predicate));
    check_comparison(comparison, task.arity(predicate));
  }
  values_of.assign(functions, {});
  task.changing.assign(functions, false);
  for (const ActionSchema& action : task.actions) {
    for (const NumericEffect& effect : action.numeric) {
      task.changing[index_of(effect.function)] = true;
    }
  }
  for (const ActionSchema& action : task.actions) {
    for (const NumericEffect& effect : action.numeric) {
      for (const FunctionTerm& term : effect.amount.functions) {
        require(!task.changing[index_of(term.function)], "an amount that changes");
      }
    }
  }
  for (int32_t i = 0; i < task.value_terms.size(); ++i) {
    const auto function = static_cast<size_t>(task.value_terms[i][0]);
    require(values_of[function].empty() ||
                task.value_terms[values_of[function][0]].size() == task.value_terms[i].size(),
            "values of one function for different numbers of objects");
    values_of[function].push_back(i);
    task.number_at.push_back(NumberId::none);
    if (!task.changing[function]) continue;
    task.number_at.back() = NumberId{static_cast<int32_t>(task.numbers.size())};
    task.numbers.push_back(i);
  }
}

void check_comparison(const Comparison& comparison, size_t arity) {
  std::vector<bool> used(arity, false);
  for (const FunctionTerm& function : comparison.sum.functions) {
    for (Term term : function.terms) {
      if (!is_variable(term)) continue;
      require(index_of(term) < arity, "variable out of range");
      used[index_of(term)] = true;
    }
  }
  require(std::ranges::count(used, false) == 0, "a comparison without one of its objects");
}

void Task::finish() {
  require(num_types >= 0, "negative number of types");
  for (TypeId type : object_types) require(in_range(type, num_types), "type out of range");
  // Indexes have a column for each place of a predicate, be it used or not.
  for (int32_t arity : arities) {
    require(arity >= 0 && static_cast<size_t>(arity) <= kMostTerms, "arity out of range");
  }
  check_axioms(*this);
  check_numbers(*this, values_of_);
  fluent = derived;
  for (const ActionSchema& action : actions) {
    const size_t parameters = action.parameter_types.size();
    require(parameters <= kMostTerms, "too many parameters");
    check_types(action.parameter_types, num_types);
    for (const Condition& condition : action.preconditions) {
      require(!condition.is_of_goal(), "goal condition in a precondition");
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
        require(!condition.is_of_goal(), "goal condition of an effect");
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

std::vector<int64_t> Task::initial_values() const {
  std::vector<int64_t> found;
  for (int32_t place : numbers) found.push_back(values[place]);
  return found;
}

NumberId Task::find_number(FunctionId function, const std::vector<Term>& terms,
                           const int32_t* binding) const {
  std::vector<int32_t> key;
  const int32_t place = value_terms.find(instantiate(function, terms, binding, key));
  return place < 0 ? NumberId::none : number_at[place];
}

std::optional<GroundSum> Task::ground_sum(const LinearSum& sum, const int32_t* binding) const {
  GroundSum found;
  found.constant = Wide{sum.constant} * scale;
  std::vector<int32_t> key;
  for (const auto& [coefficient, function, terms] : sum.functions) {
    const int32_t place = value_terms.find(instantiate(function, terms, binding, key));
    if (place < 0) return std::nullopt;
    if (const NumberId number = number_at[place]; number != NumberId::none) {
      found.numbers.push_back({coefficient, number});
    } else {
      found.constant += Wide{coefficient} * values[place];
    }
  }
  return found;
}

std::optional<int64_t> Task::amount(const NumericEffect& effect, const int32_t* binding) const {
  if (find_number(effect.function, effect.terms, binding) == NumberId::none) return std::nullopt;
  const auto sum = ground_sum(effect.amount, binding);
  if (!sum) return std::nullopt;
  return capped(sum->constant / effect.divisor);
}

bool Task::has_amounts(SchemaId action, const int32_t* arguments) const {
  return std::ranges::all_of(schema(action).numeric, [&](const NumericEffect& effect) {
    return amount(effect, arguments).has_value();
  });
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
