#include "lifted/lowering.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Form = DerivedRelation::Form;

// The relations that the conditions need, with all that those need, in ascending order.
std::set<RelationId> needed_relations(const std::vector<std::shared_ptr<const Rule>>& rules,
                                      const RuleTable& table) {
  std::set<RelationId> needed;
  std::vector<RelationId> pending;
  auto need = [&](RelationId first) {
    const auto relation = table.relation(first);
    for (int32_t i = 0; i < relation->group_size; ++i) {
      if (needed.insert(relation->member(i)).second) pending.push_back(relation->member(i));
    }
  };
  auto need_all = [&](const std::vector<Condition>& conditions) {
    for (const Condition& condition : conditions) {
      if (condition.kind == Kind::derived) need(condition.relation());
    }
  };
  for (const auto& rule : rules) need_all(rule->conditions);
  while (!pending.empty()) {
    const auto relation = table.relation(pending.back());
    pending.pop_back();
    const bool is_graph = relation->form == Form::reach || relation->form == Form::next;
    if (is_graph && relation->edge_kind == Kind::derived) {
      need(relation->edge_relation());
    }
    for (const pg3::Clause& clause : relation->clauses) need_all(clause.conditions);
  }
  return needed;
}

// Makes the larger task and translates conditions into it.
class Lowering {
 public:
  Lowering(const Task& task, const RuleTable& table, LoweredPolicy& policy)
      : table_(table), policy_(policy), task_(std::make_shared<Task>(task)) {
    task_->first_derived = PredicateId{task.num_predicates()};
  }

  // The domain's own derived predicates keep their numbers.
  void add_axioms(const std::vector<Axiom>& axioms) {
    LoweredGroup group;
    auto relation_of = [&](PredicateId predicate) {
      return std::ranges::find(group.relations, predicate, &LoweredRelation::predicate);
    };
    for (const Axiom& axiom : axioms) {
      const PredicateId head = axiom.predicate;
      if (relation_of(head) != group.relations.end()) continue;
      group.relations.push_back({head, head, task_->arity(head), {}});
    }
    const bool recursive = std::ranges::any_of(axioms, [&](const Axiom& axiom) {
      return std::ranges::any_of(axiom.conditions, [&](const Condition& condition) {
        return condition.kind == Kind::state &&
               relation_of(condition.predicate()) != group.relations.end();
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
        const auto own = relation_of(condition.predicate());
        if (own != group.relations.end()) condition.symbol = number_of(own->draft);
      }
      relation_of(axiom.predicate)
          ->clauses.push_back({axiom.parameter_types, std::move(conditions)});
    }
    policy_.groups.push_back(std::move(group));
  }

  // All relations of a group, of which this is the first.
  void add_group(const DerivedRelation& head) {
    if (head.form == Form::comparison) {
      predicate_[head.group] = add_predicate(head.arity, true);
      task_->comparisons.push_back({predicate_[head.group], head.comparison});
      return;
    }
    if (head.form != Form::clauses) {
      const PredicateId edges = head.edge_kind == Kind::derived
                                    ? predicate_.at(head.edge_relation())
                                    : head.edge_predicate();
      graph_relations_.push_back(head.group);
      policy_.graphs.push_back({head.form == Form::next, edges});
      return;
    }
    std::vector<RelationId> members;
    for (int32_t i = 0; i < head.group_size; ++i) members.push_back(head.member(i));
    LoweredGroup group;
    bool recursive = false, fluent = false;
    for (RelationId member : members) {
      for (const pg3::Clause& clause : table_.relation(member)->clauses) {
        for (const Condition& condition : clause.conditions) {
          const bool derived = condition.kind == Kind::derived;
          const bool own = derived && condition.relation() >= head.group;
          recursive |= own;
          fluent |= !own && is_fluent(condition);
          group.anew |= !own && derived && graph_of(condition.relation()) && is_fluent(condition);
        }
      }
    }
    std::map<RelationId, PredicateId> drafts;
    for (RelationId member : members) {
      const int32_t arity = table_.relation(member)->arity;
      predicate_[member] = drafts[member] = add_predicate(arity, fluent);
      if (recursive || group.anew) drafts[member] = add_predicate(arity, true);
    }
    for (RelationId member : members) {
      const auto relation = table_.relation(member);
      const auto arity = static_cast<size_t>(relation->arity);
      LoweredRelation lowered{predicate_[member], drafts[member], arity, {}};
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
  std::optional<GraphId> graph_of(RelationId relation) const {
    const auto found = std::ranges::find(graph_relations_, relation);
    if (found == graph_relations_.end()) return std::nullopt;
    return GraphId{static_cast<int32_t>(found - graph_relations_.begin())};
  }

  bool is_fluent(const Condition& condition) const {
    if (condition.kind == Kind::state) return task_->is_fluent(condition.predicate());
    if (condition.kind != Kind::derived) return false;
    const auto graph = graph_of(condition.relation());
    return task_->is_fluent(graph ? policy_.graphs[index_of(*graph)].predicate
                                  : predicate_.at(condition.relation()));
  }

  PredicateId add_predicate(int32_t arity, bool fluent) {
    task_->arities.push_back(arity);
    task_->fluent.push_back(fluent);
    task_->derived.push_back(true);
    return PredicateId{task_->num_predicates() - 1};
  }

  std::vector<Condition> translate(std::vector<Condition> conditions,
                                   const std::map<RelationId, PredicateId>& drafts) const {
    for (Condition& condition : conditions) {
      if (condition.kind != Kind::derived) continue;
      const RelationId relation = condition.relation();
      if (const auto graph = graph_of(relation)) {
        condition.symbol = number_of(*graph);
        continue;
      }
      const auto draft = drafts.find(relation);
      condition.kind = Kind::state;
      condition.symbol = number_of(draft == drafts.end() ? predicate_.at(relation) : draft->second);
    }
    return conditions;
  }

  const RuleTable& table_;
  LoweredPolicy& policy_;
  std::shared_ptr<Task> task_;
  std::map<RelationId, PredicateId> predicate_;
  std::vector<RelationId> graph_relations_;  // in the order of the policy's graphs
};

}  // namespace

LoweredPolicy lower(std::shared_ptr<const Task> task,
                    const std::vector<std::shared_ptr<const Rule>>& rules, const RuleTable& table) {
  for (const auto& rule : rules) check_rule(*rule, *task, table);
  const std::set<RelationId> needed = needed_relations(rules, table);
  LoweredPolicy policy{std::move(task), rules, {}, {}};
  if (needed.empty() && policy.task->axioms.empty()) return policy;
  for (RelationId number : needed) check_relation(*table.relation(number), *policy.task, table);
  Lowering lowering(*policy.task, table, policy);
  for (const auto& group : policy.task->axioms) lowering.add_axioms(group);
  for (RelationId number : needed) {
    const auto relation = table.relation(number);
    if (relation->group == number) lowering.add_group(*relation);
  }
  policy.task = lowering.task();
  for (auto& rule : policy.rules) rule = lowering.translate(rule);
  return policy;
}

}  // namespace pg3
