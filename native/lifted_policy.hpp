// A decision list over a lifted state that changes: which rule applies first, and to which objects.
//
// How a rule is best answered depends on the problem and on how far its solution has come, so it is
// not decided once and for all. Every rule begins with what costs next to nothing to keep. One that
// has wasted as much time as an index takes to build is prepared for better (Level::joined). A view
// that turns out to cost more than it may is given up for good. All of this changes how long an
// answer takes, never the answer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lifted_query.hpp"
#include "limits.hpp"
#include "rule.hpp"
#include "view.hpp"

namespace pg3 {

class LiftedPolicy {
 public:
  // The rules and the state must outlive it.
  LiftedPolicy(const std::vector<std::shared_ptr<const Rule>>& rules, ViewedState& state);

  // Finds the first rule that applies and its first tuple of objects.
  LiftedQuery::Answer first(Watch& watch);
  size_t rule() const { return rule_; }
  const std::vector<int32_t>& binding() const { return queries_[rule_].binding(); }

 private:
  // What is prepared for a rule, and what is known about it.
  struct Standing {
    Preparation preparation;
    int64_t since;     // the call from which on its query counts waste
    int64_t patience;  // the waste at which it is thought over again
    bool settled;      // better was tried and cost too much
  };
  bool reconsider(size_t rule);
  void adapt();

  const std::vector<std::shared_ptr<const Rule>>& rules_;
  ViewedState& state_;
  std::vector<Standing> standings_;   // by rule
  std::vector<LiftedQuery> queries_;  // by rule
  int64_t calls_ = 0;
  size_t rule_ = 0;
};

}  // namespace pg3
