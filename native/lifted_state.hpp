// A state of a problem too large to ground: a set of atoms with relations over them, updated in
// place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "fact_table.hpp"
#include "object_set.hpp"
#include "relation.hpp"
#include "task.hpp"
#include "tuple_table.hpp"

namespace pg3 {

class LiftedState {
 public:
  explicit LiftedState(std::shared_ptr<const Task> task);

  bool holds(Tuple atom) const {
    const Fact* fact = find(atom);
    return fact && fact->present;
  }
  bool in_goal(Tuple atom) const {
    const Fact* fact = find(atom);
    return fact && fact->wanted > 0;
  }
  bool is_goal() const { return goals_open_ == 0; }

  // Which atoms of a predicate a relation holds: those of the state, those of the goal, or the open
  // ones, in the goal but not in the state.
  enum class Part { state = 0, goal = 1, open = 2 };

  // The same relation every time; lives as long as the state.
  Relation& relation(Part part, int32_t predicate);

  // The objects of these types; null if that is all of them.
  const ObjectSet* objects_of(const std::vector<int32_t>& types);

  // An atom's fact if it is to be changed for the atom to be present, or not to be; else null.
  Fact* to_change(Tuple atom, bool present);
  // Makes an atom present that is not, or the other way round; the fact is what to_change() gave.
  void toggle(Tuple atom, Fact& fact);

  // A hash of the atoms that hold, kept by every change. Equal states have equal hashes; the
  // converse is for equals() to say.
  uint64_t hash() const { return hash_; }

  bool equals(const LiftedState& other) const;

  void forget_uses();
  void drop_unused();

  const Task& task() const { return *task_; }
  // How many atoms were met so far.
  int64_t num_atoms() const;
  size_t bytes() const;

 private:
  const Fact* find(Tuple atom) const { return facts_[atom[0]].find(atom.subspan(1)); }

  std::shared_ptr<const Task> task_;
  std::vector<FactTable> facts_;  // by predicate
  int64_t goals_open_ = 0;
  uint64_t hash_ = 0;
  std::vector<std::unique_ptr<Relation>> relations_[3];  // [part][predicate]
  std::map<std::vector<int32_t>, ObjectSet> objects_of_;
};

}  // namespace pg3
