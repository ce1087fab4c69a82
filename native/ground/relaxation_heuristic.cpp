#include "ground/relaxation_heuristic.hpp"

#include <algorithm>
#include <span>

#include "core/bit_set.hpp"

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

// The fluents that somebody wants false, directly or through a derived one.
void RelaxationHeuristic::find_complements() {
  const GroundTask& ground = ground_;
  complement_.assign(static_cast<size_t>(ground.num_fluents()), PropositionId::none);
  num_propositions_ = ground.num_fluents();
  // Where axioms of one group read each other, nothing says what makes a fluent false.
  std::vector<bool> circular(complement_.size(), false);
  std::vector<bool> own(complement_.size(), false);
  std::vector<std::vector<AxiomId>> axioms(ground.axiom_heads.empty() ? 0 : complement_.size());
  int32_t begin = 0;
  for (AxiomId end : ground.group_ends) {
    bool reads_itself = false;
    for (int32_t a = begin; a < number_of(end); ++a) own[index_of(ground.axiom_heads[a])] = true;
    for (int32_t a = begin; a < number_of(end); ++a) {
      axioms[index_of(ground.axiom_heads[a])].push_back(AxiomId{a});
      for (FluentId fluent : ground.axiom_needs[AxiomId{a}]) {
        reads_itself = reads_itself || own[index_of(fluent)];
      }
    }
    for (int32_t a = begin; a < number_of(end); ++a) {
      own[index_of(ground.axiom_heads[a])] = false;
      if (reads_itself) circular[index_of(ground.axiom_heads[a])] = true;
    }
    begin = number_of(end);
  }

  std::vector<FluentId> pending;
  auto want_false = [&](FluentId fluent) {
    if (complement(fluent) != PropositionId::none || circular[index_of(fluent)]) return;
    complement_[index_of(fluent)] = PropositionId{num_propositions_++};
    complemented_.push_back(fluent);
    if (ground.is_derived(fluent)) pending.push_back(fluent);
  };
  for (FluentId fluent : ground.forbids.flat) want_false(fluent);
  for (FluentId fluent : ground.effect_forbids.flat) want_false(fluent);
  for (FluentId fluent : ground.axiom_forbids.flat) want_false(fluent);
  for (FluentId fluent : ground.negative_goal) want_false(fluent);
  while (!pending.empty()) {
    const FluentId fluent = pending.back();
    pending.pop_back();
    reasons_.resize(complement_.size());
    reasons_[index_of(fluent)] = axioms[index_of(fluent)];
    for (AxiomId axiom : axioms[index_of(fluent)]) {
      for (FluentId needed : ground.axiom_needs[axiom]) want_false(needed);
    }
  }
}

// The relaxed actions of a task while they are collected. What the next one needs and adds is put
// together first; `finish` makes an action of it.
struct RelaxationHeuristic::Collection {
  const RelaxationHeuristic& heuristic;
  bool use_costs;
  TupleTable relaxed = {};                            // (cost, sorted preconditions)
  std::vector<std::vector<PropositionId>> adds = {};  // by relaxed action
  std::vector<PropositionId> conditions = {}, effects = {};
  std::vector<int32_t> key = {};

  int32_t cost(ActionId action) const {
    return use_costs ? std::min(heuristic.ground_.cost(action), kCap) : 1;
  }

  void start() {
    conditions.clear();
    effects.clear();
  }

  void add_effects(std::span<const FluentId> fluents) {
    for (FluentId fluent : fluents) effects.push_back(proposition_of(fluent));
  }

  void add_deletes(std::span<const FluentId> fluents) {
    for (FluentId fluent : fluents) {
      const PropositionId complement = heuristic.complement(fluent);
      if (complement != PropositionId::none) effects.push_back(complement);
    }
  }

  void add_conditions(std::span<const FluentId> needs, std::span<const FluentId> forbids) {
    for (FluentId fluent : needs) conditions.push_back(proposition_of(fluent));
    for (FluentId fluent : forbids) {
      const PropositionId complement = heuristic.complement(fluent);
      if (complement != PropositionId::none) conditions.push_back(complement);
    }
  }

  void finish(int32_t cost) {
    std::sort(conditions.begin(), conditions.end());
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    std::erase_if(effects, [&](PropositionId proposition) {
      return std::binary_search(conditions.begin(), conditions.end(), proposition);
    });
    if (effects.empty()) return;
    key.assign(1, cost);
    for (PropositionId proposition : conditions) key.push_back(number_of(proposition));
    const auto [number, is_new] = relaxed.insert(key);
    if (is_new) adds.emplace_back();
    adds[number].insert(adds[number].end(), effects.begin(), effects.end());
  }

  void collect_actions() {
    const GroundTask& ground = heuristic.ground_;
    for (int32_t a = 0; a < ground.num_actions(); ++a) {
      const ActionId action{a};
      start();
      add_effects(ground.adds[action]);
      add_deletes(ground.deletes[action]);
      add_conditions(ground.needs[action], ground.forbids[action]);
      finish(cost(action));
      if (ground.effects.flat.empty()) continue;
      for (EffectId effect : ground.effects[action]) {
        start();
        add_effects(ground.effect_adds[effect]);
        add_deletes(ground.effect_deletes[effect]);
        add_conditions(ground.needs[action], ground.forbids[action]);
        add_conditions(ground.effect_needs[effect], ground.effect_forbids[effect]);
        finish(cost(action));
      }
    }
  }

  void collect_axioms() {
    const GroundTask& ground = heuristic.ground_;
    for (size_t a = 0; a < ground.axiom_heads.size(); ++a) {
      const AxiomId axiom{static_cast<int32_t>(a)};
      start();
      add_effects({&ground.axiom_heads[a], 1});
      add_conditions(ground.axiom_needs[axiom], ground.axiom_forbids[axiom]);
      finish(0);
    }
  }

  // What makes a derived fluent false: each of its axioms fails. That an axiom fails is a
  // proposition of its own. Returns how many propositions there are in all.
  int32_t collect_failures() {
    const GroundTask& ground = heuristic.ground_;
    int32_t failed = heuristic.num_propositions_;
    for (size_t f = 0; f < heuristic.reasons_.size(); ++f) {
      const PropositionId complement = heuristic.complement_[f];
      if (complement == PropositionId::none || heuristic.reasons_[f].empty()) continue;
      const int32_t first = failed;
      for (AxiomId axiom : heuristic.reasons_[f]) {
        const PropositionId failure{failed++};
        for (FluentId fluent : ground.axiom_needs[axiom]) {
          start();
          // What is false in a circle counts as false at no cost.
          add_conditions({}, {&fluent, 1});
          effects.push_back(failure);
          finish(0);
        }
        for (FluentId fluent : ground.axiom_forbids[axiom]) {
          start();
          add_conditions({&fluent, 1}, {});
          effects.push_back(failure);
          finish(0);
        }
      }
      start();
      for (int32_t i = first; i < failed; ++i) conditions.push_back(PropositionId{i});
      effects.push_back(complement);
      finish(0);
    }
    return failed;
  }
};

RelaxationHeuristic::RelaxationHeuristic(const GroundTask& ground, Combine combine, bool use_costs)
    : ground_(ground), combine_(combine), buckets_(kBuckets) {
  find_complements();
  Collection all{*this, use_costs};
  all.collect_actions();
  all.collect_axioms();
  value_.resize(static_cast<size_t>(all.collect_failures()));
  goal_ = subgoal(ground.goal);
  goal_.impossible = ground.impossible_goals > 0;
  for (FluentId fluent : ground.negative_goal) {
    if (complement(fluent) == PropositionId::none) continue;
    goal_.propositions.push_back(complement(fluent));
    goal_.is_goal[index_of(complement(fluent))] = true;
  }

  std::vector<std::vector<RelaxedId>> needed_by(value_.size());
  for (int32_t r = 0; r < all.relaxed.size(); ++r) {
    const Tuple code = all.relaxed[r];
    auto& adds = all.adds[r];
    std::sort(adds.begin(), adds.end());
    adds.erase(std::unique(adds.begin(), adds.end()), adds.end());
    adds_.append(adds);
    initial_.push_back({static_cast<int32_t>(code.size()) - 1, code[0]});
    if (code.size() == 1) without_needs_.push_back(RelaxedId{r});
    for (int32_t proposition : code.subspan(1)) needed_by[proposition].push_back(RelaxedId{r});
  }
  for (const NumberSupport& support : number_supports(ground)) {
    const FluentId fluent = ground.comparisons[support.comparison].fluent;
    const PropositionId reached = support.wanted ? proposition_of(fluent) : complement(fluent);
    if (reached == PropositionId::none) continue;
    all.start();
    all.add_conditions(ground.needs[support.action], ground.forbids[support.action]);
    const RelaxedId number{static_cast<int32_t>(initial_.size())};
    number_actions_.push_back({support, number, all.cost(support.action)});
    adds_.append({reached});
    initial_.push_back({static_cast<int32_t>(all.conditions.size()), all.cost(support.action)});
    for (PropositionId needed : all.conditions) needed_by[index_of(needed)].push_back(number);
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

// What the actions for numbers cost in a state. One that does not help there is never complete.
void RelaxationHeuristic::price_numbers(const uint64_t* state) {
  for (const auto& [support, relaxed, cost] : number_actions_) {
    const int32_t times = support.times(ground_, ground_.values(state));
    Open& open = open_[index_of(relaxed)];
    const int64_t price = static_cast<int64_t>(cost) * (combine_ == Combine::max ? 1 : times);
    open.value = static_cast<int32_t>(std::min<int64_t>(price, kCap));
    if (times == 0) {
      open.missing = std::numeric_limits<int32_t>::max();
    } else if (open.missing == 0) {
      trigger(relaxed, open.value);
    }
  }
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

  for_each<PropositionId>(state, ground_.num_words(),
                          [&](PropositionId proposition) { enqueue(proposition, 0); });
  for (FluentId fluent : complemented_) {
    if (!GroundTask::holds(state, fluent)) enqueue(complement(fluent), 0);
  }
  for (RelaxedId action : without_needs_) trigger(action, initial_[index_of(action)].value);
  price_numbers(state);

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
