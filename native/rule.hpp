// A rule of a lifted decision list in integers, independent of any problem.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "task.hpp"

namespace pg3 {

struct Rule {
  int32_t action;
  std::vector<Term> arguments;
  std::vector<std::vector<int32_t>> parameter_types;  // for each parameter the types it accepts
  std::vector<Condition> conditions;
};

// The rules of all candidates of a domain, each with a number. Rules that differ only in the order
// or repetition of their conditions have one number. State spaces compile a rule when they first
// meet its number and keep its results by it.
class RuleTable {
 public:
  int32_t add(Rule rule);

  // For each condition the rule with that condition added; -1 if the rule has it, or its opposite.
  std::vector<int32_t> extend(int32_t number, const std::vector<Condition>& conditions);
  std::shared_ptr<const Rule> get(int32_t number) const;
  int32_t size() const;

 private:
  mutable std::mutex mutex_;  // spaces read from other threads while a learner adds
  TupleTable codes_;
  std::vector<std::shared_ptr<const Rule>> rules_;
};

// Throws std::invalid_argument unless the rule fits the task's domain.
void check_rule(const Rule& rule, const Task& task);

}  // namespace pg3
