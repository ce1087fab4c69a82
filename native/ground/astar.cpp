#include "ground/astar.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// The next size of an array that has to hold so many. By a quarter and not by twice: while it is
// copied there are two of them, and limits on memory are to hold at that moment as well.
size_t grown(size_t needed, size_t size) {
  return std::max(needed, size + size / 4);
}

}  // namespace

SearchResult AStar::run(StateSpace& space, std::span<const int32_t> policy,
                        const SearchOptions& options, const Limits& limits) {
  space_ = &space;
  options_ = options;
  if (!options.subgoal.empty()) subgoal_ = space_->additive().subgoal(options.subgoal);
  result_ = {};
  queue_.clear();
  questions_.clear();
  serial_ = 0;
  if (++current_ == 0) {  // the counter has come round: forget everything once
    nodes_.clear();
    answers_.clear();
    values_.clear();
    current_ = 1;
  }
  try {
    result_.status = search(policy, limits);
  } catch (const Stopped& stopped) {
    result_.status = stopped.status;
  }
  return std::move(result_);
}

Status AStar::search(std::span<const int32_t> policy, const Limits& limits) {
  Watch watch(limits);
  const StateSpace::Guard guard(*space_, watch);
  reach(options_.start < 0 ? space_->initial() : options_.start, 0, -1, -1, false);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end());
    const Entry entry = queue_.back();
    queue_.pop_back();
    if (nodes_[entry.state].g < entry.g) continue;
    if (is_goal(entry.state)) {
      extract_plan(entry.state);
      return Status::solved;
    }
    if (result_.expansions >= limits.expansions) return Status::expansion_limit;
    if (watch.must_stop(1)) return watch.status();
    if (result_.expansions % 8 == 0 && space_->bytes() + bytes() > limits.bytes)
      return Status::memory_limit;
    ++result_.expansions;
    if (options_.rollout > 0) roll_out(entry.state, entry.g, policy, watch);
    if (!space_->generate_successors(entry.state, watch, limits.bytes)) {
      return watch.must_stop(1) ? watch.status() : Status::memory_limit;
    }
    // By index: reaching a state may move the list of successors.
    const size_t count = space_->successors(entry.state).size();
    for (size_t i = 0; i < count; ++i) {
      if (watch.must_stop_after(space_->effort())) return watch.status();
      if (result_.generated >= limits.generated) return Status::expansion_limit;
      const Successor next = space_->successors(entry.state)[i];
      const int32_t cost = options_.use_costs ? space_->ground().costs[next.action] : 1;
      reach(next.state, entry.g + cost, entry.state, next.action, false);
    }
  }
  return Status::unsolvable;
}

bool AStar::is_goal(int32_t state) const {
  if (options_.subgoal.empty()) return space_->is_goal(state);
  const uint64_t* words = space_->state(state);
  return std::ranges::all_of(options_.subgoal,
                             [&](int32_t f) { return words[f >> 6] >> (f & 63) & 1; });
}

int32_t AStar::open_goals(int32_t state) const {
  if (options_.subgoal.empty()) return space_->open_goals(state);
  const uint64_t* words = space_->state(state);
  return static_cast<int32_t>(std::ranges::count_if(
      options_.subgoal, [&](int32_t f) { return !(words[f >> 6] >> (f & 63) & 1); }));
}

int32_t AStar::heuristic(int32_t state) {
  if (options_.subgoal.empty()) {
    return space_->heuristic(state, options_.heuristic, options_.use_costs);
  }
  if (static_cast<size_t>(state) >= values_.size()) {
    values_.resize(grown(space_->num_states(), values_.size()));
  }
  Value& value = values_[state];
  if (value.search != current_)
    value = {current_, space_->additive()(space_->state(state), subgoal_)};
  return value.h;
}

void AStar::reach(int32_t state, int64_t g, int32_t parent, int32_t action, bool from_policy) {
  ++result_.generated;
  if (static_cast<size_t>(state) >= nodes_.size()) {
    nodes_.resize(grown(space_->num_states(), nodes_.size()));
  }
  Node& node = nodes_[state];
  if (node.search == current_ && node.g <= g) return;
  const int32_t h = heuristic(state);
  if (h == kUnreachable) return;
  node = {current_, parent, g, action, from_policy};
  if (queue_.size() == queue_.capacity()) queue_.reserve(grown(16, queue_.size()));
  int64_t f = g + int64_t{options_.heuristic_weight} * h;
  if (options_.goal_weight > 0) f += int64_t{options_.goal_weight} * open_goals(state);
  queue_.push_back({f, h, serial_++, g, state});
  std::push_heap(queue_.begin(), queue_.end());
}

AStar::Answer& AStar::answer(int32_t state, std::span<const int32_t> policy) {
  if (static_cast<size_t>(state) >= answers_.size()) {
    answers_.resize(grown(space_->num_states(), answers_.size()));
  }
  if (answers_[state].search != current_) {
    const int32_t action = space_->policy_action(policy, state);
    questions_.emplace_back(state, action);
    const bool applies = action >= 0 && space_->is_applicable(state, action);
    const int32_t next = applies ? space_->apply(state, action) : -1;
    answers_[state] = {current_, action, next, 0, 0};
  }
  return answers_[state];
}

void AStar::roll_out(int32_t state, int64_t g, std::span<const int32_t> policy, Watch& watch) {
  for (int32_t left = options_.rollout; left > 0; --left) {
    watch.spend(space_->effort());
    // A short rollout, as in learning, is over before memory is worth a question.
    if (left % 256 == 0) watch.check_bytes(space_->bytes() + bytes());
    Answer& here = answer(state, policy);
    if (here.next < 0) return;
    // A rollout that came by here at no more cost, with no fewer steps to go, has been everywhere.
    if (here.left >= left && here.g <= g) return;
    here.left = left;
    here.g = g;
    const int32_t next = here.next;
    reach(next, g, state, here.action, true);
    if (is_goal(next)) return;
    state = next;
  }
}

void AStar::extract_plan(int32_t goal) {
  for (int32_t state = goal; nodes_[state].parent >= 0; state = nodes_[state].parent) {
    result_.plan.push_back({nodes_[state].action, nodes_[state].from_policy});
    result_.cost += space_->ground().costs[nodes_[state].action];
  }
  std::reverse(result_.plan.begin(), result_.plan.end());
}

size_t AStar::bytes() const {
  return nodes_.capacity() * sizeof(Node) + values_.capacity() * sizeof(Value) +
         answers_.capacity() * sizeof(Answer) + questions_.capacity() * 8 +
         queue_.capacity() * sizeof(Entry);
}

}  // namespace pg3
