// Joins, views, delta queries and derived relations against plain enumeration, as atoms come and
// go.
#include <map>
#include <set>

#include "lifted/delta_query.hpp"
#include "lifted/derivations.hpp"
#include "lifted/executor.hpp"
#include "lifted/ordered_search.hpp"
#include "lifted/plan_checker.hpp"
#include "lifted/view.hpp"
#include "tests/check.hpp"
#include "tests/domains.hpp"

using namespace pg3;
using namespace pg3::tests;

namespace {

using Tuples = std::set<std::vector<int32_t>>;
constexpr int32_t kObjects = 6;

Condition is(int32_t predicate, std::vector<Term> terms, bool positive = true) {
  return {Kind::state, positive, predicate, std::move(terms)};
}

// All triples (x, y, z) with edge(x, y), other(y, z), not mark(z) and x != z.
const std::vector<Condition> kConditions{is(Links::edge, {0, 1}),
                                         is(Links::other, {1, 2}),
                                         is(Links::mark, {2}, false),
                                         {Kind::equality, false, -1, {0, 2}}};

Tuples enumerated(const LiftedState& state) {
  Tuples result;
  const auto holds = [&](std::vector<int32_t> atom) { return state.holds(atom); };
  for (int32_t x = 0; x < kObjects; ++x) {
    for (int32_t y = 0; y < kObjects; ++y) {
      for (int32_t z = 0; z < kObjects; ++z) {
        if (holds({Links::edge, x, y}) && holds({Links::other, y, z}) && !holds({Links::mark, z}) &&
            x != z) {
          result.insert({x, y, z});
        }
      }
    }
  }
  return result;
}

// A state of Links with views over it.
struct Setup {
  Links links{kObjects};
  Limits limits;
  Watch watch{limits};
  LiftedState state{links.task};
  ViewedState views{state, watch};
  Pattern pattern = read_pattern({{0}, {0}, {0}}, kConditions, state);
  Generator generator{7};

  void change() { views.set(some_atom(*links.task, generator), generator.below(2) == 0); }
};

}  // namespace

TEST(a_join_finds_every_answer_in_order) {
  Setup s;
  for (int32_t i = 0; i < 200; ++i) s.change();
  const Conjunction conjunction = over_atoms(s.pattern, s.state);
  const Tuples expected = enumerated(s.state);
  CHECK(!expected.empty());
  for (const std::vector<int32_t>& order : {std::vector{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
    Join join(s.state, conjunction, order);
    join.start();
    Tuples found;
    std::vector<int32_t> last;
    for (int64_t work = 0; join.next_answer(nullptr, work);) {
      std::vector<int32_t> in_order;
      for (int32_t variable : order) in_order.push_back(join.binding()[variable]);
      CHECK(last < in_order);
      last = in_order;
      found.insert(join.binding());
    }
    CHECK(found == expected);
  }
}

TEST(an_ordered_search_finds_the_first_answer) {
  Setup s;
  for (int32_t i = 0; i < 300; ++i) {
    s.change();
    const Tuples expected = enumerated(s.state);
    OrderedSearch search(s.state, over_atoms(s.pattern, s.state));
    search.start();
    int64_t budget = 1'000'000;
    const bool found = search.advance(budget) == Join::Outcome::answer;
    CHECK(found == !expected.empty());
    if (found) CHECK(search.binding() == *expected.begin());
  }
}

TEST(a_view_follows_every_change) {
  Setup s;
  View& view = s.views.view(s.pattern);
  const Trie& index = view.relation().index({0, 1, 2});
  for (int32_t i = 0; i < 500; ++i) {
    s.change();
    Tuples kept;
    index.for_each([&](Tuple tuple) { kept.emplace(tuple.begin(), tuple.end()); });
    CHECK(kept == enumerated(s.state));
  }
  CHECK(&s.views.view(s.pattern) == &view);
}

TEST(a_delta_query_tells_whether_answers_have_come) {
  Setup s;
  DeltaQuery query(s.pattern, s.views);
  int32_t told = 0;
  for (int32_t i = 0; i < 2000; ++i) {
    const bool was_empty = enumerated(s.state).empty();
    const int64_t position = s.views.log().end();
    for (int32_t j = 0; j < 3; ++j) s.change();
    if (!was_empty) {
      // Back to a state without an answer, to begin again.
      for (int32_t x = 0; x < kObjects; ++x) s.views.set(std::vector{0 + Links::mark, x}, true);
      continue;
    }
    query.start(position);
    int64_t budget = 1'000'000;
    const bool found = query.advance(budget) == Join::Outcome::answer;
    CHECK(found == !enumerated(s.state).empty());
    told += found;
  }
  CHECK(told > 0);
}

// reach(x, y): edge(x, y), or edge(x, z) and reach(z, y); apart(x): mark(x), nothing reaches x.
TEST(derived_relations_follow_every_change) {
  Links links(kObjects);
  RuleTable table;
  const auto derived = [](int32_t relation, std::vector<Term> terms, bool positive = true) {
    return Condition{Kind::derived, positive, relation, std::move(terms)};
  };
  DerivedRelation reach;
  reach.arity = 2;
  reach.clauses = {{{{0}, {0}}, {is(Links::edge, {0, 1})}},
                   {{{0}, {0}, {0}}, {is(Links::edge, {0, 2}), derived(-1, {2, 1})}}};
  const int32_t reached = table.define({reach});
  DerivedRelation round;
  round.arity = 1;
  round.clauses = {{{{0}}, {is(Links::mark, {0}), derived(reached, {0, 0}, false)}}};
  const int32_t apart = table.define({round});
  const auto rule = table.get(
      table.add({0, {0, 1}, {{0}, {0}}, {derived(reached, {0, 1}), derived(apart, {0})}}));

  const LoweredPolicy policy = lower(links.task, {rule}, table);
  CHECK(policy.groups.size() == 2);
  const int32_t reach_predicate = policy.groups[0].relations[0].predicate;
  const int32_t apart_predicate = policy.groups[1].relations[0].predicate;
  const Limits limits;
  Watch watch(limits);
  LiftedState state(policy.task);
  ViewedState views(state, watch);
  Derivations derivations(policy, views, watch);
  Generator generator(3);
  for (int32_t i = 0; i < 400; ++i) {
    // Few edges: so that they are lost and found again, in circles too.
    std::vector<int32_t> atom = some_atom(*links.task, generator);
    views.set(atom, generator.below(3) == 0);
    derivations.settle();
    bool closure[kObjects][kObjects];
    for (int32_t x = 0; x < kObjects; ++x) {
      for (int32_t y = 0; y < kObjects; ++y) {
        closure[x][y] = state.holds(std::vector{0 + Links::edge, x, y});
      }
    }
    for (int32_t z = 0; z < kObjects; ++z) {
      for (int32_t x = 0; x < kObjects; ++x) {
        for (int32_t y = 0; y < kObjects; ++y) closure[x][y] |= closure[x][z] && closure[z][y];
      }
    }
    for (int32_t x = 0; x < kObjects; ++x) {
      for (int32_t y = 0; y < kObjects; ++y) {
        CHECK(state.holds(std::vector{reach_predicate, x, y}) == closure[x][y]);
      }
      const bool marked = state.holds(std::vector{0 + Links::mark, x});
      CHECK(state.holds(std::vector{apart_predicate, x}) == (marked && !closure[x][x]));
    }
  }
}

TEST(a_policy_is_carried_out_and_its_plan_checked) {
  const Balls balls(5);
  const Execution done = execute(balls.task, balls.rules(), *balls.table, {}, {});
  CHECK(done.status == Status::solved && done.steps == 19);
  const PlanVerdict verdict = check_plan(*balls.task, done.plan);
  CHECK(verdict.valid && verdict.cost == 19);
  const Execution cut = execute(balls.task, balls.rules(), *balls.table, {.max_steps = 3}, {});
  CHECK(cut.status == Status::horizon && cut.steps == 3);
  CHECK(check_plan(*balls.task, cut.plan).missing_goals.size() == 4);
}
