// h_FF: the cost of a plan that ignores deletes, and the actions that it would begin with.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "ground/ground_task.hpp"
#include "ground/number_supports.hpp"
#include "ground/relaxation_heuristic.hpp"

namespace pg3 {

// The FF heuristic (Hoffmann and Nebel 2001) with best supporters from h_add (Keyder and Geffner
// 2008).
//
// The relaxed task. A proposition is a fluent or, where some precondition or goal wants a fluent
// false, its complement. That a derived fluent is to be false is ignored. An achiever is an action,
// an action with one of its conditional effects, which needs what both need, an axiom, or an action
// for a comparison of numbers, done as often as it takes from the state on; they have numbers in
// this order. Axioms are free. An action has the price 1, or with `use_costs` its cost,
// and 1 more if the task has actions that cost nothing: otherwise those would not count.
//
// h_add is computed in order of values, of equal ones the proposition that came last first, whose
// achievers follow in number order. The supporter of a proposition is the achiever that came first
// with the least value. That order matters: facts about one object come one after the other, and a
// relaxed plan tends to use the same objects. First come, first served needs up to forty times the
// expansions (Barman, Data Network). The relaxed plan has the supporters of all goals, and of the
// needs of what it has. Its value is the sum of its actions' prices, each counted once or, for
// numbers, as often as the comparison that asks most of it takes.
class RelaxedPlanHeuristic {
 public:
  RelaxedPlanHeuristic(const GroundTask& ground, bool use_costs);

  enum class PropositionId : int32_t { none = -1 };  // a fluent has the same number
  enum class AchieverId : int32_t { none = -1 };     // an action has the same number

  struct Goal {
    std::vector<PropositionId> propositions;
    std::vector<bool> is_goal;  // by proposition
    bool impossible = false;
  };
  // The goal of the task, and one that asks for the given fluents only.
  const Goal& task_goal() const { return goal_; }
  Goal subgoal(const std::vector<FluentId>& fluents) const;

  // The value of the state given as a bit set of fluents.
  int32_t operator()(const uint64_t* state, const Goal& goal);

  // The preferred actions of the state evaluated last: those of its relaxed plan that are
  // applicable there, in number order. None if it has no relaxed plan.
  std::span<const ActionId> preferred() const { return preferred_; }

  // The relaxed task.
  int32_t num_propositions() const { return static_cast<int32_t>(reached_.size()); }
  int32_t num_achievers() const { return static_cast<int32_t>(initial_.size()); }
  std::span<const PropositionId> needs(AchieverId achiever) const { return needs_[achiever]; }
  std::span<const PropositionId> effects(AchieverId achiever) const { return effects_[achiever]; }
  std::span<const AchieverId> needing(PropositionId proposition) const {
    return needing_[proposition];
  }
  int32_t price(AchieverId achiever) const { return initial_[index_of(achiever)].value; }
  bool holds(const uint64_t* state, PropositionId proposition) const {
    const size_t fluents = complement_.size(), number = index_of(proposition);
    if (number < fluents) return GroundTask::holds(state, FluentId{number_of(proposition)});
    return !GroundTask::holds(state, complemented_[number - fluents]);
  }

  size_t bytes() const;

 private:
  struct Open {
    int32_t missing;  // needs not yet reached
    int32_t value;    // price plus the values of those reached
  };
  struct Reached {
    int32_t value;
    AchieverId supporter;
  };

  void add_complements();
  void add_achievers(bool use_costs);
  void add_number_achievers(const std::function<int32_t(ActionId)>& price_of);
  void add_achiever(std::span<const FluentId> needs, std::span<const FluentId> forbids,
                    std::span<const FluentId> adds, std::span<const FluentId> deletes,
                    ActionId action, int32_t price);
  PropositionId complement(FluentId fluent) const { return complement_[index_of(fluent)]; }

  bool reach_goals(const uint64_t* state, const Goal& goal);
  void start(const uint64_t* state);
  void enqueue(PropositionId proposition, int32_t value, AchieverId supporter);
  void settle(PropositionId proposition, int32_t value, const Goal& goal);
  void open(PropositionId proposition);

  const GroundTask& ground_;
  std::vector<PropositionId> complement_;  // by fluent: none where nobody asks for it
  std::vector<FluentId> complemented_;     // the fluents that have one, in order of these
  Goal goal_;
  Lists<AchieverId, PropositionId> needs_, effects_;
  Lists<PropositionId, AchieverId> needing_;
  std::vector<Open> initial_;
  std::vector<ActionId> action_;  // by achiever: none for an axiom
  std::vector<AchieverId> without_needs_;
  std::vector<NumberSupport> supports_;  // of the last achievers

  // Working memory of one evaluation.
  std::vector<Reached> reached_;
  std::vector<Open> open_;
  std::vector<std::vector<PropositionId>> buckets_;
  using Entry = std::tuple<int32_t, int64_t, PropositionId>;  // (value, a number that sinks, which)
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> overflow_;
  int64_t overflowed_ = 0;
  int32_t highest_ = -1;  // the last bucket in use
  size_t goals_left_ = 0;
  uint32_t evaluation_ = 0;                   // what a stamp is equal to has been seen in it
  std::vector<uint32_t> seen_, used_, done_;  // by proposition, by achiever, by action
  std::vector<int32_t> times_;                // by support: how often in the state
  std::vector<int32_t> counted_;              // by action: how often it is in the relaxed plan
  std::vector<PropositionId> pending_;
  std::vector<ActionId> preferred_;
};

}  // namespace pg3
