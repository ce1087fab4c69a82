#include "ground/state_space.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace pg3 {

namespace {

constexpr int32_t kUnknown = -1;

// Rule results kept a space, at first and at most: 3 MB are enough that a search over thousands of
// candidates mostly hits, but most spaces of a learner see only a few policies.
constexpr size_t kFirstResultSlots = size_t{1} << 8;
constexpr size_t kMostResultSlots = size_t{1} << 18;

// Compiled rules kept a space, about a kilobyte each: so many, and as many that were used before
// them, which is room for the largest policies. A learner has hundreds of spaces, meets new rules
// all the time and comes back to few of the old ones.
constexpr size_t kMostQueries = 256;

// What asking a rule takes at least, in the units of a watch.
constexpr uint64_t kQuestion = 256;

// How often whoever waits for a space asks whether to go on.
constexpr std::chrono::milliseconds kWait{20};

// Room for so many more elements. Spaces are most of a learner's memory, so they grow by a quarter
// where vectors would double.
template <typename T>
void make_room(std::vector<T>& vector, size_t more) {
  const size_t needed = vector.size() + more;
  if (needed > vector.capacity()) vector.reserve(needed + needed / 4);
}

uint64_t hash_words(const uint64_t* words, size_t count) {
  uint64_t h = 0x9E3779B97F4A7C15ull;
  for (size_t i = 0; i < count; ++i) {
    h ^= words[i];
    h *= 0xFF51AFD7ED558CCDull;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

StateSpace::StateSpace(std::shared_ptr<const GroundTask> ground, std::shared_ptr<RuleTable> rules)
    : ground_(std::move(ground)),
      rules_(std::move(rules)),
      words_(std::max<size_t>(1, ground_->state_words())),
      table_(1024, StateId::none),
      scratch_(words_),
      index_(*ground_),
      relations_(ground_, rules_),
      results_(kFirstResultSlots) {
  effort_ =
      64 + words_ + static_cast<uint64_t>(ground_->num_actions()) + ground_->axiom_heads.size();
  initial_ = intern(ground_->initial, ground_->task->initial_values());
}

std::unique_lock<std::timed_mutex> StateSpace::lock(Watch& watch) {
  std::unique_lock lock(mutex, std::try_to_lock);
  // Until a time of the system's clock: the thread sanitizer does not see the other way to wait.
  while (!lock && !lock.try_lock_until(std::chrono::system_clock::now() + kWait)) {
    if (watch.must_stop(1)) throw Stopped(watch.status());
  }
  return lock;
}

StateId StateSpace::intern(const std::vector<FluentId>& fluents,
                           const std::vector<int64_t>& values) {
  assert(values.size() == ground_->task->num_numbers());
  std::fill(scratch_.begin(), scratch_.end(), 0);
  for (FluentId fluent : fluents) GroundTask::add(scratch_.data(), fluent);
  std::ranges::copy(values, ground_->values(scratch_.data()));
  ground_->compare(scratch_.data());
  ground_->derive(scratch_.data());
  return intern(scratch_.data());
}

StateId StateSpace::intern(const uint64_t* new_words) {
  const size_t mask = table_.size() - 1;
  size_t i = hash_words(new_words, words_) & mask;
  for (; table_[i] != StateId::none; i = (i + 1) & mask) {
    if (std::memcmp(words(table_[i]), new_words, words_ * sizeof(uint64_t)) == 0) return table_[i];
  }
  // The number is published last: whoever runs out of memory here leaves no state without words.
  const int32_t number = num_states();
  make_room(successor_ranges_, 1);
  states_.truncate(static_cast<size_t>(number) * words_);
  states_.append(new_words, words_);
  is_goal_.resize(number);
  successor_ranges_.resize(number);
  is_goal_.push_back(ground_->is_goal(new_words));
  successor_ranges_.emplace_back();
  table_[i] = StateId{number};
  assert(states_.size() == static_cast<size_t>(number + 1) * words_);
  assert(is_goal_.size() == successor_ranges_.size());
  num_states_.store(number + 1, std::memory_order_relaxed);
  if (2 * static_cast<size_t>(number + 1) > table_.size()) grow_table();
  return StateId{number};
}

void StateSpace::grow_table() {
  std::vector<StateId> table(2 * table_.size(), StateId::none);
  const size_t mask = table.size() - 1;
  for (int32_t number = 0; number < num_states(); ++number) {
    const StateId state{number};
    size_t i = hash(state) & mask;
    while (table[i] != StateId::none) i = (i + 1) & mask;
    table[i] = state;
  }
  table_.swap(table);
}

uint64_t StateSpace::hash(StateId state) const {
  return hash_words(words(state), words_);
}

int32_t StateSpace::open_goals(StateId state) const {
  int32_t open = ground_->impossible_goals;
  for (FluentId fluent : ground_->goal) open += !GroundTask::holds(words(state), fluent);
  for (FluentId fluent : ground_->negative_goal) open += GroundTask::holds(words(state), fluent);
  return open;
}

StateId StateSpace::apply(StateId state, ActionId action) {
  std::copy_n(words(state), words_, scratch_.begin());
  ground_->apply(scratch_.data(), action);
  return intern(scratch_.data());
}

std::span<const Successor> StateSpace::successors(StateId state) {
  if (successor_ranges_[index_of(state)].count < 0) {
    const Limits none;
    Watch unlimited(none);
    Watch& watch = watch_ ? *watch_ : unlimited;
    if (!generate_successors(state, watch, std::numeric_limits<size_t>::max())) {
      throw Stopped(watch.status());
    }
  }
  const Range range = successor_ranges_[index_of(state)];
  return {successors_.data() + range.begin, static_cast<size_t>(range.count)};
}

bool StateSpace::generate_successors(StateId state, Watch& watch, size_t max_bytes) {
  if (successor_ranges_[index_of(state)].count >= 0) return true;
  index_.find_applicable(*ground_, words(state), found_);
  const size_t begin = successors_.size();
  // Ranges are kept small; so many successors would take 32 GB.
  if (begin + found_.size() > std::numeric_limits<uint32_t>::max()) throw std::bad_alloc();
  successors_.make_room(found_.size());
  const uint64_t work = 64 + words_ + ground_->axiom_heads.size();
  for (size_t i = 0; i < found_.size(); ++i) {
    if (watch.must_stop_after(work) || (i % 1024 == 1023 && bytes() > max_bytes)) {
      successors_.truncate(begin);
      return false;
    }
    const StateId next = apply(state, found_[i]);
    successors_.push_back({found_[i], next});
  }
  successor_ranges_[index_of(state)] = {static_cast<uint32_t>(begin),
                                        static_cast<int32_t>(found_.size())};
  return true;
}

RelaxationHeuristic& StateSpace::evaluator(HeuristicKind kind, bool use_costs) {
  auto& heuristic = table(kind, use_costs).heuristic;
  if (!heuristic) {
    const auto combine = kind == HeuristicKind::add ? RelaxationHeuristic::Combine::sum
                                                    : RelaxationHeuristic::Combine::max;
    heuristic = std::make_unique<RelaxationHeuristic>(*ground_, combine, use_costs);
  }
  return *heuristic;
}

RelaxationHeuristic& StateSpace::additive() {
  return evaluator(HeuristicKind::add, false);
}

RelaxedPlanHeuristic& StateSpace::relaxed_plans(bool use_costs) {
  auto& heuristic = relaxed_plans_[use_costs];
  if (!heuristic) heuristic = std::make_unique<RelaxedPlanHeuristic>(*ground_, use_costs);
  return *heuristic;
}

int32_t StateSpace::heuristic(StateId state, HeuristicKind kind, bool use_costs) {
  if (kind == HeuristicKind::blind) return 0;
  auto& values = table(kind, use_costs).values;
  if (index_of(state) >= values.size()) {
    make_room(values, num_states() - values.size());
    values.resize(num_states(), kUnknown);
  }
  int32_t& value = values[index_of(state)];
  if (value == kUnknown) {
    RelaxationHeuristic& heuristic = evaluator(kind, use_costs);
    value = heuristic(words(state), heuristic.task_goal());
  }
  return value;
}

RuleQuery& StateSpace::query(RuleId rule) {
  const auto known = queries_.find(rule);
  if (known != queries_.end()) return known->second;
  const std::shared_ptr<const Rule> source = rules_->get(rule);  // throws if there is none
  if (queries_.size() >= kMostQueries) {
    old_queries_ = std::move(queries_);
    queries_ = {};
  }
  if (auto kept = old_queries_.extract(rule)) {
    return queries_.insert(std::move(kept)).position->second;
  }
  return queries_.try_emplace(rule, *source, relations_, *rules_, watch_).first->second;
}

std::optional<std::vector<int32_t>> StateSpace::rule_match(RuleId rule, StateId state) {
  RuleQuery& compiled = query(rule);
  relations_.show(state, words(state));
  std::vector<int32_t> binding(compiled.num_parameters());
  if (!compiled.first(relations_, binding.data(), watch_)) return std::nullopt;
  return binding;
}

std::vector<int32_t> StateSpace::derived(RelationId relation, StateId state) {
  rules_->relation(relation);  // throws if there is none
  const StateRelations::Slot slot = relations_.slot_of(relation);
  relations_.use(slot, watch_);
  relations_.show(state, words(state));
  relations_.derive(slot, watch_);
  return relations_[slot].tuples;
}

ActionId StateSpace::rule_result(RuleId rule, StateId state) {
  if (const RuleResult& kept = result_slot(rule, state); kept.rule == rule && kept.state == state) {
    return kept.action;
  }

  if (watch_) watch_->spend(kQuestion);
  RuleQuery& compiled = query(rule);
  relations_.show(state, words(state));
  binding_.resize(std::max(binding_.size(), compiled.num_parameters()));
  ActionId result = ActionId::none;
  if (compiled.first(relations_, binding_.data(), watch_)) {
    const Rule& source = *rules_->get(rule);
    const Tuple code = instantiate(source.action, source.arguments, binding_.data(), code_);
    result = ground_->find(GroundAction{code});
    if (result == ActionId::none) result = ActionId::unreachable;
  }
  if (++results_computed_ > results_.size() && results_.size() < kMostResultSlots) {
    std::vector<RuleResult> old(4 * results_.size());
    old.swap(results_);
    for (const RuleResult& kept : old) {
      if (kept.rule != RuleId::none) result_slot(kept.rule, kept.state) = kept;
    }
  }
  result_slot(rule, state) = {rule, state, result};
  return result;
}

StateSpace::RuleResult& StateSpace::result_slot(RuleId rule, StateId state) {
  const uint64_t key = (static_cast<uint64_t>(rule) << 32) | static_cast<uint32_t>(state);
  return results_[(key * 0x9E3779B97F4A7C15ull) >> 40 & (results_.size() - 1)];
}

void StateSpace::forget_queries() {
  queries_ = {};
  old_queries_ = {};
}

void StateSpace::forget_results() {
  std::vector<RuleResult>(kFirstResultSlots).swap(results_);
  results_computed_ = 0;
}

size_t StateSpace::bytes() const {
  size_t total = ground_->bytes() + relations_.bytes() + states_.capacity() * sizeof(uint64_t) +
                 table_.capacity() * sizeof(StateId) + successors_.capacity() * sizeof(Successor) +
                 successor_ranges_.capacity() * sizeof(Range) +
                 results_.capacity() * sizeof(RuleResult) + index_.bytes();
  for (const auto& by_cost : values_) {
    for (const ValueTable& values : by_cost) {
      total += values.values.capacity() * sizeof(int32_t);
      if (values.heuristic) total += values.heuristic->bytes();
    }
  }
  for (const auto& heuristic : relaxed_plans_) {
    if (heuristic) total += heuristic->bytes();
  }
  return total;
}

}  // namespace pg3
