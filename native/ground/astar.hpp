// A* over a state space, alone or guided by a policy (Algorithm 3 of the paper).
//
// The order of expansion is fixed: smallest f = g + h first, then smallest h, then first come. The
// successors of a state come in the order policy rollout, then ground actions by number. A state is
// opened again when a cheaper way to it turns up (h_add is not consistent). A search that is to
// find any plan at all, not a short one, gives h a weight, and another one to each goal that is
// open.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/limits.hpp"
#include "ground/state_space.hpp"

namespace pg3 {

// Larger weights say no more, and f might not fit its type.
inline constexpr int32_t kMostWeight = 1'000'000;

struct SearchOptions {
  HeuristicKind heuristic = HeuristicKind::add;
  bool use_costs = false;  // the domain's action costs instead of 1
  int32_t rollout = 0;     // at most this many policy steps from each expanded state, at cost 0
  int32_t start = -1;      // the state to start from; -1: the initial state
  // f = g + heuristic_weight * h + goal_weight * open goals; from 0 to kMostWeight.
  int32_t heuristic_weight = 1;
  int32_t goal_weight = 0;
  // Fluents to be made true instead of the task's goal (with h_add for just these), if any.
  std::vector<int32_t> subgoal = {};
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
  // States met, the same one counted each time. A rollout that is cut short, because an earlier one
  // has been there, meets no more.
  int64_t generated = 0;
};

// A*. Its working memory is kept for the next search, because a learner runs thousands of short
// ones and clearing what they leave would cost more than they do. The next one may be on another
// space.
class AStar {
 public:
  SearchResult run(StateSpace& space, std::span<const int32_t> policy, const SearchOptions& options,
                   const Limits& limits);

  // The states in which the last search asked the policy, in order, each with the answer. They
  // determine the search: a policy with the same answers leads to the same result.
  std::span<const std::pair<int32_t, int32_t>> questions() const { return questions_; }

  // The working memory in use, that of the space aside.
  size_t bytes() const;

 private:
  // What a search knows of a state, from the way by which it was reached.
  struct Node {
    uint32_t search = 0;  // the search that wrote it: others do not believe it
    int32_t parent = -1;
    int64_t g = 0;
    int32_t action = -1;
    bool from_policy = false;
  };
  // What the policy does in a state, and the best rollout that came by so far.
  struct Answer {
    uint32_t search = 0;
    int32_t action = -1;
    int32_t next = -1;  // the state that the policy leads to; -1 if it does not apply
    int32_t left = 0;   // that rollout's steps to go, and its cost
    int64_t g = 0;
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

  bool is_goal(int32_t state) const;
  int32_t open_goals(int32_t state) const;
  int32_t heuristic(int32_t state);
  void reach(int32_t state, int64_t g, int32_t parent, int32_t action, bool from_policy);
  void roll_out(int32_t state, int64_t g, std::span<const int32_t> policy, Watch& watch);
  Status search(std::span<const int32_t> policy, const Limits& limits);
  Answer& answer(int32_t state, std::span<const int32_t> policy);
  void extract_plan(int32_t goal);

  StateSpace* space_ = nullptr;
  SearchOptions options_;
  RelaxationHeuristic::Goal subgoal_;
  struct Value {
    uint32_t search = 0;
    int32_t h = 0;
  };
  std::vector<Value> values_;  // h for the subgoal, by state
  uint32_t current_ = 0;
  std::vector<Node> nodes_;
  std::vector<Answer> answers_;
  std::vector<std::pair<int32_t, int32_t>> questions_;
  std::vector<Entry> queue_;
  uint32_t serial_ = 0;
  SearchResult result_;
};

}  // namespace pg3
