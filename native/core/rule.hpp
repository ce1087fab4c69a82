// A rule of a lifted decision list in integers, independent of any problem.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/task.hpp"

namespace pg3 {

struct Rule {
  SchemaId action;
  std::vector<Term> arguments;
  ParameterTypes parameter_types;
  std::vector<Condition> conditions;
};

// One way in which a derived relation holds of the objects that its first parameters stand for:
// some objects for the others satisfy all conditions.
struct Clause {
  ParameterTypes parameter_types;
  std::vector<Condition> conditions;
};

// A relation over objects that is worked out from a state and the goal.
struct DerivedRelation {
  enum class Form {
    clauses = 0,  // what some clause says
    // Of the edges' places all but the last two come first: they say in which graph. After them
    reach = 1,  // (..., x, z): there is a path from x to z along `edges`, perhaps of length 0
    next = 2,   // (..., x, y, z): an edge leads from x to y, and y is one step nearer to z than x
    comparison = 3,  // what `comparison` says
  };
  Form form = Form::clauses;
  int32_t arity = 0;
  std::vector<Clause> clauses;
  Condition::Kind edge_kind = Condition::Kind::state;  // state or derived
  int32_t edges = -1;                                  // a predicate, or a derived relation
  Comparison comparison;
  // Relations that depend on each other are defined at once, as a group: the first one and how
  // many.
  RelationId group{0};
  int32_t group_size = 1;

  PredicateId edge_predicate() const {
    assert(edge_kind == Condition::Kind::state);
    return PredicateId{edges};
  }
  RelationId edge_relation() const {
    assert(edge_kind == Condition::Kind::derived);
    return RelationId{edges};
  }
  // The group's relation of this place in it.
  RelationId member(int32_t place) const { return RelationId{number_of(group) + place}; }
};

// The rules of all candidates of a domain, each with a number. Rules that differ only in the order
// or repetition of their conditions have one number. State spaces compile a rule when they first
// meet its number and keep its results by it.
class RuleTable {
 public:
  RuleId add(Rule rule);

  // For each condition the rule with that condition added; none if the rule has it, or its
  // opposite.
  std::vector<RuleId> extend(RuleId rule, const std::vector<Condition>& conditions);
  std::shared_ptr<const Rule> get(RuleId rule) const;
  int32_t size() const;

  // Defines relations that may depend on each other; returns the number of the first, the others
  // follow it. In their conditions derived relation -1 - i is the i-th of them, any other one a
  // number given before: so what a relation depends on, beyond its group, has smaller numbers. The
  // same relations get the same numbers.
  RelationId define(std::vector<DerivedRelation> group);
  // A relation of so many places that compares numbers.
  RelationId define(int32_t arity, Comparison comparison);
  std::shared_ptr<const DerivedRelation> relation(RelationId relation) const;

 private:
  mutable std::mutex mutex_;  // spaces read from other threads while a learner adds
  TupleTable codes_;
  std::vector<std::shared_ptr<const Rule>> rules_;
  TupleTable group_codes_;
  std::vector<RelationId> groups_;  // the first relation of each
  std::vector<std::shared_ptr<const DerivedRelation>> relations_;
};

// Throws std::invalid_argument unless the rule fits the task's domain and the table's relations.
void check_rule(const Rule& rule, const Task& task, const RuleTable& table);
// Likewise, of a relation of the table.
void check_relation(const DerivedRelation& relation, const Task& task, const RuleTable& table);

}  // namespace pg3
