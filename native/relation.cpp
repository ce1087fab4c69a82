#include "relation.hpp"

#include <algorithm>
#include <bit>

namespace pg3 {

namespace {

// Masks speak of the first 64 places; nobody misses the statistics of later ones.
bool has(uint64_t mask, int32_t place) {
  return place < 64 && (mask >> place & 1);
}

}  // namespace

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
  auto add = [&](Tuple tuple) { index->insert(tuple); };
  if (indexes_.empty()) {
    fill_(add);
  } else {
    indexes_[0]->for_each(add);
  }
  indexes_.push_back(std::move(index));
  return *indexes_.back();
}

void Relation::forget_uses() {
  for (auto& index : indexes_) index->use(false);
}

void Relation::drop_unused() {
  for (const auto& index : indexes_) {
    if (index->is_used()) continue;
    auto& levels = old_levels_[index->order()];
    levels.resize(arity_);
    for (size_t i = 0; i < arity_; ++i) {
      const auto& [peak, width] = index->levels()[i];
      levels[i] = {std::max(levels[i].peak, peak), width};
    }
  }
  std::erase_if(indexes_, [](const auto& index) { return !index->is_used(); });
}

void Relation::insert(Tuple tuple) {
  // The first index knows whether the tuple is new.
  for (auto& index : indexes_) {
    if (!index->insert(tuple)) return;
  }
  peak_ = std::max(peak_, ++size_);
}

void Relation::erase(Tuple tuple) {
  for (auto& index : indexes_) {
    if (!index->erase(tuple)) return;
  }
  --size_;
}

const std::vector<Trie::Level>& Relation::levels(uint64_t mask, int32_t place) {
  // Any index will do whose first places are those of the mask.
  auto fits = [&](const std::vector<int32_t>& order) {
    uint64_t rest = mask;
    for (int32_t at : order) {
      if (rest == 0) return place < 0 || at == place;
      if (!has(rest, at)) return false;
      rest ^= uint64_t{1} << at;
    }
    return true;
  };
  for (const auto& index : indexes_) {
    if (fits(index->order())) return index->levels();
  }
  for (const auto& [order, levels] : old_levels_) {
    if (fits(order)) return levels;
  }
  std::vector<int32_t> order;
  for (int32_t at = 0; at < static_cast<int32_t>(arity_); ++at) {
    if (has(mask, at)) order.push_back(at);
  }
  if (place >= 0) order.push_back(place);
  for (int32_t at = 0; at < static_cast<int32_t>(arity_); ++at) {
    if (!has(mask, at) && at != place) order.push_back(at);
  }
  return find_or_build(order).levels();
}

double Relation::fan_out(uint64_t mask) {
  const auto bound = static_cast<size_t>(std::popcount(mask));
  if (bound == 0) return peak_;
  if (bound == arity_) return 1;
  double product = 1;
  const auto& all = levels(mask, -1);
  for (size_t level = bound; level < arity_; ++level) product *= all[level].peak;
  return std::min<double>(product, peak_);
}

double Relation::mean_fan_out(uint64_t mask) {
  if (mask == 0) return size_;
  const int32_t width = levels(mask, -1)[static_cast<size_t>(std::popcount(mask)) - 1].width;
  return width == 0 ? 0 : static_cast<double>(size_) / width;
}

double Relation::values(uint64_t mask, int32_t place) {
  if (mask == 0) return std::min(peak_, num_objects_);
  return levels(mask, place)[static_cast<size_t>(std::popcount(mask))].peak;
}

size_t Relation::bytes() const {
  size_t total = 0;
  for (const auto& index : indexes_) total += index->bytes();
  return total;
}

}  // namespace pg3
