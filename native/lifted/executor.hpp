// A policy carried out on a problem that is never grounded.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/limits.hpp"
#include "core/rule.hpp"
#include "core/task.hpp"
#include "parse/plan_text.hpp"

namespace pg3 {

struct Execution {
  Status status = Status::solved;
  int64_t steps = 0;
  std::vector<int32_t> plan;  // (action, object, ...) one after the other

  // If the status is not_applicable because the chosen action cannot be done: the place of the rule
  // in the policy, its action as (action, object, ...) and what is wrong with it: the number of the
  // false precondition, or after those of the argument of a wrong type, or after those a missing
  // number: a cost, or one that it changes. Else rule is -1.
  int32_t rule = -1;
  std::vector<int32_t> action;
  int32_t obstacle = -1;

  std::vector<int64_t> step_nanoseconds;  // if asked for
};

struct ExecutionOptions {
  int64_t max_steps = std::numeric_limits<int64_t>::max();
  bool time_steps = false;
  PlanWriter* writer = nullptr;  // is given each action as it is done
};

// Does what the first applicable rule says until the goal holds, no rule applies, a state comes
// back (a deterministic policy then never ends), or a limit is reached.
Execution execute(std::shared_ptr<const Task> task,
                  const std::vector<std::shared_ptr<const Rule>>& policy, const RuleTable& table,
                  const ExecutionOptions& options, const Limits& limits);

}  // namespace pg3
