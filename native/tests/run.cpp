// Runs all tests, or those whose names are given.
#include <algorithm>
#include <exception>
#include <string_view>

#include "tests/check.hpp"

int main(int count, char** words) {
  using namespace pg3::tests;
  int passed = 0, failed = 0;
  for (const Test& test : all_tests()) {
    const auto is_this = [&](const char* word) { return std::string_view(word) == test.name; };
    if (count > 1 && std::none_of(words + 1, words + count, is_this)) continue;
    const int before = failed_checks;
    try {
      test.body();
    } catch (const std::exception& error) {
      check(false, error.what(), test.name, 0);
    }
    const bool well = failed_checks == before;
    if (!well) std::fprintf(stderr, "FAILED %s\n", test.name);
    ++(well ? passed : failed);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
