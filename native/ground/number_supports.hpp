// Which actions make a comparison true or false, and how often they must be done for that: what
// heuristics that ignore deletes have to know of numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "ground/ground_task.hpp"

namespace pg3 {

// An action that may change the truth of a comparison if it is done often enough.
struct NumberSupport {
  ActionId action;
  size_t comparison;  // its place in the ground task
  bool wanted;        // to make it true, or false
  bool assigns;       // a number of it; else its sum grows by the step
  Wide step = 0;

  // How often it must be done in a state, alone; 0 if that does not help, or there is no need.
  int32_t times(const GroundTask& ground, const int64_t* values) const;
};

// All supports, in the order of actions, then of comparisons; true comes first. So a comparison
// that has none stays as it is.
std::vector<NumberSupport> number_supports(const GroundTask& ground);

}  // namespace pg3
