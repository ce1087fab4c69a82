#include "ground/relaxation_heuristic.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace pg3 {

namespace {

// Values are small integers, so a bucket queue serves nearly all of them; sums can grow
// exponentially with depth, so what is larger goes to a heap.
constexpr int32_t kBuckets = 1024;

// Costs and sums stop here. Two capped values still fit an int32, and no capped value looks like
// kUnreachable.
constexpr int32_t kCap = 1'000'000'000;
static_assert(2 * static_cast<int64_t>(kCap) < kUnreachable);

RelaxationHeuristic::PropositionId proposition_of(FluentId fluent) {
  return RelaxationHeuristic::PropositionId{number_of(fluent)};
}

}  // namespace

RelaxationHeuristic::RelaxationHeuristic(const GroundTask& ground, Combine combine, bool use_costs)
    : ground_(ground), combine_(combine), buckets_(kBuckets) {
  const int32_t num_fluents = ground.num_fluents();
  complement_.assign(num_fluents, PropositionId::none);
  int32_t num_propositions = num_fluents;
  auto want_false = [&](FluentId fluent) {
    if (complement(fluent) != PropositionId::none || ground.is_derived(fluent)) return;
    complement_[index_of(fluent)] = PropositionId{num_propositions++};
    complemented_.push_back(fluent);
  };
  for (FluentId fluent : ground.forbids.flat) want_false(fluent);
  for (FluentId fluent : ground.axiom_forbids.flat) want_false(fluent);
  for (FluentId fluent : ground.negative_goal) want_false(fluent);

  value_.resize(num_propositions);
  goal_ = subgoal(ground.goal);
  goal_.impossible = ground.impossible_goals > 0;
  for (FluentId fluent : ground.negative_goal) {
    if (ground.is_derived(fluent)) continue;
    goal_.propositions.push_back(complement(fluent));
    goal_.is_goal[index_of(complement(fluent))] = true;
  }

  TupleTable relaxed;  // (cost, sorted preconditions)
  std::vector<std::vector<PropositionId>> adds;
  std::vector<int32_t> key;
  std::vector<PropositionId> conditions, effects;
  auto add_effects = [&](std::span<const FluentId> fluents) {
    for (FluentId fluent : fluents) effects.push_back(proposition_of(fluent));
  };
  auto add_relaxed = [&](std::span<const FluentId> needs, std::span<const FluentId> forbids,
                         int32_t cost) {
    conditions.clear();
    for (FluentId fluent : needs) conditions.push_back(proposition_of(fluent));
    for (FluentId fluent : forbids) {
      if (complement(fluent) != PropositionId::none) conditions.push_back(complement(fluent));
    }
    std::sort(conditions.begin(), conditions.end());
    std::erase_if(effects, [&](PropositionId proposition) {
      return std::binary_search(conditions.begin(), conditions.end(), proposition);
    });
    if (effects.empty()) return;
    key.assign(1, cost);
    for (PropositionId proposition : conditions) key.push_back(number_of(proposition));
    const auto [number, is_new] = relaxed.insert(key);
    if (is_new) adds.emplace_back();
    adds[number].insert(adds[number].end(), effects.begin(), effects.end());
  };
  for (int32_t a = 0; a < ground.num_actions(); ++a) {
    const ActionId action{a};
    effects.clear();
    add_effects(ground.adds[action]);
    for (FluentId fluent : ground.deletes[action]) {
      if (complement(fluent) != PropositionId::none) effects.push_back(complement(fluent));
    }
    add_relaxed(ground.needs[action], ground.forbids[action],
                use_costs ? std::min(ground.cost(action), kCap) : 1);
  }
  for (size_t a = 0; a < ground.axiom_heads.size(); ++a) {
    const AxiomId axiom{static_cast<int32_t>(a)};
    effects.clear();
    add_effects({&ground.axiom_heads[a], 1});
    add_relaxed(ground.axiom_needs[axiom], ground.axiom_forbids[axiom], 0);
  }
  std::vector<std::vector<RelaxedId>> needed_by(num_propositions);
  for (int32_t r = 0; r < relaxed.size(); ++r) {
    const Tuple code = relaxed[r];
    std::sort(adds[r].begin(), adds[r].end());
    adds[r].erase(std::unique(adds[r].begin(), adds[r].end()), adds[r].end());
    adds_.append(adds[r]);
    initial_.push_back({static_cast<int32_t>(code.size()) - 1, code[0]});
    if (code.size() == 1) without_needs_.push_back(RelaxedId{r});
    for (int32_t proposition : code.subspan(1)) needed_by[proposition].push_back(RelaxedId{r});
  }
  for (const auto& list : needed_by) needed_by_.append(list);
}

RelaxationHeuristic::Goal RelaxationHeuristic::subgoal(const std::vector<FluentId>& fluents) const {
  Goal goal{{}, std::vector<bool>(value_.size(), false)};
  for (FluentId fluent : fluents) {
    goal.propositions.push_back(proposition_of(fluent));
    goal.is_goal[index_of(fluent)] = true;
  }
  return goal;
}

// Inlined by force, here and below: GCC 12 would leave some of the calls in the innermost loop, and
// h_add would take 8% longer.
[[gnu::always_inline]] inline void RelaxationHeuristic::enqueue(PropositionId proposition,
                                                                int32_t value) {
  if (value >= value_[index_of(proposition)]) return;
  value_[index_of(proposition)] = value;
  if (value < kBuckets) {
    buckets_[value].push_back(proposition);
    highest_ = std::max(highest_, value);
  } else {
    overflow_.push({value, proposition});
  }
}

[[gnu::always_inline]] inline void RelaxationHeuristic::trigger(RelaxedId action, int32_t value) {
  for (PropositionId proposition : adds_[action]) enqueue(proposition, value);
}

// A popped proposition has its final value: all that comes later costs at least as much.
template <RelaxationHeuristic::Combine combine>
[[gnu::always_inline]] inline void RelaxationHeuristic::settle(const Goal& goal,
                                                               PropositionId proposition,
                                                               int32_t value) {
  if (goal.is_goal[index_of(proposition)]) --goals_left_;
  for (RelaxedId action : needed_by_[proposition]) {
    Open& open = open_[index_of(action)];
    if constexpr (combine == Combine::sum) {
      open.value = std::min(open.value + value, kCap);
      if (--open.missing == 0) trigger(action, open.value);
    } else {
      // The last precondition to be settled is the dearest, and `value` still holds the cost.
      if (--open.missing == 0) trigger(action, std::min(open.value + value, kCap));
    }
  }
}

template <RelaxationHeuristic::Combine combine>
int32_t RelaxationHeuristic::evaluate(const uint64_t* state, const Goal& goal) {
  if (goal.impossible) return kUnreachable;
  std::fill(value_.begin(), value_.end(), kUnreachable);
  open_ = initial_;
  // What the last evaluation has left, which may have run out of memory.
  for (int32_t value = 0; value <= highest_; ++value) buckets_[value].clear();
  highest_ = -1;
  if (!overflow_.empty()) overflow_ = {};
  goals_left_ = goal.propositions.size();

  const size_t words = (complement_.size() + 63) / 64;
  for (size_t w = 0; w < words; ++w) {
    for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
      enqueue(PropositionId{static_cast<int32_t>(64 * w + std::countr_zero(bits))}, 0);
    }
  }
  for (FluentId fluent : complemented_) {
    if (!GroundTask::holds(state, fluent)) enqueue(complement(fluent), 0);
  }
  for (RelaxedId action : without_needs_) trigger(action, initial_[index_of(action)].value);

  for (int32_t value = 0; value <= highest_; ++value) {
    for (size_t i = 0; i < buckets_[value].size() && goals_left_ > 0; ++i) {
      const PropositionId proposition = buckets_[value][i];
      if (value_[index_of(proposition)] == value) settle<combine>(goal, proposition, value);
    }
  }
  while (!overflow_.empty() && goals_left_ > 0) {
    const auto [value, proposition] = overflow_.top();
    overflow_.pop();
    if (value_[index_of(proposition)] == value) settle<combine>(goal, proposition, value);
  }

  if (goals_left_ > 0) return kUnreachable;
  int64_t total = 0;
  for (PropositionId proposition : goal.propositions) {
    const int32_t value = value_[index_of(proposition)];
    if constexpr (combine == Combine::sum) {
      total += value;
    } else {
      total = std::max<int64_t>(total, value);
    }
  }
  return static_cast<int32_t>(std::min<int64_t>(total, kCap));
}

int32_t RelaxationHeuristic::operator()(const uint64_t* state, const Goal& goal) {
  return combine_ == Combine::sum ? evaluate<Combine::sum>(state, goal)
                                  : evaluate<Combine::max>(state, goal);
}

size_t RelaxationHeuristic::bytes() const {
  return needed_by_.bytes() + adds_.bytes() + 2 * initial_.capacity() * sizeof(Open) +
         (complement_.capacity() + value_.capacity()) * sizeof(int32_t);
}

}  // namespace pg3
