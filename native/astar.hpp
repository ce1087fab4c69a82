// A* over a state space, alone or guided by a policy (Algorithm 3 of the paper).
//
// The order of expansion is fixed: smallest f = g + h first, then smallest h, then first come. The
// successors of a state come in the order policy rollout, then ground actions by number. A state is
// opened again when a cheaper way to it turns up (h_add is not consistent).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "limits.hpp"
#include "state_space.hpp"

namespace pg3 {

struct SearchOptions {
  HeuristicKind heuristic = HeuristicKind::add;
  bool use_costs = false;  // the domain's action costs instead of 1
  int32_t rollout = 0;     // at most this many policy steps from each expanded state, at cost 0
};

struct PlanStep {
  int32_t action;
  bool from_policy;
};

struct SearchResult {
  Status status = Status::unsolvable;
  std::vector<PlanStep> plan;
  int64_t cost = 0;  // in the domain's terms, whether the search used them or not
  int64_t expansions = 0;
  int64_t generated = 0;
};

// A* on one space. Its working memory is kept for the next search, because a learner runs thousands
// of short ones and clearing what they leave would cost more than they do.
class AStar {
 public:
  explicit AStar(StateSpace& space) : space_(space) {}

  SearchResult run(std::span<const int32_t> policy, const SearchOptions& options,
                   const Limits& limits);

 private:
  // What this search knows of a state that it has reached.
  struct Node {
    uint32_t search = 0;  // the search that wrote it: others do not believe it
    int32_t parent = -1;
    int64_t g = 0;
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

  void reach(int32_t state, int64_t g, int32_t parent, int32_t action, bool from_policy);
  void roll_out(int32_t state, int64_t g, std::span<const int32_t> policy);
  Status search(std::span<const int32_t> policy, const Limits& limits);
  void extract_plan(int32_t goal);
  size_t bytes() const;

  StateSpace& space_;
  SearchOptions options_;
  uint32_t current_ = 0;
  std::vector<Node> nodes_;
  std::vector<Entry> queue_;
  uint32_t serial_ = 0;
  SearchResult result_;
};

}  // namespace pg3
