#include "ground/rule_query.hpp"

#include <algorithm>
#include <bit>

#include "core/bit_set.hpp"

namespace pg3 {

namespace {

// Dependencies are kept for rules of up to this many parameters; beyond, a dead end goes back one
// step.
constexpr size_t kMaskedVariables = 64;

bool any(const uint64_t* set, size_t words) {
  return std::any_of(set, set + words, [](uint64_t word) { return word != 0; });
}

void intersect(uint64_t* set, const uint64_t* with, bool positive, size_t words) {
  for (size_t w = 0; w < words; ++w) set[w] &= positive ? with[w] : ~with[w];
}

}  // namespace

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
  Filters filters(num_variables_);
  depends_on_.assign(num_variables_, 0);
  for (const Condition& condition : conditions) {
    add_condition(condition, relations, filters, watch);
  }

  // What never changes narrows the types once and for all.
  std::erase_if(prefilters_, [&](const Prefilter& filter) {
    if (relations[filter.relation].fluent) return false;
    intersect(set_of(types_, index_of(filter.variable)),
              relations[filter.relation].projections[filter.place].data(), filter.positive, words_);
    return true;
  });
  for (size_t v = 0; v < num_variables_; ++v) never_ = never_ || !any(set_of(types_, v), words_);

  // A learner has hundreds of rules in hundreds of problems: no room is left over.
  size_t num_filters = 0;
  for (const auto& some : filters) num_filters += some.size();
  filters_.reserve(num_filters);
  filter_ends_.reserve(num_variables_);
  for (const auto& some : filters) {
    filters_.insert(filters_.end(), some.begin(), some.end());
    filter_ends_.push_back(static_cast<uint32_t>(filters_.size()));
  }
  prefilters_.shrink_to_fit();
  terms_.shrink_to_fit();
  start_ = candidates_ = types_;
  marks_.assign(words_, 0);
  conflicts_ = depends_on_;
}

void RuleQuery::depend(size_t variable, Term on) {
  if (is_variable(on) && index_of(on) < kMaskedVariables)
    depends_on_[variable] |= uint64_t{1} << index_of(on);
}

RuleQuery::Filter RuleQuery::of_terms(Filter filter, const std::vector<Term>& terms) {
  filter.begin = static_cast<uint32_t>(terms_.size());
  filter.num_terms = static_cast<uint32_t>(terms.size());
  terms_.insert(terms_.end(), terms.begin(), terms.end());
  return filter;
}

void RuleQuery::add_condition(const Condition& condition, StateRelations& relations,
                              Filters& filters, Watch* watch) {
  Term last{-1};  // the variable that is bound last
  for (Term term : condition.terms) last = std::max(last, term);
  if (condition.kind == Condition::Kind::equality) {
    if (!is_variable(last)) {
      never_ = never_ || (condition.terms[0] == condition.terms[1]) != condition.positive;
    } else if (condition.terms[0] == condition.terms[1]) {
      never_ = never_ || !condition.positive;
    } else {
      const Term other = condition.terms[0] == last ? condition.terms[1] : condition.terms[0];
      filters[index_of(last)].push_back(
          {Filter::Kind::equal, condition.positive, StateRelations::Slot::none, other});
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
    add_graph_condition(condition, relation, last, relations, filters, watch);
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
    filters[index_of(last)].push_back({kind, condition.positive, relation, other});
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
    Filter filter = of_terms({Filter::Kind::scan, condition.positive, relation, Term{}}, terms);
    filter.place = static_cast<int32_t>(found - terms.begin());
    filters[v].push_back(filter);
    for (Term term : terms) {
      if (term < variable) depend(v, term);
    }
  }
}

// Tested once its last variable has an object; that the next hop is one hop away says something
// earlier.
void RuleQuery::add_graph_condition(const Condition& condition, StateRelations::Slot relation,
                                    Term last, StateRelations& relations, Filters& filters,
                                    Watch* watch) {
  const auto& terms = condition.terms;
  filters[index_of(last)].push_back(
      of_terms({Filter::Kind::graph, condition.positive, relation, Term{}}, terms));
  for (Term term : terms) {
    if (term < last) depend(index_of(last), term);
  }
  const auto edge = condition.positive ? relations.edge_of(relation, terms) : std::nullopt;
  if (edge) add_condition(*edge, relations, filters, watch);
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
  const std::span<const Term> terms = terms_of(filter);
  const size_t arity = terms.size();
  std::fill(marks_.begin(), marks_.end(), 0);
  for (size_t at = 0; at < tuples.size(); at += arity) {
    const int32_t object = tuples[at + filter.place];
    bool fits = true;
    for (size_t i = 0; i < arity && fits; ++i) {
      const Term term = terms[i];
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
  const std::span<const Term> terms = terms_of(filter);
  std::vector<int32_t> objects(terms.size());
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t bits = candidates[w]; bits; bits &= bits - 1) {
      const auto object = first_of<ObjectId>(w, bits);
      for (size_t i = 0; i < terms.size(); ++i) {
        const Term term = terms[i];
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
  const size_t first = variable == 0 ? 0 : filter_ends_[variable - 1];
  for (const Filter& filter : std::span(filters_).subspan(first, filter_ends_[variable] - first)) {
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
    spend(watch, kQueryTurn + words_);
    uint64_t* candidates = set_of(candidates_, v);
    size_t w = 0;
    while (w < words_ && !candidates[w]) ++w;
    if (w < words_) {
      binding[v] = number_of(first_of<ObjectId>(w, candidates[w]));
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
