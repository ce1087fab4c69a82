#include "lifted_state.hpp"

#include <algorithm>

namespace pg3 {

LiftedState::LiftedState(std::shared_ptr<const Task> task) : task_(std::move(task)) {
  counts_.assign(task_->num_predicates(), 0);
  peaks_ = counts_;
  drop_indexes();
  for_each_atom(*task_, task_->goal, [&](Tuple atom) { wanted_[intern(atom)] = 1; });
  for_each_atom(*task_, task_->negative_goal, [&](Tuple atom) {
    const int32_t number = intern(atom);
    wanted_[number] = wanted_[number] == 0 ? -1 : 2;
  });
  for (int8_t wanted : wanted_) goals_open_ += wanted > 0;
  for_each_atom(*task_, task_->init, [&](Tuple atom) { add(atom); });
}

int32_t LiftedState::intern(Tuple atom) {
  const auto [number, is_new] = atoms_.insert(atom);
  if (is_new) {
    present_.push_back(false);
    wanted_.push_back(0);
  }
  return number;
}

void LiftedState::toggle(Tuple atom, int32_t number) {
  hash_.first ^= hash_tuple(atom, 0x243F6A8885A308D3ull);
  hash_.second ^= hash_tuple(atom, 0x13198A2E03707344ull);
  const bool now = !present_[number];
  present_[number] = now;
  // Wanted and forbidden at once leaves one goal open whatever holds.
  if (wanted_[number] == 1) goals_open_ += now ? -1 : 1;
  if (wanted_[number] == -1) goals_open_ += now ? 1 : -1;
  const int32_t predicate = atom[0];
  counts_[predicate] += now ? 1 : -1;
  peaks_[predicate] = std::max(peaks_[predicate], counts_[predicate]);
  auto update = [&](Part part, bool holds) {
    for (auto& index : indexes_[static_cast<size_t>(part)][predicate]) {
      if (holds) {
        index->insert(atom.subspan(1));
      } else {
        index->erase(atom.subspan(1));
      }
    }
  };
  update(Part::state, now);
  if (wanted_[number] > 0) update(Part::open, !now);
}

void LiftedState::add(Tuple atom) {
  const int32_t number = intern(atom);
  if (!present_[number]) toggle(atom, number);
}

void LiftedState::remove(Tuple atom) {
  const int32_t number = atoms_.find(atom);
  if (number >= 0 && present_[number]) toggle(atom, number);
}

const Trie& LiftedState::index(int32_t predicate, Part part, const std::vector<int32_t>& order) {
  auto& indexes = indexes_[static_cast<size_t>(part)][predicate];
  for (auto& index : indexes) {
    if (index->order() == order) return *index;
  }
  indexes.push_back(std::make_unique<Trie>(order, task_->num_objects()));
  Trie& index = *indexes.back();
  for (int32_t number = 0; number < atoms_.size(); ++number) {
    const Tuple atom = atoms_[number];
    if (atom[0] != predicate) continue;
    const bool belongs = part == Part::state  ? present_[number]
                         : part == Part::goal ? wanted_[number] > 0
                                              : wanted_[number] > 0 && !present_[number];
    if (belongs) index.insert(atom.subspan(1));
  }
  return index;
}

int32_t LiftedState::fan_out(int32_t predicate, int32_t place) const {
  const auto [entry, is_new] = fan_outs_.try_emplace({predicate, place}, 0);
  if (!is_new) return entry->second;
  TupleTable rest;  // atoms without that place
  std::vector<int32_t> counts, key;
  for (int32_t number = 0; number < atoms_.size(); ++number) {
    const Tuple atom = atoms_[number];
    if (atom[0] != predicate || !present_[number]) continue;
    key.assign(atom.begin() + 1, atom.end());
    key.erase(key.begin() + place);
    const auto [group, first] = rest.insert(key);
    if (first) counts.push_back(0);
    entry->second = std::max(entry->second, ++counts[group]);
  }
  return entry->second;
}

void LiftedState::drop_indexes() {
  for (auto& part : indexes_) {
    part.clear();
    part.resize(task_->num_predicates());
  }
}

bool LiftedState::equals(const LiftedState& other) const {
  auto includes = [](const LiftedState& all, const LiftedState& part) {
    for (int32_t number = 0; number < part.atoms_.size(); ++number) {
      if (part.present_[number] && !all.holds(part.atoms_[number])) return false;
    }
    return true;
  };
  return includes(*this, other) && includes(other, *this);
}

size_t LiftedState::bytes() const {
  size_t total = atoms_.bytes() + present_.capacity() / 8 + wanted_.capacity();
  for (const auto& part : indexes_) {
    for (const auto& indexes : part) {
      for (const auto& index : indexes) total += index->bytes();
    }
  }
  return total;
}

}  // namespace pg3
