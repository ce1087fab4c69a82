// Small tasks for tests, and a generator of numbers that are the same everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/rule.hpp"
#include "core/task.hpp"
#include "ground/generator.hpp"
#include "ground/grounding.hpp"
#include "ground/state_space.hpp"

namespace pg3::tests {

using Kind = Condition::Kind;

// Objects as terms: in a rule, variables are 0, 1, ...
inline Term constant(int32_t object) {
  return -1 - object;
}

// Two rooms, linked; balls that are all in the first and wanted in the second; a robot with one
// hand. A plan for n balls has 4n - 1 steps.
struct Balls {
  enum Predicate { robot_at, link, at, held, hand_free };
  enum Action { move, pick, drop };
  static constexpr int32_t kFirst = 0, kSecond = 1;  // rooms; balls come after them
  static int32_t ball(int32_t number) { return 2 + number; }

  explicit Balls(int32_t balls) : task(std::make_shared<Task>()) {
    task->num_types = 2;
    task->object_types = {0, 0};
    task->arities = {1, 2, 2, 1, 0};
    task->init = {robot_at, kFirst, link, kFirst, kSecond, link, kSecond, kFirst, hand_free};
    for (int32_t b = 0; b < balls; ++b) {
      task->object_types.push_back(1);
      task->init.insert(task->init.end(), {at, ball(b), kFirst});
      task->goal.insert(task->goal.end(), {at, ball(b), kSecond});
    }
    const auto is = [](int32_t predicate, std::vector<Term> terms, bool positive = true) {
      return Condition{Kind::state, positive, predicate, std::move(terms)};
    };
    task->actions = {
        {{{0}, {0}},
         {is(robot_at, {0}), is(link, {0, 1})},
         {is(robot_at, {1}), is(robot_at, {0}, false)},
         1,
         -1,
         {}},
        {{{1}, {0}},
         {is(robot_at, {1}), is(at, {0, 1}), is(hand_free, {})},
         {is(held, {0}), is(at, {0, 1}, false), is(hand_free, {}, false)},
         1,
         -1,
         {}},
        {{{1}, {0}},
         {is(robot_at, {1}), is(held, {0})},
         {is(at, {0, 1}), is(hand_free, {}), is(held, {0}, false)},
         1,
         -1,
         {}},
    };
    task->finish();
    const Condition wanted{Kind::goal, true, at, {0, 1}};
    // Drop a ball where it is wanted; take one that is not there; bring the one in the hand; fetch.
    policy = {
        table->add({drop, {0, 1}, {{1}, {0}}, {wanted, is(held, {0}), is(robot_at, {1})}}),
        table->add({pick,
                    {0, 1},
                    {{1}, {0}},
                    {is(at, {0, 1}),
                     is(robot_at, {1}),
                     is(hand_free, {}),
                     {Kind::goal, false, at, {0, 1}}}}),
        table->add({move,
                    {2, 1},
                    {{1}, {0}, {0}},
                    {wanted, is(held, {0}), is(robot_at, {2}), is(link, {2, 1})}}),
        table->add({move,
                    {2, 1},
                    {{1}, {0}, {0}},
                    {is(at, {0, 1}),
                     {Kind::goal, false, at, {0, 1}},
                     is(hand_free, {}),
                     is(robot_at, {2}),
                     is(link, {2, 1})}}),
    };
  }

  std::shared_ptr<StateSpace> space() const {
    return std::make_shared<StateSpace>(ground(task, {}).ground, table);
  }
  std::vector<std::shared_ptr<const Rule>> rules() const {
    std::vector<std::shared_ptr<const Rule>> list;
    for (int32_t rule : policy) list.push_back(table->get(rule));
    return list;
  }

  std::shared_ptr<Task> task;
  std::shared_ptr<RuleTable> table = std::make_shared<RuleTable>();
  std::vector<int32_t> policy;
};

// Objects of one type with two binary predicates and a unary one that change; nothing is done.
struct Links {
  enum Predicate { edge, other, mark };
  explicit Links(int32_t objects) : task(std::make_shared<Task>()) {
    task->num_types = 1;
    task->object_types.assign(static_cast<size_t>(objects), 0);
    task->arities = {2, 2, 1};
    const auto is = [](int32_t predicate, std::vector<Term> terms) {
      return Condition{Kind::state, true, predicate, std::move(terms)};
    };
    task->actions = {
        {{{0}, {0}}, {}, {is(edge, {0, 1}), is(other, {0, 1}), is(mark, {0})}, 1, -1, {}}};
    task->finish();
  }

  std::shared_ptr<Task> task;
};

// Some atom of Links.
inline std::vector<int32_t> some_atom(const Task& task, Generator& generator) {
  std::vector<int32_t> atom{static_cast<int32_t>(generator.below(3))};
  for (int32_t i = 0; i < task.arities[atom[0]]; ++i) {
    atom.push_back(static_cast<int32_t>(generator.below(task.object_types.size())));
  }
  return atom;
}

}  // namespace pg3::tests
