// The relaxed plan and lazy search on a small ground task.
#include "ground/lazy_search.hpp"

#include <algorithm>

#include "tests/check.hpp"
#include "tests/domains.hpp"

using namespace pg3;
using namespace pg3::tests;

TEST(a_relaxed_plan_counts_each_action_once) {
  const Balls balls(2);
  const auto space = balls.space();
  RelaxedPlanHeuristic& h = space->relaxed_plans(false);
  // Pick and drop each ball, and move once; the balls can be picked, and the robot can move.
  CHECK(h(space->words(space->initial()), h.task_goal()) == 5);
  CHECK(h.preferred().size() == 3);
  CHECK(std::ranges::is_sorted(h.preferred()));
  const SearchResult found = LazySearch().run(*space, {}, {}, {});
  StateId state = space->initial();
  for (const PlanStep& step : found.plan) state = space->apply(state, step.action);
  CHECK(space->is_goal(state));
  CHECK(h(space->words(state), h.task_goal()) == 0 && h.preferred().empty());
}

TEST(lazy_search_finds_plans) {
  LazySearch search;  // one for all spaces
  for (const int32_t count : {0, 1, 2, 3, 5}) {
    const Balls balls(count);
    const auto space = balls.space();
    const int64_t shortest = std::max(0, 4 * count - 1);
    const SearchResult found = search.run(*space, {}, {}, {});
    CHECK(found.status == Status::solved && found.cost >= shortest);
    CHECK(found.cost == static_cast<int64_t>(found.plan.size()));
    const SearchResult guided = search.run(*space, balls.policy, {}, {});
    CHECK(guided.status == Status::solved);
    CHECK(count == 0 || std::ranges::any_of(guided.plan, &PlanStep::from_policy));
    // There is a plan that costs less than one more than the shortest, but none that costs less.
    CHECK(search.run(*space, {}, {.weight = 3, .bound = shortest + 1}, {}).cost == shortest);
    const SearchResult none = search.run(*space, {}, {.weight = 3, .bound = shortest}, {});
    CHECK(none.status == Status::unsolvable && none.plan.empty());
  }
}

TEST(lazy_search_has_its_limits) {
  const Balls balls(4);
  const auto space = balls.space();
  Limits limits;
  limits.expansions = 3;
  const SearchResult few = LazySearch().run(*space, {}, {}, limits);
  CHECK(few.status == Status::expansion_limit && few.expansions == 3);
  limits = {};
  limits.generated = 2;
  CHECK(LazySearch().run(*space, {}, {}, limits).status == Status::expansion_limit);
  limits = {};
  limits.seconds = 0;
  CHECK(LazySearch().run(*space, {}, {}, limits).status == Status::time_limit);
  limits = {};
  limits.bytes = 0;
  CHECK(LazySearch().run(*space, {}, {}, limits).status == Status::memory_limit);
}

TEST(lazy_search_for_some_fluents_from_some_state) {
  const Balls balls(3);
  const auto space = balls.space();
  const FluentId held =
      space->ground().find(Atom{std::vector<int32_t>{Balls::held, Balls::ball(2)}});
  const StateId start = space->successors(space->initial())[0].state;
  const SearchResult found = LazySearch().run(*space, {}, {.start = start, .subgoal = {held}}, {});
  CHECK(found.status == Status::solved && !found.plan.empty());
  StateId state = start;
  for (const PlanStep& step : found.plan) state = space->apply(state, step.action);
  CHECK(GroundTask::holds(space->words(state), held));
}
