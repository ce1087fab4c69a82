#include "ground/lazy_search.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace pg3 {

namespace {

// How many states queues of preferred actions give for free after each progress. LAMA's number.
constexpr int64_t kBoost = 1000;

}  // namespace

SearchResult LazySearch::run(StateSpace& space, std::span<const RuleId> policy,
                             const LazyOptions& options, const Limits& limits) {
  space_ = &space;
  options_ = options;
  relaxed_ = &space.relaxed_plans(options.use_costs);
  if (!options.subgoal.empty()) subgoal_ = relaxed_->subgoal(options.subgoal);
  result_ = {};
  preferred_.clear();
  accepted_.clear();
  entries_ = 0;
  best_.fill(std::numeric_limits<int32_t>::max());
  queues_.clear();
  for (size_t evaluator = 0; evaluator < kEvaluators; ++evaluator) {
    for (const Chosen chosen : {Chosen::all, Chosen::preferred}) {
      queues_.push_back({.evaluator = evaluator, .chosen = chosen});
    }
  }
  if (++current_ == 0) {  // the counter has come round: forget everything once
    nodes_.clear();
    current_ = 1;
  }
  return finish(result_, [&] { return search(policy, limits); });
}

Status LazySearch::search(std::span<const RuleId> policy, const Limits& limits) {
  Watch watch(limits);
  const StateSpace::Guard guard(*space_, watch);
  const StateId start = options_.start == StateId::none ? space_->initial() : options_.start;
  if (options_.bound <= 0) return Status::unsolvable;
  landmarks_ = Landmarks(*relaxed_, space_->words(start), goal(), options_.use_costs, watch);
  node(start) = {.search = current_};
  Status status = visit(start, policy, limits, watch);
  while (status == Status::unsolvable) {  // so far
    Queue* queue = next_queue();
    if (!queue) return Status::unsolvable;
    Step step;
    if (!take(*queue, step)) continue;
    const int64_t g = node(step.parent).g + cost(step.action);
    if (g >= options_.bound) continue;
    if (result_.generated >= limits.generated) return Status::expansion_limit;
    if (watch.must_stop_after(space_->ground().num_words() + 64)) return watch.status();
    ++result_.generated;
    const StateId state = space_->apply(step.parent, step.action);
    Node& reached = node(state);
    const bool is_new = reached.search != current_;
    if (!is_new && (options_.weight == 0 || reached.dead_end || reached.g <= g)) continue;
    if (is_new) reached = {.search = current_};
    reached.parent = step.parent;
    reached.action = step.action;
    reached.from_policy = step.from_policy;
    reached.g = g;
    if (is_new) {
      status = visit(state, policy, limits, watch);
    } else {
      enqueue(state);
    }
  }
  return status;
}

// Evaluates a state that was just reached, and opens it. Unsolvable: there is no plan so far.
Status LazySearch::visit(StateId state, std::span<const RuleId> policy, const Limits& limits,
                         Watch& watch) {
  if (reaches(*space_, state, options_.subgoal)) {
    extract_plan(nodes_, state, space_->ground(), result_);
    return Status::solved;
  }
  if (result_.expansions >= limits.expansions) return Status::expansion_limit;
  if (watch.must_stop(1)) return watch.status();
  if (result_.expansions % 8 == 0) watch.check_bytes(space_->bytes() + bytes());
  if (!evaluate(state, policy)) return Status::unsolvable;
  ++result_.expansions;
  note_progress(node(state));
  enqueue(state);
  return Status::unsolvable;
}

// False if the state is a dead end.
bool LazySearch::evaluate(StateId state, std::span<const RuleId> policy) {
  const int32_t h = (*relaxed_)(space_->words(state), goal());
  Node& here = node(state);
  here.dead_end = h == kUnreachable;
  if (here.dead_end) return false;
  here.values = {h, landmarks_ahead(state)};
  collect_preferred(state, policy);
  return true;
}

void LazySearch::collect_preferred(StateId state, std::span<const RuleId> policy) {
  Node& here = node(state);
  here.preferred_begin = static_cast<uint32_t>(preferred_.size());
  const ActionId answer = policy.empty() ? ActionId::none : space_->policy_action(policy, state);
  here.answered = space_->can_do(state, answer);
  if (here.answered) preferred_.push_back(answer);
  for (ActionId action : relaxed_->preferred()) {
    if (!here.answered || action != answer) preferred_.push_back(action);
  }
  here.preferred_count = static_cast<uint32_t>(preferred_.size()) - here.preferred_begin;
}

// Those that the way to the state has accepted are its parent's, and those that hold in it.
int32_t LazySearch::landmarks_ahead(StateId state) {
  const size_t words = landmarks_.num_words();
  Node& here = node(state);
  here.number = static_cast<uint32_t>(result_.expansions);
  assert(accepted_.size() == here.number * words);
  accepted_.resize(accepted_.size() + words);
  uint64_t* accepted = accepted_.data() + here.number * words;
  if (here.parent != StateId::none) {
    std::copy_n(accepted_.data() + node(here.parent).number * words, words, accepted);
  }
  landmarks_.accept(space_->words(state), accepted);
  return landmarks_.ahead(space_->words(state), accepted);
}

const RelaxedPlanHeuristic::Goal& LazySearch::goal() const {
  return options_.subgoal.empty() ? relaxed_->task_goal() : subgoal_;
}

void LazySearch::note_progress(const Node& node) {
  bool progress = false;
  for (size_t evaluator = 0; evaluator < kEvaluators; ++evaluator) {
    if (node.values[evaluator] >= best_[evaluator]) continue;
    best_[evaluator] = node.values[evaluator];
    progress = true;
  }
  if (!progress) return;
  for (Queue& queue : queues_) {
    if (queue.chosen == Chosen::preferred) queue.priority -= kBoost;
  }
}

void LazySearch::enqueue(StateId state) {
  const Node& here = node(state);
  for (Queue& queue : queues_) {
    if (queue.chosen == Chosen::preferred && here.preferred_count == 0) continue;
    const int64_t h = here.values[queue.evaluator];
    const int64_t key = options_.weight == 0 ? h : here.g + options_.weight * h;
    queue.buckets[key].push_back({state, 0, here.g});
    ++entries_;
  }
}

LazySearch::Queue* LazySearch::next_queue() {
  Queue* next = nullptr;
  for (Queue& queue : queues_) {
    if (!queue.buckets.empty() && (!next || queue.priority < next->priority)) next = &queue;
  }
  return next;
}

// Takes the next successor out of a queue; false if its first entry turns out to have none left.
bool LazySearch::take(Queue& queue, Step& step) {
  const auto bucket = queue.buckets.begin();
  Entry& entry = bucket->second.front();
  const Node& here = node(entry.state);
  bool found = false;
  if (here.g == entry.g) {
    fill_actions(queue, entry.state);
    if (static_cast<size_t>(entry.taken) < queue.actions.size()) {
      const bool first = entry.taken == 0 && queue.chosen == Chosen::preferred;
      step = {entry.state, queue.actions[static_cast<size_t>(entry.taken++)],
              first && here.answered};
      ++queue.priority;
      found = true;
    }
  }
  if (!found || static_cast<size_t>(entry.taken) == queue.actions.size()) {
    bucket->second.pop_front();
    if (bucket->second.empty()) queue.buckets.erase(bucket);
    --entries_;
  }
  return found;
}

void LazySearch::fill_actions(Queue& queue, StateId state) {
  if (queue.state == state) return;
  queue.state = state;
  if (queue.chosen == Chosen::preferred) {
    const auto begin = preferred_.begin() + node(state).preferred_begin;
    queue.actions.assign(begin, begin + node(state).preferred_count);
  } else {
    const auto actions = space_->applicable(state);
    queue.actions.assign(actions.begin(), actions.end());
  }
}

LazySearch::Node& LazySearch::node(StateId state) {
  if (index_of(state) >= nodes_.size()) {
    nodes_.resize(std::max<size_t>(space_->num_states(), nodes_.size() + nodes_.size() / 4));
  }
  return nodes_[index_of(state)];
}

int64_t LazySearch::cost(ActionId action) const {
  return options_.use_costs ? space_->ground().cost(action) : 1;
}

size_t LazySearch::bytes() const {
  return nodes_.capacity() * sizeof(Node) + preferred_.capacity() * sizeof(ActionId) +
         accepted_.capacity() * sizeof(uint64_t) + entries_ * sizeof(Entry);
}

}  // namespace pg3
