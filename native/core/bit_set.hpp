// Sets of ids as bits in words: of objects, of fluents.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"

namespace pg3 {

constexpr size_t words_for(size_t members) {
  return (members + 63) / 64;
}

template <typename Id>
bool contains(const uint64_t* set, Id id) {
  return set[index_of(id) >> 6] >> (index_of(id) & 63) & 1;
}
template <typename Id>
void insert(uint64_t* set, Id id) {
  set[index_of(id) >> 6] |= uint64_t{1} << (index_of(id) & 63);
}
template <typename Id>
void erase(uint64_t* set, Id id) {
  set[index_of(id) >> 6] &= ~(uint64_t{1} << (index_of(id) & 63));
}

// The first member among the bits of a word, which has one.
template <typename Id>
Id first_of(size_t word, uint64_t bits) {
  return Id{static_cast<int32_t>(64 * word + std::countr_zero(bits))};
}

// Calls `visit` with each member, in order.
template <typename Id, typename Visit>
[[gnu::always_inline]] inline void for_each(const uint64_t* set, size_t words, Visit visit) {
  for (size_t w = 0; w < words; ++w) {
    for (uint64_t bits = set[w]; bits; bits &= bits - 1) visit(first_of<Id>(w, bits));
  }
}

}  // namespace pg3
