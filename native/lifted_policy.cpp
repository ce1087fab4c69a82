#include "lifted_policy.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// Building an index takes as long as trying about a quarter as many candidates as there are atoms;
// in a small problem it is not worth a thought before this many.
constexpr int64_t kSmallWaste = 2048;
constexpr int64_t kAtomsACandidate = 4;
// A rule that wastes its time all the same is thought over ever more rarely.
constexpr int64_t kMorePatience = 4;

}  // namespace

LiftedPolicy::LiftedPolicy(const std::vector<std::shared_ptr<const Rule>>& rules,
                           ViewedState& state)
    : rules_(rules), state_(state), standings_(rules.size()) {
  queries_.reserve(rules.size());
  for (size_t r = 0; r < rules.size(); ++r) {
    queries_.emplace_back(*rules[r], state, standings_[r].preparation);
    standings_[r].patience =
        std::max<int64_t>(kSmallWaste, state.state().num_atoms() / kAtomsACandidate);
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
    most = kFew;
    settled = true;
    return true;
  }
  if (query.waste() > patience && !settled) {
    patience *= kMorePatience;
    // A view may cost a step as much as it saves.
    const double saved = static_cast<double>(query.waste()) / static_cast<double>(calls_ - since);
    if (!two_orders || saved > most) {
      level = Level::joined;
      most = std::max<double>(kFew, saved);
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
