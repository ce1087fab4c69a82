#include "lifted/lifted_numbers.hpp"

#include <algorithm>
#include <utility>

namespace pg3 {

namespace {

// The smallest v with step * v >= distance, for a positive step.
int64_t first_at_least(Wide distance, Wide step) {
  Wide quotient = distance / step;
  if (quotient * step < distance) ++quotient;
  return capped(quotient);
}

}  // namespace

LiftedNumbers::LiftedNumbers(const Task& task)
    : values_(task.initial_values()), readers_(task.num_numbers()) {
  for (const ComparisonPredicate& compared : task.comparisons) {
    const PredicateId predicate = compared.predicate;
    const auto& sum = compared.comparison.sum;
    task.for_each_instance(sum, task.arity(predicate), [&](const std::vector<int32_t>& objects) {
      add(predicate, objects, compared.comparison.order, *task.ground_sum(sum, objects.data()));
    });
  }
  for (Readers& readers : readers_) {
    std::ranges::stable_sort(readers.breakpoints, {}, &Breakpoint::value);
  }
}

void LiftedNumbers::add(PredicateId predicate, const std::vector<int32_t>& objects, Order order,
                        GroundSum sum) {
  code_.assign(1, number_of(predicate));
  code_.insert(code_.end(), objects.begin(), objects.end());
  const auto inserted = atoms_.insert(code_);
  if (!inserted.second) return;
  const auto atom = inserted.first;
  // What cancels out has the coefficient 0.
  if (sum.numbers.size() == 1 && sum.numbers[0].first != 0) {
    const auto coefficient = sum.numbers[0].first;
    const auto number = sum.numbers[0].second;
    auto& breakpoints = readers_[index_of(number)].breakpoints;
    // From where on c * v >= limit holds, or holds no more.
    const auto add_limit = [&](Wide limit) {
      const int64_t value = coefficient > 0
                                ? first_at_least(limit, coefficient)
                                : capped(-Wide{first_at_least(limit, -coefficient)} + 1);
      breakpoints.push_back({value, atom});
    };
    if (order != Order::above) add_limit(-sum.constant);
    if (order != Order::at_least) add_limit(-sum.constant + 1);
  } else {
    for (const auto& [coefficient, number] : sum.numbers) {
      auto& others = readers_[index_of(number)].others;
      if (others.empty() || others.back() != atom) others.push_back(atom);
    }
  }
  orders_.push_back(order);
  sums_.push_back(std::move(sum));
}

size_t LiftedNumbers::bytes() const {
  return atoms_.bytes() + sums_.capacity() * (sizeof(GroundSum) + 2 * sizeof(Breakpoint));
}

}  // namespace pg3
