#include "lifted/lifted_policy.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pg3 {

namespace {

// A part that wastes its time all the same is thought over ever more rarely.
constexpr int64_t kMorePatience = 4;
// A view may become costly, or a relation large, while nobody asks: looked at every so many calls.
constexpr int64_t kLookAtAll = 64;

// The variables that have to do with each other, in ascending order, part by part.
std::vector<std::vector<VariableId>> connected_variables(const Pattern& pattern) {
  // By variable: the one that its part is known by.
  std::vector<VariableId> part = first_variables(pattern.types.size());
  auto connect = [&](const std::vector<Term>& terms) {
    const auto first = std::ranges::find_if(terms, is_variable);
    for (Term term : terms) {
      if (!is_variable(term)) continue;
      const VariableId from = part[index_of(term)], to = part[index_of(*first)];
      std::ranges::replace(part, from, to);
    }
  };
  for (const Literal& literal : pattern.literals) connect(literal.terms);
  for (const Condition& check : pattern.checks) connect(check.terms);
  std::vector<std::vector<VariableId>> result;
  for (VariableId variable : first_variables(part.size())) {
    const auto known = std::ranges::find_if(result, [&](const auto& variables) {
      return part[index_of(variables[0])] == part[index_of(variable)];
    });
    if (known != result.end()) {
      known->push_back(variable);
    } else {
      result.push_back({variable});
    }
  }
  return result;
}

// What the pattern says of these variables; if there are none, what it says of no variable.
Pattern part_about(const Pattern& pattern, const std::vector<VariableId>& variables) {
  Pattern part;
  for (VariableId variable : variables) part.types.push_back(pattern.types[index_of(variable)]);
  auto place_of = [&](Term term) { return std::ranges::find(variables, variable_of(term)); };
  // Whether it is about them; if so, the terms get the part's own variables.
  auto rename = [&](std::vector<Term>& terms) {
    const auto first = std::ranges::find_if(terms, is_variable);
    if (first == terms.end()) return variables.empty();
    if (place_of(*first) == variables.end()) return false;
    for (Term& term : terms) {
      if (is_variable(term)) term = static_cast<Term>(place_of(term) - variables.begin());
    }
    return true;
  };
  for (Literal literal : pattern.literals) {
    if (rename(literal.terms)) part.literals.push_back(std::move(literal));
  }
  for (Condition check : pattern.checks) {
    if (rename(check.terms)) part.checks.push_back(std::move(check));
  }
  return part;
}

}  // namespace

LiftedPolicy::LiftedPolicy(const std::vector<std::shared_ptr<const Rule>>& rules,
                           ViewedState& state)
    : state_(state) {
  const Tuning& tuning = state.tuning();
  const Preparation cheap{Level::filtered, tuning.partners, false};
  for (const auto& rule : rules) {
    const Pattern pattern = read_pattern(rule->parameter_types, rule->conditions, state.state());
    Uses& uses = rules_.emplace_back(Uses{pattern.types.size(), {}});
    const Pattern ground = part_about(pattern, {});
    if (!ground.checks.empty()) uses.parts.push_back({part_of(ground, cheap), {}});
    for (const auto& variables : connected_variables(pattern)) {
      const Pattern part = part_about(pattern, variables);
      uses.parts.push_back({part_of(part, cheap), variables});
    }
  }
  state.drop_unused();
}

size_t LiftedPolicy::part_of(const Pattern& pattern, const Preparation& cheap) {
  const auto known = std::ranges::find(parts_, pattern, &Part::pattern);
  if (known != parts_.end()) return static_cast<size_t>(known - parts_.begin());
  int64_t atoms = 0;
  for (const auto& [part, predicate, terms] : pattern.literals) {
    atoms += state_.state().relation(part, predicate).size();
  }
  const auto& [few, partners, least, atoms_a_candidate, fair_work, grace, turn] = state_.tuning();
  const int64_t patience = std::max(least, atoms / atoms_a_candidate);
  parts_.push_back({pattern, LiftedQuery(pattern, state_, cheap), cheap, patience});
  return parts_.size() - 1;
}

// Whether something else is to be prepared for the part from now on.
bool LiftedPolicy::reconsider(Part& part) const {
  const LiftedQuery& query = part.query;
  auto& [level, most, searches] = part.preparation;
  if (query.is_costly()) {
    level = level == Level::joined ? Level::filtered : Level::plain;
    most = state_.tuning().partners;
    part.settled = true;
    return true;
  }
  if (query.waste() > part.patience && !part.settled) {
    if (!searches && is_long(part.pattern, state_.tuning())) {
      searches = true;
      return true;
    }
    part.patience *= kMorePatience;
    // A view may cost a step as much as it saves.
    const auto steps = static_cast<double>(calls_ - part.since);
    const double saved = static_cast<double>(query.waste()) / steps;
    if (!searches || level != Level::joined || saved > most) {
      searches = true;
      level = Level::joined;
      most = std::max(state_.tuning().partners, saved);
      return true;
    }
  }
  return query.has_outgrown();
}

void LiftedPolicy::adapt() {
  if (calls_ % kLookAtAll == 0) {
    asked_.resize(parts_.size());
    std::iota(asked_.begin(), asked_.end(), size_t{0});
  }
  std::erase_if(asked_, [&](size_t part) { return !reconsider(parts_[part]); });
  if (!asked_.empty()) prepare(asked_);
  asked_.clear();
}

void LiftedPolicy::prepare(const std::vector<size_t>& parts) {
  // What is needed as before stays, and is not built again.
  state_.forget_uses();
  for (size_t number : parts) {
    Part& part = parts_[number];
    part.query = LiftedQuery(part.pattern, state_, part.preparation);
    part.since = calls_;
  }
  for (const Part& part : parts_) part.query.use();
  state_.drop_unused();
}

LiftedQuery::Answer LiftedPolicy::ask(Part& part, Watch& watch) {
  if (part.asked != calls_) {
    const auto number = static_cast<size_t>(&part - parts_.data());
    part.asked = calls_;
    const bool patient = !is_long(part.pattern, state_.tuning());
    const int64_t most = patient ? std::numeric_limits<int64_t>::max() : part.patience;
    part.answer = part.query.first(watch, most);
    if (part.answer == LiftedQuery::Answer::too_long) {
      // One search in a bad order may take seconds: nobody waits for its end.
      part.preparation.searches = true;
      prepare({number});
      part.answer = part.query.first(watch, most);
    }
    asked_.push_back(number);
  }
  return part.answer;
}

LiftedQuery::Answer LiftedPolicy::first(Watch& watch) {
  ++calls_;
  adapt();
  for (rule_ = 0; rule_ < rules_.size(); ++rule_) {
    auto& [num_variables, parts] = rules_[rule_];
    LiftedQuery::Answer answer = LiftedQuery::Answer::found;
    for (size_t i = 0; i < parts.size() && answer == LiftedQuery::Answer::found; ++i) {
      answer = ask(parts_[parts[i].part], watch);
      // What fails now is likely to fail the next time.
      if (answer == LiftedQuery::Answer::none) std::swap(parts[0], parts[i]);
    }
    if (answer == LiftedQuery::Answer::stopped) return answer;
    if (answer == LiftedQuery::Answer::none) continue;
    binding_.resize(num_variables);
    for (const auto& [part, variables] : parts) {
      const auto& objects = parts_[part].query.binding();
      for (size_t v = 0; v < variables.size(); ++v) binding_[index_of(variables[v])] = objects[v];
    }
    return answer;
  }
  return LiftedQuery::Answer::none;
}

}  // namespace pg3
