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

TEST(facts_may_be_joined) {
  const Tokens tokens("(:objects b - ball) (:init (and (at b me) (and))) (:goal (and))");
  const ProblemLists found = lists(tokens);
  CHECK(found.fault == Fault::none);
  CHECK(found.init.size() == 1);
  CHECK(found.joined_facts.size() == 2);
  const Tokens faulty("(:objects b - ball) (:init (and (at b me)) (not (at b me))) (:goal (and))");
  CHECK(lists(faulty).fault == Fault::init);
}

TEST(values_that_are_no_plain_digits_are_left_to_the_front_end) {
  const Vocabulary vocabulary{
      {"object"}, {}, {}, {}, {{"f", {}}, {"g", {}}, {"cost", {}}}, TypeId{0}, FunctionId{2}};
  const auto read = [&](const std::string& init) {
    const Tokens tokens("(:objects) (:init " + init + ") (:goal (and))");
    const size_t goal = tokens.closing(3) + 1;
    return read_problem_lists(tokens, vocabulary, {0, 3, goal});
  };
  const ProblemLists plain = read("(= (f) 07.0)");
  CHECK(plain.fault == Fault::none && plain.odd_values.empty() && plain.values.front() == 7);
  for (const char* word : {"+3", "-1", ".5", "5e-1", "1.e+9", "99999999999"}) {
    const ProblemLists odd = read("(= (g) " + std::string(word) + ")");
    CHECK(odd.fault == Fault::none && odd.odd_values.size() == 1);
  }
  for (const char* word : {"+", ".", "e5", "5e", "5e+", "1.2.3", "5+5", "0x1"}) {
    CHECK(read("(= (g) " + std::string(word) + ")").fault == Fault::init);
  }
  CHECK(read("(= (f) 1) (= (f) 1) (= (f) 1.5)").odd_values.size() == 2);  // the first, the last
  CHECK(read("(= (cost) +0.e7)").fault == Fault::none);
  CHECK(read("(= (cost) 1e-7)").fault == Fault::init);
}

TEST(a_plan_is_read_up_to_its_fault) {
  const PlanNames names{{"go"}, {2}, {"a", "b"}};
  const PlanCodes good = read_plan_codes(Tokens("(GO a b)\n(go b a)"), names);
  CHECK(good.fault == -1 && good.codes == std::vector<int32_t>{0, 0, 1, 0, 1, 0});
  CHECK(read_plan_codes(Tokens("(go a b) (go a c)"), names).fault == 8);
}
