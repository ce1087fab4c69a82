// States, heuristics, searches and batches on a small ground task.
#include <algorithm>

#include "ground/astar.hpp"
#include "ground/random_walk.hpp"
#include "ground/training_set.hpp"
#include "tests/check.hpp"
#include "tests/domains.hpp"

using namespace pg3;
using namespace pg3::tests;

static const Limits kNoTime = [] {
  Limits limits;
  limits.seconds = 0;
  return limits;
}();

TEST(a_task_out_of_range_is_refused) {
  Balls balls(1);
  Task bad = *balls.task;
  bad.init[1] = 99;
  CHECK_THROWS(std::invalid_argument, bad.finish());
  bad = *balls.task;
  bad.actions[0].effects[0].symbol = -1;
  CHECK_THROWS(std::invalid_argument, bad.finish());
}

TEST(only_what_can_happen_is_ground) {
  const Balls balls(3);
  const auto ground = pg3::ground(balls.task, {}).ground;
  CHECK(ground->num_fluents() == 2 + 6 + 3 + 1);
  CHECK(ground->num_actions() == 2 + 6 + 6);
  CHECK(ground->statics.size() == 2);
}

TEST(a_state_has_one_number) {
  const Balls balls(2);
  const auto space = balls.space();
  for (const Successor& next : space->successors(space->initial())) {
    CHECK(space->is_applicable(space->initial(), next.action));
    CHECK(space->apply(space->initial(), next.action) == next.state);
  }
  CHECK(space->successors(space->initial()).size() == 3);
  CHECK(space->open_goals(space->initial()) == 2);
}

// A walk and a space have one word for what is applicable.
TEST(a_walk_is_a_way_through_the_space) {
  const Balls balls(3);
  const auto space = balls.space();
  Walk walk({space, &space->ground()});
  Generator generator(5);
  StateId state = space->initial();
  for (int32_t step = 0; step < 200; ++step) {
    const auto actions = walk.applicable();
    const auto successors = space->successors(state);
    CHECK(std::ranges::equal(actions, successors, {}, {}, &Successor::action));
    CHECK(walk.is_goal() == space->is_goal(state));
    const ActionId action = actions[generator.below(actions.size())];
    walk.apply(action);
    state = space->apply(state, action);
  }
}

TEST(searches_find_shortest_plans) {
  for (const int32_t count : {0, 1, 2, 3}) {
    const Balls balls(count);
    const auto space = balls.space();
    for (const HeuristicKind kind : {HeuristicKind::blind, HeuristicKind::max}) {
      const SearchResult found = AStar().run(*space, {}, {.heuristic = kind}, {});
      CHECK(found.status == Status::solved);
      CHECK(found.plan.size() == static_cast<size_t>(std::max(0, 4 * count - 1)));
    }
    const SearchResult guided = AStar().run(*space, balls.policy, {.rollout = 50}, {});
    CHECK(guided.status == Status::solved && guided.expansions <= 1);
    CHECK(std::ranges::all_of(guided.plan, &PlanStep::from_policy));
  }
}

TEST(a_search_says_why_it_ended) {
  Limits few;
  few.expansions = 3;
  const Balls balls(3);
  const auto space = balls.space();
  CHECK(AStar().run(*space, {}, {.heuristic = HeuristicKind::blind}, few).status ==
        Status::expansion_limit);
  CHECK(AStar().run(*space, {}, {}, kNoTime).status == Status::time_limit);
  Balls stuck(1);
  stuck.task->init.assign({Balls::robot_at, 0, Balls::at, Balls::ball(0), 0, Balls::hand_free});
  CHECK(AStar().run(*stuck.space(), {}, {}, {}).status == Status::unsolvable);
}

TEST(heuristics_are_those_of_the_relaxed_task) {
  const Balls balls(2);
  const auto space = balls.space();
  const StateId start = space->initial();
  // To pick takes 1, to move 1, to drop 1 more than both; the sum has it for each ball.
  CHECK(space->heuristic(start, HeuristicKind::max, false) == 2);
  CHECK(space->heuristic(start, HeuristicKind::add, false) == 6);
  CHECK(space->heuristic(start, HeuristicKind::blind, false) == 1 ||
        space->heuristic(start, HeuristicKind::blind, false) == 0);
}

TEST(a_batch_comes_with_its_status) {
  const Balls one(1);
  Balls two(2);
  two.table = one.table;
  TrainingSet set({one.space(), two.space()}, 2);
  const auto guided = set.guided({one.policy, {}}, 50, {});
  CHECK(guided.status == Status::solved && guided.scores.size() == 4);
  CHECK(guided.scores[0].mismatches == 0 && guided.scores[1].plan_length == 7);
  CHECK(guided.scores[2].mismatches == 3 && guided.scores[3].mismatches == 7);
  const auto executed = set.executed({one.policy}, 100, {});
  CHECK(executed.scores[0].solved == 1 && executed.scores[1].steps == 7);
  const auto cut = set.executed({one.policy}, 100, kNoTime);
  CHECK(cut.status == Status::time_limit);
  CHECK(set.executed({one.policy}, 100, {}).status == Status::solved);
}

TEST(a_seed_is_a_walk) {
  const Balls balls(2);
  const auto ground = pg3::ground(balls.task, {}).ground;
  const RandomWalk first = random_walk(ground, 11, 50, {});
  const RandomWalk again = random_walk(ground, 11, 50, {});
  CHECK(first.steps == again.steps && first.plan == again.plan);
  CHECK(first.status == Status::horizon || first.status == Status::solved);
}

TEST(conditional_effects_look_at_the_state_before) {
  const Briefcase briefcase(3);
  const auto space = std::make_shared<StateSpace>(ground(briefcase.task, {}).ground,
                                                  std::make_shared<RuleTable>());
  const GroundTask& task = space->ground();
  const auto holds = [&](StateId state, std::vector<int32_t> atom) {
    const FluentId fluent = task.find(Atom{atom});
    return fluent != FluentId::none && GroundTask::holds(space->words(state), fluent);
  };
  CHECK(space->successors(space->initial()).size() == 1);
  const StateId next = space->successors(space->initial())[0].state;
  for (int32_t i = 0; i < 3; ++i) {
    const bool moves = i % 2 == 0;
    const int32_t item = Briefcase::item(i);
    CHECK(holds(next, {Briefcase::at, item, Briefcase::kSecond}) == moves);
    CHECK(holds(next, {Briefcase::at, item, Briefcase::kFirst}) == !moves);
    CHECK(!holds(next, {Briefcase::wet, item}));
  }
  CHECK(space->is_goal(next));
  CHECK(space->heuristic(space->initial(), HeuristicKind::add, false) == 1);
  Task bad = *briefcase.task;
  bad.actions[0].conditional[0].effects[0].terms[0] = Term{3};
  CHECK_THROWS(std::invalid_argument, bad.finish());
}
