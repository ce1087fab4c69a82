#include "core/rule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace pg3 {

namespace {

bool before(const Condition& a, const Condition& b) {
  return std::tie(a.kind, a.symbol, a.terms, a.positive) <
         std::tie(b.kind, b.symbol, b.terms, b.positive);
}

template <typename Id>
void append_list(std::vector<int32_t>& code, const std::vector<Id>& list) {
  code.push_back(static_cast<int32_t>(list.size()));
  for (Id id : list) code.push_back(number_of(id));
}

void append_query(std::vector<int32_t>& code, const ParameterTypes& types,
                  const std::vector<Condition>& conditions) {
  for (const auto& accepted : types) append_list(code, accepted);
  for (const Condition& condition : conditions) {
    code.push_back(-5 + static_cast<int32_t>(condition.kind));  // never a list's length
    code.push_back(condition.positive);
    code.push_back(condition.symbol);
    append_list(code, condition.terms);
  }
}

void append_comparison(std::vector<int32_t>& code, const Comparison& comparison) {
  const auto append = [&](int64_t number) {
    code.push_back(static_cast<int32_t>(number >> 32));
    code.push_back(static_cast<int32_t>(number));
  };
  code.push_back(static_cast<int32_t>(comparison.order));
  append(comparison.sum.constant);
  for (const auto& [coefficient, function, terms] : comparison.sum.functions) {
    append(coefficient);
    code.push_back(number_of(function));
    append_list(code, terms);
  }
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("malformed rule: ") + what);
}

void check_parameters(const ParameterTypes& parameter_types, const Task& task) {
  require(parameter_types.size() <= kMostTerms, "too many parameters");
  for (const auto& types : parameter_types) {
    for (TypeId type : types) require(in_range(type, task.num_types), "type out of range");
  }
}

void check_conditions(const std::vector<Condition>& conditions, const Task& task,
                      const RuleTable& table, size_t parameters) {
  for (const Condition& condition : conditions) {
    if (condition.kind != Condition::Kind::derived) {
      check_condition(condition, task.arities, task.num_objects(), parameters);
      continue;
    }
    const auto relation = table.relation(condition.relation());  // throws if there is none
    Condition plain = condition;
    plain.kind = Condition::Kind::state;
    plain.symbol = 0;
    check_condition(plain, {relation->arity}, task.num_objects(), parameters);
  }
}

}  // namespace

std::vector<RuleId> RuleTable::extend(RuleId rule, const std::vector<Condition>& conditions) {
  const std::shared_ptr<const Rule> source = get(rule);
  std::vector<RuleId> result;
  for (const Condition& added : conditions) {
    const bool present = std::ranges::any_of(source->conditions, [&](const Condition& held) {
      return held.kind == added.kind && held.symbol == added.symbol && held.terms == added.terms;
    });
    if (present) {
      result.push_back(RuleId::none);
      continue;
    }
    Rule extended = *source;
    extended.conditions.push_back(added);
    result.push_back(add(std::move(extended)));
  }
  return result;
}

RuleId RuleTable::add(Rule rule) {
  auto& conditions = rule.conditions;
  for (Condition& condition : conditions) {
    // Equality has no sides: variables first, in their order, so that there is one way to say it.
    if (condition.kind != Condition::Kind::equality) continue;
    auto rank = [](Term term) {
      return is_variable(term) ? std::pair(false, number_of(term))
                               : std::pair(true, number_of(object_of(term)));
    };
    std::ranges::sort(condition.terms, {}, rank);
  }
  std::sort(conditions.begin(), conditions.end(), before);
  auto same = [](const Condition& a, const Condition& b) { return !before(a, b) && !before(b, a); };
  conditions.erase(std::unique(conditions.begin(), conditions.end(), same), conditions.end());
  std::vector<int32_t> code{number_of(rule.action)};
  append_list(code, rule.arguments);
  append_query(code, rule.parameter_types, rule.conditions);
  const std::lock_guard lock(mutex_);
  const auto [number, is_new] = codes_.insert(code);
  if (is_new) rules_.push_back(std::make_shared<const Rule>(std::move(rule)));
  return RuleId{number};
}

std::shared_ptr<const Rule> RuleTable::get(RuleId rule) const {
  const std::lock_guard lock(mutex_);
  if (!in_range(rule, rules_.size())) throw std::invalid_argument("no such rule");
  return rules_[index_of(rule)];
}

int32_t RuleTable::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int32_t>(rules_.size());
}

RelationId RuleTable::define(std::vector<DerivedRelation> group) {
  std::vector<int32_t> code;
  const auto size = static_cast<int32_t>(group.size());
  for (const DerivedRelation& relation : group) {
    for (const Clause& clause : relation.clauses) {
      for (const Condition& condition : clause.conditions) {
        require(condition.kind != Condition::Kind::derived || condition.symbol >= -size,
                "derived relation out of range");
      }
    }
  }
  const std::lock_guard lock(mutex_);
  const auto first = static_cast<int32_t>(relations_.size());
  for (DerivedRelation& relation : group) {
    code.push_back(static_cast<int32_t>(relation.form));
    code.push_back(relation.arity);
    if (relation.form == DerivedRelation::Form::clauses) {
      code.push_back(static_cast<int32_t>(relation.clauses.size()));
      for (const Clause& clause : relation.clauses) {
        code.push_back(static_cast<int32_t>(clause.parameter_types.size()));
        code.push_back(static_cast<int32_t>(clause.conditions.size()));
        append_query(code, clause.parameter_types, clause.conditions);
      }
    } else if (relation.form == DerivedRelation::Form::comparison) {
      append_comparison(code, relation.comparison);
    } else {
      code.push_back(static_cast<int32_t>(relation.edge_kind));
      code.push_back(relation.edges);
    }
  }
  const auto [number, is_new] = group_codes_.insert(code);
  if (!is_new) return groups_[number];
  groups_.push_back(RelationId{first});
  for (DerivedRelation& relation : group) {
    relation.group = RelationId{first};
    relation.group_size = size;
    for (Clause& clause : relation.clauses) {
      for (Condition& condition : clause.conditions) {
        if (condition.kind != Condition::Kind::derived || condition.symbol >= 0) continue;
        condition.symbol = first - 1 - condition.symbol;
      }
    }
    relations_.push_back(std::make_shared<const DerivedRelation>(std::move(relation)));
  }
  return RelationId{first};
}

RelationId RuleTable::define(int32_t arity, Comparison comparison) {
  DerivedRelation relation;
  relation.form = DerivedRelation::Form::comparison;
  relation.arity = arity;
  relation.comparison = std::move(comparison);
  return define({std::move(relation)});
}

std::shared_ptr<const DerivedRelation> RuleTable::relation(RelationId relation) const {
  const std::lock_guard lock(mutex_);
  if (!in_range(relation, relations_.size())) {
    throw std::invalid_argument("no such derived relation");
  }
  return relations_[index_of(relation)];
}

void check_rule(const Rule& rule, const Task& task, const RuleTable& table) {
  require(in_range(rule.action, task.actions.size()), "action out of range");
  require(rule.arguments.size() == task.schema(rule.action).parameter_types.size(),
          "wrong number of arguments");
  const size_t parameters = rule.parameter_types.size();
  check_parameters(rule.parameter_types, task);
  for (Term term : rule.arguments) {
    require(is_variable(term) ? index_of(term) < parameters
                              : in_range(object_of(term), task.object_types.size()),
            "argument out of range");
  }
  check_conditions(rule.conditions, task, table, parameters);
}

void check_relation(const DerivedRelation& relation, const Task& task, const RuleTable& table) {
  if (relation.form == DerivedRelation::Form::comparison) {
    require(relation.arity >= 0 && static_cast<size_t>(relation.arity) <= kMostTerms,
            "arity out of range");
    check_sum(relation.comparison.sum, task, static_cast<size_t>(relation.arity));
    check_comparison(relation.comparison, static_cast<size_t>(relation.arity));
    return;
  }
  if (relation.form == DerivedRelation::Form::clauses) {
    require(relation.arity >= 0 && static_cast<size_t>(relation.arity) <= kMostTerms,
            "arity out of range");
    for (const Clause& clause : relation.clauses) {
      check_parameters(clause.parameter_types, task);
      require(clause.parameter_types.size() >= static_cast<size_t>(relation.arity),
              "clause with too few parameters");
      check_conditions(clause.conditions, task, table, clause.parameter_types.size());
      // Within a group only what holds can be of help: the order of strata is that of the numbers.
      for (const Condition& condition : clause.conditions) {
        if (condition.kind != Condition::Kind::derived) continue;
        require(condition.relation() < relation.member(relation.group_size) &&
                    (condition.positive || condition.relation() < relation.group),
                "clauses are not stratified");
      }
    }
    return;
  }
  int32_t edge_arity = 0;
  if (relation.edge_kind == Condition::Kind::derived) {
    require(relation.edge_relation() < relation.group, "clauses are not stratified");
    const auto edges = table.relation(relation.edge_relation());
    require(
        edges->form != DerivedRelation::Form::reach && edges->form != DerivedRelation::Form::next,
        "a graph cannot be made of paths");
    edge_arity = edges->arity;
  } else {
    require(relation.edge_kind == Condition::Kind::state &&
                in_range(relation.edge_predicate(), task.arities.size()),
            "a graph needs a relation");
    edge_arity = task.arities[index_of(relation.edge_predicate())];
  }
  require(edge_arity >= 2, "a graph needs a relation of two places or more");
  require(relation.arity == edge_arity + (relation.form == DerivedRelation::Form::next) &&
              static_cast<size_t>(relation.arity) <= kMostTerms,
          "arity out of range");
}

}  // namespace pg3
