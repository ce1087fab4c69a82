// The ground atoms, actions and axioms that are reachable when deletes are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/task.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

// What is reachable, in the order in which it was found.
struct Reached {
  // An effect that depends on conditions, and its action.
  struct Effect {
    SchemaId action;
    const ConditionalEffect* source;
  };
  std::vector<const Axiom*> axiom_of;  // those of the task, one group after the other
  std::vector<Effect> effect_of;       // the conditional ones of all actions

  TupleTable atoms;
  TupleTable actions;
  TupleTable axioms;   // (number in axiom_of, object, ...)
  TupleTable effects;  // (number in effect_of, object, ...)

  // The atoms' numbers, for the join.
  std::vector<std::vector<int32_t>> by_predicate;
  std::vector<std::vector<std::vector<std::vector<int32_t>>>>
      by_object;  // [predicate][place][object]
  size_t index_entries = 0;
  size_t index_bytes = 0;

  // What is still to be built from the actions takes about as much again as they do now.
  size_t bytes() const {
    return atoms.bytes() + 3 * (actions.bytes() + axioms.bytes() + effects.bytes()) +
           index_entries * 8 + index_bytes;
  }
};

// Looks at the limits, cheaply enough to be asked in every loop of a grounding.
class GroundingWatch {
 public:
  GroundingWatch(const Limits& limits, const Reached& reached)
      : limits_(limits), watch_(limits), reached_(reached) {}

  bool must_stop() {
    if (stopped_) return true;
    if (watch_.must_stop(1024)) {
      stopped_ = watch_.status();
    } else if (++memory_checks_ % 1024 == 0) {
      check_bytes(reached_.bytes());
    }
    return stopped();
  }
  void check_bytes(size_t bytes) {
    if (bytes > limits_.bytes && !stopped_) stopped_ = Status::memory_limit;
  }
  bool stopped() const { return stopped_.has_value(); }
  Status status() const { return stopped_.value_or(Status::solved); }

 private:
  const Limits& limits_;
  Watch watch_;
  const Reached& reached_;
  uint32_t memory_checks_ = 0;
  std::optional<Status> stopped_;
};

// Finds all of it, or what there is when the watch says stop.
void reach(const Task& task, Reached& reached, GroundingWatch& watch);

// The atom that an axiom makes true: of its first parameters. Written to `code`.
Atom head_of(const Task& task, const Axiom& axiom, const std::vector<int32_t>& binding,
             std::vector<int32_t>& code);

}  // namespace pg3
