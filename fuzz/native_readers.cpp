// The kernel's readers on any text, under sanitizers: tokens, the lists of a problem, plans.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "parse/plan_text.hpp"
#include "parse/problem_reader.hpp"
#include "parse/tokens.hpp"

using namespace pg3;

// Ends the run with the promise that was broken.
#define REQUIRE(promise) \
  if (!(promise)) std::fprintf(stderr, "broken: %s\n", #promise), std::abort()

namespace {

const Vocabulary kVocabulary{{"object", "a", "b"},
                             {"k"},
                             {TypeId{1}},
                             {{"p", {}}, {"q", {"111"}}, {"r", {"110", "101"}}},
                             {{"total-cost", {}}, {"w", {"111"}}},
                             TypeId{0},
                             FunctionId{0}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Tokens tokens(std::string(reinterpret_cast<const char*>(data), size));
  // As the front end does it: a section is an expression that is closed and begins with a word.
  size_t objects = tokens.size(), init = tokens.size(), goal = tokens.size();
  for (size_t i = 0; i < tokens.size(); ++i) {
    REQUIRE(tokens.token(i).begin < tokens.token(i).end && tokens.token(i).end <= size);
    REQUIRE(!tokens.word(i).empty());
    if (!tokens.is_open(i)) continue;
    const size_t closing = tokens.closing(i);
    REQUIRE(closing > i && (closing == tokens.size() || tokens.is_close(closing)));
    if (closing == tokens.size() || closing == i + 1) continue;
    if (tokens.word(i + 1) == ":objects") objects = i;
    if (tokens.word(i + 1) == ":init") init = i;
    if (tokens.word(i + 1) == ":goal") goal = i;
  }
  for (uint32_t open : tokens.unclosed()) REQUIRE(tokens.closing(open) == tokens.size());
  const Tokens::Buried buried = tokens.buried_section();
  REQUIRE(buried.section <= tokens.size() && buried.around <= tokens.size());

  if (init < tokens.size() && goal < tokens.size()) {
    const ProblemLists lists = read_problem_lists(tokens, kVocabulary, {objects, init, goal});
    REQUIRE(lists.names.size() == lists.types.size());
    REQUIRE(lists.values.size() == static_cast<size_t>(lists.valued.size()));
    REQUIRE(lists.fault_at <= tokens.size() && lists.contradicts <= tokens.size());
  }

  const PlanNames names{{"go", "stay", "put"}, {2, 0, 1}, {"x", "y", "go"}};
  const PlanCodes plan = read_plan_codes(tokens, names);
  REQUIRE(plan.fault >= -1 && plan.fault <= static_cast<int64_t>(tokens.size()));
  return 0;
}
