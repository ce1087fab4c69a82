// A state of a problem too large to ground: a set of atoms with relations over them, updated in
// place.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/fact_table.hpp"
#include "core/graph_family.hpp"
#include "core/ids.hpp"
#include "core/object_set.hpp"
#include "core/relation.hpp"
#include "core/task.hpp"
#include "core/tuple_table.hpp"
#include "lifted/lifted_numbers.hpp"

namespace pg3 {

class LiftedState {
 public:
  explicit LiftedState(std::shared_ptr<const Task> task);

  bool holds(Atom atom) const {
    const Fact* fact = find(atom);
    return fact && fact->present;
  }
  bool in_goal(Atom atom) const {
    const Fact* fact = find(atom);
    return fact && fact->wanted > 0;
  }
  bool is_unwanted(Atom atom) const {
    const Fact* fact = find(atom);
    return fact && fact->is_unwanted();
  }
  bool is_goal() const { return goals_open_ == 0; }

  // Which atoms of a predicate a relation holds: those of the state, those of the goal, the open
  // ones, in the goal but not in the state, or those that the goal wants false.
  enum class Part { state = 0, goal = 1, open = 2, unwanted = 3 };
  static bool can_change(Part part) { return part == Part::state || part == Part::open; }

  // Calls visit(objects) for each atom of a predicate that holds.
  template <typename Visit>
  void for_each(PredicateId predicate, Visit visit) const {
    facts_[index_of(predicate)].for_each([](const Fact& fact) { return fact.present; }, visit);
  }

  // The same relation every time; lives as long as the state.
  Relation& relation(Part part, PredicateId predicate);

  // The graphs along the atoms of a predicate.
  GraphId add_graph(bool is_next, PredicateId predicate);
  // Whether (..., x, z) are connected, or (..., x, y, z) are a next hop, in a graph as it is now.
  bool graph_holds(GraphId graph, Tuple objects) const;
  // Told from now on what questions about graphs take; must outlive the state, or be replaced.
  void tell(Watch* watch) { watch_ = watch; }
  bool is_next(GraphId graph) const { return graphs_[index_of(graph)]->is_next; }
  PredicateId edges_of(GraphId graph) const { return graphs_[index_of(graph)]->predicate; }

  // The objects of these types; null if that is all of them.
  const ObjectSet* objects_of(const std::vector<TypeId>& types);

  // An atom's fact if it is to be changed for the atom to be present, or not to be; else null.
  Fact* to_change(Atom atom, bool present);
  // Makes an atom present that is not, or the other way round; the fact is what to_change() gave.
  void toggle(Atom atom, Fact& fact);

  // Gives a number a value and calls visit(atom, holds) for the comparisons that may change; it is
  // for the caller to change their atoms.
  template <typename Visit>
  void set_number(NumberId number, int64_t value, Visit visit) {
    hash_ ^= hash_of(number);
    numbers_.set(number, value, visit);
    hash_ ^= hash_of(number);
  }
  int64_t value(NumberId number) const { return numbers_.value(number); }

  // A hash of the atoms that hold, derived ones apart, and of the numbers, kept by every change.
  // Equal states have equal hashes; the converse is for equals() to say.
  uint64_t hash() const { return hash_; }

  // Whether the same atoms hold, derived ones apart, and numbers have the same values.
  bool equals(const LiftedState& other) const;

  void forget_uses();
  void drop_unused();

  const Task& task() const { return *task_; }
  size_t bytes() const;

 private:
  uint64_t hash_of(NumberId number) const {
    const auto value = static_cast<uint64_t>(numbers_.value(number));
    const int32_t code[] = {number_of(number), static_cast<int32_t>(value >> 32),
                            static_cast<int32_t>(value)};
    return hash_tuple(code, 0x13198A2E03707344ull);
  }
  FactTable& facts(PredicateId predicate) { return facts_[index_of(predicate)]; }
  const Fact* find(Atom atom) const {
    return facts_[index_of(atom.predicate())].find(atom.objects());
  }

  std::shared_ptr<const Task> task_;
  std::vector<FactTable> facts_;  // by predicate
  LiftedNumbers numbers_;
  int64_t goals_open_ = 0;
  uint64_t hash_ = 0;
  std::vector<std::unique_ptr<Relation>> relations_[4];  // [part][predicate]
  std::map<std::vector<TypeId>, ObjectSet> objects_of_;
  struct AtomGraph {
    bool is_next;
    PredicateId predicate;
    bool filled = false;  // with the first question
    GraphFamily graphs{};
  };
  std::vector<std::unique_ptr<AtomGraph>> graphs_;
  Watch* watch_ = nullptr;
};

}  // namespace pg3
