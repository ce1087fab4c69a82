// A planning task in integers: domain, objects, initial state and goal, not yet ground.
//
// Numbers: types, predicates and actions as the domain declares them; objects constants first, then
// in the order of the problem file. A ground atom is a tuple (predicate, object, ...).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/tuple_table.hpp"

namespace pg3 {

// A term of a lifted atom: the number of a parameter, or an object o written as -1 - o.
using Term = int32_t;

inline bool is_variable(Term term) {
  return term >= 0;
}
inline int32_t object_of(Term constant) {
  return -1 - constant;
}

inline int32_t value_of(Term term, const int32_t* binding) {
  return is_variable(term) ? binding[term] : object_of(term);
}

// The most places that a predicate, and parameters that an action or rule can have; the readers
// refuse more with a message.
inline constexpr size_t kMostTerms = 1000;

// A literal of a precondition, effect, rule or clause.
struct Condition {
  enum class Kind { state = 0, goal = 1, equality = 2, derived = 3 };
  Kind kind;
  bool positive;
  int32_t predicate;  // -1 for equality; for a derived relation its number in the RuleTable
  std::vector<Term> terms;

  bool operator==(const Condition&) const = default;
};

struct ActionSchema {
  std::vector<std::vector<int32_t>> parameter_types;  // for each parameter the types it accepts
  std::vector<Condition> preconditions;
  std::vector<Condition> effects;
  int32_t cost = 1;            // used if cost_function < 0
  int32_t cost_function = -1;  // else the value of this function on cost_terms
  std::vector<Term> cost_terms;
};

// One way in which a derived predicate of the domain holds of the objects that the first parameters
// stand for: some objects for the others satisfy all conditions, on the state or equalities.
struct Axiom {
  int32_t predicate;
  std::vector<std::vector<int32_t>> parameter_types;
  std::vector<Condition> conditions;
};

struct Task {
  int32_t num_types = 0;
  std::vector<int32_t> object_types;  // declared type of each object
  std::vector<int32_t> arities;       // of each predicate
  std::vector<bool> fluent;           // predicates that some effect mentions, or axioms define
  std::vector<bool> derived;          // predicates that axioms define
  std::vector<ActionSchema> actions;
  // In groups, each of which defines whole predicates. A group reads what is not derived, groups
  // before it, and itself, but itself only through conditions that are not negated.
  std::vector<std::vector<Axiom>> axioms;
  std::vector<int32_t> init;  // ground atoms one after the other
  std::vector<int32_t> goal;
  std::vector<int32_t> negative_goal;
  TupleTable function_terms;  // (function, object, ...) with a value
  std::vector<int32_t> function_values;

  // The predicates from here on are derived by a policy: functions of the atoms before them
  // (lowering.hpp).
  int32_t first_derived = std::numeric_limits<int32_t>::max();
  // Whether a predicate's atoms are what makes a state: all others follow from them.
  bool is_basic(int32_t predicate) const {
    return predicate < first_derived && !derived[predicate];
  }

  int32_t num_objects() const { return static_cast<int32_t>(object_types.size()); }
  int32_t num_predicates() const { return static_cast<int32_t>(arities.size()); }

  // Fills `fluent` and `derived` and checks every number against its range; throws
  // std::invalid_argument. The kernel indexes without further checks, so nothing unchecked may pass
  // here.
  void finish();

  // For each type whether the list holds it.
  std::vector<bool> type_mask(const std::vector<int32_t>& types) const;

  // The cost of a ground action, or -1 if its cost function has no value there.
  int32_t cost(int32_t action, const int32_t* arguments) const;
};

// Calls visit(Tuple) for each of the ground atoms that stand one after the other in `codes`.
template <typename Visit>
void for_each_atom(const Task& task, const std::vector<int32_t>& codes, Visit visit) {
  for (size_t at = 0; at < codes.size();) {
    const size_t length = 1 + task.arities[codes[at]];
    visit(Tuple(codes.data() + at, length));
    at += length;
  }
}

// Throws std::invalid_argument unless the condition fits the task and the number of parameters.
void check_condition(const Condition& condition, const std::vector<int32_t>& arities,
                     int32_t num_objects, size_t num_parameters);

}  // namespace pg3
