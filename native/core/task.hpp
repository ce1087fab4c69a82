// A planning task in integers: domain, objects, initial state and goal, not yet ground.
//
// Numbers: types, predicates and actions as the domain declares them; objects constants first, then
// in the order of the problem file.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/numbers.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

// A ground atom as it stands in a table: (predicate, object, ...).
struct Atom {
  Tuple code;
  PredicateId predicate() const { return PredicateId{code[0]}; }
  Tuple objects() const { return code.subspan(1); }
};

// Likewise a ground action: (action of the domain, object, ...).
struct GroundAction {
  Tuple code;
  SchemaId schema() const { return SchemaId{code[0]}; }
  Tuple objects() const { return code.subspan(1); }
};

// A term of a lifted atom: the number of a variable, or an object o written as -1 - o.
enum class Term : int32_t {};

inline bool is_variable(Term term) {
  return number_of(term) >= 0;
}
inline VariableId variable_of(Term variable) {
  assert(is_variable(variable));
  return VariableId{number_of(variable)};
}
inline ObjectId object_of(Term constant) {
  assert(!is_variable(constant));
  return ObjectId{-1 - number_of(constant)};
}

// `binding` has an object for each variable.
inline ObjectId value_of(Term term, const int32_t* binding) {
  return is_variable(term) ? ObjectId{binding[index_of(term)]} : object_of(term);
}

// Writes to `code` the tuple of a predicate, function or action and the objects of the terms.
template <typename Head>
Tuple instantiate(Head head, const std::vector<Term>& terms, const int32_t* binding,
                  std::vector<int32_t>& code) {
  code.resize(1 + terms.size());
  code[0] = number_of(head);
  for (size_t i = 0; i < terms.size(); ++i) code[i + 1] = number_of(value_of(terms[i], binding));
  return code;
}

// For each parameter the types that it accepts.
using ParameterTypes = std::vector<std::vector<TypeId>>;

// The most places that a predicate, and parameters that an action or rule can have; the readers
// refuse more with a message.
inline constexpr size_t kMostTerms = 1000;
// The most functions that a domain can have, with those that stand for numbers of goals.
inline constexpr size_t kMostFunctions = size_t{1} << 20;

// A literal of a precondition, effect, rule or clause.
struct Condition {
  // Atoms of the goal are those that it wants true, and `unwanted` those that it wants false.
  enum class Kind { state = 0, goal = 1, equality = 2, derived = 3, unwanted = 4 };
  Kind kind;
  bool positive;
  int32_t symbol;  // what its kind says; -1 for equality
  std::vector<Term> terms;

  PredicateId predicate() const {
    assert(kind == Kind::state || is_of_goal());
    return PredicateId{symbol};
  }
  // Whether it asks what the goal says of an atom, which no action changes.
  bool is_of_goal() const { return kind == Kind::goal || kind == Kind::unwanted; }
  RelationId relation() const {
    assert(kind == Kind::derived);
    return RelationId{symbol};
  }
  // The same where policies are lowered (lifted/lowering.hpp): only graphs are left there.
  GraphId graph() const {
    assert(kind == Kind::derived);
    return GraphId{symbol};
  }

  bool operator==(const Condition&) const = default;
};

// Effects for all objects with which the conditions hold in the state before the action. The
// variables are numbered after the action's parameters.
struct ConditionalEffect {
  ParameterTypes variable_types;
  std::vector<Condition> conditions;
  std::vector<Condition> effects;
};

// What is both deleted and added, be it by conditional effects, holds afterwards.
struct ActionSchema {
  ParameterTypes parameter_types;
  std::vector<Condition> preconditions;
  std::vector<Condition> effects;
  int32_t cost = 1;                             // used if there is no cost_function
  FunctionId cost_function = FunctionId::none;  // else its value on cost_terms
  std::vector<Term> cost_terms = {};
  std::vector<ConditionalEffect> conditional = {};
  std::vector<NumericEffect> numeric = {};
};

// The types of an action's parameters, then of a conditional effect's variables.
ParameterTypes all_types(const ActionSchema& action, const ConditionalEffect& effect);

// One way in which a derived predicate of the domain holds of the objects that the first parameters
// stand for: some objects for the others satisfy all conditions, on the state or equalities.
struct Axiom {
  PredicateId predicate;
  ParameterTypes parameter_types;
  std::vector<Condition> conditions;
};

// A predicate whose truth follows from numbers: its objects are those of the comparison's
// variables.
struct ComparisonPredicate {
  PredicateId predicate;
  Comparison comparison;
};

struct Task {
  int32_t num_types = 0;
  std::vector<TypeId> object_types;  // declared type of each object
  std::vector<int32_t> arities;      // of each predicate
  std::vector<bool> fluent;          // predicates that some effect mentions, or axioms define
  std::vector<bool> derived;         // predicates that axioms or comparisons define
  std::vector<ActionSchema> actions;
  // In groups, each of which defines whole predicates. A group reads what is not derived, groups
  // before it, and itself, but itself only through conditions that are not negated.
  std::vector<std::vector<Axiom>> axioms;
  std::vector<int32_t> init;  // ground atoms one after the other
  std::vector<int32_t> goal;
  std::vector<int32_t> negative_goal;
  TupleTable function_terms;  // (function, object, ...) with a value
  std::vector<int32_t> function_values;

  // Numbers: how many parts make one, the values at the start, and the predicates that compare
  // them. A comparison of functions without a value is false, an effect on one cannot happen.
  int64_t scale = 1;
  TupleTable value_terms;  // (function, object, ...)
  std::vector<int64_t> values;
  std::vector<ComparisonPredicate> comparisons;
  // Filled by finish(): which of them actions change, in their order, and the other way round.
  std::vector<int32_t> numbers;        // by NumberId: the place in value_terms
  std::vector<NumberId> number_at;     // by place in value_terms
  std::vector<bool> changing;          // by function
  std::vector<int32_t> comparison_of;  // by predicate: the place in comparisons, or -1
  size_t num_numbers() const { return numbers.size(); }
  std::vector<int64_t> initial_values() const;

  // The number of a function's value; none if it has no value, or never changes.
  NumberId find_number(FunctionId function, const std::vector<Term>& terms,
                       const int32_t* binding) const;
  // A sum for given objects; nothing where a function has no value.
  std::optional<GroundSum> ground_sum(const LinearSum& sum, const int32_t* binding) const;
  // What an effect adds or assigns; nothing if it cannot happen.
  std::optional<int64_t> amount(const NumericEffect& effect, const int32_t* binding) const;
  // Calls visit(binding) for all objects with which every function of the sum has a value.
  template <typename Visit>
  void for_each_instance(const LinearSum& sum, size_t arity, Visit visit) const {
    std::vector<int32_t> binding(arity, -1);
    extend_instance(sum, 0, binding, visit);
  }

  // The predicates from here on are derived by a policy: functions of the atoms before them
  // (lowering.hpp).
  PredicateId first_derived{std::numeric_limits<int32_t>::max()};
  // Whether a predicate's atoms are what makes a state: all others follow from them.
  bool is_basic(PredicateId predicate) const {
    return predicate < first_derived && !derived[index_of(predicate)];
  }
  bool is_fluent(PredicateId predicate) const { return fluent[index_of(predicate)]; }
  size_t arity(PredicateId predicate) const {
    return static_cast<size_t>(arities[index_of(predicate)]);
  }
  const ActionSchema& schema(SchemaId action) const { return actions[index_of(action)]; }
  TypeId type_of(ObjectId object) const { return object_types[index_of(object)]; }

  int32_t num_objects() const { return static_cast<int32_t>(object_types.size()); }
  int32_t num_predicates() const { return static_cast<int32_t>(arities.size()); }

  // Fills `fluent` and `derived` and checks every number against its range; throws
  // std::invalid_argument. The kernel indexes without further checks, so nothing unchecked may pass
  // here.
  void finish();

  // For each type whether the list holds it.
  std::vector<bool> type_mask(const std::vector<TypeId>& types) const;

  // The cost of a ground action, or -1 if its cost function has no value there.
  int32_t cost(SchemaId action, const int32_t* arguments) const;
  // Whether all that it does to numbers can happen.
  bool has_amounts(SchemaId action, const int32_t* arguments) const;

 private:
  std::vector<std::vector<int32_t>> values_of_;  // by function: places in value_terms
  template <typename Visit>
  void extend_instance(const LinearSum& sum, size_t next, std::vector<int32_t>& binding,
                       Visit& visit) const;
};

template <typename Visit>
void Task::extend_instance(const LinearSum& sum, size_t next, std::vector<int32_t>& binding,
                           Visit& visit) const {
  if (next == sum.functions.size()) {
    visit(static_cast<const std::vector<int32_t>&>(binding));
    return;
  }
  const auto& [coefficient, function, terms] = sum.functions[next];
  if (!in_range(function, values_of_.size())) return;
  for (const int32_t place : values_of_[index_of(function)]) {
    const std::vector<int32_t> before = binding;
    bool fits = true;
    for (size_t i = 0; i < terms.size() && fits; ++i) {
      const int32_t object = value_terms[place][i + 1];
      if (is_variable(terms[i]) && binding[index_of(terms[i])] < 0) {
        binding[index_of(terms[i])] = object;
      } else {
        fits = number_of(value_of(terms[i], binding.data())) == object;
      }
    }
    if (fits) extend_instance(sum, next + 1, binding, visit);
    binding = before;
  }
}

// Calls visit(Atom) for each of the ground atoms that stand one after the other in `codes`.
template <typename Visit>
void for_each_atom(const Task& task, const std::vector<int32_t>& codes, Visit visit) {
  for (size_t at = 0; at < codes.size();) {
    const size_t length = 1 + task.arities[codes[at]];
    visit(Atom{Tuple(codes.data() + at, length)});
    at += length;
  }
}

// Throws std::invalid_argument unless the sum fits the task and the number of variables.
void check_sum(const LinearSum& sum, const Task& task, size_t num_variables);
// Likewise unless the comparison mentions each of so many objects.
void check_comparison(const Comparison& comparison, size_t arity);

// Throws std::invalid_argument unless the condition fits the task and the number of parameters.
void check_condition(const Condition& condition, const std::vector<int32_t>& arities,
                     int32_t num_objects, size_t num_parameters);

}  // namespace pg3
