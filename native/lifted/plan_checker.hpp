// Whether a plan works, for plans of any length: linear, and apart from all code that makes plans.
#pragma once

#include <cstdint>
#include <vector>

#include "core/task.hpp"

namespace pg3 {

// The checker's word. A plan fails at a step, where an action cannot be done, or at its end.
struct PlanVerdict {
  bool valid = true;
  int64_t steps = 0;  // in the whole plan
  int64_t cost = 0;   // of the steps that were done

  // The step (from 0) that cannot be done, or -1, and why: an argument of a wrong type (numbered
  // after all preconditions), a false precondition, or (last number) no cost given by the problem.
  int64_t failed_step = -1;
  int32_t obstacle = -1;

  // Goals that do not hold at the end, by their place in the task's lists.
  std::vector<int32_t> missing_goals;
  std::vector<int32_t> violated_goals;  // negative ones
};

// Checks (action, object, ...) codes one after the other; throws std::invalid_argument if they are
// no such thing, or if the task has axioms.
PlanVerdict check_plan(const Task& task, const std::vector<int32_t>& plan);

}  // namespace pg3
