// Numbers for names, in order of arrival.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pg3 {

// Open addressing with the hash beside each number: unlike a map of nodes, a lookup among 100,000
// names mostly touches one cache line and the name itself. The names' text must outlive the table.
class NameTable {
 public:
  int32_t size() const { return static_cast<int32_t>(names_.size()); }

  // The number of a name, or -1.
  int32_t find(std::string_view name) const {
    if (slots_.empty()) return -1;
    return slots_[slot(name, hash(name))].number;
  }

  // The number of a name, which gets the next free one if it is new.
  int32_t insert(std::string_view name) {
    if (2 * names_.size() >= slots_.size()) grow();
    const uint32_t h = hash(name);
    Slot& place = slots_[slot(name, h)];
    if (place.number < 0) {
      place = {h, size()};
      names_.push_back(name);
    }
    return place.number;
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    int32_t number = -1;  // -1 where free
  };

  static uint32_t hash(std::string_view name) {  // FNV-1a, then mixed for the low bits
    uint64_t h = 0xCBF29CE484222325ull;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return static_cast<uint32_t>(h ^ (h >> 32));
  }

  // Where the name is, or else the free place where it belongs.
  size_t slot(std::string_view name, uint32_t h) const {
    const size_t mask = slots_.size() - 1;
    size_t i = h & mask;
    while (slots_[i].number >= 0 && (slots_[i].hash != h || names_[slots_[i].number] != name)) {
      i = (i + 1) & mask;
    }
    return i;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), Slot{});
    const size_t mask = slots_.size() - 1;
    for (int32_t number = 0; number < size(); ++number) {
      const uint32_t h = hash(names_[number]);
      size_t i = h & mask;
      while (slots_[i].number >= 0) i = (i + 1) & mask;
      slots_[i] = {h, number};
    }
  }

  std::vector<std::string_view> names_;
  std::vector<Slot> slots_;  // a power of two
};

}  // namespace pg3
