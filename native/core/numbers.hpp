// Numbers of a task: sums of functions' values, comparisons of them, and what actions do to them.
//
// Values are exact. A value is an integer: so many parts of one, of which Task::scale make one. So
// 0.5 is 5 where the scale is 10. Coefficients and constants are plain integers: a comparison is
// multiplied by what makes them so.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace pg3 {

enum class Term : int32_t;

// A value that actions change, by its number among those.
enum class NumberId : int32_t { none = -1 };

__extension__ using Wide = __int128;  // of sums, which never overflow it

// Values stop here, where a plan comes only by counting for years.
inline constexpr int64_t kLargestValue = int64_t{1} << 62;
// What is read from files is smaller by far.
inline constexpr int64_t kLargestGiven = int64_t{1} << 53;

inline int64_t capped(Wide value) {
  if (value > kLargestValue) return kLargestValue;
  return value < -kLargestValue ? -kLargestValue : static_cast<int64_t>(value);
}

struct FunctionTerm {
  int64_t coefficient;
  FunctionId function;
  std::vector<Term> terms;
  bool operator==(const FunctionTerm&) const = default;
};

struct LinearSum {
  std::vector<FunctionTerm> functions;
  int64_t constant = 0;
  bool operator==(const LinearSum&) const = default;
};

// How a sum compares to 0.
enum class Order { at_least = 0, above = 1, equal = 2 };

struct Comparison {
  Order order = Order::at_least;
  LinearSum sum;
  bool operator==(const Comparison&) const = default;
};

// A function gets the amount for a value, or its value grows by it. The amount is the sum divided
// by the divisor, of functions that never change.
struct NumericEffect {
  bool assigns;
  FunctionId function;
  std::vector<Term> terms;
  LinearSum amount;
  int64_t divisor = 1;
};

// A sum for given objects: what never changes is in the constant.
struct GroundSum {
  std::vector<std::pair<int64_t, NumberId>> numbers;
  Wide constant = 0;

  Wide of(const int64_t* values) const {
    Wide total = constant;
    for (const auto& [coefficient, number] : numbers) {
      total += Wide{coefficient} * values[index_of(number)];
    }
    return total;
  }
};

inline bool holds(Order order, Wide sum) {
  return order == Order::equal ? sum == 0 : order == Order::above ? sum > 0 : sum >= 0;
}

}  // namespace pg3
