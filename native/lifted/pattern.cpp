#include "lifted/pattern.hpp"

#include <algorithm>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Part = LiftedState::Part;

bool opposite(const Condition& goal, const Condition& state) {
  return goal.kind == Kind::goal && goal.positive && state.kind == Kind::state && !state.positive &&
         goal.symbol == state.symbol && goal.terms == state.terms;
}

bool has_variable(const Condition& condition) {
  return std::ranges::any_of(condition.terms, is_variable);
}

}  // namespace

Pattern read_pattern(const ParameterTypes& parameter_types,
                     const std::vector<Condition>& conditions, LiftedState& state) {
  Pattern pattern;
  for (const auto& types : parameter_types) pattern.types.push_back(state.objects_of(types));
  for (const Condition& condition : conditions) {
    auto answers = [&](const Condition& other) { return opposite(condition, other); };
    auto answered = [&](const Condition& other) { return opposite(other, condition); };
    const auto& [kind, positive, symbol, terms] = condition;
    if (!has_variable(condition)) {
      pattern.checks.push_back(condition);
    } else if (kind == Kind::derived) {
      pattern.checks.push_back(condition);
      const std::vector<Term> edge(terms.begin(), terms.end() - 1);
      const GraphId graph = condition.graph();
      if (positive && state.is_next(graph) && std::ranges::any_of(edge, is_variable)) {
        pattern.literals.push_back({Part::state, state.edges_of(graph), edge});
      }
    } else if (std::ranges::any_of(conditions, answers)) {
      pattern.literals.push_back({Part::open, condition.predicate(), terms});
    } else if (std::ranges::any_of(conditions, answered)) {
      // Part of an open goal.
    } else if (kind != Kind::equality && positive) {
      const Part part = kind == Kind::goal       ? Part::goal
                        : kind == Kind::unwanted ? Part::unwanted
                                                 : Part::state;
      pattern.literals.push_back({part, condition.predicate(), terms});
    } else {
      pattern.checks.push_back(condition);
    }
  }
  return pattern;
}

Conjunction over_atoms(const Pattern& pattern, LiftedState& state) {
  Conjunction conjunction{pattern.types, {}, pattern.checks};
  for (const auto& [part, predicate, terms] : pattern.literals) {
    conjunction.sources.push_back({&state.relation(part, predicate), terms});
  }
  return conjunction;
}

}  // namespace pg3
