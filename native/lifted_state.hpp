// A state of a problem too large to ground: a set of atoms with sorted indexes, updated in place.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "task.hpp"
#include "trie.hpp"
#include "tuple_table.hpp"

namespace pg3 {

class LiftedState {
 public:
  explicit LiftedState(std::shared_ptr<const Task> task);

  bool holds(Tuple atom) const {
    const int32_t number = atoms_.find(atom);
    return number >= 0 && present_[number];
  }
  bool in_goal(Tuple atom) const {
    const int32_t number = atoms_.find(atom);
    return number >= 0 && wanted_[number] > 0;
  }
  bool is_goal() const { return goals_open_ == 0; }

  // An index of the state's (or the goal's) atoms of a predicate, kept up to date from now on. The
  // same order asked for twice gives the same index. The reference stays valid.
  const Trie& index(int32_t predicate, bool of_goal, std::vector<int32_t> order);

  void add(Tuple atom);
  void remove(Tuple atom);

  // A hash of the atoms that hold, kept by every change. Equal states have equal hashes; the
  // converse is for equals() to say.
  struct Hash {
    uint64_t first = 0, second = 0;
    bool operator==(const Hash&) const = default;
  };
  Hash hash() const { return hash_; }

  // A snapshot to compare with: which of the atoms met so far hold.
  bool equals(const LiftedState& other) const;

  const Task& task() const { return *task_; }
  size_t bytes() const;

 private:
  int32_t intern(Tuple atom);
  void toggle(Tuple atom, int32_t number);

  std::shared_ptr<const Task> task_;
  TupleTable atoms_;            // every atom met so far
  std::vector<bool> present_;   // of those, what holds now
  std::vector<int8_t> wanted_;  // 1 in the goal, -1 in the negative goal, 2 in both, 0 in neither
  int64_t goals_open_ = 0;
  Hash hash_;
  std::vector<std::vector<std::unique_ptr<Trie>>> indexes_;  // [predicate, then goal's predicate]
};

}  // namespace pg3
