#include "ground/relaxed_plan.hpp"

#include <algorithm>

namespace pg3 {

namespace {

RelaxationHeuristic::Prices prices_of(const GroundTask& ground, bool use_costs) {
  const bool some_are_free = use_costs && std::ranges::count(ground.costs, 0) > 0;
  return {.use_costs = use_costs, .surcharge = some_are_free, .axiom = 1};
}

}  // namespace

RelaxedPlanHeuristic::RelaxedPlanHeuristic(const GroundTask& ground, bool use_costs)
    : ground_(ground),
      prices_(prices_of(ground, use_costs)),
      additive_(ground, RelaxationHeuristic::Combine::sum, prices_) {
  std::vector<std::vector<AchieverId>> achievers(additive_.num_propositions());
  const auto add = [&](FluentId fluent, int32_t achiever) {
    achievers[index_of(fluent)].push_back(AchieverId{achiever});
  };
  for (int32_t a = 0; a < ground.num_actions(); ++a) {
    for (FluentId fluent : ground.adds[ActionId{a}]) add(fluent, a);
    for (FluentId fluent : ground.deletes[ActionId{a}]) {
      const PropositionId complement = additive_.complement(fluent);
      if (complement != PropositionId::none) {
        achievers[index_of(complement)].push_back(AchieverId{a});
      }
    }
  }
  int32_t number = ground.num_actions();
  for (FluentId head : ground.axiom_heads) add(head, number++);
  for (const auto& list : achievers) achievers_.append(list);
  seen_.assign(additive_.num_propositions(), 0);
  used_.assign(number, 0);
}

template <typename Visit>
void RelaxedPlanHeuristic::for_each_need(AchieverId achiever, Visit visit) const {
  const auto visit_all = [&](std::span<const FluentId> needs, std::span<const FluentId> forbids) {
    for (FluentId fluent : needs) visit(PropositionId{number_of(fluent)});
    for (FluentId fluent : forbids) {
      const PropositionId complement = additive_.complement(fluent);
      if (complement != PropositionId::none) visit(complement);
    }
  };
  if (is_action(achiever)) {
    const ActionId action{number_of(achiever)};
    visit_all(ground_.needs[action], ground_.forbids[action]);
  } else {
    const AxiomId axiom{number_of(achiever) - ground_.num_actions()};
    visit_all(ground_.axiom_needs[axiom], ground_.axiom_forbids[axiom]);
  }
}

// Whether an achiever's price and preconditions come to just this value.
bool RelaxedPlanHeuristic::supports(AchieverId achiever, int32_t value) const {
  int64_t total =
      is_action(achiever) ? prices_.of(ground_, ActionId{number_of(achiever)}) : prices_.axiom;
  for_each_need(achiever, [&](PropositionId need) { total += additive_.value(need); });
  return total == value;
}

void RelaxedPlanHeuristic::open(PropositionId proposition) {
  if (seen_[index_of(proposition)] == evaluation_ || additive_.value(proposition) == 0) return;
  seen_[index_of(proposition)] = evaluation_;
  pending_.push_back(proposition);
}

void RelaxedPlanHeuristic::close(PropositionId proposition, const uint64_t* state) {
  const int32_t value = additive_.value(proposition);
  for (AchieverId achiever : achievers_[proposition]) {
    if (!supports(achiever, value)) continue;
    if (used_[index_of(achiever)] == evaluation_) return;
    used_[index_of(achiever)] = evaluation_;
    for_each_need(achiever, [&](PropositionId need) { open(need); });
    if (!is_action(achiever)) return;
    const ActionId action{number_of(achiever)};
    total_ += prices_.of(ground_, action);
    if (ground_.is_applicable(state, action)) preferred_.push_back(action);
    return;
  }
  // Only a value that was capped has no supporter: it stands for itself.
  total_ += value;
}

int32_t RelaxedPlanHeuristic::operator()(const uint64_t* state, const Goal& goal) {
  preferred_.clear();
  if (additive_(state, goal) == kUnreachable) return kUnreachable;
  if (++evaluation_ == 0) {  // the counter has come round: forget everything once
    std::ranges::fill(seen_, 0);
    std::ranges::fill(used_, 0);
    evaluation_ = 1;
  }
  total_ = 0;
  pending_.clear();
  for (PropositionId proposition : goal.propositions) open(proposition);
  while (!pending_.empty()) {
    const PropositionId proposition = pending_.back();
    pending_.pop_back();
    close(proposition, state);
  }
  std::ranges::sort(preferred_);
  return static_cast<int32_t>(std::min<int64_t>(total_, kUnreachable - 1));
}

size_t RelaxedPlanHeuristic::bytes() const {
  return additive_.bytes() + achievers_.bytes() +
         (seen_.capacity() + used_.capacity()) * sizeof(uint32_t);
}

}  // namespace pg3
