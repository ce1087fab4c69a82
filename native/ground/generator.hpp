// Random numbers that are the same on every machine: SplitMix64, and what is drawn from it.
#pragma once

#include <cstdint>

namespace pg3 {

class Generator {
 public:
  explicit Generator(uint64_t seed) : state_(mix(mix(seed))) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ull;
    return mix(state_);
  }

  // A number below `bound`, each equally likely: draws from the incomplete last round are dropped.
  uint64_t below(uint64_t bound) {
    const uint64_t dropped = (0 - bound) % bound;  // 2^64 modulo bound
    uint64_t drawn = next();
    while (drawn > UINT64_MAX - dropped) drawn = next();
    return drawn % bound;
  }

 private:
  static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
  }

  uint64_t state_;
};

}  // namespace pg3
