// Which answers to a pattern an atom takes part in: the one mechanism by which views, delta queries
// and derived relations learn what a change means to them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lifted/pattern.hpp"

namespace pg3 {

// A condition of a pattern that an atom can make true or false.
struct Trigger {
  PredicateId predicate;
  std::vector<Term> terms;
  bool positive;     // whether it wants the atom present
  bool only_wanted;  // whether it asks for a goal as well
  std::vector<VariableId> variables;
  Join rest;  // the other conditions, these variables fixed

  // Whether an atom that comes or goes makes the condition true, or false; `wanted` tells whether
  // the goal has it.
  bool makes(bool truth, bool present, bool wanted) const {
    return (positive == present) == truth && (wanted || !only_wanted);
  }
  // Begins to look for the answers in which the atom, of this predicate, is the condition; false if
  // there cannot be any. `objects` is room to work in.
  bool start(Atom atom, std::vector<int32_t>& objects);
};

// One for each condition that can change, or only for those with a predicate that is `asked_for`.
// Graph conditions are not among them.
std::vector<Trigger> triggers_of(const Pattern& pattern, LiftedState& state,
                                 const std::function<bool(PredicateId)>& asked_for = {});

}  // namespace pg3
