// Candidate policies scored on all training problems at once.
//
// Scoring a candidate by guided planning is a deterministic search that depends on the candidate
// only through its answers to "what do you do in this state?". The questions and answers of each
// search are kept in a decision tree, one a problem: a candidate that gives the answers of an
// earlier one, which most do, has the earlier result without a search.
//
// The effort of a learner counts the states expanded in searches whose questions and answers are
// new. So that this number does not depend on what the trees still hold, each sequence of questions
// and answers leaves a trace, a hash of it; a learner that goes on where another one was stopped is
// given that one's traces, and one whose candidates were scored elsewhere counts by their traces.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "ground/astar.hpp"
#include "ground/state_space.hpp"

namespace pg3 {

using Policy = std::vector<RuleId>;

// What guided planning on one problem came to.
struct GuidedScore {
  int32_t mismatches = -1;  // steps of the plan that the policy does not take; -1: no plan
  int32_t plan_length = 0;
  int32_t expansions = 0;
  uint64_t trace = 0;   // of the search; 0 if it was cut short
  bool is_new = false;  // whether no search before had this trace
};

// What carrying the policy out on one problem came to.
struct ExecutionScore {
  int32_t solved = 0;
  int32_t steps = 0;
  int32_t open_goals = 0;  // at the end
};

// The states on a policy's ways through one problem, each with the place of the rule that acts
// there. A policy that differs in a few rules need not ask those again that do not match.
class Ways {
 public:
  const Policy& policy() const { return policy_; }
  void begin(const Policy& policy);
  void add(StateId state, size_t place);

  // For each rule of another policy its place in this one, or -1.
  std::vector<int32_t> places_of(const Policy& other);
  // The place of the rule that acts in a state; the rules before it do not match. 0 if not known.
  int32_t acting(StateId state) const {
    return index_of(state) < acting_.size() ? acting_[index_of(state)] : 0;
  }
  size_t bytes() const { return 4 * acting_.capacity() + 4 * states_.capacity(); }

 private:
  Policy policy_;
  std::unordered_map<RuleId, int32_t> place_of_;  // worked out when first asked for
  std::vector<int32_t> acting_;
  std::vector<StateId> states_;  // those in acting_
};

// Past searches on one problem, by the answers that led to them.
class SearchMemo {
 public:
  // Asks along the tree; the score if all answers are known, else none and where to go on.
  template <typename Ask>
  const GuidedScore* find(Ask ask) const {
    int32_t node = root_;
    while (node >= 0) {
      const Node& at = nodes_[node];
      if (at.state == StateId::none) return &scores_[at.first];
      const ActionId answer = ask(at.state);
      int32_t edge = at.first;
      while (edge >= 0 && edges_[edge].answer != answer) edge = edges_[edge].next;
      if (edge < 0) return nullptr;
      node = edges_[edge].node;
    }
    return nullptr;
  }

  // Adds a search: its questions in order, and the result. Does nothing once the memory set aside
  // is used up.
  void add(std::span<const Question> questions, const GuidedScore& score);

  // Forgets everything if the searches to come have other settings than those kept.
  void settle(int32_t rollout, int64_t expansions) {
    if (rollout == rollout_ && expansions == expansions_) return;
    *this = {};
    rollout_ = rollout;
    expansions_ = expansions;
  }

  size_t bytes() const;

 private:
  struct Node {
    StateId state;  // none at a leaf
    int32_t first;  // the first edge, or at a leaf the number of the score
  };
  struct Edge {
    ActionId answer;
    int32_t node;
    int32_t next;
  };
  int32_t rollout_ = -1;
  int64_t expansions_ = -1;
  int32_t root_ = -1;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<GuidedScore> scores_;
};

// The scores of a batch, and whether they are all: solved, or the limit that cut the batch short.
// What is missing then is left at its default.
template <typename Score>
struct Batch {
  Status status = Status::solved;
  std::vector<Score> scores;
};

class TrainingSet {
 public:
  TrainingSet(std::vector<std::shared_ptr<StateSpace>> spaces, int32_t jobs);
  TrainingSet(const TrainingSet&) = delete;
  TrainingSet& operator=(const TrainingSet&) = delete;

  size_t size() const { return problems_.size(); }
  const StateSpace& space(size_t problem) const { return *problems_[problem]->space; }

  // Scores policy by policy, and for each problem by problem: result[policy * size() + problem].
  // Work stops early when `limits` says so.
  Batch<GuidedScore> guided(const std::vector<Policy>& policies, int32_t rollout,
                            const Limits& limits);
  // From each problem's initial state, or for each policy from all of the given states, problem by
  // problem.
  Batch<ExecutionScore> executed(const std::vector<Policy>& policies, int64_t max_steps,
                                 const Limits& limits);
  Batch<ExecutionScore> executed_from(const std::vector<Policy>& policies,
                                      const std::vector<std::vector<StateId>>& starts,
                                      int64_t max_steps, const Limits& limits);
  // For each problem the steps of a policy from the first of the given states to the goal; -1 if it
  // does not reach the goal from all of them. Fast if the policy differs from `like` in a few
  // rules.
  Batch<int32_t> tried(const Policy& policy, const Policy& like,
                       const std::vector<std::vector<StateId>>& starts, int64_t max_steps,
                       const Limits& limits);
  // For each problem the number of steps of the given plan that the policy does not take.
  Batch<int32_t> compared(const std::vector<Policy>& policies,
                          const std::vector<std::vector<ActionId>>& plans, const Limits& limits);
  // A hash of what each policy does in the states of interest: its semantic identifier.
  Batch<uint64_t> identified(const std::vector<Policy>& policies,
                             const std::vector<std::vector<StateId>>& states, const Limits& limits);
  // The same for each problem alone, and how these become one.
  Batch<uint64_t> answers(const std::vector<Policy>& policies,
                          const std::vector<std::vector<StateId>>& states, const Limits& limits);
  std::vector<uint64_t> identifiers(std::span<const uint64_t> answers) const;

  // Counts searches that were made elsewhere, all policies on all problems: sets what is new.
  void count(const std::vector<Policy>& policies, int32_t rollout,
             std::vector<GuidedScore>& scores);

  // Frees what helps to score more policies like the last ones; with `all` what helps to score any.
  // Stopped, as from bytes(), if the watch says so while others work on a problem.
  void forget(bool all, Watch& watch);

  size_t bytes(Watch& watch);
  // States expanded by guided searches so far: the effort, the same on every machine.
  int64_t expansions() const { return expansions_; }
  // Takes over the effort of another run, and the traces that it has left on a problem.
  void remember(int64_t expansions) { expansions_ = expansions; }
  void remember(size_t problem, std::span<const uint64_t> traces);

 private:
  struct Problem {
    explicit Problem(std::shared_ptr<StateSpace> shared) : space(std::move(shared)) {}
    std::shared_ptr<StateSpace> space;
    SearchMemo memo;
    Ways like, last;  // of the policy that others are compared with, and the last one
    std::unordered_set<uint64_t> traces;
    std::vector<uint32_t> seen;  // by state: the last execution that came by
    uint32_t execution = 0;
  };

  // What one of the threads works with.
  struct Worker {
    const Limits& limits;
    Watch watch;
    AStar& search;
  };

  GuidedScore score_guided(Problem& problem, Worker& worker, const Policy& policy, int32_t rollout);
  void count(Problem& problem, GuidedScore& score);
  // Asks answer(state) what to do in each state.
  template <typename Answer>
  ExecutionScore score_executed(Problem& problem, Answer answer, StateId start, int64_t max_steps,
                                Watch& watch);
  int32_t score_tried(Problem& problem, const Policy& policy, const Policy& like,
                      const std::vector<StateId>& starts, int64_t max_steps, Watch& watch);
  // Runs work(problem number, policy number, worker) for all pairs, problems side by side, in this
  // thread and as many more as wanted, or as the system grants: the results are the same.
  template <typename Work>
  Status run_all(size_t num_policies, const Limits& limits, Work work);

  std::vector<std::unique_ptr<Problem>> problems_;
  std::vector<AStar> searches_;  // one a thread: working memory for the largest problem
  int32_t jobs_;
  std::atomic<int64_t> expansions_{0};
};

}  // namespace pg3
