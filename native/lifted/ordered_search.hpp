// The first answer to a conjunction in the order of its variables' numbers, whatever order is best
// to search in.
//
// For each variable in turn the smallest object is taken with which an answer is left. Whether one
// is left is asked of a join that is free to bind the other variables as each is best determined by
// those before it. A rule with many variables along a chain (the package, where it goes, a truck of
// that city, ..., where it is) is hard to search in the written order, as what rules a candidate
// out comes late, and hard in any other, as the first answer may come last.
#pragma once

#include <cstdint>
#include <vector>

#include "lifted/join.hpp"

namespace pg3 {

class OrderedSearch {
 public:
  OrderedSearch(const LiftedState& state, const Conjunction& conjunction);

  void use() const;
  void start();
  // As Join::advance(); there is one answer at most, the first.
  Join::Outcome advance(int64_t& budget);
  const std::vector<int32_t>& binding() const { return witness_; }

 private:
  void ask(size_t depth);

  size_t num_variables_;
  Join walk_;                     // in the order of the variables
  std::vector<Join> left_;        // [d]: is there an answer with these objects for the first d?
  std::vector<int32_t> prefix_;   // the objects taken, and the one that is being asked about
  std::vector<int32_t> witness_;  // an answer with the objects taken
  size_t depth_ = 0;              // how many are taken
  size_t asked_ = 0;              // which join is being asked, if any
  bool asking_ = false;
  ObjectId from_{0};
};

}  // namespace pg3
