#include "ground/rule_query.hpp"

#include <algorithm>
#include <bit>

namespace pg3 {

namespace {

// A bit matrix over more objects than this would cost more than it saves (2 x 2 MB a relation).
constexpr int32_t kMatrixObjects = 4096;

// Dependencies are kept for rules of up to this many parameters; beyond, a dead end goes back one
// step.
constexpr size_t kMaskedVariables = 64;

// What a turn of a search takes, in the units of a watch, beside its words and tuples.
constexpr uint64_t kTurn = 32;

void spend(Watch* watch, uint64_t work) {
  if (watch) watch->spend(work);
}

bool any(const uint64_t* set, size_t words) {
  for (size_t w = 0; w < words; ++w) {
    if (set[w]) return true;
  }
  return false;
}

// Sets of objects.
void insert(uint64_t* set, ObjectId object) {
  set[index_of(object) >> 6] |= uint64_t{1} << (index_of(object) & 63);
}
void erase(uint64_t* set, ObjectId object) {
  set[index_of(object) >> 6] &= ~(uint64_t{1} << (index_of(object) & 63));
}
bool contains(const uint64_t* set, ObjectId object) {
  return set[index_of(object) >> 6] >> (index_of(object) & 63) & 1;
}
ObjectId object_at(size_t word, uint64_t bits) {  // the first of the bits of a word
  return ObjectId{static_cast<int32_t>(64 * word + std::countr_zero(bits))};
}

void intersect(uint64_t* set, const uint64_t* with, bool positive, size_t words) {
  for (size_t w = 0; w < words; ++w) set[w] &= positive ? with[w] : ~with[w];
}

}  // namespace

StateRelations::StateRelations(std::shared_ptr<const GroundTask> ground,
                               std::shared_ptr<RuleTable> rules)
    : ground_(std::move(ground)),
      rules_(std::move(rules)),
      words_((ground_->task->num_objects() + 63) / 64) {
  const Task& task = *ground_->task;
  relations_.resize(2 * task.num_predicates());
  for (int32_t p = 0; p < task.num_predicates(); ++p) {
    relations_[p].arity = relations_[p + task.num_predicates()].arity = task.arities[p];
    relations_[p].fluent = task.fluent[p];
  }
}

StateRelations::~StateRelations() = default;

StateRelations::Slot StateRelations::slot_of(const Condition& condition) const {
  switch (condition.kind) {
    case Condition::Kind::goal:
      return Slot{number_of(condition.predicate()) + ground_->task->num_predicates()};
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
    const PredicateId predicate{number_of(slot) - task.num_predicates()};
    for_each_atom(task, task.goal, [&](Atom atom) {
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
        spend(watch, kTurn);
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
    spend(watch, kTurn);
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
        spend(watch, kTurn + (arity > 1 && !derived.matrix ? derived.tuples.size() : 0));
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
  for (size_t w = 0; w < ground_->num_words(); ++w) {
    for (uint64_t bits = words[w]; bits; bits &= bits - 1) {
      const FluentId fluent{static_cast<int32_t>(64 * w + std::countr_zero(bits))};
      const Atom atom = ground_->atom(fluent);
      Relation& relation = relations_[index_of(atom.predicate())];
      if (relation.used) add(relation, atom.objects());
    }
  }
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

RuleQuery::RuleQuery(const Rule& rule, StateRelations& relations, const RuleTable& table,
                     Watch* watch)
    : words_(relations.words()), num_variables_(rule.parameter_types.size()) {
  check_rule(rule, *relations.ground().task, table);
  compile(rule.parameter_types, rule.conditions, relations, watch);
}

RuleQuery::RuleQuery(const Clause& clause, StateRelations& relations, Watch* watch)
    : words_(relations.words()), num_variables_(clause.parameter_types.size()) {
  compile(clause.parameter_types, clause.conditions, relations, watch);
}

void RuleQuery::compile(const ParameterTypes& parameter_types,
                        const std::vector<Condition>& conditions, StateRelations& relations,
                        Watch* watch) {
  const Task& task = *relations.ground().task;
  types_.assign(num_variables_ * words_, 0);
  for (size_t v = 0; v < num_variables_; ++v) {
    const std::vector<bool> mask = task.type_mask(parameter_types[v]);
    for (int32_t i = 0; i < task.num_objects(); ++i) {
      const ObjectId object{i};
      if (mask[index_of(task.type_of(object))]) insert(set_of(types_, v), object);
    }
  }
  filters_.resize(num_variables_);
  depends_on_.assign(num_variables_, 0);
  for (const Condition& condition : conditions) add_condition(condition, relations, watch);

  // What never changes narrows the types once and for all.
  std::erase_if(prefilters_, [&](const Prefilter& filter) {
    if (relations[filter.relation].fluent) return false;
    intersect(set_of(types_, index_of(filter.variable)),
              relations[filter.relation].projections[filter.place].data(), filter.positive, words_);
    return true;
  });
  for (size_t v = 0; v < num_variables_; ++v) never_ = never_ || !any(set_of(types_, v), words_);

  start_ = candidates_ = types_;
  marks_.assign(words_, 0);
  conflicts_ = depends_on_;
}

void RuleQuery::depend(size_t variable, Term on) {
  if (is_variable(on) && index_of(on) < kMaskedVariables)
    depends_on_[variable] |= uint64_t{1} << index_of(on);
}

void RuleQuery::add_condition(const Condition& condition, StateRelations& relations, Watch* watch) {
  Term last{-1};  // the variable that is bound last
  for (Term term : condition.terms) last = std::max(last, term);
  if (condition.kind == Condition::Kind::equality) {
    if (!is_variable(last)) {
      never_ = never_ || (condition.terms[0] == condition.terms[1]) != condition.positive;
    } else if (condition.terms[0] == condition.terms[1]) {
      never_ = never_ || !condition.positive;
    } else {
      const Term other = condition.terms[0] == last ? condition.terms[1] : condition.terms[0];
      filters_[index_of(last)].push_back(
          {Filter::Kind::equal, condition.positive, StateRelations::Slot::none, other, {}, 0});
      depend(index_of(last), other);
    }
    return;
  }
  const StateRelations::Slot relation = relations.slot_of(condition);
  relations.use(relation, watch);
  if (condition.kind == Condition::Kind::derived) {
    derived_.push_back(relation);
    // One that never changes is known from now on.
    if (!relations[relation].fluent) relations.derive(relation, watch);
  }
  if (!is_variable(last)) {
    ground_conditions_.push_back(condition);
    return;
  }
  if (relations[relation].graph) {
    add_graph_condition(condition, relation, last, relations, watch);
    return;
  }
  const auto& terms = condition.terms;
  if (terms.size() == 1) {
    prefilters_.push_back({variable_of(last), relation, 0, condition.positive});
    return;
  }
  if (condition.positive) {
    for (size_t i = 0; i < terms.size(); ++i) {
      if (is_variable(terms[i])) {
        prefilters_.push_back({variable_of(terms[i]), relation, static_cast<int32_t>(i), true});
      }
    }
  }
  const bool repeated = std::count(terms.begin(), terms.end(), last) > 1;
  if (relations[relation].matrix && !repeated) {
    const bool is_second = terms[1] == last;
    const Term other = terms[is_second ? 0 : 1];
    const auto kind = is_second ? Filter::Kind::row : Filter::Kind::column;
    filters_[index_of(last)].push_back({kind, condition.positive, relation, other, {}, 0});
    depend(index_of(last), other);
    return;
  }
  // Scan the tuples, for the last variable exactly; for the earlier ones of a positive condition
  // too, to meet a dead end early.
  for (int32_t v = 0; v <= number_of(last); ++v) {
    const Term variable{v};
    const auto found = std::find(terms.begin(), terms.end(), variable);
    if (found == terms.end() || (variable != last && !condition.positive)) continue;
    const bool first_of_condition =
        std::none_of(terms.begin(), terms.end(), [&](Term t) { return t < variable; });
    if (first_of_condition && variable != last) continue;  // its projection says as much
    filters_[v].push_back({Filter::Kind::scan, condition.positive, relation, Term{}, terms,
                           static_cast<int32_t>(found - terms.begin())});
    for (Term term : terms) {
      if (term < variable) depend(v, term);
    }
  }
}

// Tested once its last variable has an object; that the next hop is one hop away says something
// earlier.
void RuleQuery::add_graph_condition(const Condition& condition, StateRelations::Slot relation,
                                    Term last, StateRelations& relations, Watch* watch) {
  const auto& terms = condition.terms;
  filters_[index_of(last)].push_back(
      {Filter::Kind::graph, condition.positive, relation, Term{}, terms, 0});
  for (Term term : terms) {
    if (term < last) depend(index_of(last), term);
  }
  const auto edge = condition.positive ? relations.edge_of(relation, terms) : std::nullopt;
  if (edge) add_condition(*edge, relations, watch);
}

bool RuleQuery::holds(StateRelations& relations, const Condition& condition, Watch* watch) const {
  const StateRelations::Slot slot = relations.slot_of(condition);
  const auto& relation = relations[slot];
  std::vector<int32_t> objects;
  for (Term term : condition.terms) objects.push_back(number_of(object_of(term)));
  if (relation.graph) return relations.graph_holds(slot, objects, watch) == condition.positive;
  const size_t step = std::max<size_t>(1, objects.size());
  bool found = false;
  for (size_t at = 0; at < relation.tuples.size() && !found; at += step) {
    found = std::equal(objects.begin(), objects.end(), relation.tuples.begin() + at);
  }
  return found == condition.positive;
}

void RuleQuery::scan(const StateRelations& relations, const Filter& filter, size_t variable,
                     const int32_t* binding, Watch* watch) {
  const auto& tuples = relations[filter.relation].tuples;
  spend(watch, tuples.size());
  const size_t arity = filter.terms.size();
  std::fill(marks_.begin(), marks_.end(), 0);
  for (size_t at = 0; at < tuples.size(); at += arity) {
    const int32_t object = tuples[at + filter.place];
    bool fits = true;
    for (size_t i = 0; i < arity && fits; ++i) {
      const Term term = filter.terms[i];
      if (!is_variable(term)) {
        fits = tuples[at + i] == number_of(object_of(term));
      } else if (index_of(term) == variable) {
        fits = tuples[at + i] == object;
      } else if (index_of(term) < variable) {
        fits = tuples[at + i] == binding[index_of(term)];
      }
    }
    if (fits) insert(marks_.data(), ObjectId{object});
  }
  intersect(set_of(candidates_, variable), marks_.data(), filter.positive, words_);
}

void RuleQuery::test_graph(StateRelations& relations, const Filter& filter, size_t variable,
                           const int32_t* binding, Watch* watch) {
  uint64_t* candidates = set_of(candidates_, variable);
  std::vector<int32_t> objects(filter.terms.size());
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t bits = candidates[w]; bits; bits &= bits - 1) {
      const ObjectId object = object_at(w, bits);
      for (size_t i = 0; i < filter.terms.size(); ++i) {
        const Term term = filter.terms[i];
        const bool mine = is_variable(term) && index_of(term) == variable;
        objects[i] = number_of(mine ? object : value_of(term, binding));
      }
      if (relations.graph_holds(filter.relation, objects, watch) != filter.positive) {
        erase(candidates, object);
      }
    }
  }
}

bool RuleQuery::narrow(StateRelations& relations, size_t variable, const int32_t* binding,
                       Watch* watch) {
  uint64_t* candidates = set_of(candidates_, variable);
  std::copy_n(set_of(start_, variable), words_, candidates);
  for (const Filter& filter : filters_[variable]) {
    const auto of_other = [&](const std::vector<uint64_t>& sets) {
      return sets.data() + index_of(value_of(filter.other, binding)) * words_;
    };
    switch (filter.kind) {
      case Filter::Kind::row:
        intersect(candidates, of_other(relations[filter.relation].rows), filter.positive, words_);
        break;
      case Filter::Kind::column:
        intersect(candidates, of_other(relations[filter.relation].columns), filter.positive,
                  words_);
        break;
      case Filter::Kind::equal: {
        const ObjectId object = value_of(filter.other, binding);
        if (filter.positive) {
          const bool allowed = contains(candidates, object);
          std::fill_n(candidates, words_, 0);
          if (allowed) insert(candidates, object);
        } else {
          erase(candidates, object);
        }
        break;
      }
      case Filter::Kind::scan:
        scan(relations, filter, variable, binding, watch);
        break;
      case Filter::Kind::graph:
        test_graph(relations, filter, variable, binding, watch);
        break;
    }
  }
  return any(candidates, words_);
}

bool RuleQuery::first(StateRelations& relations, int32_t* binding, Watch* watch) {
  for (StateRelations::Slot relation : derived_) relations.derive(relation, watch);
  return begin(relations, binding, watch) &&
         (num_variables_ == 0 || search(relations, 0, binding, watch));
}

void RuleQuery::all(StateRelations& relations, size_t arity, std::vector<int32_t>& tuples,
                    Watch* watch) {
  std::vector<int32_t> binding(num_variables_);
  if (!begin(relations, binding.data(), watch)) return;
  if (arity == 0) {
    if (num_variables_ == 0 || search(relations, 0, binding.data(), watch)) tuples.push_back(0);
    return;
  }
  size_t from = 0;
  while (search(relations, from, binding.data(), watch)) {
    tuples.insert(tuples.end(), binding.begin(), binding.begin() + static_cast<ptrdiff_t>(arity));
    if (watch) watch->check_bytes(tuples.size() * sizeof(int32_t));
    // On with the next object for the last of these: whatever comes before may have a say in it.
    from = arity - 1;
    if (from < kMaskedVariables) conflicts_[from] = (uint64_t{1} << from) - 1;
  }
}

bool RuleQuery::begin(StateRelations& relations, int32_t* binding, Watch* watch) {
  if (never_) return false;
  for (const Condition& condition : ground_conditions_) {
    if (!holds(relations, condition, watch)) return false;
  }
  if (num_variables_ == 0) return true;
  start_ = types_;
  for (const Prefilter& filter : prefilters_) {
    intersect(set_of(start_, index_of(filter.variable)),
              relations[filter.relation].projections[filter.place].data(), filter.positive, words_);
  }
  for (size_t v = 0; v < num_variables_; ++v) {
    if (!any(set_of(start_, v), words_)) return false;
  }
  conflicts_[0] = depends_on_[0];
  narrow(relations, 0, binding, watch);
  return true;
}

bool RuleQuery::search(StateRelations& relations, size_t v, int32_t* binding, Watch* watch) {
  while (true) {
    spend(watch, kTurn + words_);
    uint64_t* candidates = set_of(candidates_, v);
    size_t w = 0;
    while (w < words_ && !candidates[w]) ++w;
    if (w < words_) {
      binding[v] = number_of(object_at(w, candidates[w]));
      candidates[w] &= candidates[w] - 1;
      if (++v == num_variables_) return true;
      conflicts_[v] = depends_on_[v];
      narrow(relations, v, binding, watch);
      continue;
    }
    // A dead end: go back to the last variable that had a say in it. Those between cannot mend it.
    if (num_variables_ > kMaskedVariables) {
      if (v-- == 0) return false;
      continue;
    }
    const uint64_t conflict = conflicts_[v];
    if (conflict == 0) return false;
    v = 63 - std::countl_zero(conflict);
    conflicts_[v] |= conflict ^ (uint64_t{1} << v);
  }
}

}  // namespace pg3
