#include "ground/training_set.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace pg3 {

namespace {

// Edges kept in the memo of one problem: 24 MB with their nodes.
constexpr size_t kMemoEdges = 1'000'000;

// How long the caller's thread waits for the others before it asks for signals again.
constexpr auto kWait = std::chrono::milliseconds(50);

// A hash of the questions and answers of a search; never 0.
uint64_t trace_of(const StateSpace& space, std::span<const Question> questions) {
  uint64_t hash = 0x9E3779B97F4A7C15ull;
  for (const auto& [state, answer] : questions) {
    hash = (hash ^ space.hash(state)) * 0xFF51AFD7ED558CCDull;
    hash = (hash ^ (hash >> 32) ^ static_cast<uint32_t>(answer)) * 0xC4CEB9FE1A85EC53ull;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

// A search without rollouts asks nothing: it is known by its policy.
uint64_t trace_of(const Policy& policy) {
  std::vector<int32_t> numbers;
  for (RuleId rule : policy) numbers.push_back(number_of(rule));
  return hash_tuple(numbers) | 1;
}

}  // namespace

void SearchMemo::add(std::span<const Question> questions, const GuidedScore& score) {
  if (edges_.size() + questions.size() > kMemoEdges) return;
  int32_t leaf_of = -1;  // the edge whose node is to be set next; -1: the root
  int32_t node = root_;
  auto link = [&](int32_t number) {
    if (leaf_of < 0) {
      root_ = number;
    } else {
      edges_[leaf_of].node = number;
    }
  };
  for (const auto& [state, answer] : questions) {
    if (node < 0) {
      node = static_cast<int32_t>(nodes_.size());
      nodes_.push_back({state, -1});
      link(node);
    }
    int32_t edge = nodes_[node].first;
    while (edge >= 0 && edges_[edge].answer != answer) edge = edges_[edge].next;
    if (edge < 0) {
      edge = static_cast<int32_t>(edges_.size());
      edges_.push_back({answer, -1, nodes_[node].first});
      nodes_[node].first = edge;
    }
    leaf_of = edge;
    node = edges_[edge].node;
  }
  if (node < 0) {
    scores_.push_back(score);
    nodes_.push_back({StateId::none, static_cast<int32_t>(scores_.size()) - 1});
    link(static_cast<int32_t>(nodes_.size()) - 1);
  }
}

size_t SearchMemo::bytes() const {
  return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) +
         scores_.capacity() * sizeof(GuidedScore);
}

TrainingSet::TrainingSet(std::vector<std::shared_ptr<StateSpace>> spaces, int32_t jobs)
    : jobs_(std::max(1, jobs)) {
  if (!std::ranges::all_of(spaces, [](const auto& space) { return space != nullptr; })) {
    throw std::invalid_argument("no state space");
  }
  for (auto& space : spaces) problems_.push_back(std::make_unique<Problem>(std::move(space)));
}

template <typename Work>
Status TrainingSet::run_all(size_t num_policies, const Limits& limits, Work work) {
  Status status = Status::solved;
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex report;
  std::exception_ptr fault;
  // The first reason to stop counts, but a signal always: Python has its exception already.
  auto stop_for = [&](Status reason) {
    const std::lock_guard guard(report);
    if (!stop) status = reason;
    stop = true;
  };
  // Signals are for the caller's thread.
  bool signal = false;
  auto asked = [&] { return signal = signal || (limits.interrupted && limits.interrupted()); };
  Limits own = limits, others = limits;
  own.interrupted = [&] { return stop || asked(); };
  others.interrupted = [&] { return stop.load(); };
  auto work_off = [&](size_t thread) {
    const Limits& mine = thread == 0 ? own : others;
    Worker worker{mine, Watch(mine), searches_[thread]};
    try {
      for (size_t p = next++; p < problems_.size() && !stop; p = next++) {
        const auto lock = problems_[p]->space->lock(worker.watch);
        const StateSpace::Guard queries(*problems_[p]->space, worker.watch);
        for (size_t q = 0; q < num_policies && !stop; ++q) {
          work(p, q, worker);
          if (worker.watch.must_stop(1)) stop_for(worker.watch.status());
        }
      }
    } catch (const Stopped& stopped) {
      stop_for(stopped.status);
    } catch (const std::bad_alloc&) {
      stop_for(Status::memory_limit);
    } catch (...) {
      const std::lock_guard guard(report);
      fault = std::current_exception();
      stop = true;
    }
  };
  const size_t threads = std::min<size_t>(jobs_, problems_.size());
  searches_.resize(std::max(threads, searches_.size()));
  std::vector<std::thread> pool;
  size_t ended = 0;
  std::condition_variable end;
  auto work_in_pool = [&](size_t thread) {
    work_off(thread);
    const std::lock_guard guard(report);
    ++ended;
    end.notify_one();
  };
  try {
    for (size_t t = 1; t < threads; ++t) pool.emplace_back(work_in_pool, t);
  } catch (const std::system_error&) {
    // No more threads for this process or user; those that there are do all the work.
  } catch (const std::bad_alloc&) {
  }
  work_off(0);
  auto all_ended = [&] {
    std::unique_lock lock(report);
    return end.wait_until(lock, std::chrono::system_clock::now() + kWait,
                          [&] { return ended == pool.size(); });
  };
  while (!all_ended()) {
    if (!stop && asked()) stop = true;
  }
  for (std::thread& thread : pool) thread.join();
  if (signal) return Status::interrupted;
  if (fault) std::rethrow_exception(fault);
  return status;
}

GuidedScore TrainingSet::score_guided(Problem& problem, Worker& worker, const Policy& policy,
                                      int32_t rollout) {
  StateSpace& space = *problem.space;
  auto ask = [&](StateId state) { return space.policy_action(policy, state); };
  // Without rollouts the search asks nothing, and the answers along the plan are not known.
  const bool memoise = rollout > 0;
  if (memoise) {
    problem.memo.settle(rollout, worker.limits.expansions);
    if (const GuidedScore* known = problem.memo.find(ask)) return *known;
  }

  Limits own = worker.limits;
  own.seconds -= worker.watch.elapsed();
  AStar& search = worker.search;
  const SearchResult result = search.run(space, policy, {.rollout = rollout}, own);
  // A search cut short says nothing, neither of this policy nor about the next one.
  if (result.status == Status::time_limit || result.status == Status::memory_limit ||
      result.status == Status::interrupted)
    throw Stopped(result.status);
  GuidedScore score;
  score.expansions = static_cast<int32_t>(result.expansions);
  if (result.status == Status::solved) {
    score.plan_length = static_cast<int32_t>(result.plan.size());
    score.mismatches = 0;
    StateId state = space.initial();
    for (const PlanStep& step : result.plan) {
      score.mismatches += space.policy_action(policy, state) != step.action;
      state = space.apply(state, step.action);
    }
  }
  score.trace = memoise ? trace_of(space, search.questions()) : trace_of(policy);
  if (memoise) problem.memo.add(search.questions(), score);
  count(problem, score);
  return score;
}

void TrainingSet::count(Problem& problem, GuidedScore& score) {
  score.is_new = problem.traces.insert(score.trace).second;
  if (score.is_new) expansions_ += score.expansions;
}

void TrainingSet::count(const std::vector<Policy>& policies, int32_t rollout,
                        std::vector<GuidedScore>& scores) {
  for (size_t i = 0; i < scores.size(); ++i) {
    // The numbers of rules are this learner's own, those elsewhere are others.
    if (rollout <= 0) scores[i].trace = trace_of(policies[i / size()]);
    count(*problems_[i % size()], scores[i]);
  }
}

Batch<GuidedScore> TrainingSet::guided(const std::vector<Policy>& policies, int32_t rollout,
                                       const Limits& limits) {
  std::vector<GuidedScore> scores(policies.size() * size());
  const Status status = run_all(policies.size(), limits, [&](size_t p, size_t q, Worker& worker) {
    scores[q * size() + p] = score_guided(*problems_[p], worker, policies[q], rollout);
  });
  return {status, std::move(scores)};
}

template <typename Answer>
ExecutionScore TrainingSet::score_executed(Problem& problem, Answer answer, StateId start,
                                           int64_t max_steps, Watch& watch) {
  StateSpace& space = *problem.space;
  ExecutionScore score;
  ++problem.execution;
  StateId state = start;
  while (!space.is_goal(state) && score.steps < max_steps && !watch.must_stop(16)) {
    if (index_of(state) >= problem.seen.size()) {
      problem.seen.resize(std::max<size_t>(space.num_states(), 2 * problem.seen.size()), 0);
    }
    uint32_t& seen = problem.seen[index_of(state)];
    if (seen == problem.execution) break;
    seen = problem.execution;
    const ActionId action = answer(state);
    if (!space.can_do(state, action)) break;
    state = space.apply(state, action);
    ++score.steps;
  }
  score.solved = space.is_goal(state);
  score.open_goals = space.open_goals(state);
  return score;
}

Batch<ExecutionScore> TrainingSet::executed(const std::vector<Policy>& policies, int64_t max_steps,
                                            const Limits& limits) {
  std::vector<ExecutionScore> scores(policies.size() * size());
  const Status status = run_all(policies.size(), limits, [&](size_t p, size_t q, Worker& worker) {
    Problem& problem = *problems_[p];
    StateSpace& space = *problem.space;
    auto answer = [&](StateId state) { return space.policy_action(policies[q], state); };
    scores[q * size() + p] =
        score_executed(problem, answer, space.initial(), max_steps, worker.watch);
  });
  return {status, std::move(scores)};
}

Batch<ExecutionScore> TrainingSet::executed_from(const std::vector<Policy>& policies,
                                                 const std::vector<std::vector<StateId>>& starts,
                                                 int64_t max_steps, const Limits& limits) {
  std::vector<size_t> offsets{0};
  for (const auto& states : starts) offsets.push_back(offsets.back() + states.size());
  std::vector<ExecutionScore> scores(policies.size() * offsets.back());
  const Status status = run_all(policies.size(), limits, [&](size_t p, size_t q, Worker& worker) {
    StateSpace& space = *problems_[p]->space;
    auto answer = [&](StateId state) { return space.policy_action(policies[q], state); };
    for (size_t i = 0; i < starts[p].size(); ++i) {
      scores[q * offsets.back() + offsets[p] + i] =
          score_executed(*problems_[p], answer, starts[p][i], max_steps, worker.watch);
    }
  });
  return {status, std::move(scores)};
}

void Ways::begin(const Policy& policy) {
  policy_ = policy;
  place_of_.clear();
  for (StateId state : states_) acting_[index_of(state)] = 0;
  states_.clear();
}

void Ways::add(StateId state, size_t place) {
  if (index_of(state) >= acting_.size()) acting_.resize(2 * index_of(state) + 1, 0);
  acting_[index_of(state)] = static_cast<int32_t>(place);
  states_.push_back(state);
}

std::vector<int32_t> Ways::places_of(const Policy& other) {
  if (place_of_.empty()) {
    for (size_t i = 0; i < policy_.size(); ++i) place_of_.emplace(policy_[i], i);
  }
  std::vector<int32_t> places;
  places.reserve(other.size());
  for (RuleId rule : other) {
    const auto found = place_of_.find(rule);
    places.push_back(found == place_of_.end() ? -1 : found->second);
  }
  return places;
}

int32_t TrainingSet::score_tried(Problem& problem, const Policy& policy, const Policy& like,
                                 const std::vector<StateId>& starts, int64_t max_steps,
                                 Watch& watch) {
  // The policy that was tried last is often the one that the next ones are like.
  if (problem.like.policy() != like && problem.last.policy() == like) {
    std::swap(problem.like, problem.last);
  }
  if (problem.like.policy() != like) problem.like.begin(like);
  StateSpace& space = *problem.space;
  const std::vector<int32_t> places = problem.like.places_of(policy);
  problem.last.begin(policy);
  auto answer = [&](StateId state) {
    const int32_t acting = problem.like.acting(state);
    for (size_t i = 0; i < policy.size(); ++i) {
      if (places[i] >= 0 && places[i] < acting) continue;
      const ActionId result = space.rule_result(policy[i], state);
      if (result == ActionId::none) continue;
      problem.last.add(state, i);
      return result;
    }
    return ActionId::none;
  };
  int32_t steps = -1;
  for (StateId start : starts) {
    const ExecutionScore score = score_executed(problem, answer, start, max_steps, watch);
    if (!score.solved) return -1;
    if (steps < 0) steps = score.steps;
  }
  return steps;
}

Batch<int32_t> TrainingSet::tried(const Policy& policy, const Policy& like,
                                  const std::vector<std::vector<StateId>>& starts,
                                  int64_t max_steps, const Limits& limits) {
  std::vector<int32_t> scores(size(), -1);
  const Status status = run_all(1, limits, [&](size_t p, size_t, Worker& worker) {
    scores[p] = score_tried(*problems_[p], policy, like, starts[p], max_steps, worker.watch);
  });
  return {status, std::move(scores)};
}

Batch<int32_t> TrainingSet::compared(const std::vector<Policy>& policies,
                                     const std::vector<std::vector<ActionId>>& plans,
                                     const Limits& limits) {
  std::vector<int32_t> scores(policies.size() * size(), -1);
  const Status status = run_all(policies.size(), limits, [&](size_t p, size_t q, Worker& worker) {
    StateSpace& space = *problems_[p]->space;
    int32_t mismatches = 0;
    StateId state = space.initial();
    for (ActionId action : plans[p]) {
      worker.watch.spend(space.effort());
      mismatches += space.policy_action(policies[q], state) != action;
      state = space.apply(state, action);
    }
    scores[q * size() + p] = mismatches;
  });
  return {status, std::move(scores)};
}

Batch<uint64_t> TrainingSet::answers(const std::vector<Policy>& policies,
                                     const std::vector<std::vector<StateId>>& states,
                                     const Limits& limits) {
  std::vector<uint64_t> parts(policies.size() * size());
  const Status status = run_all(policies.size(), limits, [&](size_t p, size_t q, Worker& worker) {
    uint64_t hash = 0x9E3779B97F4A7C15ull;
    for (StateId state : states[p]) {
      worker.watch.spend(policies[q].size() + 1);
      hash ^= static_cast<uint32_t>(problems_[p]->space->policy_action(policies[q], state));
      hash *= 0xFF51AFD7ED558CCDull;
      hash ^= hash >> 32;
    }
    parts[q * size() + p] = hash;
  });
  return {status, std::move(parts)};
}

Batch<uint64_t> TrainingSet::identified(const std::vector<Policy>& policies,
                                        const std::vector<std::vector<StateId>>& states,
                                        const Limits& limits) {
  const auto [status, parts] = answers(policies, states, limits);
  return {status, identifiers(parts)};
}

std::vector<uint64_t> TrainingSet::identifiers(std::span<const uint64_t> answers) const {
  std::vector<uint64_t> result(answers.size() / size());
  for (size_t q = 0; q < result.size(); ++q) {
    for (size_t p = 0; p < size(); ++p) {
      result[q] = (result[q] ^ answers[q * size() + p]) * 0xC4CEB9FE1A85EC53ull;
      result[q] ^= result[q] >> 29;
    }
  }
  return result;
}

void TrainingSet::remember(size_t problem, std::span<const uint64_t> traces) {
  problems_[problem]->traces.insert(traces.begin(), traces.end());
}

void TrainingSet::forget(bool all, Watch& watch) {
  for (auto& problem : problems_) {
    const auto lock = problem->space->lock(watch);
    problem->space->forget_queries();
    if (!all) continue;
    problem->memo = {};
    problem->like = problem->last = {};
    problem->space->forget_results();
  }
  if (all) searches_ = {};
}

size_t TrainingSet::bytes(Watch& watch) {
  size_t total = 0;
  for (auto& problem : problems_) {
    const auto lock = problem->space->lock(watch);
    total += problem->space->bytes() + problem->memo.bytes() + problem->like.bytes() +
             problem->last.bytes() + problem->seen.capacity() * 4;
  }
  for (const AStar& search : searches_) total += search.bytes();
  return total;
}

}  // namespace pg3
