#include "lifted/derivations.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Form = DerivedRelation::Form;
using Part = LiftedState::Part;

// How many atoms are derived before the memory is looked at, what one takes in the units of a
// watch, and the bytes of one that is yet to be looked at.
constexpr int64_t kTurn = 4096;
constexpr uint64_t kChange = 64;
constexpr size_t kHeadBytes = 64;

// An atom that stays as it is when the next one is made.
std::vector<int32_t> copy_of(Tuple atom) {
  return {atom.begin(), atom.end()};
}

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

Derivations::Derivations(const LoweredPolicy& policy, ViewedState& views, Watch& watch)
    : views_(views), state_(views.state()), watch_(watch) {
  for (const auto& [is_next, predicate] : policy.graphs) state_.add_graph(is_next, predicate);
  const auto predicates = static_cast<size_t>(state_.task().num_predicates());
  triggers_.resize(predicates);
  draft_triggers_.resize(predicates);
  readers_.resize(predicates);
  for (const LoweredGroup& group : policy.groups) {
    const LoweredRelation& first = group.relations[0];
    groups_.push_back({&group, first.draft != first.predicate, {}, {}, {}});
  }
  // One after the other: how a join is best done shows in the relations that it reads.
  for (size_t g = 0; g < groups_.size(); ++g) {
    prepare(g);
    work_out(groups_[g]);
  }
  for (Group& group : groups_) {
    group.lost.clear();
    group.gained.clear();
    group.changed = false;
  }
  views_.tell(this);
}

Derivations::~Derivations() {
  views_.tell(nullptr);
}

void Derivations::prepare(size_t number) {
  Group& group = groups_[number];
  const Task& task = state_.task();
  auto is_own = [&](int32_t predicate) {
    return std::ranges::any_of(group.source->relations, [&](const LoweredRelation& relation) {
      return relation.draft == predicate;
    });
  };
  for (size_t r = 0; r < group.source->relations.size(); ++r) {
    const LoweredRelation& relation = group.source->relations[r];
    group.clauses.emplace_back();
    for (const LoweredClause& clause : relation.clauses) {
      bool recursive = false;
      for (const auto& [kind, positive, predicate, terms] : clause.conditions) {
        if (kind == Kind::derived && group.source->anew) {
          readers_[state_.edges_of(predicate)].push_back(number);
        }
        if (kind != Kind::state) continue;
        recursive |= group.has_drafts && is_own(predicate);
        if (group.source->anew && task.fluent[predicate]) readers_[predicate].push_back(number);
      }
      const Pattern pattern = read_pattern(clause.parameter_types, clause.conditions, state_);
      const Conjunction conjunction = over_atoms(pattern, state_);
      std::vector<int32_t> head(relation.arity);
      for (size_t i = 0; i < head.size(); ++i) head[i] = static_cast<int32_t>(i);
      group.clauses[r].push_back(
          {&clause, recursive,
           Join(state_, conjunction, greedy_order(conjunction, head, state_.task().num_objects()),
                head.size())});
      add_triggers(number, r, clause);
    }
  }
}

void Derivations::add_triggers(size_t group, size_t relation, const LoweredClause& clause) {
  const Task& task = state_.task();
  const Pattern pattern = read_pattern(clause.parameter_types, clause.conditions, state_);
  for (size_t i = 0; i < pattern.literals.size(); ++i) {
    const auto& [part, predicate, terms] = pattern.literals[i];
    if (part == Part::goal || !task.fluent[predicate]) continue;
    Pattern rest = pattern;
    rest.literals.erase(rest.literals.begin() + static_cast<std::ptrdiff_t>(i));
    add_trigger(group, relation, rest, predicate, terms, part == Part::state, part == Part::open);
  }
  for (size_t i = 0; i < pattern.checks.size(); ++i) {
    const Condition& check = pattern.checks[i];
    if (check.kind != Kind::state || !task.fluent[check.predicate]) continue;
    Pattern rest = pattern;
    rest.checks.erase(rest.checks.begin() + static_cast<std::ptrdiff_t>(i));
    add_trigger(group, relation, rest, check.predicate, check.terms, check.positive, false);
  }
}

void Derivations::add_trigger(size_t group, size_t relation, const Pattern& rest, int32_t predicate,
                              const std::vector<Term>& terms, bool positive, bool only_wanted) {
  const auto& relations = groups_[group].source->relations;
  const bool own =
      groups_[group].has_drafts && std::ranges::any_of(relations, [&](const LoweredRelation& one) {
        return one.draft == predicate;
      });
  if (groups_[group].source->anew && !own) return;
  std::vector<int32_t> variables;
  for (Term term : terms) {
    if (is_variable(term) && std::ranges::find(variables, term) == variables.end()) {
      variables.push_back(term);
    }
  }
  bool decides = true;
  for (size_t i = 0; i < relations[relation].arity; ++i) {
    decides &= std::ranges::find(variables, static_cast<int32_t>(i)) != variables.end();
  }
  const Conjunction conjunction = over_atoms(rest, state_);
  Join join(state_, conjunction, greedy_order(conjunction, variables, state_.task().num_objects()),
            variables.size());
  (own ? draft_triggers_ : triggers_)[predicate].push_back(
      {group, relation, terms, positive, only_wanted, decides, variables, std::move(join)});
}

void Derivations::use() const {
  for (const auto* triggers : {&triggers_, &draft_triggers_}) {
    for (const auto& list : *triggers) {
      for (const Trigger& trigger : list) trigger.rest.use();
    }
  }
  for (const Group& group : groups_) {
    for (const auto& clauses : group.clauses) {
      for (const Clause& clause : clauses) clause.derivation.use();
    }
  }
}

bool Derivations::next_answer(Join& join) {
  int64_t work = 0;
  return join.next_answer(&watch_, work);
}

void Derivations::count(size_t num_heads) {
  watch_.spend(kChange);
  if (++changes_ % kTurn == 0) watch_.check_bytes(views_.bytes() + num_heads * kHeadBytes);
}

// The derived atom that an answer names.
void Derivations::add_head(std::vector<Head>& heads, const Join& join, size_t relation,
                           size_t arity) {
  const auto& binding = join.binding();
  heads.push_back({relation, {binding.begin(), binding.begin() + static_cast<ptrdiff_t>(arity)}});
  count(heads.size());
}

// The derived atoms that have a derivation in which the atom is this condition.
void Derivations::find_heads(Trigger& trigger, Tuple atom, std::vector<Head>& heads) {
  const size_t arity = groups_[trigger.group].source->relations[trigger.relation].arity;
  fixed_.clear();
  values_.clear();
  for (int32_t variable : trigger.variables) {
    fixed_.resize(std::max<size_t>(fixed_.size(), variable + 1), -1);
  }
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
  for (int32_t variable : trigger.variables) values_.push_back(fixed_[variable]);
  trigger.rest.start(values_.data());
  while (next_answer(trigger.rest)) {
    add_head(heads, trigger.rest, trigger.relation, arity);
    if (trigger.decides) break;
  }
}

void Derivations::before_change(Tuple atom, bool present) {
  for (Trigger& trigger : triggers_[atom[0]]) {
    if (trigger.positive == present || (trigger.only_wanted && !state_.in_goal(atom))) continue;
    find_heads(trigger, atom, groups_[trigger.group].lost);
  }
}

void Derivations::after_change(Tuple atom, bool present) {
  for (size_t group : readers_[atom[0]]) groups_[group].changed = true;
  for (Trigger& trigger : triggers_[atom[0]]) {
    if (trigger.positive != present || (trigger.only_wanted && !state_.in_goal(atom))) continue;
    find_heads(trigger, atom, groups_[trigger.group].gained);
  }
}

Tuple Derivations::atom_of(int32_t predicate, const Head& head) {
  atom_.assign(1, predicate);
  atom_.insert(atom_.end(), head.objects.begin(), head.objects.end());
  return atom_;
}

bool Derivations::holds(int32_t predicate, const Head& head) {
  return state_.holds(atom_of(predicate, head));
}

void Derivations::set_draft(int32_t predicate, const Head& head, bool present) {
  const Tuple atom = atom_of(predicate, head);
  Fact* fact = state_.to_change(atom, present);
  if (fact) state_.toggle(atom, *fact);
  count(0);
}

void Derivations::set(int32_t predicate, const Head& head, bool present) {
  views_.set(atom_of(predicate, head), present);
  count(0);
}

// Whether some clause derives the atom; `without_group`: one that reads nothing of the group
// itself.
bool Derivations::is_derivable(Group& group, const Head& head, bool without_group) {
  for (Clause& clause : group.clauses[head.relation]) {
    if (without_group && clause.recursive) continue;
    clause.derivation.start(head.objects.data());
    if (next_answer(clause.derivation)) return true;
  }
  return false;
}

void Derivations::settle() {
  for (Group& group : groups_) {
    if (group.source->anew) {
      if (group.changed) work_out(group);
      group.changed = false;
    } else if (!group.lost.empty() || !group.gained.empty()) {
      maintain(group);
      group.lost.clear();
      group.gained.clear();
    }
  }
}

void Derivations::work_out(Group& group) {
  const auto& relations = group.source->relations;
  std::vector<Head> touched, found;
  for (size_t r = 0; r < relations.size(); ++r) {
    const auto remember = [&](Tuple objects) {
      touched.push_back({r, {objects.begin(), objects.end()}});
    };
    state_.for_each(relations[r].predicate, remember);
  }
  for (const Head& head : touched) {
    if (group.has_drafts) set_draft(relations[head.relation].draft, head, false);
  }
  for (size_t r = 0; r < relations.size(); ++r) {
    const size_t arity = relations[r].arity;
    for (const LoweredClause& clause : relations[r].clauses) {
      const Conjunction conjunction =
          over_atoms(read_pattern(clause.parameter_types, clause.conditions, state_), state_);
      Join join(state_, conjunction, greedy_order(conjunction, {}, state_.task().num_objects()));
      join.start();
      while (next_answer(join)) {
        add_head(found, join, r, arity);
        if (arity == 0) break;
      }
    }
  }
  if (group.has_drafts) {
    derive(group, std::move(found), touched);
    publish(group, touched);
  } else {
    for (const Head& head : found) {
      set(relations[head.relation].predicate, head, true);
    }
  }
}

void Derivations::maintain(Group& group) {
  const auto& relations = group.source->relations;
  std::vector<Head> touched;
  if (group.has_drafts) {
    withdraw(group, touched);
    std::vector<Head> heads = std::move(group.gained);
    heads.insert(heads.end(), touched.begin(), touched.end());
    std::erase_if(heads, [&](const Head& head) { return !is_derivable(group, head, false); });
    derive(group, std::move(heads), touched);
    publish(group, touched);
    return;
  }
  for (const auto* heads : {&group.lost, &group.gained}) {
    for (const Head& head : *heads) {
      const int32_t predicate = relations[head.relation].predicate;
      const bool present = is_derivable(group, head, false);
      if (present != holds(predicate, head)) set(predicate, head, present);
    }
  }
}

// Takes from the drafts what may have lost its derivations, and all that may be derived from that.
void Derivations::withdraw(Group& group, std::vector<Head>& touched) {
  std::vector<Head> pending = std::move(group.lost);
  while (!pending.empty()) {
    const Head head = std::move(pending.back());
    pending.pop_back();
    const int32_t draft = group.source->relations[head.relation].draft;
    if (!holds(draft, head) || is_derivable(group, head, true)) continue;
    const std::vector<int32_t> atom = copy_of(atom_of(draft, head));
    for (Trigger& trigger : draft_triggers_[draft]) find_heads(trigger, atom, pending);
    set_draft(draft, head, false);
    touched.push_back(head);
  }
}

// Puts atoms into the drafts, and all that can be derived from them.
void Derivations::derive(Group& group, std::vector<Head> heads, std::vector<Head>& touched) {
  while (!heads.empty()) {
    const Head head = std::move(heads.back());
    heads.pop_back();
    const int32_t draft = group.source->relations[head.relation].draft;
    if (holds(draft, head)) continue;
    set_draft(draft, head, true);
    touched.push_back(head);
    const std::vector<int32_t> atom = copy_of(atom_of(draft, head));
    for (Trigger& trigger : draft_triggers_[draft]) find_heads(trigger, atom, heads);
  }
}

void Derivations::publish(Group& group, const std::vector<Head>& touched) {
  for (const Head& head : touched) {
    const LoweredRelation& relation = group.source->relations[head.relation];
    const bool present = holds(relation.draft, head);
    if (present != holds(relation.predicate, head)) {
      set(relation.predicate, head, present);
    }
  }
}

}  // namespace pg3
