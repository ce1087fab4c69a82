#include "lifted/pattern.hpp"

#include <algorithm>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Part = LiftedState::Part;

bool opposite(const Condition& goal, const Condition& state) {
  return goal.kind == Kind::goal && goal.positive && state.kind == Kind::state && !state.positive &&
         goal.predicate == state.predicate && goal.terms == state.terms;
}

bool has_variable(const Condition& condition) {
  return std::ranges::any_of(condition.terms, is_variable);
}

}  // namespace

Pattern read_pattern(const std::vector<std::vector<int32_t>>& parameter_types,
                     const std::vector<Condition>& conditions, LiftedState& state) {
  Pattern pattern;
  for (const auto& types : parameter_types) pattern.types.push_back(state.objects_of(types));
  for (const Condition& condition : conditions) {
    auto answers = [&](const Condition& other) { return opposite(condition, other); };
    auto answered = [&](const Condition& other) { return opposite(other, condition); };
    const auto& [kind, positive, predicate, terms] = condition;
    if (!has_variable(condition)) {
      pattern.checks.push_back(condition);
    } else if (kind == Kind::derived) {
      pattern.checks.push_back(condition);
      const std::vector<Term> edge(terms.begin(), terms.end() - 1);
      if (positive && state.is_next(predicate) && std::ranges::any_of(edge, is_variable)) {
        pattern.literals.push_back({Part::state, state.edges_of(predicate), edge});
      }
    } else if (std::ranges::any_of(conditions, answers)) {
      pattern.literals.push_back({Part::open, predicate, terms});
    } else if (std::ranges::any_of(conditions, answered)) {
      // Part of an open goal.
    } else if (kind != Kind::equality && positive) {
      pattern.literals.push_back({kind == Kind::goal ? Part::goal : Part::state, predicate, terms});
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

bool Trigger::start(Tuple atom, std::vector<int32_t>& objects) {
  objects.assign(variables.size(), -1);
  for (size_t place = 0; place < terms.size(); ++place) {
    const Term term = terms[place];
    const int32_t object = atom[place + 1];
    if (!is_variable(term)) {
      if (object_of(term) != object) return false;
      continue;
    }
    int32_t& fixed = objects[std::ranges::find(variables, term) - variables.begin()];
    if (fixed >= 0 && fixed != object) return false;
    fixed = object;
  }
  rest.start(objects.data());
  return true;
}

std::vector<Trigger> triggers_of(const Pattern& pattern, LiftedState& state) {
  const Task& task = state.task();
  std::vector<Trigger> triggers;
  auto add = [&](const Pattern& rest, int32_t predicate, const std::vector<Term>& terms,
                 bool positive, bool only_wanted) {
    std::vector<int32_t> variables;
    for (Term term : terms) {
      if (is_variable(term) && std::ranges::find(variables, term) == variables.end()) {
        variables.push_back(term);
      }
    }
    const Conjunction conjunction = over_atoms(rest, state);
    Join join(state, conjunction, greedy_order(conjunction, variables, task.num_objects()),
              variables.size());
    triggers.push_back({predicate, terms, positive, only_wanted, variables, std::move(join)});
  };
  for (size_t i = 0; i < pattern.literals.size(); ++i) {
    const auto& [part, predicate, terms] = pattern.literals[i];
    if (part == Part::goal || !task.fluent[predicate]) continue;
    Pattern rest = pattern;
    rest.literals.erase(rest.literals.begin() + static_cast<std::ptrdiff_t>(i));
    add(rest, predicate, terms, part == Part::state, part == Part::open);
  }
  for (size_t i = 0; i < pattern.checks.size(); ++i) {
    const Condition& check = pattern.checks[i];
    if (check.kind != Kind::state || !task.fluent[check.predicate]) continue;
    Pattern rest = pattern;
    rest.checks.erase(rest.checks.begin() + static_cast<std::ptrdiff_t>(i));
    add(rest, check.predicate, check.terms, check.positive, false);
  }
  return triggers;
}

}  // namespace pg3
