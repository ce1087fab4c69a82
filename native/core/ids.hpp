// Numbers of different things as different types: mixing them up does not compile.
//
// The rule. A single number that says *which one* is an id wherever another function, class or file
// sees it: as a parameter, a result, a member, an element of a list. How many, how far and how much
// are plain integers. So is what stands in a tuple (core/tuple_table.hpp): tables store tuples of
// any meaning flat, and loops over them work on plain numbers; who takes one number out of a tuple
// and hands it on makes an id of it. An id becomes a plain number only by index_of() and
// number_of(), a plain number an id only by name: StateId{7}.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pg3 {

// Of a task, as its domain and problem declare them.
enum class TypeId : int32_t { none = -1 };
enum class ObjectId : int32_t { none = -1 };
enum class PredicateId : int32_t { none = -1 };
enum class FunctionId : int32_t { none = -1 };
enum class SchemaId : int32_t { none = -1 };  // an action of the domain, not ground

// Of a rule table.
enum class RuleId : int32_t { none = -1 };
enum class RelationId : int32_t { none = -1 };  // a derived relation

// Of a ground task, and of a space of its states.
enum class FluentId : int32_t { none = -1 };
enum class ActionId : int32_t {
  none = -1,         // no rule matches
  unreachable = -2,  // one does, but its action is none of the ground actions
};
enum class AxiomId : int32_t {};
enum class EffectId : int32_t {};  // a conditional effect of a ground action
enum class StateId : int32_t { none = -1 };

// Of a rule, clause or pattern: its parameters.
enum class VariableId : int32_t { none = -1 };

// Of a lifted state: the graphs along one predicate's atoms.
enum class GraphId : int32_t {};

// The place of an id in a list of all.
template <typename Id>
  requires std::is_enum_v<Id>
constexpr size_t index_of(Id id) {
  assert(static_cast<int32_t>(id) >= 0);
  return static_cast<size_t>(static_cast<int32_t>(id));
}

// An id as it stands in a tuple, or is told to others; negative where it is none.
template <typename Id>
  requires std::is_enum_v<Id>
constexpr int32_t number_of(Id id) {
  return static_cast<int32_t>(id);
}

// Whether an id is one of so many.
template <typename Id>
  requires std::is_enum_v<Id>
constexpr bool in_range(Id id, size_t count) {
  return number_of(id) >= 0 && index_of(id) < count;
}

// The object with the next number, for those who go through them in order.
constexpr ObjectId after(ObjectId object) {
  return ObjectId{number_of(object) + 1};
}

}  // namespace pg3
