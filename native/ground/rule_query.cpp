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

void set_bit(uint64_t* set, int32_t i) {
  set[i >> 6] |= uint64_t{1} << (i & 63);
}
void clear_bit(uint64_t* set, int32_t i) {
  set[i >> 6] &= ~(uint64_t{1} << (i & 63));
}
bool test_bit(const uint64_t* set, int32_t i) {
  return set[i >> 6] >> (i & 63) & 1;
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

int32_t StateRelations::number_of(const Condition& condition) const {
  const int32_t predicates = ground_->task->num_predicates();
  switch (condition.kind) {
    case Condition::Kind::goal:
      return condition.predicate + predicates;
    case Condition::Kind::derived:
      return condition.predicate + 2 * predicates;
    default:
      return condition.predicate;
  }
}

void StateRelations::use(int32_t number, Watch* watch) {
  if (number >= first_derived()) {
    const auto relation = rules_->relation(number - first_derived());
    use_group(relation->group, watch);
    return;
  }
  Relation& relation = relations_[number];
  if (relation.used) return;
  const Task& task = *ground_->task;
  relation.tuples.clear();
  relation.matrix = relation.arity == 2 && task.num_objects() <= kMatrixObjects;
  relation.projections.assign(relation.arity, std::vector<uint64_t>(words_, 0));
  if (relation.matrix) {
    relation.rows.assign(static_cast<size_t>(task.num_objects()) * words_, 0);
    relation.columns = relation.rows;
  }
  if (number >= task.num_predicates()) {
    for_each_atom(task, task.goal, [&](Tuple atom) {
      if (atom[0] == number - task.num_predicates()) add(relation, atom.subspan(1));
    });
  } else if (!relation.fluent) {
    for (int32_t i = 0; i < ground_->statics.size(); ++i) {
      const Tuple atom = ground_->statics[i];
      if (atom[0] == number) add(relation, atom.subspan(1));
    }
  }
  shown_ = -1;
  relation.used = true;  // now that it is whole: there may be no memory for it
}

void StateRelations::use_group(int32_t first, Watch* watch) {
  if (static_cast<size_t>(first) < groups_.size() && groups_[first]) return;
  try {
    make_group(first, watch);
  } catch (...) {
    // Whoever asks for it later must not find half of it.
    if (static_cast<size_t>(first) < groups_.size()) groups_[first].reset();
    throw;
  }
}

void StateRelations::make_group(int32_t first, Watch* watch) {
  const Task& task = *ground_->task;
  const int32_t size = rules_->relation(first)->group_size;
  for (int32_t i = 0; i < size; ++i) check_relation(*rules_->relation(first + i), task, *rules_);
  const auto needed = static_cast<size_t>(first + size);
  if (groups_.size() < needed) groups_.resize(needed);
  if (relations_.size() < first_derived() + needed) relations_.resize(first_derived() + needed);
  groups_[first] = std::make_unique<Group>();
  Group& group = *groups_[first];  // stays where it is when groups_ grows

  auto read = [&](const Condition& input) {
    if (input.kind == Condition::Kind::equality) return;
    if (input.kind == Condition::Kind::derived) {
      if (input.predicate >= first) {
        group.recursive = true;
        return;
      }
      group.inputs.push_back(first_derived() + input.predicate);
    }
    use(number_of(input), watch);
    group.fluent = group.fluent || relations_[number_of(input)].fluent;
  };
  for (int32_t i = 0; i < size; ++i) {
    const auto relation = rules_->relation(first + i);
    for (const Clause& clause : relation->clauses) {
      for (const Condition& condition : clause.conditions) read(condition);
    }
    group.form = relation->form;
    if (relation->form == DerivedRelation::Form::clauses) continue;
    group.edge = {relation->edge_kind, true, relation->edges, {}};
    group.graphs = std::make_unique<GraphFamily>();
    read(group.edge);
  }
  for (int32_t i = 0; i < size; ++i) {
    Relation& relation = relations_[first_derived() + first + i];
    relation.arity = rules_->relation(first + i)->arity;
    relation.fluent = true;  // as long as its clauses are being compiled, nothing is known of it
    relation.used = true;
    relation.graph = group.graphs != nullptr;
    if (relation.graph) continue;
    relation.matrix = relation.arity == 2 && task.num_objects() <= kMatrixObjects;
    relation.projections.assign(relation.arity, std::vector<uint64_t>(words_, 0));
    if (relation.matrix) {
      relation.rows.assign(static_cast<size_t>(task.num_objects()) * words_, 0);
      relation.columns = relation.rows;
    }
  }
  for (int32_t i = 0; i < size; ++i) {
    const auto relation = rules_->relation(first + i);
    for (const Clause& clause : relation->clauses) {
      group.clauses.emplace_back(first_derived() + first + i, RuleQuery(clause, *this, watch));
    }
  }
  for (int32_t i = 0; i < size; ++i) relations_[first_derived() + first + i].fluent = group.fluent;
  shown_ = -1;
}

void StateRelations::derive(int32_t number, Watch* watch) {
  const int32_t first = rules_->relation(number - first_derived())->group;
  Group& group = *groups_[first];
  if (group.known) return;
  for (int32_t input : group.inputs) derive(input, watch);
  try {
    work_out(group, watch);
  } catch (...) {
    // What was found before a limit on memory must not count against it afterwards.
    for (auto& [relation_number, query] : group.clauses) {
      clear(relations_[relation_number]);
      relations_[relation_number].tuples.shrink_to_fit();
    }
    found_ = {};
    throw;
  }
  group.known = true;
}

void StateRelations::work_out(Group& group, Watch* watch) {
  if (group.graphs) {
    const Relation& edges = relations_[number_of(group.edge)];
    const auto arity = static_cast<size_t>(edges.arity);
    group.graphs->clear(ground_->task->num_objects(), arity);
    for (size_t at = 0; at < edges.tuples.size(); at += arity) {
      group.graphs->set(Tuple(edges.tuples).subspan(at, arity), true);
    }
  }
  // Every clause again until none says anything new: states that are ground are small.
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto& [relation_number, query] : group.clauses) {
      Relation& relation = relations_[relation_number];
      const size_t arity = relation.arity;
      found_.clear();
      query.all(*this, arity, found_, watch);
      for (size_t at = 0; at < found_.size(); at += std::max<size_t>(1, arity)) {
        const Tuple objects(found_.data() + at, arity);
        // A relation that has no matrix is gone through.
        spend(watch, kTurn + (arity > 1 && !relation.matrix ? relation.tuples.size() : 0));
        if (contains(relation, objects)) continue;
        add(relation, objects);
        if (watch) watch->check_bytes((found_.size() + relation.tuples.size()) * sizeof(int32_t));
        changed = group.recursive;
      }
    }
  }
}

bool StateRelations::contains(const Relation& relation, Tuple objects) const {
  if (objects.empty()) return !relation.tuples.empty();
  if (objects.size() == 1) return test_bit(relation.projections[0].data(), objects[0]);
  if (relation.matrix) {
    return test_bit(relation.rows.data() + static_cast<size_t>(objects[0]) * words_, objects[1]);
  }
  for (size_t at = 0; at < relation.tuples.size(); at += objects.size()) {
    if (std::equal(objects.begin(), objects.end(), relation.tuples.begin() + at)) return true;
  }
  return false;
}

bool StateRelations::graph_holds(int32_t number, Tuple objects, Watch* watch) {
  Group& group = *groups_[number - first_derived()];
  return group.form == DerivedRelation::Form::reach ? group.graphs->reaches(objects, watch)
                                                    : group.graphs->is_next(objects, watch);
}

std::optional<Condition> StateRelations::edge_of(int32_t number,
                                                 const std::vector<Term>& terms) const {
  const Group& group = *groups_[number - first_derived()];
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
  for (size_t i = 0; i < objects.size(); ++i) set_bit(relation.projections[i].data(), objects[i]);
  if (relation.matrix) {
    set_bit(relation.rows.data() + static_cast<size_t>(objects[0]) * words_, objects[1]);
    set_bit(relation.columns.data() + static_cast<size_t>(objects[1]) * words_, objects[0]);
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

void StateRelations::show(int32_t state_number, const uint64_t* state) {
  if (shown_ == state_number) return;
  shown_ = -1;  // until all of it is shown
  for (Relation& relation : relations_) {
    if (relation.used && relation.fluent && !relation.tuples.empty()) clear(relation);
  }
  const size_t words = (ground_->num_fluents() + 63) / 64;
  for (size_t w = 0; w < words; ++w) {
    for (uint64_t bits = state[w]; bits; bits &= bits - 1) {
      const Tuple atom = ground_->fluents[static_cast<int32_t>(64 * w + std::countr_zero(bits))];
      Relation& relation = relations_[atom[0]];
      if (relation.used) add(relation, atom.subspan(1));
    }
  }
  for (const auto& group : groups_) {
    if (group && group->fluent) group->known = false;
  }
  shown_ = state_number;
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

void RuleQuery::compile(const std::vector<std::vector<int32_t>>& parameter_types,
                        const std::vector<Condition>& conditions, StateRelations& relations,
                        Watch* watch) {
  const Task& task = *relations.ground().task;
  types_.assign(num_variables_ * words_, 0);
  for (size_t v = 0; v < num_variables_; ++v) {
    const std::vector<bool> mask = task.type_mask(parameter_types[v]);
    for (int32_t object = 0; object < task.num_objects(); ++object) {
      if (mask[task.object_types[object]]) set_bit(set_of(types_, v), object);
    }
  }
  filters_.resize(num_variables_);
  depends_on_.assign(num_variables_, 0);
  for (const Condition& condition : conditions) add_condition(condition, relations, watch);

  // What never changes narrows the types once and for all.
  std::erase_if(prefilters_, [&](const Prefilter& filter) {
    if (relations[filter.relation].fluent) return false;
    intersect(set_of(types_, filter.variable),
              relations[filter.relation].projections[filter.place].data(), filter.positive, words_);
    return true;
  });
  for (size_t v = 0; v < num_variables_; ++v) never_ = never_ || !any(set_of(types_, v), words_);

  start_ = candidates_ = types_;
  marks_.assign(words_, 0);
  conflicts_ = depends_on_;
}

void RuleQuery::depend(size_t variable, Term on) {
  if (is_variable(on) && static_cast<size_t>(on) < kMaskedVariables)
    depends_on_[variable] |= uint64_t{1} << on;
}

void RuleQuery::add_condition(const Condition& condition, StateRelations& relations, Watch* watch) {
  Term last = -1;  // the variable that is bound last
  for (Term term : condition.terms) last = std::max(last, term);
  if (condition.kind == Condition::Kind::equality) {
    if (last < 0) {
      never_ = never_ || (condition.terms[0] == condition.terms[1]) != condition.positive;
    } else if (condition.terms[0] == condition.terms[1]) {
      never_ = never_ || !condition.positive;
    } else {
      const Term other = condition.terms[0] == last ? condition.terms[1] : condition.terms[0];
      filters_[last].push_back({Filter::Kind::equal, condition.positive, -1, other, {}, 0});
      depend(last, other);
    }
    return;
  }
  const int32_t relation = relations.number_of(condition);
  relations.use(relation, watch);
  if (condition.kind == Condition::Kind::derived) {
    derived_.push_back(relation);
    // One that never changes is known from now on.
    if (!relations[relation].fluent) relations.derive(relation, watch);
  }
  if (last < 0) {
    ground_conditions_.push_back(condition);
    return;
  }
  if (relations[relation].graph) {
    add_graph_condition(condition, relation, last, relations, watch);
    return;
  }
  const auto& terms = condition.terms;
  if (terms.size() == 1) {
    prefilters_.push_back({last, relation, 0, condition.positive});
    return;
  }
  if (condition.positive) {
    for (size_t i = 0; i < terms.size(); ++i) {
      if (is_variable(terms[i])) {
        prefilters_.push_back({terms[i], relation, static_cast<int32_t>(i), true});
      }
    }
  }
  const bool repeated = std::count(terms.begin(), terms.end(), last) > 1;
  if (relations[relation].matrix && !repeated) {
    const bool is_second = terms[1] == last;
    const Term other = terms[is_second ? 0 : 1];
    filters_[last].push_back({is_second ? Filter::Kind::row : Filter::Kind::column,
                              condition.positive,
                              relation,
                              other,
                              {},
                              0});
    depend(last, other);
    return;
  }
  // Scan the tuples, for the last variable exactly; for the earlier ones of a positive condition
  // too, to meet a dead end early.
  for (Term variable = 0; variable <= last; ++variable) {
    const auto found = std::find(terms.begin(), terms.end(), variable);
    if (found == terms.end() || (variable != last && !condition.positive)) continue;
    const bool first_of_condition =
        std::none_of(terms.begin(), terms.end(), [&](Term t) { return t < variable; });
    if (first_of_condition && variable != last) continue;  // its projection says as much
    filters_[variable].push_back({Filter::Kind::scan, condition.positive, relation, 0, terms,
                                  static_cast<int32_t>(found - terms.begin())});
    for (Term term : terms) {
      if (term < variable) depend(variable, term);
    }
  }
}

// Tested once its last variable has an object; that the next hop is one hop away says something
// earlier.
void RuleQuery::add_graph_condition(const Condition& condition, int32_t relation, Term last,
                                    StateRelations& relations, Watch* watch) {
  const auto& terms = condition.terms;
  filters_[last].push_back(
      {Filter::Kind::graph, condition.positive, relation, 0, terms, static_cast<int32_t>(last)});
  for (Term term : terms) {
    if (term < last) depend(last, term);
  }
  const auto edge = condition.positive ? relations.edge_of(relation, terms) : std::nullopt;
  if (edge) add_condition(*edge, relations, watch);
}

bool RuleQuery::holds(StateRelations& relations, const Condition& condition, Watch* watch) const {
  const int32_t number = relations.number_of(condition);
  const auto& relation = relations[number];
  if (relation.graph) {
    std::vector<int32_t> objects;
    for (Term term : condition.terms) objects.push_back(object_of(term));
    return relations.graph_holds(number, objects, watch) == condition.positive;
  }
  const size_t step = std::max<size_t>(1, condition.terms.size());
  bool found = false;
  for (size_t at = 0; at < relation.tuples.size() && !found; at += step) {
    found = true;
    for (size_t i = 0; i < condition.terms.size() && found; ++i) {
      found = relation.tuples[at + i] == object_of(condition.terms[i]);
    }
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
        fits = tuples[at + i] == object_of(term);
      } else if (static_cast<size_t>(term) == variable) {
        fits = tuples[at + i] == object;
      } else if (static_cast<size_t>(term) < variable) {
        fits = tuples[at + i] == binding[term];
      }
    }
    if (fits) set_bit(marks_.data(), object);
  }
  intersect(set_of(candidates_, variable), marks_.data(), filter.positive, words_);
}

void RuleQuery::test_graph(StateRelations& relations, const Filter& filter, size_t variable,
                           const int32_t* binding, Watch* watch) {
  uint64_t* candidates = set_of(candidates_, variable);
  std::vector<int32_t> objects(filter.terms.size());
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t bits = candidates[w]; bits; bits &= bits - 1) {
      const auto object = static_cast<int32_t>(64 * w + std::countr_zero(bits));
      for (size_t i = 0; i < filter.terms.size(); ++i) {
        const Term term = filter.terms[i];
        const bool mine = is_variable(term) && static_cast<size_t>(term) == variable;
        objects[i] = mine ? object : value_of(term, binding);
      }
      if (relations.graph_holds(filter.relation, objects, watch) != filter.positive) {
        clear_bit(candidates, object);
      }
    }
  }
}

bool RuleQuery::narrow(StateRelations& relations, size_t variable, const int32_t* binding,
                       Watch* watch) {
  uint64_t* candidates = set_of(candidates_, variable);
  std::copy_n(set_of(start_, variable), words_, candidates);
  for (const Filter& filter : filters_[variable]) {
    switch (filter.kind) {
      case Filter::Kind::row:
        intersect(candidates,
                  relations[filter.relation].rows.data() + value_of(filter.other, binding) * words_,
                  filter.positive, words_);
        break;
      case Filter::Kind::column:
        intersect(
            candidates,
            relations[filter.relation].columns.data() + value_of(filter.other, binding) * words_,
            filter.positive, words_);
        break;
      case Filter::Kind::equal: {
        const int32_t object = value_of(filter.other, binding);
        if (filter.positive) {
          const bool allowed = test_bit(candidates, object);
          std::fill_n(candidates, words_, 0);
          if (allowed) set_bit(candidates, object);
        } else {
          clear_bit(candidates, object);
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
  for (int32_t relation : derived_) relations.derive(relation, watch);
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
    intersect(set_of(start_, filter.variable),
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
      binding[v] = static_cast<int32_t>(64 * w + std::countr_zero(candidates[w]));
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
