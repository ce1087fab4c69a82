#include "lifted_state.hpp"

namespace pg3 {

LiftedState::LiftedState(std::shared_ptr<const Task> task) : task_(std::move(task)) {
  indexes_.resize(2 * task_->num_predicates());
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
  for (auto& index : indexes_[atom[0]]) {
    if (now) {
      index->insert(atom.subspan(1));
    } else {
      index->erase(atom.subspan(1));
    }
  }
}

void LiftedState::add(Tuple atom) {
  const int32_t number = intern(atom);
  if (!present_[number]) toggle(atom, number);
}

void LiftedState::remove(Tuple atom) {
  const int32_t number = atoms_.find(atom);
  if (number >= 0 && present_[number]) toggle(atom, number);
}

const Trie& LiftedState::index(int32_t predicate, bool of_goal, std::vector<int32_t> order) {
  auto& indexes = indexes_[predicate + (of_goal ? task_->num_predicates() : 0)];
  for (auto& index : indexes) {
    if (index->order() == order) return *index;
  }
  indexes.push_back(std::make_unique<Trie>(std::move(order)));
  Trie& index = *indexes.back();
  for (int32_t number = 0; number < atoms_.size(); ++number) {
    const Tuple atom = atoms_[number];
    if (atom[0] == predicate && (of_goal ? wanted_[number] > 0 : present_[number])) {
      index.insert(atom.subspan(1));
    }
  }
  return index;
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
  for (const auto& indexes : indexes_) {
    for (const auto& index : indexes) total += index->bytes();
  }
  return total;
}

}  // namespace pg3
