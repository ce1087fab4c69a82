#include "ground/number_supports.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// More repetitions than this cost more than any sum counts (relaxation_heuristic.cpp).
constexpr Wide kMostTimes = 1'000'000'000;

int32_t steps_for(Wide distance, Wide step) {
  return static_cast<int32_t>(std::min(kMostTimes, (distance + step - 1) / step));
}

}  // namespace

int32_t NumberSupport::times(const GroundTask& ground, const int64_t* values) const {
  const auto& [fluent, order, sum] = ground.comparisons[comparison];
  const Wide now = sum.of(values);
  if (holds(order, now) == wanted) return 0;
  if (assigns) {
    // With several numbers the others may change as well.
    if (sum.numbers.size() > 1) return 1;
    const auto [coefficient, number] = sum.numbers[0];
    // One after the other: two parameters of the action may be the same object.
    Wide value = values[index_of(number)];
    for (const NumberChange& change : ground.changes[index_of(action)]) {
      if (change.number == number) value = change.assigns ? change.amount : value + change.amount;
    }
    const Wide after = sum.constant + Wide{coefficient} * value;
    return holds(order, after) == wanted ? 1 : 0;
  }
  if (order == Order::equal) {
    if (!wanted) return 1;
    // Past the number only a step back helps, or an assignment before.
    if ((now < 0) == (step > 0)) return steps_for(now < 0 ? -now : now, step > 0 ? step : -step);
    return 1;
  }
  const Wide least = order == Order::above ? 1 : 0;  // the smallest sum for which it holds
  if (wanted) return step > 0 ? steps_for(least - now, step) : 0;
  return step < 0 ? steps_for(now - least + 1, -step) : 0;
}

std::vector<NumberSupport> number_supports(const GroundTask& ground) {
  std::vector<NumberSupport> found;
  for (size_t a = 0; a < ground.changes.size(); ++a) {
    std::vector<size_t> touched;
    for (const NumberChange& change : ground.changes[a]) {
      const auto& readers = ground.comparisons_of[index_of(change.number)];
      touched.insert(touched.end(), readers.begin(), readers.end());
    }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const size_t place : touched) {
      const GroundComparison& one = ground.comparisons[place];
      NumberSupport support{ActionId{static_cast<int32_t>(a)}, place, true, false};
      for (const NumberChange& change : ground.changes[a]) {
        for (const auto& [coefficient, number] : one.sum.numbers) {
          if (number != change.number) continue;
          support.assigns = support.assigns || change.assigns;
          support.step += Wide{coefficient} * change.amount;
        }
      }
      for (const bool wanted : {true, false}) {
        const bool helps = support.assigns || (one.order == Order::equal ? support.step != 0
                                               : wanted                  ? support.step > 0
                                                                         : support.step < 0);
        support.wanted = wanted;
        if (helps) found.push_back(support);
      }
    }
  }
  return found;
}

}  // namespace pg3
