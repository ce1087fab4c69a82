// The ground part of a task that can matter: atoms and actions reachable when deletes are ignored.
//
// For problems of training size. A ground action, or axiom, survives if its positive preconditions
// are relaxed-reachable, its equalities and static negative preconditions hold, and its cost is
// defined.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/limits.hpp"
#include "core/task.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

// A list of integer lists, one after the other in memory.
struct Lists {
  std::vector<uint32_t> offsets{0};
  std::vector<int32_t> flat;

  std::span<const int32_t> operator[](size_t i) const {
    assert(i < size());
    return {flat.data() + offsets[i], flat.data() + offsets[i + 1]};
  }
  size_t size() const { return offsets.size() - 1; }
  void append(const std::vector<int32_t>& list) {
    if (flat.size() + list.size() > UINT32_MAX) throw std::length_error("too many list entries");
    flat.insert(flat.end(), list.begin(), list.end());
    offsets.push_back(static_cast<uint32_t>(flat.size()));
  }
  size_t bytes() const { return (offsets.capacity() + flat.capacity()) * sizeof(int32_t); }
};

struct GroundTask {
  std::shared_ptr<const Task> task;

  // Reachable atoms of fluent predicates, numbered in the order (predicate, objects): a state is a
  // set of these numbers. Static atoms are those of the initial state, for ever.
  TupleTable fluents;
  TupleTable statics;

  // Ground actions (action, object, ...) in that order, with what they need and do as fluents.
  // An atom both added and deleted stays: it is only in `adds`.
  TupleTable actions;
  Lists needs, forbids, adds, deletes;
  std::vector<int32_t> costs;

  // Ground axioms: fluents that make the head true, each with the others that it needs and forbids.
  // Groups follow each other as in the task; a group ends where the next one begins.
  std::vector<int32_t> axiom_heads;
  Lists axiom_needs, axiom_forbids;
  std::vector<int32_t> group_ends;
  Lists axioms_needing;           // fluent -> axioms
  std::vector<uint64_t> derived;  // bit set of the fluents that axioms decide
  bool is_derived(int32_t fluent) const { return derived[fluent >> 6] >> (fluent & 63) & 1; }
  // Sets the derived fluents of a state as the others say.
  void derive(uint64_t* state) const;

  std::vector<int32_t> initial;  // without derived fluents
  std::vector<int32_t> goal;
  std::vector<int32_t> negative_goal;
  int32_t impossible_goals = 0;  // goal atoms that are static and wrong, or never reachable

  // A state is a bit set of fluents, the derived ones included.
  static bool holds(const uint64_t* state, int32_t fluent) {
    return state[fluent >> 6] >> (fluent & 63) & 1;
  }
  bool is_goal(const uint64_t* state) const;
  bool is_applicable(const uint64_t* state, int32_t action) const {
    assert(action >= 0 && action < num_actions());
    for (int32_t fluent : needs[action]) {
      if (!holds(state, fluent)) return false;
    }
    for (int32_t fluent : forbids[action]) {
      if (holds(state, fluent)) return false;
    }
    return true;
  }
  // Makes of a state the one after an applicable action.
  void apply(uint64_t* state, int32_t action) const;

  int32_t num_fluents() const { return fluents.size(); }
  int32_t num_actions() const { return actions.size(); }
  size_t bytes() const;
};

// The ground task, or none with the status that says which limit was reached.
struct GroundingResult {
  std::shared_ptr<const GroundTask> ground;
  Status status = Status::solved;
};

GroundingResult ground(std::shared_ptr<const Task> task, const Limits& limits);

}  // namespace pg3
