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

#include "core/limits.hpp"
#include "core/rule.hpp"
#include "ground/action_index.hpp"
#include "ground/grounding.hpp"
#include "ground/growing_array.hpp"
#include "ground/relaxation_heuristic.hpp"
#include "ground/rule_query.hpp"

namespace pg3 {

struct Successor {
  int32_t action;
  int32_t state;
};

enum class HeuristicKind { add, max, blind };

// The result of a rule that does not match, and of one whose action is not even reachable.
inline constexpr int32_t kNoMatch = -1;
inline constexpr int32_t kNoSuchAction = -2;

class StateSpace {
 public:
  StateSpace(std::shared_ptr<const GroundTask> ground, std::shared_ptr<RuleTable> rules);

  const GroundTask& ground() const { return *ground_; }
  int32_t initial() const { return initial_; }
  // May be asked while another thread works on the space; states come, but never go.
  int32_t num_states() const { return num_states_.load(std::memory_order_relaxed); }
  const uint64_t* state(int32_t number) const {
    assert(number >= 0 && number < num_states());
    return states_.data() + number * words_;
  }

  // The number of the state that holds just these fluents, and what follows from them; derived
  // ones among them do not count.
  int32_t intern(const std::vector<int32_t>& fluents);
  bool is_goal(int32_t number) const { return is_goal_[number]; }
  // A hash of what holds in a state, whatever its number.
  uint64_t hash(int32_t number) const;
  // How many goals, positive and negative, do not hold.
  int32_t open_goals(int32_t number) const;

  bool is_applicable(int32_t number, int32_t action) const {
    return ground_->is_applicable(state(number), action);
  }
  // The state after an applicable action.
  int32_t apply(int32_t number, int32_t action);
  // All applicable actions in number order, each with the state that it leads to. Stopped if the
  // guard's watch says so.
  std::span<const Successor> successors(int32_t number);
  // The same, unless a limit is reached on the way: then false, and nothing is kept.
  bool generate_successors(int32_t number, Watch& watch, size_t max_bytes);

  int32_t heuristic(int32_t number, HeuristicKind kind, bool use_costs);
  // The unit-cost additive heuristic itself, for other goals than the task's.
  RelaxationHeuristic& additive();

  // The ground action of the rule's first match, kNoMatch or kNoSuchAction.
  int32_t rule_result(int32_t rule, int32_t number);
  // The first match itself: its objects, or nothing.
  std::optional<std::vector<int32_t>> rule_match(int32_t rule, int32_t number);
  // The tuples of a derived relation that is no graph, one after the other.
  std::vector<int32_t> derived(int32_t relation, int32_t number);
  // The action of the first rule that matches; kNoMatch if none does.
  int32_t policy_action(std::span<const int32_t> policy, int32_t number) {
    for (int32_t rule : policy) {
      const int32_t result = rule_result(rule, number);
      if (result != kNoMatch) return result;
    }
    return kNoMatch;
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
    int32_t rule = -1;
    int32_t state = -1;
    int32_t action = 0;
  };
  struct ValueTable {
    std::unique_ptr<RelaxationHeuristic> heuristic;
    std::vector<int32_t> values;  // kUnknown where not computed yet
  };

  int32_t intern(const uint64_t* words);
  RelaxationHeuristic& evaluator(HeuristicKind kind, bool use_costs);
  ValueTable& table(HeuristicKind kind, bool use_costs) {
    return values_[kind == HeuristicKind::add ? 0 : 1][use_costs];
  }
  void grow_table();
  RuleQuery& query(int32_t rule);
  RuleResult& result_slot(int32_t rule, int32_t number);

  std::shared_ptr<const GroundTask> ground_;
  std::shared_ptr<RuleTable> rules_;
  size_t words_;
  int32_t initial_ = 0;

  uint64_t effort_ = 0;

  std::atomic<int32_t> num_states_{0};
  GrowingArray<uint64_t> states_;
  std::vector<bool> is_goal_;
  std::vector<int32_t> table_;  // open addressing, a power of two; -1 where free
  std::vector<uint64_t> scratch_;

  ActionIndex index_;
  std::vector<int32_t> found_;
  GrowingArray<Successor> successors_;
  struct Range {
    uint32_t begin = 0;
    int32_t count = -1;  // -1: not computed yet
  };
  std::vector<Range> successor_ranges_;

  ValueTable values_[2][2];  // [kind][use_costs]

  Watch* watch_ = nullptr;
  StateRelations relations_;
  std::unordered_map<int32_t, RuleQuery> queries_, old_queries_;
  std::vector<RuleResult> results_;  // a power of two
  size_t results_computed_ = 0;
  std::vector<int32_t> binding_;
  std::vector<int32_t> code_;
};

}  // namespace pg3
