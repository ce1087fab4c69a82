#include "ground/ground_task.hpp"

namespace pg3 {

size_t GroundTask::bytes() const {
  return fluents.bytes() + statics.bytes() + actions.bytes() + needs.bytes() + forbids.bytes() +
         adds.bytes() + deletes.bytes() + costs.capacity() * sizeof(int32_t) + axiom_needs.bytes() +
         axiom_forbids.bytes() + axioms_needing.bytes() + effects.bytes() + effect_needs.bytes() +
         effect_forbids.bytes() + effect_adds.bytes() + effect_deletes.bytes();
}

bool GroundTask::is_goal(const uint64_t* state) const {
  return impossible_goals == 0 && allows(state, goal, negative_goal);
}

void GroundTask::apply(uint64_t* state, ActionId action) const {
  if (effects.flat.empty()) {
    for (FluentId fluent : deletes[action]) remove(state, fluent);
    for (FluentId fluent : adds[action]) add(state, fluent);
  } else {
    // All conditions are about the state as it was.
    std::vector<EffectId> happening;
    for (EffectId effect : effects[action]) {
      if (happens(state, effect)) happening.push_back(effect);
    }
    for (FluentId fluent : deletes[action]) remove(state, fluent);
    for (EffectId effect : happening) {
      for (FluentId fluent : effect_deletes[effect]) remove(state, fluent);
    }
    for (FluentId fluent : adds[action]) add(state, fluent);
    for (EffectId effect : happening) {
      for (FluentId fluent : effect_adds[effect]) add(state, fluent);
    }
  }
  if (!changes.empty() && !changes[index_of(action)].empty()) {
    int64_t* numbers = values(state);
    for (const auto& [number, assigns, amount] : changes[index_of(action)]) {
      int64_t& value = numbers[index_of(number)];
      value = assigns ? amount : capped(Wide{value} + amount);
    }
    for (const NumberChange& change : changes[index_of(action)]) {
      for (const size_t place : comparisons_of[index_of(change.number)]) {
        const GroundComparison& one = comparisons[place];
        if (one.holds(numbers)) {
          add(state, one.fluent);
        } else {
          remove(state, one.fluent);
        }
      }
    }
  }
  derive(state);
}

void GroundTask::compare(uint64_t* state) const {
  for (FluentId fluent : compared) remove(state, fluent);
  for (const GroundComparison& one : comparisons) {
    if (one.holds(values(state))) add(state, one.fluent);
  }
}

void GroundTask::derive(uint64_t* state) const {
  if (axiom_heads.empty()) return;
  for (size_t w = 0; w < derived.size(); ++w) state[w] &= ~derived[w];
  std::vector<FluentId> pending;
  auto try_axiom = [&](AxiomId axiom) {
    const FluentId head = axiom_heads[index_of(axiom)];
    if (holds(state, head) || !allows(state, axiom_needs[axiom], axiom_forbids[axiom])) return;
    add(state, head);
    pending.push_back(head);
  };
  AxiomId begin{0};
  for (AxiomId end : group_ends) {
    for (int32_t i = number_of(begin); i < number_of(end); ++i) try_axiom(AxiomId{i});
    while (!pending.empty()) {
      const FluentId fluent = pending.back();
      pending.pop_back();
      // Those of other groups have their turn, or have had it.
      for (AxiomId axiom : axioms_needing[fluent]) {
        if (axiom >= begin && axiom < end) try_axiom(axiom);
      }
    }
    begin = end;
  }
}

}  // namespace pg3
