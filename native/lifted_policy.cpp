#include "lifted_policy.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// A rule that wastes its time all the same is thought over ever more rarely.
constexpr int64_t kMorePatience = 4;

}  // namespace

LiftedPolicy::LiftedPolicy(const std::vector<std::shared_ptr<const Rule>>& rules,
                           ViewedState& state)
    : rules_(rules), state_(state) {
  const Tuning& tuning = state.tuning();
  const int64_t patience =
      std::max(tuning.patience, state.state().num_atoms() / tuning.atoms_a_candidate);
  const Preparation cheap{Level::filtered, tuning.partners, false};
  queries_.reserve(rules.size());
  for (const auto& rule : rules) {
    queries_.emplace_back(*rule, state, cheap);
    standings_.push_back({cheap, 0, patience, false});
  }
  state.drop_unused();
}

// Whether something else is to be prepared for the rule from now on.
bool LiftedPolicy::reconsider(size_t rule) {
  const LiftedQuery& query = queries_[rule];
  auto& [preparation, since, patience, settled] = standings_[rule];
  auto& [level, most, two_orders] = preparation;
  if (query.is_costly()) {
    level = level == Level::joined ? Level::filtered : Level::plain;
    most = state_.tuning().partners;
    settled = true;
    return true;
  }
  if (query.waste() > patience && !settled) {
    patience *= kMorePatience;
    // A view may cost a step as much as it saves.
    const double saved = static_cast<double>(query.waste()) / static_cast<double>(calls_ - since);
    if (!two_orders || saved > most) {
      level = Level::joined;
      most = std::max(state_.tuning().partners, saved);
      two_orders = true;
      return true;
    }
  }
  return query.has_outgrown();
}

void LiftedPolicy::adapt() {
  std::vector<size_t> changed;
  for (size_t r = 0; r < queries_.size(); ++r) {
    if (reconsider(r)) changed.push_back(r);
  }
  if (changed.empty()) return;
  // What is needed as before stays, and is not built again.
  state_.forget_uses();
  for (size_t r : changed) {
    queries_[r] = LiftedQuery(*rules_[r], state_, standings_[r].preparation);
    standings_[r].since = calls_;
  }
  for (const LiftedQuery& query : queries_) query.use();
  state_.drop_unused();
}

LiftedQuery::Answer LiftedPolicy::first(Watch& watch) {
  ++calls_;
  adapt();
  for (rule_ = 0; rule_ < queries_.size(); ++rule_) {
    const LiftedQuery::Answer answer = queries_[rule_].first(watch);
    if (answer != LiftedQuery::Answer::none) return answer;
  }
  return LiftedQuery::Answer::none;
}

}  // namespace pg3
