// Numbers for integer tuples: the same tuple always gets the same number, in order of arrival.
#pragma once

#include <cassert>
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
    assert(number >= 0 && number < size());
    return {flat_.data() + offsets_[number], flat_.data() + offsets_[number + 1]};
  }

  // The tuple's number, or -1 if it was never inserted.
  int32_t find(Tuple tuple) const {
    if (slots_.empty()) return -1;
    const size_t mask = slots_.size() - 1;
    const uint64_t hash = hash_tuple(tuple);
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      if (slots_[i].number < 0 || equal(slots_[i], hash, tuple)) return slots_[i].number;
    }
  }

  // The tuple's number, giving it the next free one if it is new; the flag tells whether it was.
  std::pair<int32_t, bool> insert(Tuple tuple) {
    if (2 * offsets_.size() > slots_.size()) grow();
    const size_t mask = slots_.size() - 1;
    const uint64_t hash = hash_tuple(tuple);
    size_t i = hash & mask;
    for (; slots_[i].number >= 0; i = (i + 1) & mask) {
      if (equal(slots_[i], hash, tuple)) return {slots_[i].number, false};
    }
    const int32_t number = size();
    slots_[i] = {static_cast<uint32_t>(hash), number};
    flat_.insert(flat_.end(), tuple.begin(), tuple.end());
    offsets_.push_back(flat_.size());
    return {number, true};
  }

  // All tuples one after another, in number order.
  const std::vector<int32_t>& flat() const { return flat_; }

  size_t bytes() const {
    return flat_.capacity() * sizeof(int32_t) + offsets_.capacity() * sizeof(size_t) +
           slots_.capacity() * sizeof(Slot);
  }

 private:
  // The low half of a hash spares a look at most tuples that differ, and lets the table grow
  // without a look at any.
  struct Slot {
    uint32_t hash = 0;
    int32_t number = -1;  // -1 where free
  };

  bool equal(Slot slot, uint64_t hash, Tuple tuple) const {
    if (slot.hash != static_cast<uint32_t>(hash)) return false;
    const Tuple stored = (*this)[slot.number];
    return stored.size() == tuple.size() &&
           (tuple.empty() || std::memcmp(stored.data(), tuple.data(), tuple.size_bytes()) == 0);
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.number < 0) continue;
      // Numbers stay below 2^31, so half a hash is enough for any table.
      size_t i = slot.hash & mask;
      while (slots_[i].number >= 0) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  std::vector<int32_t> flat_;
  std::vector<size_t> offsets_;
  std::vector<Slot> slots_;  // a power of two
};

}  // namespace pg3
