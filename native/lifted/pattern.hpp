// Conditions over atoms of a state, before relations are chosen for them.
#pragma once

#include <cstdint>
#include <vector>

#include "lifted/join.hpp"
#include "lifted/lifted_state.hpp"

namespace pg3 {

struct Literal {
  LiftedState::Part part;
  int32_t predicate;
  std::vector<Term> terms;

  bool operator==(const Literal&) const = default;
};

// A conjunction over atoms of the state, before relations are chosen for it.
struct Pattern {
  std::vector<const ObjectSet*> types;  // by variable
  std::vector<Literal> literals;
  std::vector<Condition> checks;

  bool operator==(const Pattern&) const = default;
};

// The conditions of a rule or clause as a pattern, each pair of a goal and its opposite made one. A
// graph condition is a check whose predicate is the state's number for the graph; that the next hop
// is a neighbour is said a second time, as an atom.
Pattern read_pattern(const std::vector<std::vector<int32_t>>& parameter_types,
                     const std::vector<Condition>& conditions, LiftedState& state);

Conjunction over_atoms(const Pattern& pattern, LiftedState& state);

// A condition of a pattern that an atom can make true or false.
struct Trigger {
  int32_t predicate;
  std::vector<Term> terms;
  bool positive;     // whether it wants the atom present
  bool only_wanted;  // whether it asks for a goal as well
  std::vector<int32_t> variables;
  Join rest;  // the other conditions, these variables fixed

  // Begins to look for the answers in which the atom, of this predicate, is the condition; false if
  // there cannot be any. `objects` is room to work in.
  bool start(Tuple atom, std::vector<int32_t>& objects);
};

// One for each condition that can change. Graph conditions are not among them.
std::vector<Trigger> triggers_of(const Pattern& pattern, LiftedState& state);

}  // namespace pg3
