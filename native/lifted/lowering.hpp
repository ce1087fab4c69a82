// Derived relations as predicates of a larger task.
//
// A policy with definitions is carried out on a larger task: each derived relation is a predicate
// of its own, behind those of the domain. The predicates that the domain's axioms derive are such
// relations too; they have predicates already.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/rule.hpp"
#include "core/task.hpp"

namespace pg3 {

struct LoweredClause {
  ParameterTypes parameter_types;
  std::vector<Condition> conditions;
};
struct LoweredRelation {
  PredicateId predicate;
  PredicateId draft;  // the predicate of the copy; the predicate itself if there is none
  size_t arity;
  std::vector<LoweredClause> clauses;
};
struct LoweredGroup {
  std::vector<LoweredRelation> relations;
  bool anew = false;  // worked out anew after a change
};
struct LoweredGraph {
  bool is_next;
  PredicateId predicate;
};

// A policy without derived relations, for a task without axioms, is left as it is.
struct LoweredPolicy {
  std::shared_ptr<const Task> task;
  std::vector<std::shared_ptr<const Rule>> rules;
  std::vector<LoweredGroup> groups;
  std::vector<LoweredGraph> graphs;
};

// Throws std::invalid_argument unless the rules fit the task.
LoweredPolicy lower(std::shared_ptr<const Task> task,
                    const std::vector<std::shared_ptr<const Rule>>& rules, const RuleTable& table);

}  // namespace pg3
