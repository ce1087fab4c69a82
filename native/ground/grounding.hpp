// The ground part of a task that can matter: atoms and actions reachable when deletes are ignored.
//
// For problems of training size. A ground action, or axiom, survives if its positive preconditions
// are relaxed-reachable, its equalities and static negative preconditions hold, and its cost is
// defined.
#pragma once

#include <memory>

#include "core/limits.hpp"
#include "core/task.hpp"
#include "ground/ground_task.hpp"

namespace pg3 {

// The ground task, or none with the status that says which limit was reached.
struct GroundingResult {
  std::shared_ptr<const GroundTask> ground;
  Status status = Status::solved;
};

GroundingResult ground(std::shared_ptr<const Task> task, const Limits& limits);

}  // namespace pg3
