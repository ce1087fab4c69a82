// h_FF: the cost of a plan that ignores deletes, and the actions that it would begin with.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/grounding.hpp"
#include "ground/relaxation_heuristic.hpp"

namespace pg3 {

// The FF heuristic (Hoffmann and Nebel 2001) with best supporters from h_add (Keyder and Geffner
// 2008).
//
// The supporter of a proposition is, of the actions and axioms that add it, the first in number
// order (actions first) whose price plus the h_add values of its preconditions is the least. The
// relaxed plan has the supporters of all goals, and of the preconditions of what it has. Its value
// is the sum of its actions' prices, each action counted once, axioms not at all.
//
// Nothing is free, so that no two propositions can support each other: an axiom has the price 1
// where supporters are compared, and if some action of the task costs nothing, with `use_costs`
// each costs 1 more.
class RelaxedPlanHeuristic {
 public:
  RelaxedPlanHeuristic(const GroundTask& ground, bool use_costs);

  using Goal = RelaxationHeuristic::Goal;
  const Goal& task_goal() const { return additive_.task_goal(); }
  Goal subgoal(const std::vector<FluentId>& fluents) const { return additive_.subgoal(fluents); }

  // The value of the state given as a bit set of fluents.
  int32_t operator()(const uint64_t* state, const Goal& goal);

  // The preferred actions of the state evaluated last: those of its relaxed plan that are
  // applicable there, in number order. None if it has no relaxed plan.
  std::span<const ActionId> preferred() const { return preferred_; }

  size_t bytes() const;

 private:
  using PropositionId = RelaxationHeuristic::PropositionId;
  enum class AchieverId : int32_t {};  // an action, or after all of them an axiom

  bool is_action(AchieverId achiever) const { return number_of(achiever) < ground_.num_actions(); }
  template <typename Visit>
  void for_each_need(AchieverId achiever, Visit visit) const;
  bool supports(AchieverId achiever, int32_t value) const;
  void open(PropositionId proposition);
  void close(PropositionId proposition, const uint64_t* state);

  const GroundTask& ground_;
  RelaxationHeuristic::Prices prices_;
  RelaxationHeuristic additive_;
  Lists<PropositionId, AchieverId> achievers_;

  // Working memory of one evaluation. What a stamp is equal to has been seen in it.
  uint32_t evaluation_ = 0;
  std::vector<uint32_t> seen_, used_;  // by proposition, by achiever
  std::vector<PropositionId> pending_;
  std::vector<ActionId> preferred_;
  int64_t total_ = 0;
};

}  // namespace pg3
