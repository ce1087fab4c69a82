// States met so far by their hashes, for cycles.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace pg3 {

// Hashes, each with the step at which it was met first: open addressing. It grows a little with
// each visit, never all at once: a million entries take tens of milliseconds to move.
class Visited {
 public:
  // The first step at which this hash was met, or -1 if it is new (it then counts as met).
  int64_t visit(uint64_t hash, int64_t step) {
    if (2 * (count_ + 1) > new_.size) grow();
    // The old table is emptied before the new one is half full: that takes as many visits as it has
    // entries, half as many as it has slots.
    for (int i = 0; i < 4 && moved_ < old_.size; ++i, ++moved_) {
      if (old_.slots[moved_].met > 0) new_.find(old_.slots[moved_].hash) = old_.slots[moved_];
    }
    if (moved_ < old_.size) {
      const Slot& slot = old_.find(hash);
      if (slot.met > 0) return slot.met - 1;
    } else if (old_.size > 0) {
      old_ = Table();
    }
    Slot& slot = new_.find(hash);
    if (slot.met > 0) return slot.met - 1;
    slot = {hash, step + 1};
    ++count_;
    return -1;
  }

  size_t bytes() const { return (old_.size + new_.size) * sizeof(Slot); }

 private:
  struct Slot {
    uint64_t hash;
    int64_t met;  // the step and one, 0 where free
  };

  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  struct Table {
    Table() = default;
    // calloc: the system hands out pages of zeros as they are touched, so this takes no time.
    explicit Table(size_t slots_wanted)
        : size(slots_wanted), slots(static_cast<Slot*>(std::calloc(slots_wanted, sizeof(Slot)))) {
      if (!slots) throw std::bad_alloc();
    }

    Slot& find(uint64_t hash) const {
      size_t i = hash & (size - 1);
      while (slots[i].met > 0 && slots[i].hash != hash) i = (i + 1) & (size - 1);
      return slots[i];
    }

    size_t size = 0;
    std::unique_ptr<Slot[], Free> slots;
  };

  void grow() {
    old_ = std::move(new_);
    new_ = Table(old_.size == 0 ? 1024 : 2 * old_.size);
    moved_ = 0;
  }

  Table old_, new_;
  size_t moved_ = 0;
  size_t count_ = 0;
};

}  // namespace pg3
