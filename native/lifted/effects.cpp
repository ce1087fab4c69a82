#include "lifted/effects.hpp"

#include "lifted/pattern.hpp"

namespace pg3 {

World::World(const LoweredPolicy& policy, Watch& watch, const Tuning& tuning)
    : watch_(watch), state_(policy.task), views_(state_, watch, tuning) {
  state_.tell(&watch_);
  if (!policy.groups.empty() || !policy.graphs.empty()) {
    derivations_.emplace(policy, views_, watch_);
  }
}

void World::add_part(const ActionSchema& schema, const ConditionalEffect& effect,
                     std::vector<const Condition*> effects, std::vector<Part>& parts) {
  std::vector<Condition> conditions = effect.conditions;
  if (!effects[0]->positive) {
    conditions.push_back(*effects[0]);
    conditions.back().positive = true;
  }
  const Conjunction conjunction =
      over_atoms(read_pattern(all_types(schema, effect), conditions, state_), state_);
  const std::vector<VariableId> fixed = first_variables(schema.parameter_types.size());
  parts.push_back(
      {std::move(effects),
       Join(state_, conjunction, greedy_order(conjunction, fixed, state_.task().num_objects()),
            fixed.size())});
}

World::Parts& World::parts_of(const ActionSchema& schema) {
  for (const auto& parts : parts_) {
    if (parts->schema == &schema) return *parts;
  }
  parts_.push_back(std::make_unique<Parts>(Parts{&schema, {}, {}}));
  Parts& parts = *parts_.back();
  for (const ConditionalEffect& effect : schema.conditional) {
    std::vector<const Condition*> adds;
    for (const Condition& literal : effect.effects) {
      if (literal.positive) {
        adds.push_back(&literal);
      } else {
        add_part(schema, effect, {&literal}, parts.deletes);
      }
    }
    if (!adds.empty()) add_part(schema, effect, std::move(adds), parts.adds);
  }
  // The lists are complete: the joins stay where they are.
  for (auto* list : {&parts.deletes, &parts.adds}) {
    for (const Part& part : *list) views_.keep(&part.objects);
  }
  return parts;
}

void World::find(Part& part, const int32_t* objects, std::vector<std::vector<int32_t>>& atoms) {
  int64_t work = 0;
  part.objects.start(objects);
  while (part.objects.next_answer(&watch_, work)) {
    for (const Condition* effect : part.effects) {
      auto& code = atoms.emplace_back();
      instantiate(effect->predicate(), effect->terms, part.objects.binding().data(), code);
    }
    if (atoms.size() % 4096 == 0) watch_.check_bytes(bytes() + atoms.size() * 64);
  }
}

void World::apply(const ActionSchema& schema, GroundAction action) {
  const int32_t* objects = action.objects().data();
  std::vector<std::vector<int32_t>> deleted, added;
  if (!schema.conditional.empty()) {
    Parts& parts = parts_of(schema);
    for (Part& part : parts.deletes) find(part, objects, deleted);
    for (Part& part : parts.adds) find(part, objects, added);
  }
  for (const bool present : {false, true}) {
    for (const Condition& effect : schema.effects) {
      if (effect.positive != present) continue;
      set({instantiate(effect.predicate(), effect.terms, objects, atom_)}, present);
    }
    for (const auto& atom : present ? added : deleted) set({atom}, present);
  }
  for (const NumericEffect& effect : schema.numeric) {
    const Task& task = state_.task();
    const NumberId number = task.find_number(effect.function, effect.terms, objects);
    const int64_t amount = *task.amount(effect, objects);
    const int64_t value = effect.assigns ? amount : capped(Wide{state_.value(number)} + amount);
    state_.set_number(number, value, [&](Atom atom, bool holds) { views_.set(atom, holds); });
  }
  settle();
}

}  // namespace pg3
