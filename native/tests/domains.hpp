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

// The variables of a rule or action.
inline constexpr Term x{0}, y{1}, z{2};

// Two rooms, linked; balls that are all in the first and wanted in the second; a robot with one
// hand. A plan for n balls has 4n - 1 steps.
struct Balls {
  enum Predicate { robot_at, link, at, held, hand_free };
  enum Action { move, pick, drop };
  static constexpr TypeId kRoom{0}, kBall{1};
  static constexpr int32_t kFirst = 0, kSecond = 1;  // rooms; balls come after them
  static int32_t ball(int32_t number) { return 2 + number; }

  explicit Balls(int32_t balls) : task(std::make_shared<Task>()) {
    task->num_types = 2;
    task->object_types = {kRoom, kRoom};
    task->arities = {1, 2, 2, 1, 0};
    task->init = {robot_at, kFirst, link, kFirst, kSecond, link, kSecond, kFirst, hand_free};
    for (int32_t b = 0; b < balls; ++b) {
      task->object_types.push_back(kBall);
      task->init.insert(task->init.end(), {at, ball(b), kFirst});
      task->goal.insert(task->goal.end(), {at, ball(b), kSecond});
    }
    const auto is = [](int32_t predicate, std::vector<Term> terms, bool positive = true) {
      return Condition{Kind::state, positive, predicate, std::move(terms)};
    };
    task->actions = {
        {{{kRoom}, {kRoom}},
         {is(robot_at, {x}), is(link, {x, y})},
         {is(robot_at, {y}), is(robot_at, {x}, false)}},
        {{{kBall}, {kRoom}},
         {is(robot_at, {y}), is(at, {x, y}), is(hand_free, {})},
         {is(held, {x}), is(at, {x, y}, false), is(hand_free, {}, false)}},
        {{{kBall}, {kRoom}},
         {is(robot_at, {y}), is(held, {x})},
         {is(at, {x, y}), is(hand_free, {}), is(held, {x}, false)}},
    };
    task->finish();
    const Condition wanted{Kind::goal, true, at, {x, y}}, not_wanted{Kind::goal, false, at, {x, y}};
    const ParameterTypes two{{kBall}, {kRoom}}, three{{kBall}, {kRoom}, {kRoom}};
    // Drop a ball where it is wanted; take one that is not there; bring the one in the hand; fetch.
    policy = {
        table->add({SchemaId{drop}, {x, y}, two, {wanted, is(held, {x}), is(robot_at, {y})}}),
        table->add({SchemaId{pick},
                    {x, y},
                    two,
                    {is(at, {x, y}), is(robot_at, {y}), is(hand_free, {}), not_wanted}}),
        table->add({SchemaId{move},
                    {z, y},
                    three,
                    {wanted, is(held, {x}), is(robot_at, {z}), is(link, {z, y})}}),
        table->add(
            {SchemaId{move},
             {z, y},
             three,
             {is(at, {x, y}), not_wanted, is(hand_free, {}), is(robot_at, {z}), is(link, {z, y})}}),
    };
  }

  std::shared_ptr<StateSpace> space() const {
    return std::make_shared<StateSpace>(ground(task, {}).ground, table);
  }
  std::vector<std::shared_ptr<const Rule>> rules() const {
    std::vector<std::shared_ptr<const Rule>> list;
    for (RuleId rule : policy) list.push_back(table->get(rule));
    return list;
  }

  std::shared_ptr<Task> task;
  std::shared_ptr<RuleTable> table = std::make_shared<RuleTable>();
  std::vector<RuleId> policy;
};

// Two places, and items of which those in the case move with it; what is in and wet becomes dry.
struct Briefcase {
  enum Predicate { case_at, at, in, wet };
  static constexpr TypeId kPlace{0}, kItem{1};
  static constexpr int32_t kFirst = 0, kSecond = 1;  // places; items come after them
  static int32_t item(int32_t number) { return 2 + number; }

  // All items are in the first place, every second one in the case and wet.
  explicit Briefcase(int32_t items) : task(std::make_shared<Task>()) {
    task->num_types = 2;
    task->object_types = {kPlace, kPlace};
    task->arities = {1, 2, 1, 1};
    task->init = {case_at, kFirst};
    for (int32_t i = 0; i < items; ++i) {
      task->object_types.push_back(kItem);
      task->init.insert(task->init.end(), {at, item(i), kFirst});
      if (i % 2 == 0) task->init.insert(task->init.end(), {in, item(i), wet, item(i)});
    }
    if (items > 0) task->goal = {at, item(0), kSecond};
    const auto is = [](int32_t predicate, std::vector<Term> terms, bool positive = true) {
      return Condition{Kind::state, positive, predicate, std::move(terms)};
    };
    ActionSchema move{{{kPlace}, {kPlace}},
                      {is(case_at, {x}), {Kind::equality, false, -1, {x, y}}},
                      {is(case_at, {y}), is(case_at, {x}, false)}};
    move.conditional = {
        {{{kItem}}, {is(in, {z})}, {is(at, {z, y}), is(at, {z, x}, false)}},
        {{{kItem}}, {is(in, {z}), is(at, {z, x})}, {is(wet, {z}, false)}},
    };
    task->actions = {move};
    task->finish();
  }

  std::shared_ptr<Task> task;
};

// Objects of one type with two binary predicates and a unary one that change; nothing is done.
struct Links {
  enum Predicate { edge, other, mark };
  static constexpr TypeId kAny{0};
  explicit Links(int32_t objects) : task(std::make_shared<Task>()) {
    task->num_types = 1;
    task->object_types.assign(static_cast<size_t>(objects), kAny);
    task->arities = {2, 2, 1};
    const auto is = [](int32_t predicate, std::vector<Term> terms) {
      return Condition{Kind::state, true, predicate, std::move(terms)};
    };
    task->actions = {{{{kAny}, {kAny}}, {}, {is(edge, {x, y}), is(other, {x, y}), is(mark, {x})}}};
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
