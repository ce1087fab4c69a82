// The first tuple of objects that satisfies a rule in a lifted state: a join over sorted indexes.
//
// The answer is the lexicographically first tuple in the order of the rule's parameters; the work
// is to depend on what a step changes, not on the size of the problem. Three things see to that:
//
// - Each positive condition has an index sorted in the order in which the variables are bound, and
//   the smallest common object of several indexes is found by seeking, in turn, the next entry at
//   or after the largest one seen (a leapfrog join).
// - A goal condition whose opposite is a precondition, (goal p) and (not p), is one condition on
// the
//   open goals, an index that shrinks as goals are achieved.
// - Variables that have few values in any state (where the ferry is, what it carries) are pivots:
//   they are bound first, all their values are tried, and the first of the answers counts. So are
//   those that pivots leave few values for.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lifted_state.hpp"
#include "limits.hpp"
#include "rule.hpp"

namespace pg3 {

class LiftedQuery {
 public:
  // Takes the indexes that the rule needs from the state, which must outlive the query.
  LiftedQuery(const Rule& rule, LiftedState& state);

  // Whether a relation that made pivots has grown: the query is still right, but slow.
  bool is_stale() const;

  enum class Answer { none, found, stopped };
  // Finds the first satisfying tuple; `stopped` if the watch said so before the end.
  Answer first(Watch& watch);
  const std::vector<int32_t>& binding() const { return best_; }

 private:
  // A positive condition with at least one variable, walked along its index level by level.
  struct Path {
    const Trie* index;
    std::vector<int32_t> constants;  // the objects of the first levels
    std::vector<int32_t> nodes;      // the node reached before each level
  };
  struct Step {
    int32_t path;
    int32_t level;
    int32_t repeats;  // how many levels in a row belong to the variable
    bool last;        // whether the path ends with them
  };

  void choose_order(const std::vector<Condition>& positive);
  void add_path(const Condition& condition, LiftedState& state, LiftedState::Part part);
  void depend(const std::vector<Term>& terms, bool positive);
  size_t last_depth(const std::vector<Term>& terms) const;
  bool restart();
  // The smallest candidate at a depth from `from` on that all its conditions allow, or -1.
  int32_t next(size_t depth, int32_t from);
  bool descend(size_t depth, int32_t object);
  bool holds(const Condition& condition);

  const LiftedState& state_;
  size_t num_variables_;
  size_t num_pivots_ = 0;
  std::vector<int32_t> order_;  // depth -> variable: pivots first, then by parameter
  std::vector<int32_t> depth_;  // variable -> depth
  std::vector<int32_t> pivot_predicates_;
  std::vector<std::vector<bool>> types_;   // by variable
  std::vector<std::vector<int32_t>> few_;  // by variable: its objects, if its type has few
  std::vector<Path> paths_;
  std::vector<std::vector<Step>> steps_;        // by depth
  std::vector<std::vector<Condition>> checks_;  // by depth: decided once it is bound
  std::vector<Condition> ground_checks_;
  std::vector<uint64_t> depends_on_;  // by depth: a bit for each earlier depth
  std::vector<uint64_t> conflicts_;
  std::vector<int32_t> binding_;  // by variable
  std::vector<int32_t> best_;
  std::vector<int32_t> atom_;
};

}  // namespace pg3
