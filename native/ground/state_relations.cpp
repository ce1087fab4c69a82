#include "ground/state_relations.hpp"

#include <algorithm>

#include "core/bit_set.hpp"
#include "ground/rule_query.hpp"

namespace pg3 {

namespace {

// A bit matrix over more objects than this would cost more than it saves (2 x 2 MB a relation).
constexpr int32_t kMatrixObjects = 4096;

}  // namespace

StateRelations::StateRelations(std::shared_ptr<const GroundTask> ground,
                               std::shared_ptr<RuleTable> rules)
    : ground_(std::move(ground)),
      rules_(std::move(rules)),
      words_(words_for(ground_->task->num_objects())) {
  const Task& task = *ground_->task;
  const int32_t predicates = task.num_predicates();
  relations_.resize(index_of(first_derived()));
  for (int32_t p = 0; p < predicates; ++p) {
    for (int32_t slot = p; slot < 3 * predicates; slot += predicates) {
      relations_[slot].arity = task.arities[p];
    }
    relations_[p].fluent = task.fluent[p];
  }
}

StateRelations::~StateRelations() = default;

StateRelations::Slot StateRelations::slot_of(const Condition& condition) const {
  switch (condition.kind) {
    case Condition::Kind::goal:
      return Slot{number_of(condition.predicate()) + ground_->task->num_predicates()};
    case Condition::Kind::unwanted:
      return Slot{number_of(condition.predicate()) + 2 * ground_->task->num_predicates()};
    case Condition::Kind::derived:
      return slot_of(condition.relation());
    default:
      return Slot{number_of(condition.predicate())};
  }
}

// Empty, with all that depends on its arity.
void StateRelations::make_room(Relation& relation) const {
  const int32_t objects = ground_->task->num_objects();
  relation.tuples.clear();
  relation.matrix = relation.arity == 2 && objects <= kMatrixObjects;
  relation.projections.assign(relation.arity, std::vector<uint64_t>(words_, 0));
  if (relation.matrix) {
    relation.rows.assign(static_cast<size_t>(objects) * words_, 0);
    relation.columns = relation.rows;
  }
}

void StateRelations::use(Slot slot, Watch* watch) {
  if (slot >= first_derived()) {
    use_group(rules_->relation(derived_at(slot))->group, watch);
    return;
  }
  Relation& used = relation(slot);
  if (used.used) return;
  const Task& task = *ground_->task;
  make_room(used);
  if (number_of(slot) >= task.num_predicates()) {
    const PredicateId predicate{number_of(slot) % task.num_predicates()};
    const bool wanted = number_of(slot) < 2 * task.num_predicates();
    for_each_atom(task, wanted ? task.goal : task.negative_goal, [&](Atom atom) {
      if (atom.predicate() == predicate) add(used, atom.objects());
    });
  } else if (!used.fluent) {
    for (int32_t i = 0; i < ground_->statics.size(); ++i) {
      const Atom atom{ground_->statics[i]};
      if (atom.predicate() == PredicateId{number_of(slot)}) add(used, atom.objects());
    }
  }
  shown_ = StateId::none;
  used.used = true;  // now that it is whole: there may be no memory for it
}

void StateRelations::use_group(RelationId first, Watch* watch) {
  if (in_range(first, groups_.size()) && groups_[index_of(first)]) return;
  try {
    make_group(first, watch);
  } catch (...) {
    // Whoever asks for it later must not find half of it.
    if (in_range(first, groups_.size())) groups_[index_of(first)].reset();
    throw;
  }
}

void StateRelations::make_group(RelationId first, Watch* watch) {
  std::vector<std::pair<Slot, std::shared_ptr<const DerivedRelation>>> members;
  const auto head = rules_->relation(first);
  for (int32_t i = 0; i < head->group_size; ++i) {
    const RelationId member = head->member(i);
    members.emplace_back(slot_of(member), rules_->relation(member));
    check_relation(*members.back().second, *ground_->task, *rules_);
  }
  const RelationId end = head->member(head->group_size);
  if (groups_.size() < index_of(end)) groups_.resize(index_of(end));
  if (relations_.size() < index_of(slot_of(end))) relations_.resize(index_of(slot_of(end)));
  groups_[index_of(first)] = std::make_unique<Group>();
  Group& group = *groups_[index_of(first)];  // stays where it is when groups_ grows

  auto read = [&](const Condition& input) {
    if (input.kind == Condition::Kind::equality) return;
    if (input.kind == Condition::Kind::derived) {
      if (input.relation() >= first) {
        group.recursive = true;
        return;
      }
      group.inputs.push_back(slot_of(input));
    }
    use(slot_of(input), watch);
    group.fluent = group.fluent || relation(slot_of(input)).fluent;
  };
  for (const auto& [slot, source] : members) {
    for (const Clause& clause : source->clauses) {
      for (const Condition& condition : clause.conditions) read(condition);
    }
    group.form = source->form;
    if (source->form == DerivedRelation::Form::clauses) continue;
    if (source->form == DerivedRelation::Form::comparison) {
      const LinearSum& sum = source->comparison.sum;
      const Task& task = *ground_->task;
      group.compared = slot;
      group.order = source->comparison.order;
      task.for_each_instance(sum, static_cast<size_t>(source->arity), [&](const auto& objects) {
        spend(watch, kQueryTurn);
        group.sums.push_back({objects, *task.ground_sum(sum, objects.data())});
        group.fluent = group.fluent || !group.sums.back().second.numbers.empty();
      });
      continue;
    }
    group.edge = {source->edge_kind, true, source->edges, {}};
    group.graphs = std::make_unique<GraphFamily>();
    read(group.edge);
  }
  for (const auto& [slot, source] : members) {
    Relation& made = relation(slot);
    made.arity = source->arity;
    made.fluent = true;  // as long as its clauses are being compiled, nothing is known of it
    made.used = true;
    made.graph = group.graphs != nullptr;
    if (!made.graph) make_room(made);
  }
  for (const auto& [slot, source] : members) {
    for (const Clause& clause : source->clauses) {
      group.clauses.emplace_back(slot, RuleQuery(clause, *this, watch));
    }
  }
  for (const auto& [slot, source] : members) relation(slot).fluent = group.fluent;
  shown_ = StateId::none;
}

void StateRelations::derive(Slot slot, Watch* watch) {
  const RelationId first = rules_->relation(derived_at(slot))->group;
  Group& group = *groups_[index_of(first)];
  if (group.known) return;
  for (Slot input : group.inputs) derive(input, watch);
  try {
    work_out(group, watch);
  } catch (...) {
    // What was found before a limit on memory must not count against it afterwards.
    for (const auto& [derived, query] : group.clauses) {
      clear(relation(derived));
      relation(derived).tuples.shrink_to_fit();
    }
    if (group.compared != Slot::none) clear(relation(group.compared));
    found_ = {};
    throw;
  }
  group.known = true;
}

void StateRelations::work_out(Group& group, Watch* watch) {
  if (group.graphs) {
    const Relation& edges = relation(slot_of(group.edge));
    const auto arity = static_cast<size_t>(edges.arity);
    group.graphs->clear(ground_->task->num_objects(), arity);
    for (size_t at = 0; at < edges.tuples.size(); at += arity) {
      group.graphs->set(Tuple(edges.tuples).subspan(at, arity), true);
    }
  }
  for (const auto& [objects, sum] : group.sums) {
    spend(watch, kQueryTurn);
    if (holds(group.order, sum.of(values_.data()))) add(relation(group.compared), objects);
  }
  // Every clause again until none says anything new: states that are ground are small.
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto& [slot, query] : group.clauses) {
      Relation& derived = relation(slot);
      const size_t arity = derived.arity;
      found_.clear();
      query.all(*this, arity, found_, watch);
      for (size_t at = 0; at < found_.size(); at += std::max<size_t>(1, arity)) {
        const Tuple objects(found_.data() + at, arity);
        // A relation that has no matrix is gone through.
        spend(watch, kQueryTurn + (arity > 1 && !derived.matrix ? derived.tuples.size() : 0));
        if (contains(derived, objects)) continue;
        add(derived, objects);
        if (watch) watch->check_bytes((found_.size() + derived.tuples.size()) * sizeof(int32_t));
        changed = group.recursive;
      }
    }
  }
}

bool StateRelations::contains(const Relation& relation, Tuple objects) const {
  if (objects.empty()) return !relation.tuples.empty();
  if (objects.size() == 1) {
    return pg3::contains(relation.projections[0].data(), ObjectId{objects[0]});
  }
  if (relation.matrix) {
    const uint64_t* row = relation.rows.data() + static_cast<size_t>(objects[0]) * words_;
    return pg3::contains(row, ObjectId{objects[1]});
  }
  for (size_t at = 0; at < relation.tuples.size(); at += objects.size()) {
    if (std::equal(objects.begin(), objects.end(), relation.tuples.begin() + at)) return true;
  }
  return false;
}

bool StateRelations::graph_holds(Slot slot, Tuple objects, Watch* watch) {
  Group& group = *groups_[index_of(derived_at(slot))];
  return group.form == DerivedRelation::Form::reach ? group.graphs->reaches(objects, watch)
                                                    : group.graphs->is_next(objects, watch);
}

std::optional<Condition> StateRelations::edge_of(Slot slot, const std::vector<Term>& terms) const {
  const Group& group = *groups_[index_of(derived_at(slot))];
  if (group.form != DerivedRelation::Form::next) return std::nullopt;
  Condition edge = group.edge;
  edge.terms.assign(terms.begin(), terms.end() - 1);
  return edge;
}

void StateRelations::add(Relation& relation, Tuple objects) {
  if (objects.empty()) {
    relation.tuples.push_back(0);
    return;
  }
  relation.tuples.insert(relation.tuples.end(), objects.begin(), objects.end());
  for (size_t i = 0; i < objects.size(); ++i) {
    insert(relation.projections[i].data(), ObjectId{objects[i]});
  }
  if (relation.matrix) {
    const ObjectId x{objects[0]}, y{objects[1]};
    insert(relation.rows.data() + index_of(x) * words_, y);
    insert(relation.columns.data() + index_of(y) * words_, x);
  }
}

void StateRelations::clear(Relation& relation) {
  if (relation.matrix) {
    for (size_t i = 0; i < relation.tuples.size(); i += 2) {
      const int32_t x = relation.tuples[i], y = relation.tuples[i + 1];
      relation.rows[static_cast<size_t>(x) * words_ + (y >> 6)] = 0;
      relation.columns[static_cast<size_t>(y) * words_ + (x >> 6)] = 0;
    }
  }
  for (auto& projection : relation.projections) std::fill(projection.begin(), projection.end(), 0);
  relation.tuples.clear();
}

void StateRelations::show(StateId state, const uint64_t* words) {
  if (shown_ == state) return;
  shown_ = StateId::none;  // until all of it is shown
  for (Relation& relation : relations_) {
    if (relation.used && relation.fluent && !relation.tuples.empty()) clear(relation);
  }
  for_each<FluentId>(words, ground_->num_words(), [&](FluentId fluent) {
    const Atom atom = ground_->atom(fluent);
    Relation& relation = relations_[index_of(atom.predicate())];
    if (relation.used) add(relation, atom.objects());
  });
  for (const auto& group : groups_) {
    if (group && group->fluent) group->known = false;
  }
  const int64_t* values = ground_->values(words);
  values_.assign(values, values + ground_->task->num_numbers());
  shown_ = state;
}

size_t StateRelations::bytes() const {
  size_t total = 0;
  for (const Relation& relation : relations_) {
    total += (relation.rows.capacity() + relation.columns.capacity()) * 8 +
             relation.tuples.capacity() * 4 + relation.projections.size() * words_ * 8;
  }
  return total;
}

}  // namespace pg3
