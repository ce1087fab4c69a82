// What is known of the atoms of one predicate.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/tuple_table.hpp"

namespace pg3 {

struct Fact {
  bool present = false;
  int8_t wanted = 0;  // 1 in the goal, -1 in the negative goal, 2 in both, 0 in neither

  bool is_unwanted() const { return wanted < 0 || wanted == 2; }
};

// A map from tuples of objects to facts; open addressing. Up to two objects are the key itself, so
// that a look at an atom is a look at one place in memory; longer tuples go by their number.
class FactTable {
 public:
  explicit FactTable(size_t arity) : arity_(arity) {}

  // Null if the atom was never met.
  const Fact* find(Tuple objects) const {
    if (slots_.empty()) return nullptr;
    uint64_t key;
    if (arity_ <= 2) {
      key = packed(objects);
    } else {
      const int32_t number = long_tuples_.find(objects);
      if (number < 0) return nullptr;
      key = static_cast<uint64_t>(number);
    }
    const Slot& slot = slots_[place(key)];
    return slot.key == key ? &slot.fact : nullptr;
  }
  Fact* find(Tuple objects) {
    return const_cast<Fact*>(static_cast<const FactTable*>(this)->find(objects));
  }

  // The atom's fact, now met; the reference is valid until the next one is met.
  Fact& meet(Tuple objects) {
    const uint64_t key =
        arity_ <= 2 ? packed(objects) : static_cast<uint64_t>(long_tuples_.insert(objects).first);
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(key)];
    if (slot.key == kFree) {
      slot.key = key;
      ++count_;
    }
    return slot.fact;
  }

  // Calls visit(objects) for each atom of which belongs(fact), in lexicographic order or, beyond
  // two objects, in the order in which they were met: what is built from them lies in memory
  // likewise.
  template <typename Belongs, typename Visit>
  void for_each(Belongs belongs, Visit visit) const {
    std::vector<uint64_t> keys;
    for (const Slot& slot : slots_) {
      if (slot.key != kFree && belongs(slot.fact)) keys.push_back(slot.key);
    }
    std::ranges::sort(keys);
    for (uint64_t key : keys) {
      const std::array<int32_t, 2> both{static_cast<int32_t>(key >> 32), static_cast<int32_t>(key)};
      if (arity_ <= 2) {
        visit(Tuple(both).last(arity_));
      } else {
        visit(long_tuples_[static_cast<int32_t>(key)]);
      }
    }
  }

  size_t bytes() const { return slots_.capacity() * sizeof(Slot) + long_tuples_.bytes(); }

 private:
  static constexpr uint64_t kFree = UINT64_MAX;
  struct Slot {
    uint64_t key = kFree;
    Fact fact;
  };

  static uint64_t packed(Tuple objects) {
    uint64_t key = 0;
    for (int32_t object : objects) key = key << 32 | static_cast<uint32_t>(object);
    return key;
  }

  // Where the key is, or would be.
  size_t place(uint64_t key) const {
    // The upper half of a product depends on all of the key.
    const uint64_t mixed = (key ^ (key >> 29)) * 0x9E3779B97F4A7C15ull;
    size_t i = (mixed >> 32) & (slots_.size() - 1);
    while (slots_[i].key != key && slots_[i].key != kFree) i = (i + 1) & (slots_.size() - 1);
    return i;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != kFree) slots_[place(slot.key)] = slot;
    }
  }

  size_t arity_;
  size_t count_ = 0;
  std::vector<Slot> slots_;  // a power of two
  TupleTable long_tuples_;
};

}  // namespace pg3
