#include "ground/relaxed_plan.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/bit_set.hpp"

namespace pg3 {

namespace {

// As in relaxation_heuristic.cpp: small values have buckets, and sums stop at the cap.
constexpr int32_t kBuckets = 1024;
constexpr int32_t kCap = 1'000'000'000;

}  // namespace

RelaxedPlanHeuristic::RelaxedPlanHeuristic(const GroundTask& ground, bool use_costs)
    : ground_(ground), buckets_(kBuckets) {
  add_complements();
  goal_ = subgoal(ground.goal);
  goal_.impossible = ground.impossible_goals > 0;
  for (FluentId fluent : ground.negative_goal) {
    if (complement(fluent) == PropositionId::none) continue;  // derived
    goal_.propositions.push_back(complement(fluent));
    goal_.is_goal[index_of(complement(fluent))] = true;
  }
  add_achievers(use_costs);
  seen_.assign(reached_.size(), 0);
  used_.assign(initial_.size(), 0);
  done_.assign(ground.num_actions(), 0);
  counted_.assign(ground.num_actions(), 0);
  times_.assign(supports_.size(), 0);
}

// That a derived fluent is to be false is ignored: nothing says what makes it so.
void RelaxedPlanHeuristic::add_complements() {
  complement_.assign(ground_.num_fluents(), PropositionId::none);
  int32_t count = ground_.num_fluents();
  for (const auto* fluents : {&ground_.forbids.flat, &ground_.effect_forbids.flat,
                              &ground_.axiom_forbids.flat, &ground_.negative_goal}) {
    for (FluentId fluent : *fluents) {
      if (complement(fluent) != PropositionId::none || ground_.is_derived(fluent)) continue;
      complement_[index_of(fluent)] = PropositionId{count++};
      complemented_.push_back(fluent);
    }
  }
  reached_.resize(count);
}

void RelaxedPlanHeuristic::add_achievers(bool use_costs) {
  const int32_t surcharge = std::ranges::count(ground_.costs, 0) > 0;
  const auto price_of = [&](ActionId action) {
    return use_costs ? std::min(ground_.cost(action), kCap - 1) + surcharge : 1;
  };
  for (int32_t a = 0; a < ground_.num_actions(); ++a) {
    const ActionId action{a};
    add_achiever(ground_.needs[action], ground_.forbids[action], ground_.adds[action],
                 ground_.deletes[action], action, price_of(action));
  }
  const auto both = [](std::span<const FluentId> one, std::span<const FluentId> other) {
    std::vector<FluentId> all;
    std::ranges::set_union(one, other, std::back_inserter(all));
    return all;
  };
  for (int32_t a = 0; a < static_cast<int32_t>(ground_.effects.size()); ++a) {
    const ActionId action{a};
    for (EffectId effect : ground_.effects[action]) {
      add_achiever(both(ground_.needs[action], ground_.effect_needs[effect]),
                   both(ground_.forbids[action], ground_.effect_forbids[effect]),
                   ground_.effect_adds[effect], ground_.effect_deletes[effect], action,
                   price_of(action));
    }
  }
  for (size_t a = 0; a < ground_.axiom_heads.size(); ++a) {
    const AxiomId axiom{static_cast<int32_t>(a)};
    add_achiever(ground_.axiom_needs[axiom], ground_.axiom_forbids[axiom],
                 {&ground_.axiom_heads[a], 1}, {}, ActionId::none, 0);
  }
  add_number_achievers(price_of);
  std::vector<std::vector<AchieverId>> needing(reached_.size());
  for (int32_t a = 0; a < num_achievers(); ++a) {
    for (PropositionId need : needs(AchieverId{a})) {
      needing[index_of(need)].push_back(AchieverId{a});
    }
  }
  for (const auto& list : needing) needing_.append(list);
}

void RelaxedPlanHeuristic::add_number_achievers(const std::function<int32_t(ActionId)>& price_of) {
  for (const NumberSupport& support : number_supports(ground_)) {
    const FluentId fluent = ground_.comparisons[support.comparison].fluent;
    if (!support.wanted && complement(fluent) == PropositionId::none) continue;
    const std::span<const FluentId> one{&fluent, 1};
    using Fluents = std::span<const FluentId>;
    add_achiever(ground_.needs[support.action], ground_.forbids[support.action],
                 support.wanted ? one : Fluents{}, support.wanted ? Fluents{} : one, support.action,
                 price_of(support.action));
    supports_.push_back(support);
  }
}

void RelaxedPlanHeuristic::add_achiever(std::span<const FluentId> needs,
                                        std::span<const FluentId> forbids,
                                        std::span<const FluentId> adds,
                                        std::span<const FluentId> deletes, ActionId action,
                                        int32_t price) {
  const auto propositions = [&](std::span<const FluentId> positive,
                                std::span<const FluentId> negative) {
    std::vector<PropositionId> found;
    for (FluentId fluent : positive) found.push_back(PropositionId{number_of(fluent)});
    for (FluentId fluent : negative) {
      if (complement(fluent) != PropositionId::none) found.push_back(complement(fluent));
    }
    return found;
  };
  const auto all = propositions(needs, forbids);
  needs_.append(all);
  effects_.append(propositions(adds, deletes));
  if (all.empty()) without_needs_.push_back(AchieverId{num_achievers()});
  initial_.push_back({static_cast<int32_t>(all.size()), price});
  action_.push_back(action);
}

RelaxedPlanHeuristic::Goal RelaxedPlanHeuristic::subgoal(
    const std::vector<FluentId>& fluents) const {
  Goal goal{{}, std::vector<bool>(reached_.size(), false)};
  for (FluentId fluent : fluents) {
    if (goal.is_goal[index_of(fluent)]) continue;
    goal.propositions.push_back(PropositionId{number_of(fluent)});
    goal.is_goal[index_of(fluent)] = true;
  }
  return goal;
}

[[gnu::always_inline]] inline void RelaxedPlanHeuristic::enqueue(PropositionId proposition,
                                                                 int32_t value,
                                                                 AchieverId supporter) {
  Reached& reached = reached_[index_of(proposition)];
  if (value >= reached.value) return;
  reached = {value, supporter};
  if (value < kBuckets) {
    buckets_[value].push_back(proposition);
    highest_ = std::max(highest_, value);
  } else {
    overflow_.push({value, --overflowed_, proposition});
  }
}

[[gnu::always_inline]] inline void RelaxedPlanHeuristic::settle(PropositionId proposition,
                                                                int32_t value, const Goal& goal) {
  if (goal.is_goal[index_of(proposition)]) --goals_left_;
  for (AchieverId achiever : needing_[proposition]) {
    Open& open = open_[index_of(achiever)];
    open.value = std::min(open.value + value, kCap);
    if (--open.missing > 0) continue;
    for (PropositionId effect : effects_[achiever]) enqueue(effect, open.value, achiever);
  }
}

void RelaxedPlanHeuristic::start(const uint64_t* state) {
  std::ranges::fill(reached_, Reached{kUnreachable, AchieverId::none});
  open_ = initial_;
  // What the last evaluation has left.
  for (int32_t value = 0; value <= highest_; ++value) buckets_[value].clear();
  highest_ = -1;
  if (!overflow_.empty()) overflow_ = {};
  for_each<PropositionId>(state, ground_.num_words(), [&](PropositionId proposition) {
    enqueue(proposition, 0, AchieverId::none);
  });
  for (FluentId fluent : complemented_) {
    if (!GroundTask::holds(state, fluent)) enqueue(complement(fluent), 0, AchieverId::none);
  }
  const int32_t first = num_achievers() - static_cast<int32_t>(supports_.size());
  for (size_t i = 0; i < supports_.size(); ++i) {
    times_[i] = supports_[i].times(ground_, ground_.values(state));
    Open& open = open_[first + i];
    const int64_t value = static_cast<int64_t>(open.value) * times_[i];
    open.value = static_cast<int32_t>(std::min<int64_t>(value, kCap));
    // One that does not help is never complete.
    if (times_[i] == 0) open.missing = std::numeric_limits<int32_t>::max();
  }
  for (AchieverId achiever : without_needs_) {
    const auto [missing, value] = open_[index_of(achiever)];
    if (missing > 0) continue;
    for (PropositionId effect : effects_[achiever]) enqueue(effect, value, achiever);
  }
}

// Finds values and supporters, until all goals have theirs; false if one cannot be reached.
bool RelaxedPlanHeuristic::reach_goals(const uint64_t* state, const Goal& goal) {
  if (goal.impossible) return false;
  start(state);
  goals_left_ = goal.propositions.size();
  for (int32_t value = 0; value <= highest_ && goals_left_ > 0; ++value) {
    auto& bucket = buckets_[value];
    while (!bucket.empty() && goals_left_ > 0) {
      const PropositionId proposition = bucket.back();
      bucket.pop_back();
      // A proposition is in one bucket for each value that it had: the last one is right.
      if (reached_[index_of(proposition)].value == value) settle(proposition, value, goal);
    }
  }
  while (!overflow_.empty() && goals_left_ > 0) {
    const auto [value, order, proposition] = overflow_.top();
    overflow_.pop();
    if (reached_[index_of(proposition)].value == value) settle(proposition, value, goal);
  }
  return goals_left_ == 0;
}

void RelaxedPlanHeuristic::open(PropositionId proposition) {
  if (seen_[index_of(proposition)] == evaluation_) return;
  seen_[index_of(proposition)] = evaluation_;
  pending_.push_back(proposition);
}

int32_t RelaxedPlanHeuristic::operator()(const uint64_t* state, const Goal& goal) {
  preferred_.clear();
  if (!reach_goals(state, goal)) return kUnreachable;
  if (++evaluation_ == 0) {  // the counter has come round: forget everything once
    std::ranges::fill(seen_, 0);
    std::ranges::fill(used_, 0);
    std::ranges::fill(done_, 0);
    evaluation_ = 1;
  }
  int64_t total = 0;
  pending_.clear();
  for (PropositionId proposition : goal.propositions) open(proposition);
  while (!pending_.empty()) {
    const AchieverId supporter = reached_[index_of(pending_.back())].supporter;
    pending_.pop_back();
    if (supporter == AchieverId::none || used_[index_of(supporter)] == evaluation_) continue;
    used_[index_of(supporter)] = evaluation_;
    for (PropositionId need : needs_[supporter]) open(need);
    const ActionId action = action_[index_of(supporter)];
    if (action == ActionId::none) continue;
    const int32_t first = num_achievers() - static_cast<int32_t>(supports_.size());
    const int32_t place = number_of(supporter) - first;
    const int32_t times = place < 0 ? 1 : times_[place];
    int32_t& counted = counted_[index_of(action)];
    if (done_[index_of(action)] != evaluation_) {
      done_[index_of(action)] = evaluation_;
      counted = 0;
      if (ground_.is_applicable(state, action)) preferred_.push_back(action);
    }
    total += static_cast<int64_t>(price(supporter)) * std::max(0, times - counted);
    counted = std::max(counted, times);
  }
  std::ranges::sort(preferred_);
  return static_cast<int32_t>(std::min<int64_t>(total, kCap));
}

size_t RelaxedPlanHeuristic::bytes() const {
  return needs_.bytes() + effects_.bytes() + needing_.bytes() +
         2 * initial_.capacity() * sizeof(Open) + reached_.capacity() * sizeof(Reached) +
         (complement_.capacity() + seen_.capacity() + used_.capacity()) * sizeof(int32_t);
}

}  // namespace pg3
