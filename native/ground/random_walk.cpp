#include "ground/random_walk.hpp"

#include <algorithm>
#include <bit>

#include "ground/generator.hpp"

namespace pg3 {

Walk::Walk(std::shared_ptr<const GroundTask> ground)
    : ground_(std::move(ground)), state_((ground_->num_fluents() + 63) / 64) {
  for (int32_t fluent : ground_->initial) state_[fluent >> 6] |= uint64_t{1} << (fluent & 63);
  ground_->derive(state_.data());
  std::vector<int32_t> sharing(ground_->num_fluents(), 0);
  for (int32_t fluent : ground_->needs.flat) ++sharing[fluent];
  std::vector<std::vector<int32_t>> keyed(ground_->num_fluents());
  for (int32_t action = 0; action < ground_->num_actions(); ++action) {
    const auto needs = ground_->needs[action];
    if (needs.empty()) {
      free_actions_.push_back(action);
    } else {
      const auto key = std::ranges::min_element(needs, {}, [&](int32_t f) { return sharing[f]; });
      keyed[*key].push_back(action);
    }
  }
  for (const auto& actions : keyed) keyed_actions_.append(actions);
}

bool Walk::is_goal() const {
  auto holds_now = [&](int32_t fluent) { return holds(fluent); };
  return ground_->impossible_goals == 0 && std::ranges::all_of(ground_->goal, holds_now) &&
         std::ranges::none_of(ground_->negative_goal, holds_now);
}

bool Walk::is_applicable(int32_t action) const {
  auto holds_now = [&](int32_t fluent) { return holds(fluent); };
  return std::ranges::all_of(ground_->needs[action], holds_now) &&
         std::ranges::none_of(ground_->forbids[action], holds_now);
}

std::span<const int32_t> Walk::applicable() {
  found_.clear();
  auto consider = [&](int32_t action) {
    if (is_applicable(action)) found_.push_back(action);
  };
  for (int32_t action : free_actions_) consider(action);
  for (size_t word = 0; word < state_.size(); ++word) {
    for (uint64_t bits = state_[word]; bits; bits &= bits - 1) {
      for (int32_t action : keyed_actions_[64 * word + std::countr_zero(bits)]) consider(action);
    }
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

void Walk::apply(int32_t action) {
  for (int32_t fluent : ground_->deletes[action]) {
    state_[fluent >> 6] &= ~(uint64_t{1} << (fluent & 63));
  }
  for (int32_t fluent : ground_->adds[action]) {
    state_[fluent >> 6] |= uint64_t{1} << (fluent & 63);
  }
  ground_->derive(state_.data());
}

size_t Walk::bytes() const {
  return state_.capacity() * sizeof(uint64_t) + keyed_actions_.bytes() +
         (free_actions_.capacity() + found_.capacity()) * sizeof(int32_t);
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
    const int32_t action = actions[generator.below(actions.size())];
    walk.apply(action);
    const Tuple code = walk.ground().actions[action];
    result.plan.insert(result.plan.end(), code.begin(), code.end());
    ++result.steps;
  }
  return stop(Status::solved);
}

}  // namespace pg3
