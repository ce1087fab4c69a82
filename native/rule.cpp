#include "rule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace pg3 {

namespace {

bool before(const Condition& a, const Condition& b) {
  return std::tie(a.kind, a.predicate, a.terms, a.positive) <
         std::tie(b.kind, b.predicate, b.terms, b.positive);
}

}  // namespace

std::vector<int32_t> RuleTable::extend(int32_t number, const std::vector<Condition>& conditions) {
  const std::shared_ptr<const Rule> rule = get(number);
  std::vector<int32_t> numbers;
  for (const Condition& added : conditions) {
    const bool present = std::ranges::any_of(rule->conditions, [&](const Condition& held) {
      return held.kind == added.kind && held.predicate == added.predicate &&
             held.terms == added.terms;
    });
    if (present) {
      numbers.push_back(-1);
      continue;
    }
    Rule extended = *rule;
    extended.conditions.push_back(added);
    numbers.push_back(add(std::move(extended)));
  }
  return numbers;
}

int32_t RuleTable::add(Rule rule) {
  auto& conditions = rule.conditions;
  for (Condition& condition : conditions) {
    // Equality has no sides: variables first, in their order, so that there is one way to say it.
    if (condition.kind != Condition::Kind::equality) continue;
    auto rank = [](Term term) {
      return std::pair(!is_variable(term), is_variable(term) ? term : object_of(term));
    };
    std::ranges::sort(condition.terms, {}, rank);
  }
  std::sort(conditions.begin(), conditions.end(), before);
  auto same = [](const Condition& a, const Condition& b) { return !before(a, b) && !before(b, a); };
  conditions.erase(std::unique(conditions.begin(), conditions.end(), same), conditions.end());
  std::vector<int32_t> code{rule.action};
  auto append = [&](const std::vector<int32_t>& list) {
    code.push_back(static_cast<int32_t>(list.size()));
    code.insert(code.end(), list.begin(), list.end());
  };
  append(rule.arguments);
  for (const auto& types : rule.parameter_types) append(types);
  for (const Condition& condition : rule.conditions) {
    code.push_back(-3 + static_cast<int32_t>(condition.kind));  // never a list's length
    code.push_back(condition.positive);
    code.push_back(condition.predicate);
    append(condition.terms);
  }
  const std::lock_guard lock(mutex_);
  const auto [number, is_new] = codes_.insert(code);
  if (is_new) rules_.push_back(std::make_shared<const Rule>(std::move(rule)));
  return number;
}

std::shared_ptr<const Rule> RuleTable::get(int32_t number) const {
  const std::lock_guard lock(mutex_);
  if (number < 0 || static_cast<size_t>(number) >= rules_.size()) {
    throw std::invalid_argument("no such rule");
  }
  return rules_[number];
}

int32_t RuleTable::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int32_t>(rules_.size());
}

void check_rule(const Rule& rule, const Task& task) {
  auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("malformed rule: ") + what);
  };
  require(rule.action >= 0 && rule.action < static_cast<int32_t>(task.actions.size()),
          "action out of range");
  require(rule.arguments.size() == task.actions[rule.action].parameter_types.size(),
          "wrong number of arguments");
  const size_t parameters = rule.parameter_types.size();
  require(parameters <= kMostTerms, "too many parameters");
  for (const auto& types : rule.parameter_types) {
    for (int32_t type : types) require(type >= 0 && type < task.num_types, "type out of range");
  }
  for (Term term : rule.arguments) {
    require(is_variable(term) ? static_cast<size_t>(term) < parameters
                              : object_of(term) < task.num_objects(),
            "argument out of range");
  }
  for (const Condition& condition : rule.conditions) {
    check_condition(condition, task.arities, task.num_objects(), parameters);
  }
}

}  // namespace pg3
