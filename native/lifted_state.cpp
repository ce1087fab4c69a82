#include "lifted_state.hpp"

#include <algorithm>

namespace pg3 {

LiftedState::LiftedState(std::shared_ptr<const Task> task) : task_(std::move(task)) {
  for (auto& relations : relations_) relations.resize(task_->num_predicates());
  for_each_atom(*task_, task_->goal, [&](Tuple atom) { facts_[intern(atom)].wanted = 1; });
  for_each_atom(*task_, task_->negative_goal, [&](Tuple atom) {
    int8_t& wanted = facts_[intern(atom)].wanted;
    wanted = wanted == 0 ? -1 : 2;
  });
  for (const Fact& fact : facts_) goals_open_ += fact.wanted > 0;
  for_each_atom(*task_, task_->init, [&](Tuple atom) {
    const int32_t number = to_change(atom, true);
    if (number >= 0) toggle(number);
  });
}

int32_t LiftedState::intern(Tuple atom) {
  const auto [number, is_new] = atoms_.insert(atom);
  if (is_new) facts_.emplace_back();
  return number;
}

int32_t LiftedState::to_change(Tuple atom, bool present) {
  const int32_t number = present ? intern(atom) : atoms_.find(atom);
  return number >= 0 && facts_[number].present != present ? number : -1;
}

void LiftedState::toggle(int32_t number) {
  const Tuple atom = atoms_[number];
  hash_ ^= hash_tuple(atom, 0x243F6A8885A308D3ull);
  Fact& fact = facts_[number];
  fact.present = !fact.present;
  // Wanted and forbidden at once leaves one goal open whatever holds.
  if (fact.wanted == 1) goals_open_ += fact.present ? -1 : 1;
  if (fact.wanted == -1) goals_open_ += fact.present ? 1 : -1;
  auto update = [&](Part part, bool holds) {
    Relation* relation = relations_[static_cast<size_t>(part)][atom[0]].get();
    if (!relation) return;
    if (holds) {
      relation->insert(atom.subspan(1));
    } else {
      relation->erase(atom.subspan(1));
    }
  };
  update(Part::state, fact.present);
  if (fact.wanted > 0) update(Part::open, !fact.present);
}

Relation& LiftedState::relation(Part part, int32_t predicate) {
  auto& relation = relations_[static_cast<size_t>(part)][predicate];
  if (relation) return *relation;
  auto fill = [this, part, predicate](const Relation::Visitor& visit) {
    for (int32_t number = 0; number < atoms_.size(); ++number) {
      const Tuple atom = atoms_[number];
      if (atom[0] != predicate) continue;
      const Fact& fact = facts_[number];
      const bool belongs = part == Part::state  ? fact.present
                           : part == Part::goal ? fact.wanted > 0
                                                : fact.wanted > 0 && !fact.present;
      if (belongs) visit(atom.subspan(1));
    }
  };
  const auto arity = static_cast<size_t>(task_->arities[predicate]);
  relation = std::make_unique<Relation>(arity, task_->num_objects(), fill);
  return *relation;
}

const ObjectSet* LiftedState::objects_of(const std::vector<int32_t>& types) {
  const auto [entry, is_new] = objects_of_.try_emplace(types);
  ObjectSet& objects = entry->second;
  if (is_new) {
    const std::vector<bool> mask = task_->type_mask(types);
    for (int32_t object = 0; object < task_->num_objects(); ++object) {
      if (mask[task_->object_types[object]]) objects.insert(object, task_->num_objects());
    }
  }
  return objects.size() == task_->num_objects() ? nullptr : &objects;
}

bool LiftedState::equals(const LiftedState& other) const {
  auto includes = [](const LiftedState& all, const LiftedState& part) {
    for (int32_t number = 0; number < part.atoms_.size(); ++number) {
      if (part.facts_[number].present && !all.holds(part.atoms_[number])) return false;
    }
    return true;
  };
  return includes(*this, other) && includes(other, *this);
}

void LiftedState::forget_uses() {
  for (auto& relations : relations_) {
    for (auto& relation : relations) {
      if (relation) relation->forget_uses();
    }
  }
}

void LiftedState::drop_unused() {
  for (auto& relations : relations_) {
    for (auto& relation : relations) {
      if (relation) relation->drop_unused();
    }
  }
}

size_t LiftedState::bytes() const {
  size_t total = atoms_.bytes() + facts_.capacity() * sizeof(Fact);
  for (const auto& relations : relations_) {
    for (const auto& relation : relations) total += relation ? relation->bytes() : 0;
  }
  return total;
}

}  // namespace pg3
