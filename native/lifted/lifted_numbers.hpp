// The numbers of a lifted state, and which comparisons change their truth with them.
//
// A comparison of one number changes where the number passes certain values, its *breakpoints*.
// They are sorted, so that a change looks only at those that it passes: a vehicle whose fuel is
// compared with thousands of distances changes few of them in a step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/task.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

class LiftedNumbers {
 public:
  explicit LiftedNumbers(const Task& task);

  // The atoms of comparisons that hold at the start.
  template <typename Visit>
  void for_each_true(Visit visit) const {
    for (int32_t i = 0; i < atoms_.size(); ++i) {
      if (holds(i)) visit(Atom{atoms_[i]});
    }
  }

  int64_t value(NumberId number) const { return values_[index_of(number)]; }
  const std::vector<int64_t>& values() const { return values_; }

  // Changes a value and calls visit(atom, holds) for each comparison that may have changed.
  template <typename Visit>
  void set(NumberId number, int64_t value, Visit visit) {
    const int64_t before = values_[index_of(number)];
    values_[index_of(number)] = value;
    const Readers& readers = readers_[index_of(number)];
    // Truth is the same on both sides unless a breakpoint b has one below b and the other not.
    auto at = std::ranges::upper_bound(readers.breakpoints, std::min(before, value), {},
                                       &Breakpoint::value);
    for (; at != readers.breakpoints.end() && at->value <= std::max(before, value); ++at) {
      visit(Atom{atoms_[at->atom]}, holds(at->atom));
    }
    for (const int32_t atom : readers.others) visit(Atom{atoms_[atom]}, holds(atom));
  }

  size_t bytes() const;

 private:
  struct Breakpoint {
    int64_t value;
    int32_t atom;
  };
  struct Readers {
    std::vector<Breakpoint> breakpoints;
    std::vector<int32_t> others;  // of several numbers
  };

  void add(PredicateId predicate, const std::vector<int32_t>& objects, Order order, GroundSum sum);
  bool holds(int32_t atom) const {
    return pg3::holds(orders_[atom], sums_[atom].of(values_.data()));
  }

  std::vector<int64_t> values_;   // by number
  std::vector<Readers> readers_;  // by number
  TupleTable atoms_;              // of comparisons
  std::vector<Order> orders_;     // by atom
  std::vector<GroundSum> sums_;
  std::vector<int32_t> code_;
};

}  // namespace pg3
