// A state of a problem too large to ground: a set of atoms with relations over them, updated in
// place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "object_set.hpp"
#include "relation.hpp"
#include "task.hpp"
#include "tuple_table.hpp"

namespace pg3 {

class LiftedState {
 public:
  explicit LiftedState(std::shared_ptr<const Task> task);

  bool holds(Tuple atom) const {
    const int32_t number = atoms_.find(atom);
    return number >= 0 && facts_[number].present;
  }
  bool in_goal(Tuple atom) const {
    const int32_t number = atoms_.find(atom);
    return number >= 0 && facts_[number].wanted > 0;
  }
  bool is_goal() const { return goals_open_ == 0; }

  // Which atoms of a predicate a relation holds: those of the state, those of the goal, or the open
  // ones, in the goal but not in the state.
  enum class Part { state = 0, goal = 1, open = 2 };

  // The same relation every time; lives as long as the state.
  Relation& relation(Part part, int32_t predicate);

  // The objects of these types; null if that is all of them.
  const ObjectSet* objects_of(const std::vector<int32_t>& types);

  // The number of an atom if its presence is not `present` yet, else -1.
  int32_t to_change(Tuple atom, bool present);
  // Makes an atom present that is not, or the other way round.
  void toggle(int32_t number);
  bool is_wanted(int32_t number) const { return facts_[number].wanted > 0; }

  // A hash of the atoms that hold, kept by every change. Equal states have equal hashes; the
  // converse is for equals() to say.
  uint64_t hash() const { return hash_; }

  bool equals(const LiftedState& other) const;

  void forget_uses();
  void drop_unused();

  const Task& task() const { return *task_; }
  int32_t num_atoms() const { return atoms_.size(); }
  size_t bytes() const;

 private:
  struct Fact {
    bool present = false;
    int8_t wanted = 0;  // 1 in the goal, -1 in the negative goal, 2 in both, 0 in neither
  };
  int32_t intern(Tuple atom);

  std::shared_ptr<const Task> task_;
  TupleTable atoms_;  // every atom met so far
  std::vector<Fact> facts_;
  int64_t goals_open_ = 0;
  uint64_t hash_ = 0;
  std::vector<std::unique_ptr<Relation>> relations_[3];  // [part][predicate]
  std::map<std::vector<int32_t>, ObjectSet> objects_of_;
};

}  // namespace pg3
