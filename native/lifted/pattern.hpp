// Conditions over atoms of a state, before relations are chosen for them.
#pragma once

#include <cstdint>
#include <vector>

#include "lifted/join.hpp"
#include "lifted/lifted_state.hpp"

namespace pg3 {

struct Literal {
  LiftedState::Part part;
  PredicateId predicate;
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

// The conditions of a lowered rule or clause as a pattern, each pair of a goal and its opposite
// made one. A graph condition is a check; that the next hop is a neighbour is said a second time,
// as an atom.
Pattern read_pattern(const ParameterTypes& parameter_types,
                     const std::vector<Condition>& conditions, LiftedState& state);

Conjunction over_atoms(const Pattern& pattern, LiftedState& state);

}  // namespace pg3
