#include "parse/plan_text.hpp"
#include "parse/problem_reader.hpp"
#include "parse/tokens.hpp"
#include "tests/check.hpp"

using namespace pg3;

TEST(words_are_folded_and_keep_their_places) {
  const Tokens tokens("(A b) ; (c\n(");
  CHECK(tokens.size() == 5);
  CHECK(tokens.word(1) == "a" && tokens.token(1).begin == 1 && tokens.token(1).end == 2);
  CHECK(tokens.closing(0) == 3 && tokens.is_close(3));
  CHECK(tokens.unclosed() == std::vector<uint32_t>{4});
  CHECK(tokens.closing(4) == tokens.size());
}

namespace {

const Vocabulary kVocabulary{{"object", "ball"},     {"me"}, {TypeId{0}},
                             {{"at", {"01", "10"}}}, {},     TypeId{0},
                             FunctionId::none};

ProblemLists lists(const Tokens& tokens) {
  size_t starts[3], found = 0;
  for (size_t i = 0; i < tokens.size() && found < 3;
       i = tokens.is_open(i) ? tokens.closing(i) + 1 : i + 1) {
    if (tokens.is_open(i)) starts[found++] = i;
  }
  return read_problem_lists(tokens, kVocabulary, {starts[0], starts[1], starts[2]});
}

}  // namespace

TEST(lists_of_a_problem_are_numbers) {
  const Tokens tokens("(:objects b - ball r) (:init (at b r) (at b r)) (:goal (and (at b me)))");
  const ProblemLists found = lists(tokens);
  CHECK(found.fault == Fault::none);
  CHECK(found.names == std::vector<std::string_view>{"b", "r"});
  CHECK(found.types == std::vector{TypeId{1}, TypeId{0}});
  CHECK(found.init.flat() == std::vector<int32_t>{0, 1, 2});  // constants come first
  CHECK(found.goal.flat() == std::vector<int32_t>{0, 1, 0});
}

TEST(a_faulty_list_is_named) {
  const Tokens init("(:objects b - ball) (:init (at me b)) (:goal (at b me))");
  CHECK(lists(init).fault == Fault::init);
  const Tokens goal("(:objects b - ball) (:init (at b me)) (:goal (on b me))");
  CHECK(lists(goal).fault == Fault::goal);
}

TEST(a_plan_is_read_up_to_its_fault) {
  const PlanNames names{{"go"}, {2}, {"a", "b"}};
  const PlanCodes good = read_plan_codes(Tokens("(GO a b)\n(go b a)"), names);
  CHECK(good.fault == -1 && good.codes == std::vector<int32_t>{0, 0, 1, 0, 1, 0});
  CHECK(read_plan_codes(Tokens("(go a b) (go a c)"), names).fault == 8);
}
