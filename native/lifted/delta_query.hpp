// Whether a pattern that had no answer at some time has one now: every answer that it has got since
// has a condition that was made true by one of the changes since, so only those are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "lifted/trigger.hpp"
#include "lifted/view.hpp"

namespace pg3 {

class DeltaQuery {
 public:
  DeltaQuery(const Pattern& pattern, ViewedState& state);

  // Whether it can tell for this pattern: a graph may change for any tuple at once.
  static bool can_tell(const Pattern& pattern, const LiftedState& state);

  void use() const;
  // There was no answer at this position of the log, which reaches back to it.
  void start(int64_t position);
  // As Join::advance(): an answer, any one, or the end if there is none.
  Join::Outcome advance(int64_t& budget);

 private:
  const ViewedState& state_;
  std::vector<Trigger> triggers_;
  std::vector<int32_t> objects_;
  int64_t at_ = 0;
  size_t trigger_ = 0;
  bool searching_ = false;
};

}  // namespace pg3
