// A set of objects that answers "the next member from here", cheap to change at any size.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ids.hpp"

namespace pg3 {

// A handful of members lie in the set itself, as most sets of an index have one or two: a visit
// then costs one cache line. More are a sorted list; many a bitmap with summaries: bit i of a word
// tells whether word i of the level below has a bit, so a search for the next member skips empty
// stretches.
class ObjectSet {
 public:
  int32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The smallest member that is at least `from`, if any.
  ObjectId next(ObjectId from) const {
    if (!large_) {
      for (int32_t i = 0; i < size_; ++i) {
        if (few_[i] >= from) return few_[i];
      }
      return ObjectId::none;
    }
    const auto& [list, levels] = *large_;
    if (levels.empty()) {
      const auto at = std::lower_bound(list.begin(), list.end(), from);
      return at == list.end() ? ObjectId::none : *at;
    }
    size_t i = index_of(from);
    for (size_t level = 0; level < levels.size(); ++level) {
      const size_t word = i >> 6;
      if (word >= levels[level].size()) return ObjectId::none;
      const uint64_t rest = levels[level][word] >> (i & 63);
      if (rest) {
        i += std::countr_zero(rest);
        while (level > 0) {
          --level;
          i = (i << 6) + std::countr_zero(levels[level][i]);
        }
        return ObjectId{static_cast<int32_t>(i)};
      }
      i = word + 1;
    }
    return ObjectId::none;
  }

  bool contains(ObjectId x) const {
    if (!large_) return std::find(few_.begin(), few_.begin() + size_, x) != few_.begin() + size_;
    const auto& [list, levels] = *large_;
    if (levels.empty()) return std::binary_search(list.begin(), list.end(), x);
    const size_t i = index_of(x);
    return i >> 6 < levels[0].size() && (levels[0][i >> 6] >> (i & 63) & 1);
  }

  // Adds x; false if it is a member already. `universe` is more than any member.
  bool insert(ObjectId x, int32_t universe) {
    if (contains(x)) return false;
    ++size_;
    if (!large_) {
      if (size_ <= kFew) {
        int32_t i = size_ - 1;
        for (; i > 0 && few_[i - 1] > x; --i) few_[i] = few_[i - 1];
        few_[i] = x;
        return true;
      }
      large_ = std::make_unique<Large>();
      large_->list.assign(few_.begin(), few_.end());
    }
    auto& [list, levels] = *large_;
    if (levels.empty()) {
      list.insert(std::lower_bound(list.begin(), list.end(), x), x);
      if (size_ > std::max(kLongestList, universe / kListShare)) spread(universe);
    } else {
      set(x);
    }
    return true;
  }

  // Removes x; false if it is no member.
  bool erase(ObjectId x) {
    if (!contains(x)) return false;
    --size_;
    if (!large_) {
      const auto at = std::find(few_.begin(), few_.begin() + size_ + 1, x);
      std::copy(at + 1, few_.begin() + size_ + 1, at);
      return true;
    }
    auto& [list, levels] = *large_;
    if (levels.empty()) {
      list.erase(std::lower_bound(list.begin(), list.end(), x));
      return true;
    }
    size_t i = index_of(x);
    for (auto& level : levels) {
      level[i >> 6] &= ~(uint64_t{1} << (i & 63));
      if (level[i >> 6]) break;
      i >>= 6;
    }
    return true;
  }

  // Calls visit(member) in order. The set must not change meanwhile.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (ObjectId x = next(ObjectId{0}); x != ObjectId::none; x = next(after(x))) visit(x);
  }

  // Beyond the set itself.
  size_t bytes() const {
    if (!large_) return 0;
    size_t total = sizeof(Large) + large_->list.capacity() * sizeof(ObjectId);
    for (const auto& level : large_->levels) total += level.capacity() * sizeof(uint64_t);
    return total;
  }

 private:
  static constexpr int32_t kFew = 5;
  // A list of 1/256 of the universe takes an eighth of the bitmap's memory, and moving half of it
  // takes less than a microsecond up to a universe of a million.
  static constexpr int32_t kLongestList = 64, kListShare = 256;

  struct Large {
    std::vector<ObjectId> list;
    std::vector<std::vector<uint64_t>> levels;
  };

  void set(ObjectId x) {
    size_t i = index_of(x);
    for (auto& level : large_->levels) {
      level[i >> 6] |= uint64_t{1} << (i & 63);
      i >>= 6;
    }
  }

  void spread(int32_t universe) {
    size_t words = static_cast<size_t>(universe);
    do {
      words = (words + 63) / 64;
      large_->levels.emplace_back(words, 0);
    } while (words > 1);
    for (ObjectId x : large_->list) set(x);
    large_->list = {};
  }

  int32_t size_ = 0;
  std::array<ObjectId, kFew> few_;
  std::unique_ptr<Large> large_;
};

}  // namespace pg3
