// A set of object numbers that answers "the next member from here", cheap to change at any size.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace pg3 {

// Few members are a sorted list; many are a bitmap with summaries: bit i of a word tells whether
// word i of the level below has a bit, so a search for the next member skips empty stretches.
class ObjectSet {
 public:
  int32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The smallest member that is at least `from`, or -1.
  int32_t next(int32_t from) const {
    if (levels_.empty()) {
      const auto at = std::lower_bound(list_.begin(), list_.end(), from);
      return at == list_.end() ? -1 : *at;
    }
    size_t i = static_cast<size_t>(from);
    for (size_t level = 0; level < levels_.size(); ++level) {
      const size_t word = i >> 6;
      if (word >= levels_[level].size()) return -1;
      const uint64_t rest = levels_[level][word] >> (i & 63);
      if (rest) {
        i += std::countr_zero(rest);
        while (level > 0) {
          --level;
          i = (i << 6) + std::countr_zero(levels_[level][i]);
        }
        return static_cast<int32_t>(i);
      }
      i = word + 1;
    }
    return -1;
  }

  bool contains(int32_t x) const {
    if (levels_.empty()) return std::binary_search(list_.begin(), list_.end(), x);
    const size_t word = static_cast<size_t>(x) >> 6;
    return word < levels_[0].size() && (levels_[0][word] >> (x & 63) & 1);
  }

  // Adds x, which is not a member yet. `universe` is more than any member.
  void insert(int32_t x, int32_t universe) {
    ++size_;
    if (levels_.empty()) {
      list_.insert(std::lower_bound(list_.begin(), list_.end(), x), x);
      if (size_ > kLongestList) spread(universe);
      return;
    }
    set(x);
  }

  // Removes x, which is a member.
  void erase(int32_t x) {
    --size_;
    if (levels_.empty()) {
      list_.erase(std::lower_bound(list_.begin(), list_.end(), x));
      return;
    }
    size_t i = static_cast<size_t>(x);
    for (auto& level : levels_) {
      level[i >> 6] &= ~(uint64_t{1} << (i & 63));
      if (level[i >> 6]) return;
      i >>= 6;
    }
  }

  size_t bytes() const {
    size_t total = list_.capacity() * sizeof(int32_t);
    for (const auto& level : levels_) total += level.capacity() * sizeof(uint64_t);
    return total;
  }

 private:
  static constexpr int32_t kLongestList = 64;

  void set(int32_t x) {
    size_t i = static_cast<size_t>(x);
    for (auto& level : levels_) {
      level[i >> 6] |= uint64_t{1} << (i & 63);
      i >>= 6;
    }
  }

  void spread(int32_t universe) {
    size_t words = static_cast<size_t>(universe);
    do {
      words = (words + 63) / 64;
      levels_.emplace_back(words, 0);
    } while (words > 1);
    for (int32_t x : list_) set(x);
    list_ = {};
  }

  int32_t size_ = 0;
  std::vector<int32_t> list_;
  std::vector<std::vector<uint64_t>> levels_;
};

}  // namespace pg3
