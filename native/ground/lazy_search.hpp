// Search for some plan, soon: lazy best-first search with preferred actions, as LAMA does it
// (Richter and Westphal 2010).
//
// Evaluation is deferred: a state is made and evaluated when it is taken from a queue, where it
// stands with the value of its parent. All successors of a state so have one value, and a queue
// keeps one entry for all of them: the state, and how many were taken.
//
// There are two evaluators, h_FF and the landmarks that are still to be reached on the way by which
// a state was met first, and for each two queues: one of all successors, one of those by preferred
// actions. The queue with the least priority number is next,
// of equal ones the first; each state that it gives adds 1. Whenever an evaluator comes to a value
// below all before, the priority numbers of the queues of preferred actions sink by 1000. A queue
// gives the successors of the state with the least value, of equal ones the one that came first; by
// all actions in number order, or by the preferred ones: the policy's, then those of the relaxed
// plan in number order.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "ground/landmarks.hpp"
#include "ground/relaxed_plan.hpp"
#include "ground/search_result.hpp"
#include "ground/state_space.hpp"

namespace pg3 {

struct LazyOptions {
  bool use_costs = false;  // the domain's action costs instead of 1
  StateId start = StateId::none;
  // Fluents to be made true instead of the task's goal, if any.
  std::vector<FluentId> subgoal = {};
  // From 1 on weighted A*: the value of a state is g + weight * h, and a cheaper way to a state
  // opens it again. With 0 the search is greedy: the value is h.
  int32_t weight = 0;
  // Only a plan that costs less is looked for, in the terms of `use_costs`.
  int64_t bound = std::numeric_limits<int64_t>::max();
};

// A search keeps its working memory for the next one, which may be on another space.
class LazySearch {
 public:
  // The result's `generated` are the states taken from queues, the same one counted each time. It
  // is unsolvable if no plan costs less than the bound.
  SearchResult run(StateSpace& space, std::span<const RuleId> policy, const LazyOptions& options,
                   const Limits& limits);

  // The working memory in use, that of the space aside.
  size_t bytes() const;

 private:
  static constexpr size_t kEvaluators = 2;
  enum class Chosen : bool { all, preferred };

  // What the search knows of a state, from the way by which it was reached.
  struct Node {
    uint32_t search = 0;  // the search that wrote it: others do not believe it
    StateId parent = StateId::none;
    ActionId action = ActionId::none;
    bool from_policy = false;  // the action
    bool dead_end = false;     // no plan from here, even if deletes are ignored
    bool answered = false;     // the first preferred action is the policy's
    int64_t g = 0;
    std::array<int32_t, kEvaluators> values{};
    uint32_t number = 0;  // of the evaluated states, in order
    uint32_t preferred_begin = 0;
    uint32_t preferred_count = 0;
  };
  struct Entry {
    StateId state;
    int32_t taken;  // of its successors
    int64_t g;      // the state's g when the entry was made: if it is less now there is another one
  };
  struct Queue {
    size_t evaluator;
    Chosen chosen;
    int64_t priority = 0;
    std::map<int64_t, std::deque<Entry>> buckets = {};
    // The actions of the state whose successors were taken last.
    StateId state = StateId::none;
    std::vector<ActionId> actions = {};
  };
  struct Step {
    StateId parent;
    ActionId action;
    bool from_policy;
  };

  Status search(std::span<const RuleId> policy, const Limits& limits);
  Status visit(StateId state, std::span<const RuleId> policy, const Limits& limits, Watch& watch);
  bool evaluate(StateId state, std::span<const RuleId> policy);
  void collect_preferred(StateId state, std::span<const RuleId> policy);
  void note_progress(const Node& node);
  void enqueue(StateId state);
  Queue* next_queue();
  bool take(Queue& queue, Step& step);
  void fill_actions(Queue& queue, StateId state);
  Node& node(StateId state);
  const RelaxedPlanHeuristic::Goal& goal() const;
  int32_t landmarks_ahead(StateId state);
  int64_t cost(ActionId action) const;

  StateSpace* space_ = nullptr;
  LazyOptions options_;
  RelaxedPlanHeuristic* relaxed_ = nullptr;
  RelaxedPlanHeuristic::Goal subgoal_;
  Landmarks landmarks_;
  std::vector<uint64_t> accepted_;  // of the evaluated states, one after the other
  uint32_t current_ = 0;
  std::vector<Node> nodes_;
  std::vector<ActionId> preferred_;  // of all states, one after the other
  std::vector<Queue> queues_;
  std::array<int32_t, kEvaluators> best_{};
  size_t entries_ = 0;
  SearchResult result_;
};

}  // namespace pg3
