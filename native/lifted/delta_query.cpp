#include "lifted/delta_query.hpp"

#include <algorithm>

namespace pg3 {

using Kind = Condition::Kind;

DeltaQuery::DeltaQuery(const Pattern& pattern, ViewedState& state)
    : state_(state), triggers_(triggers_of(pattern, state.state())) {}

bool DeltaQuery::can_tell(const Pattern& pattern, const LiftedState& state) {
  return std::ranges::none_of(pattern.checks, [&](const Condition& check) {
    return check.kind == Kind::derived && state.task().is_fluent(state.edges_of(check.graph()));
  });
}

void DeltaQuery::use() const {
  for (const Trigger& trigger : triggers_) trigger.rest.use();
}

void DeltaQuery::start(int64_t position) {
  at_ = position;
  trigger_ = 0;
  searching_ = false;
}

Join::Outcome DeltaQuery::advance(int64_t& budget) {
  const ChangeLog& log = state_.log();
  for (; at_ < log.end(); ++at_, trigger_ = 0) {
    const Atom atom = log[at_];
    const bool present = state_.state().holds(atom);
    for (; trigger_ < triggers_.size(); ++trigger_) {
      Trigger& trigger = triggers_[trigger_];
      if (!searching_) {
        if (trigger.predicate != atom.predicate()) continue;
        const bool wanted = trigger.only_wanted && state_.state().in_goal(atom);
        if (!trigger.makes(true, present, wanted)) continue;
        --budget;
        if (!trigger.start(atom, objects_)) continue;
      }
      const Join::Outcome outcome = trigger.rest.advance(budget);
      searching_ = outcome == Join::Outcome::out_of_budget;
      if (outcome != Join::Outcome::end) return outcome;
    }
  }
  return Join::Outcome::end;
}

}  // namespace pg3
