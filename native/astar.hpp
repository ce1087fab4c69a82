// A* over a state space, alone or guided by a policy (Algorithm 3 of the paper).
//
// The order of expansion is fixed: smallest f = g + h first, then smallest h, then first come. The
// successors of a state come in the order policy rollout, then ground actions by number. A state is
// opened again when a cheaper way to it turns up (h_add is not consistent).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "limits.hpp"
#include "state_space.hpp"

namespace pg3 {

struct SearchOptions {
  HeuristicKind heuristic = HeuristicKind::add;
  bool use_costs = false;   // the domain's action costs instead of 1
  int32_t rollout = 0;      // at most this many policy steps from each expanded state, at cost 0
};

struct PlanStep {
  int32_t action;
  bool from_policy;
};

struct SearchResult {
  Status status = Status::unsolvable;
  std::vector<PlanStep> plan;
  int64_t cost = 0;  // in the domain's terms, whether the search used them or not
  int64_t expansions = 0;
  int64_t generated = 0;
};

SearchResult astar(StateSpace& space, std::span<const int32_t> policy, const SearchOptions& options,
                   const Limits& limits);

}  // namespace pg3
