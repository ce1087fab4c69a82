// A rule of a lifted decision list in integers, independent of any problem.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/task.hpp"

namespace pg3 {

struct Rule {
  int32_t action;
  std::vector<Term> arguments;
  std::vector<std::vector<int32_t>> parameter_types;  // for each parameter the types it accepts
  std::vector<Condition> conditions;
};

// One way in which a derived relation holds of the objects that its first parameters stand for:
// some objects for the others satisfy all conditions.
struct Clause {
  std::vector<std::vector<int32_t>> parameter_types;
  std::vector<Condition> conditions;
};

// A relation over objects that is worked out from a state and the goal.
struct DerivedRelation {
  enum class Form {
    clauses = 0,  // what some clause says
    // Of the edges' places all but the last two come first: they say in which graph. After them
    reach = 1,  // (..., x, z): there is a path from x to z along `edges`, perhaps of length 0
    next = 2,   // (..., x, y, z): an edge leads from x to y, and y is one step nearer to z than x
  };
  Form form = Form::clauses;
  int32_t arity = 0;
  std::vector<Clause> clauses;
  Condition::Kind edge_kind = Condition::Kind::state;  // state or derived
  int32_t edges = -1;                                  // a predicate, or a derived relation
  // Relations that depend on each other are defined at once, as a group: its first number and size.
  int32_t group = 0, group_size = 1;
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

  // Defines relations that may depend on each other; returns the number of the first, the others
  // follow it. In their conditions derived relation -1 - i is the i-th of them, any other one a
  // number given before: so what a relation depends on, beyond its group, has smaller numbers. The
  // same relations get the same numbers.
  int32_t define(std::vector<DerivedRelation> group);
  std::shared_ptr<const DerivedRelation> relation(int32_t number) const;

 private:
  mutable std::mutex mutex_;  // spaces read from other threads while a learner adds
  TupleTable codes_;
  std::vector<std::shared_ptr<const Rule>> rules_;
  TupleTable group_codes_;
  std::vector<int32_t> group_numbers_;
  std::vector<std::shared_ptr<const DerivedRelation>> relations_;
};

// Throws std::invalid_argument unless the rule fits the task's domain and the table's relations.
void check_rule(const Rule& rule, const Task& task, const RuleTable& table);
// Likewise, of a relation of the table.
void check_relation(const DerivedRelation& relation, const Task& task, const RuleTable& table);

}  // namespace pg3
