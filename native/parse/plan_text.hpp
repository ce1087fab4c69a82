// Plans as text: written while they grow, read back as numbers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "core/task.hpp"
#include "parse/tokens.hpp"

namespace pg3 {

// The names behind the numbers of a plan.
struct PlanNames {
  std::vector<std::string> actions;
  std::vector<int32_t> arities;  // of the actions
  std::vector<std::string> objects;
};

// A file that takes one action a line. Errors are std::system_error with the system's reason.
class PlanWriter {
 public:
  PlanWriter(const std::string& path, PlanNames names);
  ~PlanWriter();
  PlanWriter(const PlanWriter&) = delete;
  PlanWriter& operator=(const PlanWriter&) = delete;

  void write(GroundAction action);
  // Everything is on its way to the disk after this; call it once, at the end.
  void close();

 private:
  PlanNames names_;
  std::FILE* file_;
  std::string line_;
};

// The actions of a plan text in its plain form, (name object ...) one after the other, as codes.
// `fault` is -1, or the number of the first token that does not fit: who wants to tell more about
// it reads the text again with more patience.
struct PlanCodes {
  std::vector<int32_t> codes;
  int64_t fault = -1;
};

PlanCodes read_plan_codes(const Tokens& tokens, const PlanNames& names);

}  // namespace pg3
