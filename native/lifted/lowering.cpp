#include "lifted/lowering.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Form = DerivedRelation::Form;

// The relations that the conditions need, with all that those need, in ascending order.
std::set<int32_t> needed_relations(const std::vector<std::shared_ptr<const Rule>>& rules,
                                   const RuleTable& table) {
  std::set<int32_t> needed;
  std::vector<int32_t> pending;
  auto need = [&](Kind kind, int32_t number) {
    if (kind != Kind::derived) return;
    const auto relation = table.relation(number);
    for (int32_t i = relation->group; i < relation->group + relation->group_size; ++i) {
      if (needed.insert(i).second) pending.push_back(i);
    }
  };
  for (const auto& rule : rules) {
    for (const Condition& condition : rule->conditions) need(condition.kind, condition.predicate);
  }
  while (!pending.empty()) {
    const auto relation = table.relation(pending.back());
    pending.pop_back();
    if (relation->form != Form::clauses) need(relation->edge_kind, relation->edges);
    for (const pg3::Clause& clause : relation->clauses) {
      for (const Condition& condition : clause.conditions) {
        need(condition.kind, condition.predicate);
      }
    }
  }
  return needed;
}

// Makes the larger task and translates conditions into it.
class Lowering {
 public:
  Lowering(const Task& task, const RuleTable& table, LoweredPolicy& policy)
      : table_(table), policy_(policy), task_(std::make_shared<Task>(task)) {
    task_->first_derived = task.num_predicates();
  }

  // The domain's own derived predicates keep their numbers.
  void add_axioms(const std::vector<Axiom>& axioms) {
    LoweredGroup group;
    auto relation_of = [&](int32_t predicate) {
      return std::ranges::find(group.relations, predicate, &LoweredRelation::predicate);
    };
    for (const Axiom& axiom : axioms) {
      const int32_t head = axiom.predicate;
      if (relation_of(head) != group.relations.end()) continue;
      group.relations.push_back({head, head, static_cast<size_t>(task_->arities[head]), {}});
    }
    const bool recursive = std::ranges::any_of(axioms, [&](const Axiom& axiom) {
      return std::ranges::any_of(axiom.conditions, [&](const Condition& condition) {
        return condition.kind == Kind::state &&
               relation_of(condition.predicate) != group.relations.end();
      });
    });
    if (recursive) {
      for (LoweredRelation& relation : group.relations) {
        relation.draft = add_predicate(static_cast<int32_t>(relation.arity), true);
      }
    }
    for (const Axiom& axiom : axioms) {
      std::vector<Condition> conditions = axiom.conditions;
      for (Condition& condition : conditions) {
        if (condition.kind != Kind::state) continue;
        const auto own = relation_of(condition.predicate);
        if (own != group.relations.end()) condition.predicate = own->draft;
      }
      relation_of(axiom.predicate)
          ->clauses.push_back({axiom.parameter_types, std::move(conditions)});
    }
    policy_.groups.push_back(std::move(group));
  }

  void add_group(int32_t first, int32_t size) {
    const auto head = table_.relation(first);
    if (head->form != Form::clauses) {
      const int32_t edges =
          head->edge_kind == Kind::derived ? predicate_.at(head->edges) : head->edges;
      graph_[first] = static_cast<int32_t>(policy_.graphs.size());
      policy_.graphs.push_back({head->form == Form::next, edges});
      return;
    }
    LoweredGroup group;
    bool recursive = false, fluent = false;
    for (int32_t i = first; i < first + size; ++i) {
      for (const pg3::Clause& clause : table_.relation(i)->clauses) {
        for (const Condition& condition : clause.conditions) {
          const bool own = condition.kind == Kind::derived && condition.predicate >= first;
          recursive |= own;
          fluent |= !own && is_fluent(condition);
          group.anew |= !own && condition.kind == Kind::derived &&
                        graph_.contains(condition.predicate) && is_fluent(condition);
        }
      }
    }
    std::map<int32_t, int32_t> drafts;
    for (int32_t i = first; i < first + size; ++i) {
      const int32_t arity = table_.relation(i)->arity;
      predicate_[i] = drafts[i] = add_predicate(arity, fluent);
      if (recursive || group.anew) drafts[i] = add_predicate(arity, true);
    }
    for (int32_t i = first; i < first + size; ++i) {
      const auto relation = table_.relation(i);
      LoweredRelation lowered{predicate_[i], drafts[i], static_cast<size_t>(relation->arity), {}};
      for (const pg3::Clause& clause : relation->clauses) {
        lowered.clauses.push_back({clause.parameter_types, translate(clause.conditions, drafts)});
      }
      group.relations.push_back(std::move(lowered));
    }
    policy_.groups.push_back(std::move(group));
  }

  std::shared_ptr<const Rule> translate(const std::shared_ptr<const Rule>& rule) const {
    auto lowered = std::make_shared<Rule>(*rule);
    lowered->conditions = translate(rule->conditions, {});
    return lowered;
  }

  std::shared_ptr<const Task> task() const { return task_; }

 private:
  bool is_fluent(const Condition& condition) const {
    if (condition.kind == Kind::state) return task_->fluent[condition.predicate];
    if (condition.kind != Kind::derived) return false;
    const auto graph = graph_.find(condition.predicate);
    return task_->fluent[graph == graph_.end() ? predicate_.at(condition.predicate)
                                               : policy_.graphs[graph->second].predicate];
  }

  int32_t add_predicate(int32_t arity, bool fluent) {
    task_->arities.push_back(arity);
    task_->fluent.push_back(fluent);
    task_->derived.push_back(true);
    return task_->num_predicates() - 1;
  }

  std::vector<Condition> translate(std::vector<Condition> conditions,
                                   const std::map<int32_t, int32_t>& drafts) const {
    for (Condition& condition : conditions) {
      if (condition.kind != Kind::derived) continue;
      if (const auto graph = graph_.find(condition.predicate); graph != graph_.end()) {
        condition.predicate = graph->second;
        continue;
      }
      condition.kind = Kind::state;
      const auto draft = drafts.find(condition.predicate);
      condition.predicate =
          draft == drafts.end() ? predicate_.at(condition.predicate) : draft->second;
    }
    return conditions;
  }

  const RuleTable& table_;
  LoweredPolicy& policy_;
  std::shared_ptr<Task> task_;
  std::map<int32_t, int32_t> predicate_, graph_;  // by the number of the relation
};

}  // namespace

LoweredPolicy lower(std::shared_ptr<const Task> task,
                    const std::vector<std::shared_ptr<const Rule>>& rules, const RuleTable& table) {
  for (const auto& rule : rules) check_rule(*rule, *task, table);
  const std::set<int32_t> needed = needed_relations(rules, table);
  LoweredPolicy policy{std::move(task), rules, {}, {}};
  if (needed.empty() && policy.task->axioms.empty()) return policy;
  for (int32_t number : needed) check_relation(*table.relation(number), *policy.task, table);
  Lowering lowering(*policy.task, table, policy);
  for (const auto& group : policy.task->axioms) lowering.add_axioms(group);
  for (int32_t number : needed) {
    const auto relation = table.relation(number);
    if (relation->group == number) lowering.add_group(number, relation->group_size);
  }
  policy.task = lowering.task();
  for (auto& rule : policy.rules) rule = lowering.translate(rule);
  return policy;
}

}  // namespace pg3
