#include "view.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "derivations.hpp"

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

View::View(const Pattern& pattern, LiftedState& state, const Tuning& tuning)
    : pattern_(pattern),
      relation_(pattern.types.size(), state.task().num_objects(), [](const Relation::Visitor&) {}),
      fair_work_(tuning.fair_work),
      grace_(tuning.grace) {
  const Task& task = state.task();
  values_.resize(pattern.types.size());
  for (size_t i = 0; i < pattern.literals.size(); ++i) {
    const auto& [part, predicate, terms] = pattern.literals[i];
    if (part == Part::goal || !task.fluent[predicate]) continue;
    Pattern rest = pattern;
    rest.literals.erase(rest.literals.begin() + static_cast<std::ptrdiff_t>(i));
    add_trigger(state, rest, predicate, terms, part == Part::state, part == Part::open);
  }
  for (size_t i = 0; i < pattern.checks.size(); ++i) {
    const Condition& check = pattern.checks[i];
    if (check.kind != Kind::state || !task.fluent[check.predicate]) continue;
    Pattern rest = pattern;
    rest.checks.erase(rest.checks.begin() + static_cast<std::ptrdiff_t>(i));
    add_trigger(state, rest, check.predicate, check.terms, check.positive, false);
  }
  // Views are made in the middle of an execution too, and then each index takes its time: the
  // variables in their order are what one of the rules is likely to ask for.
  std::vector<int32_t> places(pattern.types.size());
  std::iota(places.begin(), places.end(), 0);
  relation_.index(places);
  relation_.forget_uses();
  const Conjunction all = over_atoms(pattern, state);
  Join join(state, all, greedy_order(all, {}));
  join.start();
  auto budget = std::numeric_limits<int64_t>::max();
  while (join.advance(budget) == Join::Outcome::answer) relation_.insert(join.binding());
}

void View::add_trigger(LiftedState& state, const Pattern& rest, int32_t predicate,
                       const std::vector<Term>& terms, bool positive, bool only_wanted) {
  std::vector<int32_t> variables;
  for (Term term : terms) {
    if (is_variable(term) && std::ranges::find(variables, term) == variables.end()) {
      variables.push_back(term);
    }
  }
  const Conjunction conjunction = over_atoms(rest, state);
  Join join(state, conjunction, greedy_order(conjunction, variables), variables.size());
  triggers_.push_back({predicate, terms, positive, only_wanted, variables, std::move(join)});
}

void View::use() {
  used_ = true;
  for (const Trigger& trigger : triggers_) trigger.rest.use();
}

void View::forget_uses() {
  used_ = false;
  relation_.forget_uses();
}

template <typename Visit>
void View::each_answer(Trigger& trigger, Tuple atom, Visit visit) {
  ++changes_;
  fixed_.assign(pattern_.types.size(), -1);
  for (size_t place = 0; place < trigger.terms.size(); ++place) {
    const Term term = trigger.terms[place];
    const int32_t object = atom[place + 1];
    if (!is_variable(term)) {
      if (object_of(term) != object) return;
    } else if (fixed_[term] < 0) {
      fixed_[term] = object;
    } else if (fixed_[term] != object) {
      return;
    }
  }
  for (size_t i = 0; i < trigger.variables.size(); ++i) {
    values_[i] = fixed_[trigger.variables[i]];
  }
  trigger.rest.start(values_.data());
  auto budget = std::numeric_limits<int64_t>::max();
  while (trigger.rest.advance(budget) == Join::Outcome::answer) visit(trigger.rest.binding());
  work_ += std::numeric_limits<int64_t>::max() - budget;
}

void View::end_answers(Trigger& trigger, Tuple atom) {
  each_answer(trigger, atom, [&](Tuple answer) { relation_.erase(answer); });
}

void View::begin_answers(Trigger& trigger, Tuple atom) {
  each_answer(trigger, atom, [&](Tuple answer) { relation_.insert(answer); });
}

ViewedState::ViewedState(LiftedState& state, const Tuning& tuning)
    : state_(state),
      tuning_(tuning),
      watchers_(static_cast<size_t>(state.task().num_predicates())) {}

View& ViewedState::view(const Pattern& pattern) {
  for (auto& view : views_) {
    if (!(view->pattern() == pattern)) continue;
    view->use();
    return *view;
  }
  views_.push_back(std::make_unique<View>(pattern, state_, tuning_));
  watch(*views_.back());
  return *views_.back();
}

void ViewedState::watch(View& view) {
  for (size_t i = 0; i < view.triggers_.size(); ++i) {
    watchers_[view.triggers_[i].predicate].push_back({&view, i});
  }
}

void ViewedState::forget_uses() {
  state_.forget_uses();
  for (auto& view : views_) view->forget_uses();
  if (derivations_) derivations_->use();
}

void ViewedState::drop_unused() {
  std::erase_if(views_, [](const auto& view) { return !view->is_used(); });
  for (auto& watchers : watchers_) watchers.clear();
  for (auto& view : views_) {
    view->drop_unused();
    watch(*view);
  }
  state_.drop_unused();
}

void ViewedState::set(Tuple atom, bool present) {
  Fact* fact = state_.to_change(atom, present);
  if (!fact) return;
  if (derivations_) derivations_->before_change(atom, present);
  const auto& watchers = watchers_[atom[0]];
  const bool wanted = fact->wanted > 0;
  for (const auto& [view, i] : watchers) {
    View::Trigger& trigger = view->triggers_[i];
    if (trigger.positive == present || (trigger.only_wanted && !wanted)) continue;
    view->end_answers(trigger, atom);
  }
  state_.toggle(atom, *fact);
  for (const auto& [view, i] : watchers) {
    View::Trigger& trigger = view->triggers_[i];
    if (trigger.positive != present || (trigger.only_wanted && !wanted)) continue;
    view->begin_answers(trigger, atom);
  }
  if (derivations_) derivations_->after_change(atom, present);
}

size_t ViewedState::bytes() const {
  size_t total = state_.bytes();
  for (const auto& view : views_) total += view->relation_.bytes();
  return total;
}

}  // namespace pg3
