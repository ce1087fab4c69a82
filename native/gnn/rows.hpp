// Arithmetic on rows of sixteen floats, the size of every layer of the network that gnn_trainer
// trains. Every sum has one fixed order and no product is fused with a sum, so that results are the
// same on every machine with IEEE floats, whatever its vector registers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace pg3 {

inline constexpr int kWidth = 16;

// Two halves, as wide as AVX2's registers; the compiler splits them further where there are none.
struct alignas(64) Row {
  typedef float Half __attribute__((vector_size(32), may_alias));
  Half low, high;

  Row& operator+=(const Row& other) {
    low += other.low;
    high += other.high;
    return *this;
  }
  // Adds a multiple of another row.
  void add(float factor, const Row& other) {
    low += factor * other.low;
    high += factor * other.high;
  }
};

inline float at(const Row& row, int i) {
  return reinterpret_cast<const float*>(&row)[i];
}

inline Row operator+(const Row& a, const Row& b) {
  return {a.low + b.low, a.high + b.high};
}
inline Row operator-(const Row& a, const Row& b) {
  return {a.low - b.low, a.high - b.high};
}
inline Row operator*(const Row& a, const Row& b) {
  return {a.low * b.low, a.high * b.high};
}
inline Row operator*(float a, const Row& b) {
  return {a * b.low, a * b.high};
}
inline Row operator-(const Row& a, float b) {
  return {a.low - b, a.high - b};
}

inline float sum(const Row& row) {
  typedef float Quarter __attribute__((vector_size(16)));
  struct Pair {
    Quarter first, second;
  };
  const auto [first, second] = std::bit_cast<Pair>(row.low + row.high);
  const Quarter four = first + second;
  return (four[0] + four[2]) + (four[1] + four[3]);
}

// The positive entries, 0 for the others.
inline Row positive(const Row& row) {
  const Row::Half zero = {};
  return {row.low > zero ? row.low : zero, row.high > zero ? row.high : zero};
}

// The entries of `row` where `gate` is positive, 0 elsewhere.
inline Row where_positive(const Row& gate, const Row& row) {
  const Row::Half zero = {};
  return {gate.low > zero ? row.low : zero, gate.high > zero ? row.high : zero};
}

// out[i] += x[i] * matrix for N rows at once: each row of the matrix is loaded once for all.
template <int N>
inline void multiply(Row* out, const Row* x, const Row* matrix) {
  Row sums[N];
#pragma GCC unroll 4
  for (int i = 0; i < N; ++i) sums[i] = out[i];
  for (int k = 0; k < kWidth; ++k) {
    const Row weights = matrix[k];
#pragma GCC unroll 4
    for (int i = 0; i < N; ++i) sums[i].add(at(x[i], k), weights);
  }
#pragma GCC unroll 4
  for (int i = 0; i < N; ++i) out[i] = sums[i];
}

// gradient[k] += the sum over N rows of x[i][k] * dy[i].
template <int N>
inline void add_products(Row* gradient, const Row* x, const Row* dy) {
  for (int k = 0; k < kWidth; ++k) {
    Row total = gradient[k];
#pragma GCC unroll 4
    for (int i = 0; i < N; ++i) total.add(at(x[i], k), dy[i]);
    gradient[k] = total;
  }
}

// Calls work(first, std::integral_constant<int, N>) for blocks of four rows, then for single ones.
template <typename Work>
inline void in_blocks(int32_t count, Work work) {
  int32_t i = 0;
  for (; i + 4 <= count; i += 4) work(i, std::integral_constant<int, 4>());
  for (; i < count; ++i) work(i, std::integral_constant<int, 1>());
}

inline void multiply_all(int32_t count, Row* out, const Row* x, const Row* matrix) {
  in_blocks(count, [&](int32_t i, auto n) { multiply<n>(out + i, x + i, matrix); });
}

inline void add_all_products(int32_t count, Row* gradient, const Row* x, const Row* dy) {
  in_blocks(count, [&](int32_t i, auto n) { add_products<n>(gradient, x + i, dy + i); });
}

inline void transpose(const Row* matrix, Row* result) {
  const auto* from = reinterpret_cast<const float*>(matrix);
  auto* to = reinterpret_cast<float*>(result);
  for (int i = 0; i < kWidth; ++i) {
    for (int j = 0; j < kWidth; ++j) to[kWidth * j + i] = from[kWidth * i + j];
  }
}

// e to the power of x for x <= 0, within two units in the last place, the same on every machine;
// C's own may differ from library to library.
inline float power_of_e(float x) {
  if (!(x >= -87.0f)) return std::isnan(x) ? x : 0.0f;
  const float n = std::floor(x * 1.44269504f + 0.5f);
  // x = n ln 2 + r, with ln 2 in two parts so that n times the first is exact.
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.0f / 5040;
  for (const float c : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 1.0f / 2, 1.0f, 1.0f}) {
    p = p * r + c;
  }
  const auto exponent = static_cast<uint32_t>(static_cast<int32_t>(n) + 127) << 23;
  return p * std::bit_cast<float>(exponent);
}

}  // namespace pg3
