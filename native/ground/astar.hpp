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

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "ground/search_result.hpp"
#include "ground/state_space.hpp"

namespace pg3 {

// Larger weights say no more, and f might not fit its type.
inline constexpr int32_t kMostWeight = 1'000'000;

struct SearchOptions {
  HeuristicKind heuristic = HeuristicKind::add;
  bool use_costs = false;  // the domain's action costs instead of 1
  int32_t rollout = 0;     // at most this many policy steps from each expanded state, at cost 0
  StateId start = StateId::none;  // the state to start from; none: the initial state
  // f = g + heuristic_weight * h + goal_weight * open goals; from 0 to kMostWeight.
  int32_t heuristic_weight = 1;
  int32_t goal_weight = 0;
  // Fluents to be made true instead of the task's goal (with h_add for just these), if any.
  std::vector<FluentId> subgoal = {};
};

// A state in which a search asks the policy what to do.
struct Question {
  StateId state;
  ActionId answer;
};

// A*. Its working memory is kept for the next search, because a learner runs thousands of short
// ones and clearing what they leave would cost more than they do. The next one may be on another
// space.
class AStar {
 public:
  SearchResult run(StateSpace& space, std::span<const RuleId> policy, const SearchOptions& options,
                   const Limits& limits);

  // What the last search asked the policy, in order. The answers determine the search: a policy
  // with the same answers leads to the same result.
  std::span<const Question> questions() const { return questions_; }

  // The working memory in use, that of the space aside.
  size_t bytes() const;

 private:
  // What a search knows of a state, from the way by which it was reached.
  struct Node {
    uint32_t search = 0;  // the search that wrote it: others do not believe it
    StateId parent = StateId::none;
    int64_t g = 0;
    ActionId action = ActionId::none;
    bool from_policy = false;
  };
  // What the policy does in a state, and the best rollout that came by so far.
  struct Answer {
    uint32_t search = 0;
    ActionId action = ActionId::none;
    StateId next = StateId::none;  // the state that the policy leads to; none if it does not apply
    int32_t left = 0;              // that rollout's steps to go, and its cost
    int64_t g = 0;
  };
  struct Entry {
    int64_t f;
    int32_t h;
    uint32_t serial;
    int64_t g;
    StateId state;

    // The order of expansion, with its ties: std::push_heap has the largest come first.
    bool operator<(const Entry& other) const {
      if (f != other.f) return f > other.f;
      if (h != other.h) return h > other.h;
      return serial > other.serial;
    }
  };

  int32_t open_goals(StateId state) const;
  int32_t heuristic(StateId state);
  void reach(StateId state, int64_t g, StateId parent, ActionId action, bool from_policy);
  void roll_out(StateId state, int64_t g, std::span<const RuleId> policy, Watch& watch);
  Status search(std::span<const RuleId> policy, const Limits& limits);
  Answer& answer(StateId state, std::span<const RuleId> policy);

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
  std::vector<Question> questions_;
  std::vector<Entry> queue_;
  uint32_t serial_ = 0;
  SearchResult result_;
};

}  // namespace pg3
