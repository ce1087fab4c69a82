// Numbers for integer tuples: the same tuple always gets the same number, in order of arrival.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace pg3 {

using Tuple = std::span<const int32_t>;

// A 64-bit mix of a tuple's entries; fixed for all machines and runs.
inline uint64_t hash_tuple(Tuple tuple, uint64_t seed = 0x9E3779B97F4A7C15ull) {
  uint64_t h = seed ^ (tuple.size() * 0xBF58476D1CE4E5B9ull);
  for (int32_t x : tuple) {
    h ^= static_cast<uint32_t>(x);
    h *= 0xFF51AFD7ED558CCDull;
    h ^= h >> 32;
  }
  h *= 0xC4CEB9FE1A85EC53ull;
  return h ^ (h >> 29);
}

// An interning table of tuples of any lengths: open addressing over one flat array.
class TupleTable {
 public:
  TupleTable() { offsets_.push_back(0); }

  int32_t size() const { return static_cast<int32_t>(offsets_.size()) - 1; }

  Tuple operator[](int32_t number) const {
    return {flat_.data() + offsets_[number], flat_.data() + offsets_[number + 1]};
  }

  // The tuple's number, or -1 if it was never inserted.
  int32_t find(Tuple tuple) const {
    if (slots_.empty()) return -1;
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash_tuple(tuple) & mask;; i = (i + 1) & mask) {
      if (slots_[i] < 0 || equal(slots_[i], tuple)) return slots_[i];
    }
  }

  // The tuple's number, giving it the next free one if it is new; the flag tells whether it was.
  std::pair<int32_t, bool> insert(Tuple tuple) {
    if (2 * offsets_.size() > slots_.size()) grow();
    const size_t mask = slots_.size() - 1;
    size_t i = hash_tuple(tuple) & mask;
    for (; slots_[i] >= 0; i = (i + 1) & mask) {
      if (equal(slots_[i], tuple)) return {slots_[i], false};
    }
    const int32_t number = size();
    slots_[i] = number;
    flat_.insert(flat_.end(), tuple.begin(), tuple.end());
    offsets_.push_back(flat_.size());
    return {number, true};
  }

  // All tuples one after another, in number order.
  const std::vector<int32_t>& flat() const { return flat_; }

  size_t bytes() const {
    return flat_.capacity() * sizeof(int32_t) + offsets_.capacity() * sizeof(size_t) +
           slots_.capacity() * sizeof(int32_t);
  }

 private:
  bool equal(int32_t number, Tuple tuple) const {
    const Tuple stored = (*this)[number];
    return stored.size() == tuple.size() &&
           (tuple.empty() || std::memcmp(stored.data(), tuple.data(), tuple.size_bytes()) == 0);
  }

  void grow() {
    std::vector<int32_t> old;
    old.swap(slots_);
    slots_.assign(old.empty() ? 16 : 2 * old.size(), -1);
    const size_t mask = slots_.size() - 1;
    for (int32_t number = 0; number < size(); ++number) {
      size_t i = hash_tuple((*this)[number]) & mask;
      while (slots_[i] >= 0) i = (i + 1) & mask;
      slots_[i] = number;
    }
  }

  std::vector<int32_t> flat_;
  std::vector<size_t> offsets_;
  std::vector<int32_t> slots_;  // a power of two; -1 where free
};

}  // namespace pg3
