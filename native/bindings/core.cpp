// Tasks and rules.
#include <memory>

#include "bindings/bindings.hpp"
#include "core/rule.hpp"
#include "core/task.hpp"

namespace pg3 {

namespace {

// (kind, positive, symbol, terms)
using ConditionCode = std::tuple<int, bool, int32_t, std::vector<Term>>;
// (action, arguments, parameter types, conditions)
using RuleCode =
    std::tuple<SchemaId, std::vector<Term>, ParameterTypes, std::vector<ConditionCode>>;
// (parameter types, conditions)
using ClauseCode = std::pair<ParameterTypes, std::vector<ConditionCode>>;
// (form, arity, clauses, kind and number of the relation whose edges a graph has)
using RelationCode = std::tuple<int, int32_t, std::vector<ClauseCode>, int, int32_t>;
// (types of the variables, conditions, effects)
using EffectCode =
    std::tuple<ParameterTypes, std::vector<ConditionCode>, std::vector<ConditionCode>>;
// (parameter types, preconditions, effects, cost, cost function or -1, its terms, conditional ones)
using ActionCode =
    std::tuple<ParameterTypes, std::vector<ConditionCode>, std::vector<ConditionCode>, int32_t,
               FunctionId, std::vector<Term>, std::vector<EffectCode>>;
// (predicate, parameter types, conditions)
using AxiomCode = std::tuple<PredicateId, ParameterTypes, std::vector<ConditionCode>>;
// ((function, object, ...), value)
using FunctionValue = std::pair<std::vector<int32_t>, int32_t>;

// (coefficients with functions and terms, constant)
using SumCode = std::pair<std::vector<std::tuple<int64_t, FunctionId, std::vector<Term>>>, int64_t>;
// (order, sum)
using ComparisonCode = std::pair<int, SumCode>;
// (action, whether it assigns, function, terms, amount, its divisor)
using NumericCode = std::tuple<SchemaId, bool, FunctionId, std::vector<Term>, SumCode, int64_t>;
// (scale, values, comparisons by predicate, what actions do)
using NumbersCode =
    std::tuple<int64_t, std::vector<std::pair<std::vector<int32_t>, int64_t>>,
               std::vector<std::pair<PredicateId, ComparisonCode>>, std::vector<NumericCode>>;

LinearSum sum_of(const SumCode& code) {
  LinearSum sum;
  for (const auto& [coefficient, function, terms] : code.first) {
    sum.functions.push_back({coefficient, function, terms});
  }
  sum.constant = code.second;
  return sum;
}

Comparison comparison_of(const ComparisonCode& code) {
  if (code.first < 0 || code.first > 2) throw std::invalid_argument("malformed comparison: order");
  return {static_cast<Order>(code.first), sum_of(code.second)};
}

std::vector<Condition> conditions(const std::vector<ConditionCode>& codes) {
  std::vector<Condition> result;
  for (const auto& [kind, positive, symbol, terms] : codes) {
    if (kind < 0 || kind > 4) throw std::invalid_argument("malformed condition: unknown kind");
    result.push_back({static_cast<Condition::Kind>(kind), positive, symbol, terms});
  }
  return result;
}

std::shared_ptr<Task> make_task(int32_t num_types, const nb::bytes& object_types,
                                std::vector<int32_t> arities,
                                const std::vector<ActionCode>& actions, const nb::bytes& init,
                                const nb::bytes& goal, const nb::bytes& negative_goal,
                                const std::vector<FunctionValue>& function_values,
                                const std::vector<std::vector<AxiomCode>>& axioms,
                                const std::optional<NumbersCode>& given) {
  auto task = std::make_shared<Task>();
  task->num_types = num_types;
  task->object_types = numbers<TypeId>(object_types);
  task->arities = std::move(arities);
  for (const auto& [types, preconditions, effects, cost, function, terms, more] : actions) {
    std::vector<ConditionalEffect> conditional;
    for (const auto& [variables, needs, changes] : more) {
      conditional.push_back({variables, conditions(needs), conditions(changes)});
    }
    task->actions.push_back({types, conditions(preconditions), conditions(effects), cost, function,
                             terms, std::move(conditional)});
  }
  for (const auto& group : axioms) {
    auto& list = task->axioms.emplace_back();
    for (const auto& [predicate, types, body] : group) {
      list.push_back({predicate, types, conditions(body)});
    }
  }
  task->init = integers(init);
  task->goal = integers(goal);
  task->negative_goal = integers(negative_goal);
  for (const auto& [term, value] : function_values) {
    if (task->function_terms.insert(term).second) task->function_values.push_back(value);
  }
  if (given) {
    const auto& [scale, values, comparisons, effects] = *given;
    task->scale = scale;
    for (const auto& [term, value] : values) {
      if (task->value_terms.insert(term).second) task->values.push_back(value);
    }
    for (const auto& [predicate, comparison] : comparisons) {
      task->comparisons.push_back({predicate, comparison_of(comparison)});
    }
    for (const auto& [action, assigns, function, terms, amount, divisor] : effects) {
      if (!in_range(action, task->actions.size())) {
        throw std::invalid_argument("malformed task: action out of range");
      }
      task->actions[index_of(action)].numeric.push_back(
          {assigns, function, terms, sum_of(amount), divisor});
    }
  }
  const GilReleased release;
  task->finish();
  return task;
}

}  // namespace

void bind_core(nb::module_& m) {
  nb::class_<Task>(m, "Task").def(
      nb::new_(&make_task), nb::arg("num_types"), nb::arg("object_types"), nb::arg("arities"),
      nb::arg("actions"), nb::arg("init"), nb::arg("goal"), nb::arg("negative_goal"),
      nb::arg("function_values"), nb::arg("axioms") = std::vector<std::vector<AxiomCode>>(),
      nb::arg("numbers") = nb::none());

  nb::class_<RuleTable>(m, "RuleTable")
      .def(nb::init<>())
      .def(
          "add",
          [](RuleTable& table, const RuleCode& code) {
            const auto& [action, arguments, types, codes] = code;
            return table.add({action, arguments, types, conditions(codes)});
          },
          nb::arg("rule"))
      .def(
          "extend",
          [](RuleTable& table, RuleId rule, const std::vector<ConditionCode>& codes) {
            return table.extend(rule, conditions(codes));
          },
          nb::arg("number"), nb::arg("conditions"))
      .def(
          "get",
          [](const RuleTable& table, RuleId number) -> RuleCode {
            const auto rule = table.get(number);
            std::vector<ConditionCode> codes;
            for (const Condition& condition : rule->conditions) {
              codes.emplace_back(static_cast<int>(condition.kind), condition.positive,
                                 condition.symbol, condition.terms);
            }
            return {rule->action, rule->arguments, rule->parameter_types, codes};
          },
          nb::arg("number"))
      .def(
          "define",
          [](RuleTable& table, const std::vector<RelationCode>& group) {
            std::vector<DerivedRelation> relations;
            for (const auto& [form, arity, clauses, edge_kind, edges] : group) {
              if (form < 0 || form > 2) throw std::invalid_argument("malformed relation: form");
              if (edge_kind < 0 || edge_kind > 3) {
                throw std::invalid_argument("malformed relation: edges");
              }
              DerivedRelation& relation = relations.emplace_back();
              relation.form = static_cast<DerivedRelation::Form>(form);
              if (relation.form != DerivedRelation::Form::clauses && group.size() != 1) {
                throw std::invalid_argument("malformed relation: a graph stands alone");
              }
              relation.arity = arity;
              for (const auto& [types, codes] : clauses) {
                relation.clauses.push_back({types, conditions(codes)});
              }
              relation.edge_kind = static_cast<Condition::Kind>(edge_kind);
              relation.edges = edges;
            }
            return table.define(std::move(relations));
          },
          nb::arg("group"))
      .def(
          "compare",
          [](RuleTable& table, int32_t arity, const ComparisonCode& code) {
            return table.define(arity, comparison_of(code));
          },
          nb::arg("arity"), nb::arg("comparison"))
      .def("__len__", &RuleTable::size);
}

}  // namespace pg3
