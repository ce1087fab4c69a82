#include "lifted_policy.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// Building an index takes as long as trying about a quarter as many candidates as there are atoms;
// in a small problem it is not worth a thought before this many.
constexpr int64_t kSmallWaste = 2048;
constexpr int64_t kAtomsACandidate = 4;

// No view is kept that changes in more places than this when one atom does.
constexpr double kMostTouched = 64;

}  // namespace

LiftedPolicy::LiftedPolicy(const std::vector<std::shared_ptr<const Rule>>& rules,
                           ViewedState& state)
    : rules_(rules), state_(state), preparations_(rules.size()) {
  queries_.reserve(rules.size());
  for (const auto& rule : rules) queries_.emplace_back(*rule, state, Preparation());
  for (const auto& query : queries_) query.use();
  state.drop_unused();
}

void LiftedPolicy::adapt() {
  const int64_t worth_while =
      std::max<int64_t>(kSmallWaste, state_.state().num_atoms() / kAtomsACandidate);
  std::vector<size_t> changed;
  for (size_t r = 0; r < queries_.size(); ++r) {
    auto& [level, most, two_orders] = preparations_[r];
    if (queries_[r].is_costly()) {
      level = level == Level::joined ? Level::filtered : Level::plain;
      most = kFew;
      two_orders = true;
    } else if (!two_orders && queries_[r].waste() > worth_while) {
      // A view may cost a step as much as it saves.
      level = Level::joined;
      most = std::clamp<double>(queries_[r].waste() / static_cast<double>(calls_), kFew,
                                kMostTouched);
      two_orders = true;
    } else if (!queries_[r].has_outgrown()) {
      continue;
    }
    changed.push_back(r);
  }
  if (changed.empty()) return;
  // What is needed as before stays, and is not built again.
  state_.forget_uses();
  for (size_t r : changed) queries_[r] = LiftedQuery(*rules_[r], state_, preparations_[r]);
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
