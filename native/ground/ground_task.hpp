// A task over its ground atoms and actions, for problems of training size.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/bit_set.hpp"
#include "core/ids.hpp"
#include "core/task.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

// A list of ids for each id of another kind, one after the other in memory.
template <typename Key, typename Id>
struct Lists {
  std::vector<uint32_t> offsets{0};
  std::vector<Id> flat;

  std::span<const Id> operator[](Key key) const {
    const size_t i = index_of(key);
    assert(i < size());
    return {flat.data() + offsets[i], flat.data() + offsets[i + 1]};
  }
  size_t size() const { return offsets.size() - 1; }
  void append(const std::vector<Id>& list) {
    if (flat.size() + list.size() > UINT32_MAX) throw std::length_error("too many list entries");
    flat.insert(flat.end(), list.begin(), list.end());
    offsets.push_back(static_cast<uint32_t>(flat.size()));
  }
  size_t bytes() const { return (offsets.capacity() + flat.capacity()) * sizeof(int32_t); }
};

// A fluent that follows from numbers.
struct GroundComparison {
  FluentId fluent;
  Order order;
  GroundSum sum;
  bool holds(const int64_t* values) const { return pg3::holds(order, sum.of(values)); }
};

// What an action does to a number.
struct NumberChange {
  NumberId number;
  bool assigns;
  int64_t amount;
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
  Lists<ActionId, FluentId> needs, forbids, adds, deletes;
  std::vector<int32_t> costs;

  // Conditional effects of actions: what each needs and forbids beyond its action, and what it adds
  // and deletes then. One whose conditions always hold is among the action's own adds and deletes.
  // Adding comes last: an atom that the action adds in any case is in no list of deletes.
  Lists<ActionId, EffectId> effects;  // as many as actions if there are any, else empty
  Lists<EffectId, FluentId> effect_needs, effect_forbids, effect_adds, effect_deletes;

  // Ground axioms: fluents that make the head true, each with the others that it needs and forbids.
  // Groups follow each other as in the task; a group ends where the next one begins.
  std::vector<FluentId> axiom_heads;
  Lists<AxiomId, FluentId> axiom_needs, axiom_forbids;
  std::vector<AxiomId> group_ends;
  Lists<FluentId, AxiomId> axioms_needing;
  std::vector<uint64_t> derived;  // bit set of the fluents that axioms decide
  bool is_derived(FluentId fluent) const { return holds(derived.data(), fluent); }
  // Sets the derived fluents of a state as the others say.
  void derive(uint64_t* state) const;

  // Numbers are a part of a state: their values stand behind the bits.
  std::vector<std::vector<NumberChange>> changes;  // by action; empty if no action has any
  std::vector<GroundComparison> comparisons;
  std::vector<std::vector<size_t>> comparisons_of;  // by number: places of those that read it
  std::vector<FluentId> compared;                   // the fluents that comparisons decide, sorted
  size_t state_words() const { return num_words() + task->num_numbers(); }
  const int64_t* values(const uint64_t* state) const {
    return reinterpret_cast<const int64_t*>(state + num_words());
  }
  int64_t* values(uint64_t* state) const { return reinterpret_cast<int64_t*>(state + num_words()); }
  // Sets the fluents of all comparisons as the values say.
  void compare(uint64_t* state) const;

  std::vector<FluentId> initial;  // without derived fluents
  std::vector<FluentId> goal;
  std::vector<FluentId> negative_goal;
  int32_t impossible_goals = 0;  // goal atoms that are static and wrong, or never reachable

  // A state is a bit set of fluents, the derived ones included.
  static bool holds(const uint64_t* state, FluentId fluent) { return contains(state, fluent); }
  static void add(uint64_t* state, FluentId fluent) { insert(state, fluent); }
  static void remove(uint64_t* state, FluentId fluent) { erase(state, fluent); }
  size_t num_words() const { return words_for(static_cast<size_t>(num_fluents())); }
  bool is_goal(const uint64_t* state) const;
  // Whether the first fluents all hold, and none of the others does.
  static bool allows(const uint64_t* state, std::span<const FluentId> needed,
                     std::span<const FluentId> forbidden) {
    for (FluentId fluent : needed) {
      if (!holds(state, fluent)) return false;
    }
    for (FluentId fluent : forbidden) {
      if (holds(state, fluent)) return false;
    }
    return true;
  }
  bool is_applicable(const uint64_t* state, ActionId action) const {
    return allows(state, needs[action], forbids[action]);
  }
  // Whether a conditional effect's conditions hold.
  bool happens(const uint64_t* state, EffectId effect) const {
    return allows(state, effect_needs[effect], effect_forbids[effect]);
  }
  // Makes of a state the one after an applicable action.
  void apply(uint64_t* state, ActionId action) const;

  Atom atom(FluentId fluent) const { return {fluents[number_of(fluent)]}; }
  GroundAction action(ActionId action) const { return {actions[number_of(action)]}; }
  int32_t cost(ActionId action) const { return costs[index_of(action)]; }
  // None if there is no such fluent or action.
  FluentId find(Atom atom) const { return FluentId{fluents.find(atom.code)}; }
  ActionId find(GroundAction action) const { return ActionId{actions.find(action.code)}; }

  int32_t num_fluents() const { return fluents.size(); }
  int32_t num_actions() const { return actions.size(); }
  size_t bytes() const;
};

}  // namespace pg3
