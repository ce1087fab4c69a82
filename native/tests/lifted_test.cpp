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
const std::vector<Condition> kConditions{is(Links::edge, {x, y}),
                                         is(Links::other, {y, z}),
                                         is(Links::mark, {z}, false),
                                         {Kind::equality, false, -1, {x, z}}};

Tuples enumerated(const LiftedState& state) {
  Tuples result;
  const auto holds = [&](std::vector<int32_t> atom) { return state.holds(Atom{atom}); };
  for (int32_t a = 0; a < kObjects; ++a) {
    for (int32_t b = 0; b < kObjects; ++b) {
      for (int32_t c = 0; c < kObjects; ++c) {
        if (holds({Links::edge, a, b}) && holds({Links::other, b, c}) && !holds({Links::mark, c}) &&
            a != c) {
          result.insert({a, b, c});
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
  Pattern pattern = read_pattern({{Links::kAny}, {Links::kAny}, {Links::kAny}}, kConditions, state);
  Generator generator{7};

  void change() {
    const std::vector<int32_t> atom = some_atom(*links.task, generator);
    views.set(Atom{atom}, generator.below(2) == 0);
  }
};

}  // namespace

TEST(a_join_finds_every_answer_in_order) {
  Setup s;
  for (int32_t i = 0; i < 200; ++i) s.change();
  const Conjunction conjunction = over_atoms(s.pattern, s.state);
  const Tuples expected = enumerated(s.state);
  CHECK(!expected.empty());
  const VariableId u{0}, v{1}, w{2};
  for (const std::vector<VariableId>& order : {std::vector{u, v, w}, {w, u, v}, {v, w, u}}) {
    Join join(s.state, conjunction, order);
    join.start();
    Tuples found;
    std::vector<int32_t> last;
    for (int64_t work = 0; join.next_answer(nullptr, work);) {
      std::vector<int32_t> in_order;
      for (VariableId variable : order) in_order.push_back(join.binding()[index_of(variable)]);
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
      for (int32_t object = 0; object < kObjects; ++object) {
        const std::vector<int32_t> atom{Links::mark, object};
        s.views.set(Atom{atom}, true);
      }
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
  const auto derived = [](RelationId relation, std::vector<Term> terms, bool positive = true) {
    return Condition{Kind::derived, positive, number_of(relation), std::move(terms)};
  };
  const std::vector any{Links::kAny};
  const RelationId itself{-1};  // the first of the group
  DerivedRelation reach;
  reach.arity = 2;
  reach.clauses = {{{any, any}, {is(Links::edge, {x, y})}},
                   {{any, any, any}, {is(Links::edge, {x, z}), derived(itself, {z, y})}}};
  const RelationId reached = table.define({reach});
  DerivedRelation round;
  round.arity = 1;
  round.clauses = {{{any}, {is(Links::mark, {x}), derived(reached, {x, x}, false)}}};
  const RelationId apart = table.define({round});
  const auto rule = table.get(table.add(
      {SchemaId{0}, {x, y}, {any, any}, {derived(reached, {x, y}), derived(apart, {x})}}));

  const LoweredPolicy policy = lower(links.task, {rule}, table);
  CHECK(policy.groups.size() == 2);
  const int32_t reach_number = number_of(policy.groups[0].relations[0].predicate);
  const int32_t apart_number = number_of(policy.groups[1].relations[0].predicate);
  const Limits limits;
  Watch watch(limits);
  LiftedState state(policy.task);
  ViewedState views(state, watch);
  Derivations derivations(policy, views, watch);
  Generator generator(3);
  for (int32_t i = 0; i < 400; ++i) {
    // Few edges: so that they are lost and found again, in circles too.
    std::vector<int32_t> atom = some_atom(*links.task, generator);
    views.set(Atom{atom}, generator.below(3) == 0);
    derivations.settle();
    const auto holds = [&](std::vector<int32_t> code) { return state.holds(Atom{code}); };
    bool closure[kObjects][kObjects];
    for (int32_t a = 0; a < kObjects; ++a) {
      for (int32_t b = 0; b < kObjects; ++b) closure[a][b] = holds({Links::edge, a, b});
    }
    for (int32_t c = 0; c < kObjects; ++c) {
      for (int32_t a = 0; a < kObjects; ++a) {
        for (int32_t b = 0; b < kObjects; ++b) closure[a][b] |= closure[a][c] && closure[c][b];
      }
    }
    for (int32_t a = 0; a < kObjects; ++a) {
      for (int32_t b = 0; b < kObjects; ++b) {
        CHECK(holds({reach_number, a, b}) == closure[a][b]);
      }
      CHECK(holds({apart_number, a}) == (holds({Links::mark, a}) && !closure[a][a]));
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

TEST(conditional_effects_in_a_run_and_in_the_checker) {
  const Briefcase briefcase(5);
  const auto table = std::make_shared<RuleTable>();
  const RuleId rule =
      table->add({SchemaId{0},
                  {x, y},
                  {{Briefcase::kPlace}, {Briefcase::kPlace}},
                  {is(Briefcase::case_at, {x}), {Kind::equality, false, -1, {x, y}}}});
  const Execution found = execute(briefcase.task, {table->get(rule)}, *table, {}, {});
  CHECK(found.status == Status::solved && found.steps == 1);
  CHECK(check_plan(*briefcase.task, found.plan).valid);
  CHECK(!check_plan(*briefcase.task, {}).valid);
  // Forth and back: the items come back, but dry, so that it is no cycle before the third step.
  Briefcase unreachable(5);
  unreachable.task->goal = {Briefcase::in, Briefcase::item(1)};
  const Execution cycle = execute(unreachable.task, {table->get(rule)}, *table, {}, {});
  CHECK(cycle.status == Status::cycle && cycle.steps == 3);
}
