// h_add and h_max: the cost of the goal when deletes are ignored.
#pragma once

#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

#include "ground/ground_task.hpp"
#include "ground/number_supports.hpp"

namespace pg3 {

// The value of a state from which the goal cannot be reached even when deletes are ignored.
inline constexpr int32_t kUnreachable = std::numeric_limits<int32_t>::max();

// The additive (Bonet and Geffner 2001) or the max heuristic of a ground task.
//
// A proposition is a fluent or, where some precondition or goal wants a fluent false, its
// complement: true where the fluent is false, added by whatever deletes the fluent. The value of a
// proposition is 0 if it holds, else the least cost + combined value of the preconditions over the
// actions that add it. A conditional effect is an action of its own, with the preconditions of
// both. Actions with the same preconditions and cost are one relaxed action.
//
// Axioms are actions that cost nothing. The complement of a derived fluent, too, follows at no
// cost: from one false condition in each of its axioms. If its axioms depend on each other in a
// circle, that it is to be false is ignored: then nothing says what makes it so.
//
// A comparison of numbers is reached by each action that moves them the right way, done as often as
// it takes from the state on; for h_max, which must not say too much, once.
class RelaxationHeuristic {
 public:
  enum class Combine { sum, max };

  // With `use_costs` an action counts as the domain says, otherwise 1.
  RelaxationHeuristic(const GroundTask& ground, Combine combine, bool use_costs);

  enum class PropositionId : int32_t { none = -1 };  // a fluent has the same number

  // What is to be reached: propositions, and for each proposition whether it is one of them.
  struct Goal {
    std::vector<PropositionId> propositions;
    std::vector<bool> is_goal;
    bool impossible = false;
  };
  // The goal of the task, and one that asks for the given fluents only.
  const Goal& task_goal() const { return goal_; }
  Goal subgoal(const std::vector<FluentId>& fluents) const;

  // The heuristic value of the state given as a bit set of fluents.
  int32_t operator()(const uint64_t* state, const Goal& goal);

  size_t bytes() const;

 private:
  enum class RelaxedId : int32_t {};  // a relaxed action
  struct Open {
    int32_t missing;  // preconditions not yet reached
    int32_t value;    // cost plus the combined value of those reached
  };
  struct Collection;

  template <Combine combine>
  int32_t evaluate(const uint64_t* state, const Goal& goal);
  template <Combine combine>
  void settle(const Goal& goal, PropositionId proposition, int32_t value);
  void enqueue(PropositionId proposition, int32_t value);
  void trigger(RelaxedId action, int32_t value);
  PropositionId complement(FluentId fluent) const { return complement_[index_of(fluent)]; }
  void find_complements();
  void price_numbers(const uint64_t* state);

  const GroundTask& ground_;
  Combine combine_;
  std::vector<PropositionId> complement_;      // by fluent: none where nobody asks for it
  std::vector<FluentId> complemented_;         // the fluents that have one
  std::vector<std::vector<AxiomId>> reasons_;  // by derived fluent with a complement: its axioms
  int32_t num_propositions_ = 0;
  Goal goal_;
  Lists<PropositionId, RelaxedId> needed_by_;
  Lists<RelaxedId, PropositionId> adds_;
  std::vector<Open> initial_;
  std::vector<RelaxedId> without_needs_;
  // Relaxed actions for numbers: the last ones. Their costs depend on the state.
  struct NumberAction {
    NumberSupport support;
    RelaxedId relaxed;
    int32_t cost;
  };
  std::vector<NumberAction> number_actions_;

  // Working memory of one evaluation.
  std::vector<int32_t> value_;
  std::vector<Open> open_;
  std::vector<std::vector<PropositionId>> buckets_;
  using Entry = std::pair<int32_t, PropositionId>;  // the value comes first
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> overflow_;
  int32_t highest_ = -1;  // the last bucket in use
  size_t goals_left_ = 0;
};

}  // namespace pg3
