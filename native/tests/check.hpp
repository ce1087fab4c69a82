// Tests of the kernel in C++: what Python's tests cannot reach, or only through much else.
//
// No registry that users reach from a build has a C++ test framework, and this is all that is
// needed. TEST(name) { ... } is run by main() of run.cpp; a failed CHECK is told, and the test goes
// on.
#pragma once

#include <cstdio>
#include <vector>

namespace pg3::tests {

struct Test {
  const char* name;
  void (*body)();
};

inline std::vector<Test>& all_tests() {
  static std::vector<Test> tests;
  return tests;
}

struct Registered {
  Registered(const char* name, void (*body)()) { all_tests().push_back({name, body}); }
};

inline int failed_checks = 0;

inline void check(bool holds, const char* text, const char* file, int line) {
  if (holds) return;
  ++failed_checks;
  std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
}

}  // namespace pg3::tests

#define TEST(name)                                                    \
  static void name();                                                 \
  static const pg3::tests::Registered registered_##name(#name, name); \
  static void name()
#define CHECK(...) \
  pg3::tests::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_THROWS(Type, ...)              \
  try {                                      \
    __VA_ARGS__;                             \
    CHECK(!"nothing thrown: " #__VA_ARGS__); \
  } catch (const Type&) {                    \
  }
