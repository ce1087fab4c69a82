// A state of a problem too large to ground: a set of atoms with sorted indexes, updated in place.
#pragma once

#include <cstdint>
#include <map>
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

  // Which atoms of a predicate an index holds: those of the state, those of the goal, or the open
  // ones, in the goal but not in the state.
  enum class Part { state = 0, goal = 1, open = 2 };

  // An index of atoms, kept up to date from now on. The same one asked for twice is the same. The
  // reference stays valid until drop_indexes().
  const Trie& index(int32_t predicate, Part part, const std::vector<int32_t>& order);
  void drop_indexes();

  // The largest number of atoms of a predicate that differ at one place only, when first asked.
  int32_t fan_out(int32_t predicate, int32_t place) const;
  // The largest number of atoms of a predicate that have held at once so far.
  int32_t peak(int32_t predicate) const { return peaks_[predicate]; }

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
  std::vector<int32_t> counts_;  // by predicate: atoms that hold
  std::vector<int32_t> peaks_;
  mutable std::map<std::pair<int32_t, int32_t>, int32_t> fan_outs_;
  std::vector<std::vector<std::unique_ptr<Trie>>> indexes_[3];  // [part][predicate]
};

}  // namespace pg3
