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

SearchResult AStar::run(StateSpace& space, std::span<const RuleId> policy,
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
  return finish(result_, [&] { return search(policy, limits); });
}

Status AStar::search(std::span<const RuleId> policy, const Limits& limits) {
  Watch watch(limits);
  const StateSpace::Guard guard(*space_, watch);
  const bool at_initial = options_.start == StateId::none;
  reach(at_initial ? space_->initial() : options_.start, 0, StateId::none, ActionId::none, false);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end());
    const Entry entry = queue_.back();
    queue_.pop_back();
    if (nodes_[index_of(entry.state)].g < entry.g) continue;
    if (reaches(*space_, entry.state, options_.subgoal)) {
      extract_plan(nodes_, entry.state, space_->ground(), result_);
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
      const int32_t cost = options_.use_costs ? space_->ground().cost(next.action) : 1;
      reach(next.state, entry.g + cost, entry.state, next.action, false);
    }
  }
  return Status::unsolvable;
}

int32_t AStar::open_goals(StateId state) const {
  if (options_.subgoal.empty()) return space_->open_goals(state);
  const uint64_t* words = space_->words(state);
  const auto is_open = [&](FluentId fluent) { return !GroundTask::holds(words, fluent); };
  return static_cast<int32_t>(std::ranges::count_if(options_.subgoal, is_open));
}

int32_t AStar::heuristic(StateId state) {
  if (options_.subgoal.empty()) {
    return space_->heuristic(state, options_.heuristic, options_.use_costs);
  }
  if (index_of(state) >= values_.size()) {
    values_.resize(grown(space_->num_states(), values_.size()));
  }
  Value& value = values_[index_of(state)];
  if (value.search != current_)
    value = {current_, space_->additive()(space_->words(state), subgoal_)};
  return value.h;
}

void AStar::reach(StateId state, int64_t g, StateId parent, ActionId action, bool from_policy) {
  ++result_.generated;
  if (index_of(state) >= nodes_.size()) {
    nodes_.resize(grown(space_->num_states(), nodes_.size()));
  }
  Node& node = nodes_[index_of(state)];
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

AStar::Answer& AStar::answer(StateId state, std::span<const RuleId> policy) {
  if (index_of(state) >= answers_.size()) {
    answers_.resize(grown(space_->num_states(), answers_.size()));
  }
  Answer& known = answers_[index_of(state)];
  if (known.search != current_) {
    const ActionId action = space_->policy_action(policy, state);
    questions_.push_back({state, action});
    const bool applies = space_->can_do(state, action);
    const StateId next = applies ? space_->apply(state, action) : StateId::none;
    known = {current_, action, next, 0, 0};
  }
  return known;
}

void AStar::roll_out(StateId state, int64_t g, std::span<const RuleId> policy, Watch& watch) {
  for (int32_t left = options_.rollout; left > 0; --left) {
    watch.spend(space_->effort());
    // A short rollout, as in learning, is over before memory is worth a question.
    if (left % 256 == 0) watch.check_bytes(space_->bytes() + bytes());
    Answer& here = answer(state, policy);
    if (here.next == StateId::none) return;
    // A rollout that came by here at no more cost, with no fewer steps to go, has been everywhere.
    if (here.left >= left && here.g <= g) return;
    here.left = left;
    here.g = g;
    const StateId next = here.next;
    reach(next, g, state, here.action, true);
    if (reaches(*space_, next, options_.subgoal)) return;
    state = next;
  }
}

size_t AStar::bytes() const {
  return nodes_.capacity() * sizeof(Node) + values_.capacity() * sizeof(Value) +
         answers_.capacity() * sizeof(Answer) + questions_.capacity() * sizeof(Question) +
         queue_.capacity() * sizeof(Entry);
}

}  // namespace pg3
