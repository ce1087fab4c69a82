#include "lifted/ordered_search.hpp"

namespace pg3 {

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
  from_ = ObjectId{0};
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
        if (asked_ > 0) from_ = ObjectId{0};
      } else if (asked_ == 0) {
        return outcome;
      }
      continue;
    }
    if (budget <= 0) return Join::Outcome::out_of_budget;
    --budget;
    // There is one: the witness's at the latest.
    const ObjectId object = walk_.next(depth_, from_);
    from_ = after(object);
    if (!walk_.descend(depth_, object)) continue;
    prefix_[depth_] = number_of(object);
    if (prefix_[depth_] == witness_[depth_] || depth_ + 1 == num_variables_) {
      witness_[depth_++] = number_of(object);
      from_ = ObjectId{0};
    } else {
      ask(depth_ + 1);
    }
  }
  return Join::Outcome::answer;
}

}  // namespace pg3
