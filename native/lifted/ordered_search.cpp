#include "lifted/ordered_search.hpp"

#include <numeric>

namespace pg3 {

namespace {

std::vector<int32_t> first_variables(size_t number) {
  std::vector<int32_t> variables(number);
  std::iota(variables.begin(), variables.end(), 0);
  return variables;
}

}  // namespace

OrderedSearch::OrderedSearch(const LiftedState& state, const Conjunction& conjunction)
    : num_variables_(conjunction.num_variables()),
      walk_(state, conjunction, first_variables(num_variables_)),
      prefix_(num_variables_),
      witness_(num_variables_) {
  left_.reserve(num_variables_);
  for (size_t d = 0; d < num_variables_; ++d) {
    left_.emplace_back(state, conjunction,
                       greedy_order(conjunction, first_variables(d), state.task().num_objects()),
                       d);
  }
}

void OrderedSearch::use() const {
  walk_.use();
  for (const Join& join : left_) join.use();
}

void OrderedSearch::start() {
  walk_.start();
  depth_ = 0;
  from_ = 0;
  ask(0);
}

void OrderedSearch::ask(size_t depth) {
  asked_ = depth;
  asking_ = true;
  left_[depth].start(prefix_.data());
}

Join::Outcome OrderedSearch::advance(int64_t& budget) {
  while (depth_ < num_variables_) {
    if (asking_) {
      const Join::Outcome outcome = left_[asked_].advance(budget);
      if (outcome == Join::Outcome::out_of_budget) return outcome;
      asking_ = false;
      if (outcome == Join::Outcome::answer) {
        witness_ = left_[asked_].binding();
        depth_ = asked_;
        if (asked_ > 0) from_ = 0;
      } else if (asked_ == 0) {
        return outcome;
      }
      continue;
    }
    if (budget <= 0) return Join::Outcome::out_of_budget;
    --budget;
    // There is one: the witness's at the latest.
    const int32_t object = walk_.next(depth_, from_);
    from_ = object + 1;
    if (!walk_.descend(depth_, object)) continue;
    prefix_[depth_] = object;
    if (object == witness_[depth_] || depth_ + 1 == num_variables_) {
      witness_[depth_++] = object;
      from_ = 0;
    } else {
      ask(depth_ + 1);
    }
  }
  return Join::Outcome::answer;
}

}  // namespace pg3
