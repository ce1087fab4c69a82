// Landmarks: propositions that every plan makes true on its way, and what of them is ahead.
#pragma once

#include <cstdint>
#include <vector>

#include "core/limits.hpp"
#include "ground/relaxed_plan.hpp"

namespace pg3 {

// The landmarks of one state and goal: all propositions that every plan needs if deletes are
// ignored, as a precondition or as a goal (Zhu and Givan 2003).
//
// The way to a state has accepted the landmarks that held somewhere on it. Ahead are those that it
// has not, and those that it needs again: they do not hold now, and either they are goals, or one
// that is not accepted is achieved only right after them. That is what LAMA counts (Richter and
// Westphal 2010), without its reasonable orders.
class Landmarks {
 public:
  Landmarks() = default;
  // With `use_costs` a landmark counts as much as the cheapest of the achievers by which it can
  // become true first, otherwise 1. On a task so large that finding all takes too much work,
  // the goals are the landmarks. Stopped if the watch says so.
  Landmarks(const RelaxedPlanHeuristic& relaxed, const uint64_t* start,
            const RelaxedPlanHeuristic::Goal& goal, bool use_costs, Watch& watch);

  int32_t size() const { return static_cast<int32_t>(landmarks_.size()); }

  // A set of them is a bit set of so many words.
  size_t num_words() const { return (landmarks_.size() + 63) / 64; }
  // Adds the landmarks that hold in a state.
  void accept(const uint64_t* state, uint64_t* accepted) const;
  // What those that are ahead in a state count together.
  int32_t ahead(const uint64_t* state, const uint64_t* accepted) const;

 private:
  using PropositionId = RelaxedPlanHeuristic::PropositionId;
  struct Landmark {
    PropositionId proposition;
    bool is_goal;
    int32_t price = 1;
    std::vector<int32_t> right_before = {};  // landmarks that are achieved right after this one
  };

  static bool has(const uint64_t* set, size_t i) { return set[i >> 6] >> (i & 63) & 1; }

  const RelaxedPlanHeuristic* relaxed_ = nullptr;
  std::vector<Landmark> landmarks_;
};

}  // namespace pg3
