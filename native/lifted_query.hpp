// The first tuple of objects that satisfies a rule in a lifted state: a join over sorted indexes.
//
// Variables are bound in the order of the rule's parameters. Each positive condition has an index
// sorted in that same order, so the smallest common object of the indexes is found by seeking, in
// turn, the next entry at or after the largest one seen (a leapfrog join), and the first answer is
// the lexicographically first one.
#pragma once

#include <cstdint>
#include <vector>

#include "lifted_state.hpp"
#include "limits.hpp"
#include "rule.hpp"

namespace pg3 {

class LiftedQuery {
 public:
  // Takes the indexes that the rule needs from the state, which must outlive the query.
  LiftedQuery(const Rule& rule, LiftedState& state);

  enum class Answer { none, found, stopped };
  // Finds the first satisfying tuple; `stopped` if the watch said so before the end.
  Answer first(Watch& watch);
  const std::vector<int32_t>& binding() const { return binding_; }

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
  };

  bool restart();
  // The smallest candidate of the variable from `from` on that all its conditions allow, or -1.
  int32_t next(size_t variable, int32_t from);
  bool descend(size_t variable, int32_t object);
  bool holds(const Condition& condition);

  const LiftedState& state_;
  size_t num_variables_;
  std::vector<std::vector<bool>> types_;
  std::vector<Path> paths_;
  std::vector<std::vector<Step>> steps_;        // by variable
  std::vector<std::vector<Condition>> checks_;  // by variable: decided once it is bound
  std::vector<Condition> ground_checks_;
  std::vector<uint64_t> depends_on_;
  std::vector<uint64_t> conflicts_;
  std::vector<int32_t> binding_;
  std::vector<int32_t> atom_;
};

}  // namespace pg3
