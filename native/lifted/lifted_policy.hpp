// A decision list over a lifted state that changes: which rule applies first, and to which objects.
//
// A rule falls into *parts* that have no variable in common. Each is answered alone, as the first
// tuple of the whole is made of the first tuples of the parts, in whatever way their variables are
// mixed. Rules with the same part ask once.
//
// How a part is best answered depends on the problem and on how far its solution has come, so it is
// not decided once and for all. Every part begins with what costs next to nothing to keep. One that
// has wasted as much time as an index takes to build gets further searches, and views if it goes on
// wasting it (Level::joined). A view that turns out to cost more than it may is given up for good.
// All of this changes how long an answer takes, never the answer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/limits.hpp"
#include "core/rule.hpp"
#include "lifted/lifted_query.hpp"
#include "lifted/view.hpp"

namespace pg3 {

class LiftedPolicy {
 public:
  // The state must outlive it.
  LiftedPolicy(const std::vector<std::shared_ptr<const Rule>>& rules, ViewedState& state);

  // Finds the first rule that applies and its first tuple of objects.
  LiftedQuery::Answer first(Watch& watch);
  size_t rule() const { return rule_; }
  const std::vector<int32_t>& binding() const { return binding_; }

 private:
  // What is prepared for a part, and what is known about it.
  struct Part {
    Pattern pattern;
    LiftedQuery query;
    Preparation preparation;
    int64_t patience;      // the waste at which it is thought over again
    int64_t since = 0;     // the call from which on its query counts waste
    bool settled = false;  // better was tried and cost too much
    int64_t asked = 0;     // the last call in which it was asked, and what it said
    LiftedQuery::Answer answer = LiftedQuery::Answer::none;
  };
  // A part in a rule: the rule's variables for the part's.
  struct Use {
    size_t part;
    std::vector<VariableId> variables;
  };
  struct Uses {
    size_t num_variables;
    std::vector<Use> parts;
  };

  size_t part_of(const Pattern& pattern, const Preparation& cheap);
  LiftedQuery::Answer ask(Part& part, Watch& watch);
  bool reconsider(Part& part) const;
  void adapt();
  void prepare(const std::vector<size_t>& parts);

  ViewedState& state_;
  std::vector<Part> parts_;
  std::vector<Uses> rules_;
  std::vector<size_t> asked_;  // the parts asked in the last call
  int64_t calls_ = 0;
  size_t rule_ = 0;
  std::vector<int32_t> binding_;
};

}  // namespace pg3
