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

// Compiled rules kept a space, a kilobyte or two each: so many, and as many that were used before
// them. A search over policies meets new ones all the time and comes back to few of the old ones.
constexpr size_t kMostQueries = 1024;

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
      words_(std::max(1, (ground_->num_fluents() + 63) / 64)),
      table_(1024, -1),
      scratch_(words_),
      index_(*ground_),
      relations_(ground_, rules_),
      results_(kFirstResultSlots) {
  effort_ =
      64 + words_ + static_cast<uint64_t>(ground_->num_actions()) + ground_->axiom_heads.size();
  initial_ = intern(ground_->initial);
}

std::unique_lock<std::timed_mutex> StateSpace::lock(Watch& watch) {
  std::unique_lock lock(mutex, std::try_to_lock);
  // Until a time of the system's clock: the thread sanitizer does not see the other way to wait.
  while (!lock && !lock.try_lock_until(std::chrono::system_clock::now() + kWait)) {
    if (watch.must_stop(1)) throw Stopped(watch.status());
  }
  return lock;
}

int32_t StateSpace::intern(const std::vector<int32_t>& fluents) {
  std::fill(scratch_.begin(), scratch_.end(), 0);
  for (int32_t fluent : fluents) scratch_[fluent >> 6] |= uint64_t{1} << (fluent & 63);
  ground_->derive(scratch_.data());
  return intern(scratch_.data());
}

int32_t StateSpace::intern(const uint64_t* words) {
  const size_t mask = table_.size() - 1;
  size_t i = hash_words(words, words_) & mask;
  for (; table_[i] >= 0; i = (i + 1) & mask) {
    if (std::memcmp(state(table_[i]), words, words_ * sizeof(uint64_t)) == 0) return table_[i];
  }
  // The number is published last: whoever runs out of memory here leaves no state without words.
  const int32_t number = num_states();
  make_room(successor_ranges_, 1);
  states_.truncate(static_cast<size_t>(number) * words_);
  states_.append(words, words_);
  is_goal_.resize(number);
  successor_ranges_.resize(number);
  is_goal_.push_back(ground_->is_goal(words));
  successor_ranges_.emplace_back();
  table_[i] = number;
  assert(states_.size() == static_cast<size_t>(number + 1) * words_);
  assert(is_goal_.size() == successor_ranges_.size());
  num_states_.store(number + 1, std::memory_order_relaxed);
  if (2 * static_cast<size_t>(number + 1) > table_.size()) grow_table();
  return number;
}

void StateSpace::grow_table() {
  std::vector<int32_t> table(2 * table_.size(), -1);
  const size_t mask = table.size() - 1;
  for (int32_t number = 0; number < num_states(); ++number) {
    size_t i = hash_words(state(number), words_) & mask;
    while (table[i] >= 0) i = (i + 1) & mask;
    table[i] = number;
  }
  table_.swap(table);
}

uint64_t StateSpace::hash(int32_t number) const {
  return hash_words(state(number), words_);
}

int32_t StateSpace::open_goals(int32_t number) const {
  const uint64_t* words = state(number);
  int32_t open = ground_->impossible_goals;
  for (int32_t fluent : ground_->goal) open += !GroundTask::holds(words, fluent);
  for (int32_t fluent : ground_->negative_goal) open += GroundTask::holds(words, fluent);
  return open;
}

int32_t StateSpace::apply(int32_t number, int32_t action) {
  std::copy_n(state(number), words_, scratch_.begin());
  ground_->apply(scratch_.data(), action);
  return intern(scratch_.data());
}

std::span<const Successor> StateSpace::successors(int32_t number) {
  if (successor_ranges_[number].count < 0) {
    const Limits none;
    Watch unlimited(none);
    Watch& watch = watch_ ? *watch_ : unlimited;
    if (!generate_successors(number, watch, std::numeric_limits<size_t>::max())) {
      throw Stopped(watch.status());
    }
  }
  const Range range = successor_ranges_[number];
  return {successors_.data() + range.begin, static_cast<size_t>(range.count)};
}

bool StateSpace::generate_successors(int32_t number, Watch& watch, size_t max_bytes) {
  if (successor_ranges_[number].count >= 0) return true;
  index_.find_applicable(*ground_, state(number), found_);
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
    const int32_t state = apply(number, found_[i]);
    successors_.push_back({found_[i], state});
  }
  successor_ranges_[number] = {static_cast<uint32_t>(begin), static_cast<int32_t>(found_.size())};
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

int32_t StateSpace::heuristic(int32_t number, HeuristicKind kind, bool use_costs) {
  if (kind == HeuristicKind::blind) return 0;
  auto& values = table(kind, use_costs).values;
  if (static_cast<size_t>(number) >= values.size()) {
    make_room(values, num_states() - values.size());
    values.resize(num_states(), kUnknown);
  }
  if (values[number] == kUnknown) {
    RelaxationHeuristic& heuristic = evaluator(kind, use_costs);
    values[number] = heuristic(state(number), heuristic.task_goal());
  }
  return values[number];
}

RuleQuery& StateSpace::query(int32_t rule) {
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

std::optional<std::vector<int32_t>> StateSpace::rule_match(int32_t rule, int32_t number) {
  RuleQuery& compiled = query(rule);
  relations_.show(number, state(number));
  std::vector<int32_t> binding(compiled.num_parameters());
  if (!compiled.first(relations_, binding.data(), watch_)) return std::nullopt;
  return binding;
}

std::vector<int32_t> StateSpace::derived(int32_t relation, int32_t number) {
  const int32_t place = relations_.number_of({Condition::Kind::derived, true, relation, {}});
  relations_.use(place, watch_);
  relations_.show(number, state(number));
  relations_.derive(place, watch_);
  return relations_[place].tuples;
}

int32_t StateSpace::rule_result(int32_t rule, int32_t number) {
  if (const RuleResult& kept = result_slot(rule, number);
      kept.rule == rule && kept.state == number) {
    return kept.action;
  }

  if (watch_) watch_->spend(kQuestion);
  RuleQuery& compiled = query(rule);
  relations_.show(number, state(number));
  binding_.resize(std::max(binding_.size(), compiled.num_parameters()));
  int32_t result = kNoMatch;
  if (compiled.first(relations_, binding_.data(), watch_)) {
    const Rule& source = *rules_->get(rule);
    code_.assign(1, source.action);
    for (Term term : source.arguments) code_.push_back(value_of(term, binding_.data()));
    result = ground_->actions.find(code_);
    if (result < 0) result = kNoSuchAction;
  }
  if (++results_computed_ > results_.size() && results_.size() < kMostResultSlots) {
    std::vector<RuleResult> old(4 * results_.size());
    old.swap(results_);
    for (const RuleResult& kept : old) {
      if (kept.rule >= 0) result_slot(kept.rule, kept.state) = kept;
    }
  }
  result_slot(rule, number) = {rule, number, result};
  return result;
}

StateSpace::RuleResult& StateSpace::result_slot(int32_t rule, int32_t number) {
  const uint64_t key = (static_cast<uint64_t>(rule) << 32) | static_cast<uint32_t>(number);
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
                 table_.capacity() * sizeof(int32_t) + successors_.capacity() * sizeof(Successor) +
                 successor_ranges_.capacity() * sizeof(Range) +
                 results_.capacity() * sizeof(RuleResult) + index_.bytes();
  for (const auto& by_cost : values_) {
    for (const ValueTable& values : by_cost) {
      total += values.values.capacity() * sizeof(int32_t);
      if (values.heuristic) total += values.heuristic->bytes();
    }
  }
  return total;
}

}  // namespace pg3
