// The first tuple of objects that satisfies a pattern in a lifted state.
//
// The answer is the lexicographically first tuple in the order of the pattern's variables; the work
// is to depend on what a step changes, not on the size of the problem. Four things see to that:
//
// - Sorted indexes and a join that leaps from one to the other (join.hpp).
// - A goal condition whose opposite is a precondition, (goal p) and (not p), is one condition on
//   the open goals, which get fewer as goals are achieved.
// - Several conditions are one view (view.hpp) where that is cheap to keep: "waits on this floor"
//   instead of "came to this floor", "is not aboard" and "has not arrived", one after the other.
// - Variables that have few values in any state (where the ferry is, what it carries) are pivots:
//   they are bound first, all their values are tried, and the first of the answers counts. So are
//   those that pivots leave few values for.
//
// No single order of the variables is good in all states. A pattern may be given further searches:
// a second order, each variable determined as far as possible by those before it; one that asks
// object by object what can still become an answer (ordered_search.hpp); and if there was no answer
// the last time, one that looks only at what has changed since (delta_query.hpp). They take turns,
// and the one that ends first has the answer: a few times the best one's work at most.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/limits.hpp"
#include "lifted/delta_query.hpp"
#include "lifted/join.hpp"
#include "lifted/ordered_search.hpp"
#include "lifted/view.hpp"
#include "lifted/view_choice.hpp"

namespace pg3 {

// What is prepared for a pattern: its views, as choose_views() takes them, and whether it has more
// than one search.
struct Preparation {
  Level level;
  double most;
  bool searches;
};

// Whether a pattern has so many variables that further searches than a second order may help.
bool is_long(const Pattern& pattern, const Tuning& tuning);

class LiftedQuery {
 public:
  // Takes the indexes and views that it needs from the state, which must outlive the query.
  LiftedQuery(const Pattern& pattern, ViewedState& state, const Preparation& preparation);

  // Tells the indexes and views that they are still needed.
  void use() const;

  // Whether a relation that made pivots has grown: the query is still right, but slow.
  bool has_outgrown() const;
  // Whether a view costs more to keep than it should.
  bool is_costly() const;
  // The candidates tried up to now beyond what a pattern of its length takes.
  int64_t waste() const { return waste_; }

  enum class Answer { none, found, stopped, too_long };
  // Finds the first satisfying tuple; `stopped` if the watch said so before the end, `too_long` if
  // a query that may have further searches had tried more than `most` candidates.
  Answer first(Watch& watch, int64_t most);
  const std::vector<int32_t>& binding() const { return best_; }

 private:
  // An order to bind the variables in. The first `num_pivots` are tried through; the rest is in
  // ascending order, so that for given pivots the first answer is the first of all.
  struct Plan {
    Plan(const LiftedState& state, const Conjunction& conjunction, std::vector<VariableId> order);
    size_t num_pivots;
    Join join;
  };

  Source view_source(const Pattern& pattern, const ViewConditions& conditions, ViewedState& state,
                     double most);
  std::vector<VariableId> pivots_first(const Conjunction& conjunction);

  Answer search(Watch& watch, int64_t most);
  void start();

  const ViewedState* state_;
  bool searches_;
  std::vector<Plan> plans_;
  std::unique_ptr<OrderedSearch> ordered_;
  std::unique_ptr<DeltaQuery> delta_;
  int64_t empty_at_ = -1;  // a position in the state's log at which there was no answer
  std::vector<const Relation*> pivot_relations_;
  std::vector<View*> views_;
  int32_t few_;
  int64_t fair_work_ = 0, waste_ = 0;
  std::vector<int32_t> best_;
};

}  // namespace pg3
