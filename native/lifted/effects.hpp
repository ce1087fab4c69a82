// What an action changes in a lifted state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/limits.hpp"
#include "lifted/derivations.hpp"
#include "lifted/join.hpp"
#include "lifted/lifted_state.hpp"
#include "lifted/view.hpp"

namespace pg3 {

// A state with its views and derived relations, in which actions are done.
class World {
 public:
  // The policy's task and everything given must outlive it. Throws Stopped, here and in apply(), if
  // a limit is reached.
  World(const LoweredPolicy& policy, Watch& watch, const Tuning& tuning = {});

  LiftedState& state() { return state_; }
  ViewedState& views() { return views_; }

  // Does an action: deletes first, then adds, so that an atom both deleted and added holds. The
  // conditions of effects are about the state before.
  void apply(const ActionSchema& schema, GroundAction action);

  // Makes an atom hold or not hold. What is derived is up to date after settle().
  void set(Atom atom, bool present) { views_.set(atom, present); }
  void settle() {
    if (derivations_) derivations_->settle();
  }

  size_t bytes() const { return views_.bytes(); }

 private:
  // A conditional effect. What it adds is found with its conditions; what it deletes need not be
  // looked for where it does not hold, so each deleted atom is a condition, too.
  struct Part {
    std::vector<const Condition*> effects;
    Join objects;  // the action's parameters fixed
  };
  struct Parts {
    const ActionSchema* schema;
    std::vector<Part> deletes, adds;
  };
  Parts& parts_of(const ActionSchema& schema);
  void add_part(const ActionSchema& schema, const ConditionalEffect& effect,
                std::vector<const Condition*> effects, std::vector<Part>& parts);
  // Appends the atoms of the effects, one code after the other.
  void find(Part& part, const int32_t* objects, std::vector<std::vector<int32_t>>& atoms);

  Watch& watch_;
  LiftedState state_;
  ViewedState views_;
  std::optional<Derivations> derivations_;
  std::vector<std::unique_ptr<Parts>>
      parts_;  // of the actions with conditional effects done so far
  std::vector<int32_t> atom_;
};

}  // namespace pg3
