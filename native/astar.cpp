#include "astar.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// What a search knows of a state that it has reached.
struct Node {
  int64_t g = -1;  // -1: not reached
  int32_t parent = -1;
  int32_t action = -1;
  bool from_policy = false;
};

struct Entry {
  int64_t f;
  int32_t h;
  uint32_t serial;
  int64_t g;
  int32_t state;

  bool operator<(const Entry& other) const {  // for std::push_heap: the largest comes first
    if (f != other.f) return f > other.f;
    if (h != other.h) return h > other.h;
    return serial > other.serial;
  }
};

class Search {
 public:
  Search(StateSpace& space, std::span<const int32_t> policy, const SearchOptions& options,
         const Limits& limits)
      : space_(space), policy_(policy), options_(options), limits_(limits), watch_(limits) {}

  SearchResult run() {
    reach(space_.initial(), 0, -1, -1, false);
    while (!queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end());
      const Entry entry = queue_.back();
      queue_.pop_back();
      if (nodes_[entry.state].g < entry.g) continue;
      if (space_.is_goal(entry.state)) return finish(entry.state);
      if (result_.expansions >= limits_.expansions) return stop(Status::expansion_limit);
      if (watch_.must_stop(16)) return stop(watch_.status());
      if (result_.expansions % 64 == 0 && bytes() > limits_.bytes) {
        return stop(Status::memory_limit);
      }
      ++result_.expansions;
      roll_out(entry.state, entry.g);
      // By index: reaching a state may move the list of successors.
      const size_t count = space_.successors(entry.state).size();
      for (size_t i = 0; i < count; ++i) {
        const Successor next = space_.successors(entry.state)[i];
        const int32_t cost = options_.use_costs ? space_.ground().costs[next.action] : 1;
        reach(next.state, entry.g + cost, entry.state, next.action, false);
      }
    }
    return stop(Status::unsolvable);
  }

 private:
  void reach(int32_t state, int64_t g, int32_t parent, int32_t action, bool from_policy) {
    ++result_.generated;
    if (static_cast<size_t>(state) >= nodes_.size()) {
      nodes_.resize(std::max<size_t>(space_.num_states(), 2 * nodes_.size()));
    }
    Node& node = nodes_[state];
    if (node.g >= 0 && node.g <= g) return;
    const int32_t h = space_.heuristic(state, options_.heuristic, options_.use_costs);
    if (h == kUnreachable) return;
    node = {g, parent, action, from_policy};
    queue_.push_back({g + h, h, serial_++, g, state});
    std::push_heap(queue_.begin(), queue_.end());
  }

  void roll_out(int32_t state, int64_t g) {
    for (int32_t step = 0; step < options_.rollout; ++step) {
      const int32_t action = space_.policy_action(policy_, state);
      if (action < 0 || !space_.is_applicable(state, action)) return;
      const int32_t next = space_.apply(state, action);
      reach(next, g, state, action, true);
      if (space_.is_goal(next)) return;
      state = next;
    }
  }

  SearchResult finish(int32_t state) {
    for (; nodes_[state].parent >= 0; state = nodes_[state].parent) {
      result_.plan.push_back({nodes_[state].action, nodes_[state].from_policy});
      result_.cost += space_.ground().costs[nodes_[state].action];
    }
    std::reverse(result_.plan.begin(), result_.plan.end());
    return stop(Status::solved);
  }

  SearchResult stop(Status status) {
    result_.status = status;
    return std::move(result_);
  }

  size_t bytes() const {
    return space_.bytes() + nodes_.capacity() * sizeof(Node) + queue_.capacity() * sizeof(Entry);
  }

  StateSpace& space_;
  std::span<const int32_t> policy_;
  const SearchOptions& options_;
  const Limits& limits_;
  Watch watch_;
  std::vector<Node> nodes_;
  std::vector<Entry> queue_;
  uint32_t serial_ = 0;
  SearchResult result_;
};

}  // namespace

SearchResult astar(StateSpace& space, std::span<const int32_t> policy, const SearchOptions& options,
                   const Limits& limits) {
  return Search(space, policy, options, limits).run();
}

}  // namespace pg3
