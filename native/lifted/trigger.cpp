#include "lifted/trigger.hpp"

#include <algorithm>
#include <cassert>

namespace pg3 {

using Kind = Condition::Kind;
using Part = LiftedState::Part;

bool Trigger::start(Atom atom, std::vector<int32_t>& objects) {
  assert(atom.predicate() == predicate && atom.objects().size() == terms.size());
  objects.assign(variables.size(), -1);
  for (size_t place = 0; place < terms.size(); ++place) {
    const Term term = terms[place];
    const int32_t object = atom.objects()[place];
    if (!is_variable(term)) {
      if (object_of(term) != ObjectId{object}) return false;
      continue;
    }
    int32_t& fixed = objects[std::ranges::find(variables, variable_of(term)) - variables.begin()];
    if (fixed >= 0 && fixed != object) return false;
    fixed = object;
  }
  rest.start(objects.data());
  return true;
}

std::vector<Trigger> triggers_of(const Pattern& pattern, LiftedState& state,
                                 const std::function<bool(PredicateId)>& asked_for) {
  const Task& task = state.task();
  std::vector<Trigger> triggers;
  auto can_change = [&](PredicateId predicate) {
    return task.is_fluent(predicate) && (!asked_for || asked_for(predicate));
  };
  auto add = [&](const Pattern& rest, PredicateId predicate, const std::vector<Term>& terms,
                 bool positive, bool only_wanted) {
    std::vector<VariableId> variables;
    for (Term term : terms) {
      if (!is_variable(term)) continue;
      if (std::ranges::find(variables, variable_of(term)) == variables.end()) {
        variables.push_back(variable_of(term));
      }
    }
    const Conjunction conjunction = over_atoms(rest, state);
    Join join(state, conjunction, greedy_order(conjunction, variables, task.num_objects()),
              variables.size());
    triggers.push_back({predicate, terms, positive, only_wanted, variables, std::move(join)});
  };
  for (size_t i = 0; i < pattern.literals.size(); ++i) {
    const auto& [part, predicate, terms] = pattern.literals[i];
    if (!LiftedState::can_change(part) || !can_change(predicate)) continue;
    Pattern rest = pattern;
    rest.literals.erase(rest.literals.begin() + static_cast<std::ptrdiff_t>(i));
    add(rest, predicate, terms, part == Part::state, part == Part::open);
  }
  for (size_t i = 0; i < pattern.checks.size(); ++i) {
    const Condition& check = pattern.checks[i];
    if (check.kind != Kind::state || !can_change(check.predicate())) continue;
    Pattern rest = pattern;
    rest.checks.erase(rest.checks.begin() + static_cast<std::ptrdiff_t>(i));
    add(rest, check.predicate(), check.terms, check.positive, false);
  }
  return triggers;
}

}  // namespace pg3
