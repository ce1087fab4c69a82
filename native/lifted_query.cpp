#include "lifted_query.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace pg3 {

namespace {

using Kind = Condition::Kind;

// Dependencies are kept for rules of up to this many parameters; beyond, a dead end goes back one.
constexpr size_t kMaskedVariables = 64;

}  // namespace

LiftedQuery::LiftedQuery(const Rule& rule, LiftedState& state)
    : state_(state), num_variables_(rule.parameter_types.size()) {
  const Task& task = state.task();
  check_rule(rule, task);
  for (const auto& types : rule.parameter_types) types_.push_back(task.type_mask(types));
  steps_.resize(num_variables_);
  checks_.resize(num_variables_);
  depends_on_.assign(num_variables_, 0);
  conflicts_ = depends_on_;
  binding_.assign(num_variables_, -1);

  for (const Condition& condition : rule.conditions) {
    const auto& terms = condition.terms;
    const Term last = terms.empty() ? -1 : *std::max_element(terms.begin(), terms.end());
    if (last < 0) {
      ground_checks_.push_back(condition);
      continue;
    }
    // A condition has its say on a variable through the earlier variables that it mentions: all
    // of them for a check, which comes last, and those on the way to it for a path.
    for (Term variable : terms) {
      if (!is_variable(variable)) continue;
      if (variable != last && (condition.kind == Kind::equality || !condition.positive)) continue;
      for (Term earlier : terms) {
        if (is_variable(earlier) && earlier < variable &&
            static_cast<size_t>(earlier) < kMaskedVariables) {
          depends_on_[variable] |= uint64_t{1} << earlier;
        }
      }
    }
    if (condition.kind == Kind::equality || !condition.positive) {
      checks_[last].push_back(condition);
      continue;
    }
    std::vector<int32_t> order(terms.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return std::max(terms[a], -1) < std::max(terms[b], -1);
    });
    Path path;
    path.index = &state.index(condition.predicate, condition.kind == Kind::goal, order);
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
      steps_[term].push_back(
          {number, static_cast<int32_t>(level), static_cast<int32_t>(end - level)});
      level = end;
    }
    paths_.push_back(std::move(path));
  }
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
      path.nodes[level + 1] = path.index->child(path.nodes[level], path.constants[level]);
      if (path.nodes[level + 1] < 0) return false;
    }
  }
  return true;
}

int32_t LiftedQuery::next(size_t variable, int32_t from) {
  const auto& object_types = state_.task().object_types;
  const auto& steps = steps_[variable];
  int32_t object = from;
  while (true) {
    size_t agreed = 0;
    while (agreed < steps.size()) {
      const Path& path = paths_[steps[agreed].path];
      const auto& keys = path.index->node(path.nodes[steps[agreed].level]).keys;
      const auto at = std::lower_bound(keys.begin(), keys.end(), object);
      if (at == keys.end()) return -1;
      if (*at == object) {
        ++agreed;
      } else {
        object = *at;
        agreed = 0;
      }
    }
    if (object >= static_cast<int32_t>(object_types.size())) return -1;
    if (types_[variable][object_types[object]]) return object;
    ++object;
  }
}

bool LiftedQuery::descend(size_t variable, int32_t object) {
  binding_[variable] = object;
  for (const Step& step : steps_[variable]) {
    Path& path = paths_[step.path];
    for (int32_t level = step.level; level < step.level + step.repeats; ++level) {
      const int32_t child = path.index->child(path.nodes[level], object);
      if (child < 0) return false;  // a repeated variable that does not repeat here
      path.nodes[level + 1] = child;
    }
  }
  return std::ranges::all_of(checks_[variable],
                             [&](const Condition& condition) { return holds(condition); });
}

LiftedQuery::Answer LiftedQuery::first(Watch& watch) {
  if (!restart()) return Answer::none;
  if (num_variables_ == 0) return Answer::found;
  size_t v = 0;
  int32_t from = 0;
  conflicts_[0] = depends_on_[0];
  while (true) {
    if (watch.must_stop(4096)) return Answer::stopped;
    const int32_t object = next(v, from);
    if (object >= 0) {
      from = object + 1;
      if (!descend(v, object)) continue;
      if (++v == num_variables_) return Answer::found;
      from = 0;
      conflicts_[v] = depends_on_[v];
      continue;
    }
    // A dead end: go back to the last variable that had a say in it. Those between cannot mend it.
    if (num_variables_ > kMaskedVariables) {
      if (v-- == 0) return Answer::none;
    } else {
      const uint64_t conflict = conflicts_[v];
      if (conflict == 0) return Answer::none;
      v = 63 - std::countl_zero(conflict);
      conflicts_[v] |= conflict ^ (uint64_t{1} << v);
    }
    from = binding_[v] + 1;
  }
}

}  // namespace pg3
