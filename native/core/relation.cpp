#include "core/relation.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace pg3 {

Relation::Relation(size_t arity, int32_t num_objects, std::function<void(const Visitor&)> fill)
    : arity_(arity), num_objects_(num_objects), fill_(std::move(fill)) {
  fill_([&](Tuple) { ++size_; });
  peak_ = size_;
}

const Trie& Relation::index(const std::vector<int32_t>& order) {
  const Trie& index = find_or_build(order);
  index.use();
  return index;
}

Trie& Relation::find_or_build(const std::vector<int32_t>& order) {
  for (auto& index : indexes_) {
    if (index->order() == order) return *index;
  }
  auto index = std::make_unique<Trie>(order, num_objects_);
  for_each([&](Tuple tuple) { index->insert(tuple); });
  indexes_.push_back(std::move(index));
  return *indexes_.back();
}

void Relation::for_each(const Visitor& visit) const {
  if (indexes_.empty()) {
    fill_(visit);
  } else {
    indexes_[0]->for_each(visit);
  }
}

void Relation::forget_uses() {
  for (auto& index : indexes_) index->use(false);
}

void Relation::drop_unused() {
  std::erase_if(indexes_, [](const auto& index) { return !index->is_used(); });
}

void Relation::insert(Tuple tuple) {
  assert(tuple.size() == arity_);
  // The first index knows whether the tuple is new.
  for (auto& index : indexes_) {
    if (!index->insert(tuple)) return;
  }
  ++changes_;
  peak_ = std::max(peak_, ++size_);
}

void Relation::erase(Tuple tuple) {
  assert(tuple.size() == arity_);
  for (auto& index : indexes_) {
    if (!index->erase(tuple)) return;
  }
  ++changes_;
  --size_;
  assert(size_ >= 0);
}

Relation::Spread Relation::spread(uint64_t mask, int32_t place) {
  if (mask == 0) {
    const double all = place < 0 ? peak_ : std::min(peak_, num_objects_);
    return {all, all};
  }
  const auto bound = static_cast<size_t>(std::popcount(mask));
  if (bound == arity_) return {1, 1};
  if (bound + 1 == arity_) place = -1;  // as many objects as tuples
  const auto [entry, is_new] = counted_.try_emplace({mask, place});
  auto& [spread, at_change] = entry->second;
  if (is_new || 2 * (changes_ - at_change) > size_) {
    const double most_before = spread.most;
    spread = count(mask, place);
    spread.most = std::max(spread.most, most_before);
    at_change = changes_;
  }
  return spread;
}

// How many tuples have the same object at a place: the common case, and the one that is quick.
Relation::Spread Relation::count_at(int32_t place) const {
  std::vector<int32_t> counts(static_cast<size_t>(num_objects_), 0);
  int32_t most = 0, groups = 0;
  for_each([&](Tuple tuple) {
    const int32_t count = ++counts[tuple[place]];
    groups += count == 1;
    most = std::max(most, count);
  });
  return {static_cast<double>(most), static_cast<double>(size_) / std::max(groups, 1)};
}

Relation::Spread Relation::count(uint64_t mask, int32_t place) const {
  if (std::has_single_bit(mask) && place < 0) return count_at(std::countr_zero(mask));
  // Equal hashes of different objects are counted as one: no harm in a statistic.
  std::vector<std::pair<uint64_t, uint64_t>> found;
  found.reserve(static_cast<size_t>(size_));
  std::vector<int32_t> key;
  for_each([&](Tuple tuple) {
    key.clear();
    for (size_t at = 0; at < std::min<size_t>(arity_, 64); ++at) {
      if (mask >> at & 1) key.push_back(tuple[at]);
    }
    const size_t value = place < 0 ? found.size() : static_cast<size_t>(tuple[place]);
    found.emplace_back(hash_tuple(key), value);
  });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  size_t groups = 0, most = 0, run = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const bool begins = i == 0 || found[i].first != found[i - 1].first;
    groups += begins;
    run = begins ? 1 : run + 1;
    most = std::max(most, run);
  }
  const double mean =
      static_cast<double>(found.size()) / static_cast<double>(std::max<size_t>(groups, 1));
  return {static_cast<double>(most), mean};
}

size_t Relation::bytes() const {
  size_t total = 0;
  for (const auto& index : indexes_) total += index->bytes();
  return total;
}

}  // namespace pg3
