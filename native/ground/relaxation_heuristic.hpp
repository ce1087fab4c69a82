// h_add and h_max: the cost of the goal when deletes are ignored.
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

#include "ground/grounding.hpp"

namespace pg3 {

// The value of a state from which the goal cannot be reached even when deletes are ignored.
inline constexpr int32_t kUnreachable = std::numeric_limits<int32_t>::max();

// The additive (Bonet and Geffner 2001) or the max heuristic of a ground task.
//
// A proposition is a fluent or, where some precondition or goal wants a fluent false, its
// complement: true where the fluent is false, added by whatever deletes the fluent. The value of a
// proposition is 0 if it holds, else the least cost + combined value of the preconditions over the
// actions that add it. Actions with the same preconditions and cost are one relaxed action. Axioms
// are actions that cost nothing. That a derived fluent is to be false is ignored: nothing says what
// makes it so.
class RelaxationHeuristic {
 public:
  enum class Combine { sum, max };

  // With `use_costs` an action counts as the domain says, otherwise 1.
  RelaxationHeuristic(const GroundTask& ground, Combine combine, bool use_costs);

  // What is to be reached: propositions, and for each proposition whether it is one of them.
  struct Goal {
    std::vector<int32_t> propositions;
    std::vector<bool> is_goal;
    bool impossible = false;
  };
  // The goal of the task, and one that asks for the given fluents only.
  const Goal& task_goal() const { return goal_; }
  Goal subgoal(const std::vector<int32_t>& fluents) const;

  // The heuristic value of the state given as a bit set of fluents.
  int32_t operator()(const uint64_t* state, const Goal& goal);

  size_t bytes() const;

 private:
  struct Open {
    int32_t missing;  // preconditions not yet reached
    int32_t value;    // cost plus the combined value of those reached
  };

  template <Combine combine>
  int32_t evaluate(const uint64_t* state, const Goal& goal);
  void enqueue(int32_t proposition, int32_t value);
  void trigger(int32_t action, int32_t value);

  const GroundTask& ground_;
  Combine combine_;
  std::vector<int32_t> complement_;    // fluent -> proposition, or -1
  std::vector<int32_t> complemented_;  // the fluents that have one
  Goal goal_;
  Lists needed_by_;  // proposition -> relaxed actions
  Lists adds_;       // relaxed action -> propositions
  std::vector<Open> initial_;
  std::vector<int32_t> without_needs_;

  // Working memory of one evaluation.
  std::vector<int32_t> value_;
  std::vector<Open> open_;
  std::vector<std::vector<int32_t>> buckets_;
  using Entry = std::pair<int32_t, int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> overflow_;
  int32_t highest_ = -1;  // the last bucket in use
};

}  // namespace pg3
