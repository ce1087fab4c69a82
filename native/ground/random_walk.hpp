// One way through a ground task: a state that is changed in place and never kept.
//
// A state space remembers every state that it meets; a walk of a thousand steps with hundreds of
// applicable actions in each state only needs the one it is in.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/limits.hpp"
#include "ground/action_index.hpp"
#include "ground/ground_task.hpp"

namespace pg3 {

class Walk {
 public:
  explicit Walk(std::shared_ptr<const GroundTask> ground);

  const GroundTask& ground() const { return *ground_; }
  bool is_goal() const { return ground_->is_goal(state_.data()); }

  // The actions that can be done now, in number order; valid until the next call.
  std::span<const ActionId> applicable();
  bool is_applicable(ActionId action) const {
    return ground_->is_applicable(state_.data(), action);
  }
  void apply(ActionId action) {
    assert(is_applicable(action));
    ground_->apply(state_.data(), action);
  }

  std::span<const uint64_t> words() const { return state_; }
  size_t bytes() const;

 private:
  std::shared_ptr<const GroundTask> ground_;
  std::vector<uint64_t> state_;
  ActionIndex index_;
  std::vector<ActionId> found_;
};

struct RandomWalk {
  Status status = Status::solved;
  int64_t steps = 0;
  std::vector<int32_t> plan;  // (action, object, ...) one after the other
};

// Does one of the applicable actions, each equally likely, until the goal holds, nothing is
// applicable, or a limit is reached.
RandomWalk random_walk(std::shared_ptr<const GroundTask> ground, uint64_t seed, int64_t max_steps,
                       const Limits& limits);

}  // namespace pg3
