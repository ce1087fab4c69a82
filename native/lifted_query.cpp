#include "lifted_query.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Part = LiftedState::Part;

// Dependencies are kept for rules of up to this many parameters; beyond, a dead end goes back one.
constexpr size_t kMaskedVariables = 64;

// A relation or type with at most this many members makes its variables pivots.
constexpr int32_t kFew = 4;

bool opposite(const Condition& goal, const Condition& state) {
  return goal.kind == Kind::goal && goal.positive && state.kind == Kind::state && !state.positive &&
         goal.predicate == state.predicate && goal.terms == state.terms;
}

bool has_variable(const Condition& condition) {
  return std::ranges::any_of(condition.terms, is_variable);
}

}  // namespace

LiftedQuery::LiftedQuery(const Rule& rule, LiftedState& state)
    : state_(state), num_variables_(rule.parameter_types.size()) {
  const Task& task = state.task();
  check_rule(rule, task);
  for (const auto& types : rule.parameter_types) types_.push_back(task.type_mask(types));

  std::vector<Condition> positive, open, checks;
  for (const Condition& condition : rule.conditions) {
    auto answers = [&](const Condition& other) { return opposite(condition, other); };
    auto answered = [&](const Condition& other) { return opposite(other, condition); };
    if (!has_variable(condition)) {
      ground_checks_.push_back(condition);
    } else if (std::ranges::any_of(rule.conditions, answers)) {
      open.push_back(condition);
    } else if (std::ranges::any_of(rule.conditions, answered)) {
      // Part of an open goal.
    } else if (condition.kind != Kind::equality && condition.positive) {
      positive.push_back(condition);
    } else {
      checks.push_back(condition);
    }
  }
  choose_order(positive);
  steps_.resize(num_variables_);
  checks_.resize(num_variables_);
  depends_on_.assign(num_variables_, 0);
  conflicts_ = depends_on_;
  binding_.assign(num_variables_, -1);
  for (const Condition& condition : positive) {
    add_path(condition, state, condition.kind == Kind::goal ? Part::goal : Part::state);
  }
  for (const Condition& condition : open) add_path(condition, state, Part::open);
  for (const Condition& condition : checks) {
    depend(condition.terms, false);
    checks_[last_depth(condition.terms)].push_back(condition);
  }
}

void LiftedQuery::choose_order(const std::vector<Condition>& positive) {
  const Task& task = state_.task();
  std::vector<bool> pivot(num_variables_, false);
  for (const Condition& condition : positive) {
    if (condition.kind != Kind::state || state_.peak(condition.predicate) > kFew) continue;
    if (task.fluent[condition.predicate]) pivot_predicates_.push_back(condition.predicate);
    for (Term term : condition.terms) {
      if (is_variable(term)) pivot[term] = true;
    }
  }
  few_.resize(num_variables_);
  for (size_t v = 0; v < num_variables_; ++v) {
    for (int32_t object = 0; object < task.num_objects(); ++object) {
      if (!types_[v][task.object_types[object]]) continue;
      few_[v].push_back(object);
      if (few_[v].size() > static_cast<size_t>(kFew)) break;
    }
    if (few_[v].size() > static_cast<size_t>(kFew)) {
      few_[v].clear();
    } else {
      pivot[v] = true;
    }
  }
  order_.clear();
  for (size_t v = 0; v < num_variables_; ++v) {
    if (pivot[v]) order_.push_back(static_cast<int32_t>(v));
  }
  // What pivots determine, or nearly, is a pivot too: where the man is, once the man is bound.
  for (size_t i = 0; i < positive.size();) {
    const Condition& condition = positive[i++];
    if (condition.kind != Kind::state) continue;
    const auto free = [&](Term term) { return is_variable(term) && !pivot[term]; };
    const auto found = std::ranges::find_if(condition.terms, free);
    if (condition.terms.size() < 2 || std::ranges::count_if(condition.terms, free) != 1) continue;
    const auto place = static_cast<int32_t>(found - condition.terms.begin());
    if (state_.fan_out(condition.predicate, place) > kFew) continue;
    pivot[*found] = true;
    order_.push_back(*found);
    i = 0;
  }
  num_pivots_ = order_.size();
  for (size_t v = 0; v < num_variables_; ++v) {
    if (!pivot[v]) order_.push_back(static_cast<int32_t>(v));
  }
  if (std::ranges::is_sorted(order_)) num_pivots_ = 0;  // pivots in their own places: nothing to do
  depth_.resize(num_variables_);
  for (size_t d = 0; d < num_variables_; ++d) depth_[order_[d]] = static_cast<int32_t>(d);
}

size_t LiftedQuery::last_depth(const std::vector<Term>& terms) const {
  int32_t last = -1;
  for (Term term : terms) {
    if (is_variable(term)) last = std::max(last, depth_[term]);
  }
  return static_cast<size_t>(last);
}

// A condition has its say on a variable through the variables bound before it that it mentions: a
// check only on the one bound last, a path on each on the way.
void LiftedQuery::depend(const std::vector<Term>& terms, bool positive) {
  const size_t last = last_depth(terms);
  for (Term term : terms) {
    if (!is_variable(term)) continue;
    const size_t depth = depth_[term];
    if (!positive && depth != last) continue;
    for (Term other : terms) {
      if (!is_variable(other)) continue;
      const size_t earlier = depth_[other];
      if (earlier < depth && earlier < kMaskedVariables) {
        depends_on_[depth] |= uint64_t{1} << earlier;
      }
    }
  }
}

void LiftedQuery::add_path(const Condition& condition, LiftedState& state, Part part) {
  const auto& terms = condition.terms;
  depend(terms, true);
  auto rank = [&](int32_t place) { return is_variable(terms[place]) ? depth_[terms[place]] : -1; };
  std::vector<int32_t> order(terms.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, rank);
  Path path{&state.index(condition.predicate, part, order), {}, {}};
  path.nodes.assign(terms.size() + 1, 0);
  const int32_t number = static_cast<int32_t>(paths_.size());
  for (size_t level = 0; level < order.size();) {
    const Term term = terms[order[level]];
    if (!is_variable(term)) {
      path.constants.push_back(object_of(term));
      ++level;
      continue;
    }
    size_t end = level;
    while (end < order.size() && terms[order[end]] == term) ++end;
    steps_[depth_[term]].push_back({number, static_cast<int32_t>(level),
                                    static_cast<int32_t>(end - level), end == order.size()});
    level = end;
  }
  paths_.push_back(std::move(path));
}

bool LiftedQuery::is_stale() const {
  return std::ranges::any_of(pivot_predicates_,
                             [&](int32_t predicate) { return state_.peak(predicate) > kFew; });
}

bool LiftedQuery::holds(const Condition& condition) {
  if (condition.kind == Kind::equality) {
    return (value_of(condition.terms[0], binding_.data()) ==
            value_of(condition.terms[1], binding_.data())) == condition.positive;
  }
  atom_.assign(1, condition.predicate);
  for (Term term : condition.terms) atom_.push_back(value_of(term, binding_.data()));
  return (condition.kind == Kind::goal ? state_.in_goal(atom_) : state_.holds(atom_)) ==
         condition.positive;
}

bool LiftedQuery::restart() {
  for (const Condition& condition : ground_checks_) {
    if (!holds(condition)) return false;
  }
  for (Path& path : paths_) {
    path.nodes[0] = Trie::root();
    for (size_t level = 0; level < path.constants.size(); ++level) {
      path.nodes[level + 1] = path.index->child(path.nodes[level], path.constants[level], false);
      if (path.nodes[level + 1] < 0) return false;
    }
  }
  return true;
}

int32_t LiftedQuery::next(size_t depth, int32_t from) {
  const auto& object_types = state_.task().object_types;
  const auto& steps = steps_[depth];
  const int32_t variable = order_[depth];
  int32_t object = from;
  while (true) {
    if (!few_[variable].empty()) {
      const auto at = std::lower_bound(few_[variable].begin(), few_[variable].end(), object);
      if (at == few_[variable].end()) return -1;
      object = *at;
    }
    size_t agreed = 0;
    while (agreed < steps.size()) {
      const Path& path = paths_[steps[agreed].path];
      const int32_t found = path.index->next(path.nodes[steps[agreed].level], object);
      if (found < 0) return -1;
      if (found == object) {
        ++agreed;
      } else {
        object = found;
        agreed = 0;
      }
    }
    if (object >= static_cast<int32_t>(object_types.size())) return -1;
    if (types_[variable][object_types[object]]) return object;
    ++object;
  }
}

bool LiftedQuery::descend(size_t depth, int32_t object) {
  binding_[order_[depth]] = object;
  for (const Step& step : steps_[depth]) {
    Path& path = paths_[step.path];
    const int32_t end = step.level + step.repeats;
    for (int32_t level = step.level; level < end; ++level) {
      const bool last = step.last && level + 1 == end;
      const int32_t child = path.index->child(path.nodes[level], object, last);
      if (child < 0) return false;  // a repeated variable that does not repeat here
      path.nodes[level + 1] = child;
    }
  }
  return std::ranges::all_of(checks_[depth],
                             [&](const Condition& condition) { return holds(condition); });
}

LiftedQuery::Answer LiftedQuery::first(Watch& watch) {
  if (!restart()) return Answer::none;
  best_.clear();
  if (num_variables_ == 0) return Answer::found;
  bool found = false;
  size_t depth = 0;
  int32_t from = 0;
  conflicts_[0] = depends_on_[0];
  while (true) {
    if (watch.must_stop(4096)) return Answer::stopped;
    const int32_t object = next(depth, from);
    if (object >= 0) {
      from = object + 1;
      if (!descend(depth, object)) continue;
      if (++depth < num_variables_) {
        from = 0;
        conflicts_[depth] = depends_on_[depth];
        continue;
      }
      if (!found || binding_ < best_) best_ = binding_;
      found = true;
      if (num_pivots_ == 0) return Answer::found;
      // The first answer for these pivots: on to the next values of the last pivot.
      depth = num_pivots_ - 1;
      if (depth < kMaskedVariables) conflicts_[depth] = (uint64_t{1} << depth) - 1;
      from = binding_[order_[depth]] + 1;
      continue;
    }
    // A dead end: go back to the last variable that had a say in it. Those between cannot mend it.
    if (num_variables_ > kMaskedVariables) {
      if (depth-- == 0) break;
    } else {
      const uint64_t conflict = conflicts_[depth];
      if (conflict == 0) break;
      depth = 63 - std::countl_zero(conflict);
      conflicts_[depth] |= conflict ^ (uint64_t{1} << depth);
    }
    from = binding_[order_[depth]] + 1;
  }
  return found ? Answer::found : Answer::none;
}

}  // namespace pg3
