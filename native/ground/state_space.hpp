// One problem's states with what is known of them, kept across searches and candidate policies.
//
// Glossary. A state is interned: a bit set of fluents, those included that axioms derive from the
// others, stored once, known by its number. Its
// successors and heuristic values are computed when first asked for and kept. A rule's result in a
// state is the ground action that the rule's first match names; it is kept too, in a table of
// bounded size that forgets, so that thousands of candidates that share rules pay for each rule
// once a state.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/rule.hpp"
#include "ground/action_index.hpp"
#include "ground/ground_task.hpp"
#include "ground/growing_array.hpp"
#include "ground/relaxation_heuristic.hpp"
#include "ground/relaxed_plan.hpp"
#include "ground/rule_query.hpp"

namespace pg3 {

struct Successor {
  ActionId action;
  StateId state;
};

enum class HeuristicKind { add, max, blind };

class StateSpace {
 public:
  StateSpace(std::shared_ptr<const GroundTask> ground, std::shared_ptr<RuleTable> rules);

  const GroundTask& ground() const { return *ground_; }
  StateId initial() const { return initial_; }
  // May be asked while another thread works on the space; states come, but never go.
  int32_t num_states() const { return num_states_.load(std::memory_order_relaxed); }
  // What holds, as a bit set of fluents.
  const uint64_t* words(StateId state) const {
    assert(in_range(state, num_states()));
    return states_.data() + index_of(state) * words_;
  }

  // The state that holds just these fluents, and what follows from them and the values; derived
  // ones among them do not count.
  StateId intern(const std::vector<FluentId>& fluents, const std::vector<int64_t>& values);
  bool is_goal(StateId state) const { return is_goal_[index_of(state)]; }
  // A hash of what holds in a state, whatever its number.
  uint64_t hash(StateId state) const;
  // How many goals, positive and negative, do not hold.
  int32_t open_goals(StateId state) const;

  bool is_applicable(StateId state, ActionId action) const {
    return ground_->is_applicable(words(state), action);
  }
  // The state after an applicable action.
  StateId apply(StateId state, ActionId action);
  // The applicable actions in number order, until the next call; no state is made.
  std::span<const ActionId> applicable(StateId state) {
    index_.find_applicable(*ground_, words(state), found_);
    return found_;
  }
  // All applicable actions in number order, each with the state that it leads to. Stopped if the
  // guard's watch says so.
  std::span<const Successor> successors(StateId state);
  // The same, unless a limit is reached on the way: then false, and nothing is kept.
  bool generate_successors(StateId state, Watch& watch, size_t max_bytes);

  int32_t heuristic(StateId state, HeuristicKind kind, bool use_costs);
  // The unit-cost additive heuristic itself, for other goals than the task's.
  RelaxationHeuristic& additive();
  // h_FF, whose values are not kept.
  RelaxedPlanHeuristic& relaxed_plans(bool use_costs);

  // The ground action of the rule's first match, if there is a match, and it is reachable.
  ActionId rule_result(RuleId rule, StateId state);
  // The first match itself: its objects, or nothing.
  std::optional<std::vector<int32_t>> rule_match(RuleId rule, StateId state);
  // The tuples of a derived relation that is no graph, one after the other.
  std::vector<int32_t> derived(RelationId relation, StateId state);
  // The result of the first rule that matches; none if no rule does.
  ActionId policy_action(std::span<const RuleId> policy, StateId state) {
    for (RuleId rule : policy) {
      const ActionId result = rule_result(rule, state);
      if (result != ActionId::none) return result;
    }
    return ActionId::none;
  }
  // Whether what a policy says is an action that can be done in the state.
  bool can_do(StateId state, ActionId answer) const {
    return number_of(answer) >= 0 && is_applicable(state, answer);
  }

  // While it lives, the watch is asked in the course of each rule's query, and if it says stop,
  // whatever asked for the rule's result ends with Stopped. The outermost guard's watch counts.
  class Guard {
   public:
    Guard(StateSpace& space, Watch& watch) : space_(space), before_(space.watch_) {
      if (!before_) space.watch_ = &watch;
    }
    ~Guard() { space_.watch_ = before_; }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    StateSpace& space_;
    Watch* before_;
  };

  // Free what is kept about rules, compiled or their results; it can be worked out again.
  void forget_queries();
  void forget_results();

  // An estimate of the memory in use, for limits.
  size_t bytes() const;

  // Held by whoever works on the space: searches write to it and run without the GIL.
  std::timed_mutex mutex;
  // Waits for it as long as the watch allows, else throws Stopped: another search may take long.
  std::unique_lock<std::timed_mutex> lock(Watch& watch);

  // What working out a state or its heuristic value takes at most, about, in the units of a watch.
  uint64_t effort() const { return effort_; }

 private:
  struct RuleResult {
    RuleId rule = RuleId::none;
    StateId state = StateId::none;
    ActionId action = ActionId::none;
  };
  struct ValueTable {
    std::unique_ptr<RelaxationHeuristic> heuristic;
    std::vector<int32_t> values;  // kUnknown where not computed yet
  };

  StateId intern(const uint64_t* words);
  RelaxationHeuristic& evaluator(HeuristicKind kind, bool use_costs);
  ValueTable& table(HeuristicKind kind, bool use_costs) {
    return values_[kind == HeuristicKind::add ? 0 : 1][use_costs];
  }
  void grow_table();
  RuleQuery& query(RuleId rule);
  RuleResult& result_slot(RuleId rule, StateId state);

  std::shared_ptr<const GroundTask> ground_;
  std::shared_ptr<RuleTable> rules_;
  size_t words_;
  StateId initial_{0};

  uint64_t effort_ = 0;

  std::atomic<int32_t> num_states_{0};
  GrowingArray<uint64_t> states_;
  std::vector<bool> is_goal_;
  std::vector<StateId> table_;  // open addressing, a power of two; none where free
  std::vector<uint64_t> scratch_;

  ActionIndex index_;
  std::vector<ActionId> found_;
  GrowingArray<Successor> successors_;
  struct Range {
    uint32_t begin = 0;
    int32_t count = -1;  // -1: not computed yet
  };
  std::vector<Range> successor_ranges_;

  ValueTable values_[2][2];                                 // [kind][use_costs]
  std::unique_ptr<RelaxedPlanHeuristic> relaxed_plans_[2];  // [use_costs]

  Watch* watch_ = nullptr;
  StateRelations relations_;
  std::unordered_map<RuleId, RuleQuery> queries_, old_queries_;
  std::vector<RuleResult> results_;  // a power of two
  size_t results_computed_ = 0;
  std::vector<int32_t> binding_;
  std::vector<int32_t> code_;
};

}  // namespace pg3
