#include "lifted/derivations.hpp"

#include <algorithm>
#include <cassert>

namespace pg3 {

namespace {

using Kind = Condition::Kind;

// How many atoms are derived before the memory is looked at, what one takes in the units of a
// watch, and the bytes of one that is yet to be looked at.
constexpr int64_t kTurn = 4096;
constexpr uint64_t kChange = 64;
constexpr size_t kHeadBytes = 64;

// An atom that stays as it is when the next one is made.
std::vector<int32_t> copy_of(Atom atom) {
  return {atom.code.begin(), atom.code.end()};
}

}  // namespace

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
  auto is_own = [&](PredicateId predicate) {
    return group.has_drafts &&
           std::ranges::any_of(group.source->relations, [&](const LoweredRelation& relation) {
             return relation.draft == predicate;
           });
  };
  for (size_t r = 0; r < group.source->relations.size(); ++r) {
    const LoweredRelation& relation = group.source->relations[r];
    group.clauses.emplace_back();
    for (const LoweredClause& clause : relation.clauses) {
      bool recursive = false;
      const auto tell = [&](PredicateId predicate) {
        if (group.source->anew) readers_[index_of(predicate)].push_back(number);
      };
      for (const Condition& condition : clause.conditions) {
        if (condition.kind == Kind::derived) tell(state_.edges_of(condition.graph()));
        if (condition.kind != Kind::state) continue;
        recursive |= is_own(condition.predicate());
        if (task.is_fluent(condition.predicate())) tell(condition.predicate());
      }
      const Pattern pattern = read_pattern(clause.parameter_types, clause.conditions, state_);
      const Conjunction conjunction = over_atoms(pattern, state_);
      const std::vector<VariableId> head = first_variables(relation.arity);
      group.clauses[r].push_back(
          {&clause, recursive,
           Join(state_, conjunction, greedy_order(conjunction, head, state_.task().num_objects()),
                head.size())});
      // A group that is worked out anew needs to hear of its own drafts only.
      const bool all = !group.source->anew;
      for (Trigger& trigger : triggers_of(
               pattern, state_, [&](PredicateId predicate) { return all || is_own(predicate); })) {
        const bool decides = std::ranges::all_of(head, [&](VariableId variable) {
          return std::ranges::find(trigger.variables, variable) != trigger.variables.end();
        });
        auto& triggers = is_own(trigger.predicate) ? draft_triggers_ : triggers_;
        triggers[index_of(trigger.predicate)].push_back({number, r, decides, std::move(trigger)});
      }
    }
  }
}

void Derivations::use() const {
  for (const auto* triggers : {&triggers_, &draft_triggers_}) {
    for (const auto& list : *triggers) {
      for (const ClauseTrigger& trigger : list) trigger.condition.rest.use();
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

void Derivations::add_head(std::vector<Head>& heads, size_t relation, Tuple objects) {
  heads.push_back({relation, {objects.begin(), objects.end()}});
  count(heads.size());
}

// The derived atoms that have a derivation in which the atom is this condition.
void Derivations::find_heads(ClauseTrigger& trigger, Atom atom, std::vector<Head>& heads) {
  if (!trigger.condition.start(atom, objects_)) return;
  const size_t arity = groups_[trigger.group].source->relations[trigger.relation].arity;
  while (next_answer(trigger.condition.rest)) {
    add_head(heads, trigger.relation, Tuple(trigger.condition.rest.binding()).first(arity));
    if (trigger.decides) break;
  }
}

void Derivations::before_change(Atom atom, bool present, bool wanted) {
  for (ClauseTrigger& trigger : triggers_[index_of(atom.predicate())]) {
    if (!trigger.condition.makes(false, present, wanted)) continue;
    find_heads(trigger, atom, groups_[trigger.group].lost);
  }
}

void Derivations::after_change(Atom atom, bool present, bool wanted) {
  for (size_t group : readers_[index_of(atom.predicate())]) groups_[group].changed = true;
  for (ClauseTrigger& trigger : triggers_[index_of(atom.predicate())]) {
    if (!trigger.condition.makes(true, present, wanted)) continue;
    find_heads(trigger, atom, groups_[trigger.group].gained);
  }
}

Atom Derivations::atom_of(PredicateId predicate, const Head& head) {
  atom_.assign(1, number_of(predicate));
  atom_.insert(atom_.end(), head.objects.begin(), head.objects.end());
  return {atom_};
}

bool Derivations::holds(PredicateId predicate, const Head& head) {
  return state_.holds(atom_of(predicate, head));
}

void Derivations::set_draft(PredicateId predicate, const Head& head, bool present) {
  const Atom atom = atom_of(predicate, head);
  Fact* fact = state_.to_change(atom, present);
  if (fact) state_.toggle(atom, *fact);
  count(0);
}

void Derivations::set(PredicateId predicate, const Head& head, bool present) {
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
  // No group changes what one before it reads.
  assert(std::ranges::all_of(groups_, [](const Group& group) {
    return group.lost.empty() && group.gained.empty() && !group.changed;
  }));
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
        add_head(found, r, Tuple(join.binding()).first(arity));
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
      const PredicateId predicate = relations[head.relation].predicate;
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
    const PredicateId draft = group.source->relations[head.relation].draft;
    if (!holds(draft, head) || is_derivable(group, head, true)) continue;
    const std::vector<int32_t> atom = copy_of(atom_of(draft, head));
    for (ClauseTrigger& trigger : draft_triggers_[index_of(draft)]) {
      find_heads(trigger, {atom}, pending);
    }
    set_draft(draft, head, false);
    touched.push_back(head);
  }
}

// Puts atoms into the drafts, and all that can be derived from them.
void Derivations::derive(Group& group, std::vector<Head> heads, std::vector<Head>& touched) {
  while (!heads.empty()) {
    const Head head = std::move(heads.back());
    heads.pop_back();
    const PredicateId draft = group.source->relations[head.relation].draft;
    if (holds(draft, head)) continue;
    set_draft(draft, head, true);
    touched.push_back(head);
    const std::vector<int32_t> atom = copy_of(atom_of(draft, head));
    for (ClauseTrigger& trigger : draft_triggers_[index_of(draft)]) {
      find_heads(trigger, {atom}, heads);
    }
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
