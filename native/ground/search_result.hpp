// What a search over a state space finds, and what all searches do alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "ground/state_space.hpp"

namespace pg3 {

struct PlanStep {
  ActionId action;
  bool from_policy;
};

struct SearchResult {
  Status status = Status::unsolvable;
  std::vector<PlanStep> plan;
  int64_t cost = 0;  // in the domain's terms, whether the search used them or not
  int64_t expansions = 0;
  // States met, the same one counted each time. A rollout that is cut short, because an earlier one
  // has been there, meets no more.
  int64_t generated = 0;
};

// The result with the status that `search` returns, or that it was stopped with.
template <typename Search>
SearchResult finish(SearchResult& result, Search search) {
  try {
    result.status = search();
  } catch (const Stopped& stopped) {
    result.status = stopped.status;
  }
  return std::move(result);
}

// Writes the plan that ends in a state; nodes have a parent, an action and whose it is.
template <typename Node>
void extract_plan(const std::vector<Node>& nodes, StateId end, const GroundTask& ground,
                  SearchResult& result) {
  const Node* node = &nodes[index_of(end)];
  for (; node->parent != StateId::none; node = &nodes[index_of(node->parent)]) {
    result.plan.push_back({node->action, node->from_policy});
    result.cost += ground.cost(node->action);
  }
  std::reverse(result.plan.begin(), result.plan.end());
}

// Whether the subgoal holds in a state, or without one the task's goal.
inline bool reaches(const StateSpace& space, StateId state, std::span<const FluentId> subgoal) {
  if (subgoal.empty()) return space.is_goal(state);
  return GroundTask::allows(space.words(state), subgoal, {});
}

}  // namespace pg3
