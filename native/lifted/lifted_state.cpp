#include "lifted/lifted_state.hpp"

#include <algorithm>
#include <cassert>

namespace pg3 {

LiftedState::LiftedState(std::shared_ptr<const Task> task)
    : task_(std::move(task)), numbers_(*task_) {
  for (auto& relations : relations_) relations.resize(task_->num_predicates());
  for (int32_t arity : task_->arities) facts_.emplace_back(static_cast<size_t>(arity));
  auto met = [&](Atom atom) -> Fact& { return facts(atom.predicate()).meet(atom.objects()); };
  for_each_atom(*task_, task_->goal, [&](Atom atom) {
    int8_t& wanted = met(atom).wanted;
    goals_open_ += wanted == 0;
    wanted = 1;
  });
  for_each_atom(*task_, task_->negative_goal, [&](Atom atom) {
    int8_t& wanted = met(atom).wanted;
    if (wanted == 0) wanted = -1;
    if (wanted == 1) wanted = 2;
  });
  for_each_atom(*task_, task_->init, [&](Atom atom) {
    Fact* fact = to_change(atom, true);
    if (fact) toggle(atom, *fact);
  });
  numbers_.for_each_true([&](Atom atom) { toggle(atom, *to_change(atom, true)); });
}

Fact* LiftedState::to_change(Atom atom, bool present) {
  FactTable& known = facts(atom.predicate());
  Fact* fact = present ? &known.meet(atom.objects()) : known.find(atom.objects());
  return fact && fact->present != present ? fact : nullptr;
}

void LiftedState::toggle(Atom atom, Fact& fact) {
  assert(find(atom) == &fact);
  const PredicateId predicate = atom.predicate();
  if (task_->is_basic(predicate)) hash_ ^= hash_tuple(atom.code, 0x243F6A8885A308D3ull);
  fact.present = !fact.present;
  // Wanted and forbidden at once leaves one goal open whatever holds.
  if (fact.wanted == 1) goals_open_ += fact.present ? -1 : 1;
  if (fact.wanted == -1) goals_open_ += fact.present ? 1 : -1;
  assert(goals_open_ >= 0);
  auto update = [&](Part part, bool holds) {
    Relation* relation = relations_[static_cast<size_t>(part)][index_of(predicate)].get();
    if (!relation) return;
    if (holds) {
      relation->insert(atom.objects());
    } else {
      relation->erase(atom.objects());
    }
  };
  for (const auto& graph : graphs_) {
    if (graph->predicate == predicate && graph->filled) {
      graph->graphs.set(atom.objects(), fact.present);
    }
  }
  update(Part::state, fact.present);
  if (fact.wanted > 0) update(Part::open, !fact.present);
}

Relation& LiftedState::relation(Part part, PredicateId predicate) {
  auto& relation = relations_[static_cast<size_t>(part)][index_of(predicate)];
  if (relation) return *relation;
  auto belongs = [part](const Fact& fact) {
    return part == Part::state      ? fact.present
           : part == Part::goal     ? fact.wanted > 0
           : part == Part::unwanted ? fact.is_unwanted()
                                    : fact.wanted > 0 && !fact.present;
  };
  const FactTable& known = facts(predicate);  // there are as many tables as predicates, for good
  auto fill = [&known, belongs](const Relation::Visitor& visit) { known.for_each(belongs, visit); };
  relation = std::make_unique<Relation>(task_->arity(predicate), task_->num_objects(), fill);
  return *relation;
}

GraphId LiftedState::add_graph(bool is_next, PredicateId predicate) {
  graphs_.push_back(std::make_unique<AtomGraph>(AtomGraph{is_next, predicate}));
  return GraphId{static_cast<int32_t>(graphs_.size()) - 1};
}

bool LiftedState::graph_holds(GraphId asked, Tuple objects) const {
  AtomGraph& graph = *graphs_[index_of(asked)];
  if (!graph.filled) {
    graph.graphs.clear(task_->num_objects(), task_->arity(graph.predicate));
    for_each(graph.predicate, [&graph](Tuple edge) { graph.graphs.set(edge, true); });
    graph.filled = true;
  }
  return graph.is_next ? graph.graphs.is_next(objects, watch_)
                       : graph.graphs.reaches(objects, watch_);
}

const ObjectSet* LiftedState::objects_of(const std::vector<TypeId>& types) {
  const auto [entry, is_new] = objects_of_.try_emplace(types);
  ObjectSet& objects = entry->second;
  if (is_new) {
    const std::vector<bool> mask = task_->type_mask(types);
    for (int32_t i = 0; i < task_->num_objects(); ++i) {
      const ObjectId object{i};
      if (mask[index_of(task_->type_of(object))]) objects.insert(object, task_->num_objects());
    }
  }
  return objects.size() == task_->num_objects() ? nullptr : &objects;
}

bool LiftedState::equals(const LiftedState& other) const {
  auto includes = [](const LiftedState& all, const LiftedState& part) {
    auto present = [](const Fact& fact) { return fact.present; };
    const size_t predicates = std::min(all.facts_.size(), part.facts_.size());
    for (size_t predicate = 0; predicate < predicates; ++predicate) {
      if (!part.task_->is_basic(PredicateId{static_cast<int32_t>(predicate)})) continue;
      bool good = true;
      part.facts_[predicate].for_each(present, [&](Tuple objects) {
        const Fact* fact = all.facts_[predicate].find(objects);
        good &= fact && fact->present;
      });
      if (!good) return false;
    }
    return true;
  };
  return numbers_.values() == other.numbers_.values() && includes(*this, other) &&
         includes(other, *this);
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
  size_t total = numbers_.bytes();
  for (const FactTable& facts : facts_) total += facts.bytes();
  for (const auto& relations : relations_) {
    for (const auto& relation : relations) total += relation ? relation->bytes() : 0;
  }
  for (const auto& graph : graphs_) total += graph->graphs.bytes();
  return total;
}

}  // namespace pg3
