#include "ground/random_walk.hpp"

#include <algorithm>

#include "ground/generator.hpp"

namespace pg3 {

Walk::Walk(std::shared_ptr<const GroundTask> ground)
    : ground_(std::move(ground)), state_(ground_->state_words()), index_(*ground_) {
  for (FluentId fluent : ground_->initial) GroundTask::add(state_.data(), fluent);
  std::ranges::copy(ground_->task->initial_values(), ground_->values(state_.data()));
  ground_->compare(state_.data());
  ground_->derive(state_.data());
}

std::span<const ActionId> Walk::applicable() {
  index_.find_applicable(*ground_, state_.data(), found_);
  return found_;
}

size_t Walk::bytes() const {
  return state_.capacity() * sizeof(uint64_t) + index_.bytes() +
         found_.capacity() * sizeof(ActionId);
}

RandomWalk random_walk(std::shared_ptr<const GroundTask> ground, uint64_t seed, int64_t max_steps,
                       const Limits& limits) {
  Watch watch(limits);
  Walk walk(std::move(ground));
  Generator generator(seed);
  RandomWalk result;
  const GroundTask& task = walk.ground();
  const uint64_t effort = 64 + static_cast<uint64_t>(task.num_actions()) + task.axiom_heads.size();
  auto stop = [&](Status status) {
    result.status = status;
    return std::move(result);
  };
  while (!walk.is_goal()) {
    if (result.steps >= max_steps) return stop(Status::horizon);
    if (watch.must_stop_after(effort)) return stop(watch.status());
    const size_t bytes = walk.bytes() + result.plan.capacity() * sizeof(int32_t);
    if (bytes > limits.bytes) return stop(Status::memory_limit);
    const auto actions = walk.applicable();
    if (actions.empty()) return stop(Status::not_applicable);
    const ActionId action = actions[generator.below(actions.size())];
    walk.apply(action);
    const Tuple code = task.action(action).code;
    result.plan.insert(result.plan.end(), code.begin(), code.end());
    ++result.steps;
  }
  return stop(Status::solved);
}

}  // namespace pg3
