#include "lifted/lifted_query.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// How often a search that is alone looks at the clock.
constexpr int64_t kLongTurn = 4096;
// Turns become longer, but never so long that a limit is noticed too late.
constexpr int64_t kLongestTurn = 16384;

size_t pivots_of(const std::vector<VariableId>& order) {
  size_t ascending = order.size();
  while (ascending > 0 && (ascending == order.size() || order[ascending - 1] < order[ascending])) {
    --ascending;
  }
  return ascending;
}

}  // namespace

bool is_long(const Pattern& pattern, const Tuning& tuning) {
  return static_cast<int64_t>(pattern.types.size()) > tuning.few;
}

LiftedQuery::Plan::Plan(const LiftedState& state, const Conjunction& conjunction,
                        std::vector<VariableId> order)
    : num_pivots(pivots_of(order)), join(state, conjunction, std::move(order)) {}

LiftedQuery::LiftedQuery(const Pattern& pattern, ViewedState& views, const Preparation& preparation)
    : state_(&views), searches_(preparation.searches), few_(views.tuning().few) {
  const auto& [level, most, searches] = preparation;
  LiftedState& state = views.state();
  Conjunction conjunction{pattern.types, {}, {}};
  std::vector<bool> in_view(pattern.checks.size(), false);
  for (const ViewConditions& conditions : choose_views(pattern, views, level, most)) {
    if (conditions.literals.size() + conditions.checks.size() == 1) {
      const auto& [part, predicate, terms] = pattern.literals[conditions.literals[0]];
      conjunction.sources.push_back({&state.relation(part, predicate), terms});
    } else {
      conjunction.sources.push_back(view_source(pattern, conditions, views, most));
      for (size_t i : conditions.checks) in_view[i] = true;
    }
  }
  for (size_t i = 0; i < pattern.checks.size(); ++i) {
    if (!in_view[i]) conjunction.checks.push_back(pattern.checks[i]);
  }
  const std::vector<VariableId> order = pivots_first(conjunction);
  plans_.emplace_back(state, conjunction, order);
  if (searches) {
    const std::vector<VariableId> other = greedy_order(conjunction, {}, state.task().num_objects());
    if (other != order) plans_.emplace_back(state, conjunction, other);
    // Few variables do with two orders; these searches ask for many indexes, which would take their
    // time in a large problem. Not over views, whose indexes are long.
    if (pattern.types.size() > 1 && is_long(pattern, views.tuning())) {
      ordered_ = std::make_unique<OrderedSearch>(state, over_atoms(pattern, state));
      if (DeltaQuery::can_tell(pattern, state))
        delta_ = std::make_unique<DeltaQuery>(pattern, views);
    }
  }
  // A dead end or two for each variable are nothing to mend.
  fair_work_ = 16 + 4 * static_cast<int64_t>(pattern.types.size());
}

// Variables get numbers of the view's own, in the order in which its conditions mention them: rules
// with the same conditions then share the view, whatever they call their variables.
Source LiftedQuery::view_source(const Pattern& pattern, const ViewConditions& conditions,
                                ViewedState& state, double most) {
  Pattern own;
  std::vector<Term> variables;
  auto rename = [&](std::vector<Term> terms) {
    for (Term& term : terms) {
      if (!is_variable(term)) continue;
      const auto found = std::ranges::find(variables, term);
      if (found == variables.end()) {
        variables.push_back(term);
        own.types.push_back(pattern.types[index_of(term)]);
        term = static_cast<Term>(variables.size() - 1);
      } else {
        term = static_cast<Term>(found - variables.begin());
      }
    }
    return terms;
  };
  std::vector<size_t> literals = conditions.literals, checks = conditions.checks;
  std::ranges::sort(literals);  // as in the rule, whose conditions are sorted by predicate
  std::ranges::sort(checks);
  for (size_t i : literals) {
    const auto& [part, predicate, terms] = pattern.literals[i];
    own.literals.push_back({part, predicate, rename(terms)});
  }
  for (size_t i : checks) {
    own.checks.push_back(pattern.checks[i]);
    own.checks.back().terms = rename(own.checks.back().terms);
  }
  View& view = state.view(own);
  view.saves(most);
  views_.push_back(&view);
  return {&view.relation(), variables};
}

std::vector<VariableId> LiftedQuery::pivots_first(const Conjunction& conjunction) {
  std::vector<bool> pivot(conjunction.num_variables(), false);
  for (const auto& [relation, terms] : conjunction.sources) {
    if (relation->peak() > few_) continue;
    pivot_relations_.push_back(relation);
    for (Term term : terms) {
      if (is_variable(term)) pivot[index_of(term)] = true;
    }
  }
  const std::vector<VariableId> variables = first_variables(pivot.size());
  std::vector<VariableId> order;
  for (VariableId variable : variables) {
    const ObjectSet* objects = conjunction.types[index_of(variable)];
    if (objects && objects->size() <= few_) pivot[index_of(variable)] = true;
    if (pivot[index_of(variable)]) order.push_back(variable);
  }
  // What pivots determine, or nearly, is a pivot too: where the man is, once the man is bound.
  for (size_t i = 0; i < conjunction.sources.size();) {
    const auto& [relation, terms] = conjunction.sources[i++];
    const auto free = [&](Term term) { return is_variable(term) && !pivot[index_of(term)]; };
    const auto found = std::ranges::find_if(terms, free);
    if (terms.size() < 2 || terms.size() > 64 || std::ranges::count_if(terms, free) != 1) continue;
    const auto place = static_cast<int32_t>(found - terms.begin());
    const uint64_t all = ~uint64_t{0} >> (64 - terms.size());
    if (relation->spread(all ^ (uint64_t{1} << place), place).most > few_) continue;
    pivot[index_of(*found)] = true;
    order.push_back(variable_of(*found));
    i = 0;
  }
  for (VariableId variable : variables) {
    if (!pivot[index_of(variable)]) order.push_back(variable);
  }
  return order;
}

void LiftedQuery::use() const {
  for (const Plan& plan : plans_) plan.join.use();
  if (ordered_) ordered_->use();
  if (delta_) delta_->use();
  for (View* view : views_) view->use();
}

bool LiftedQuery::has_outgrown() const {
  return std::ranges::any_of(pivot_relations_,
                             [&](const Relation* relation) { return relation->peak() > few_; });
}

bool LiftedQuery::is_costly() const {
  return std::ranges::any_of(views_, [](const View* view) { return view->is_costly(); });
}

LiftedQuery::Answer LiftedQuery::first(Watch& watch, int64_t most) {
  const Answer answer = search(watch, most);
  empty_at_ = answer == Answer::none ? state_->log().end() : -1;
  return answer;
}

LiftedQuery::Answer LiftedQuery::search(Watch& watch, int64_t most) {
  bool was_empty = delta_ && empty_at_ >= 0 && state_->log().reaches_back_to(empty_at_);
  if (was_empty) delta_->start(empty_at_);
  bool started = false, found = false;
  int64_t work = 0;
  auto end = [&](Answer answer) {
    waste_ += std::max<int64_t>(0, work - fair_work_);
    return answer;
  };
  const bool alone = plans_.size() == 1 && !ordered_ && !delta_;
  for (int64_t turn = alone ? kLongTurn : state_->tuning().turn;;
       turn = std::min(2 * turn, std::max(turn, kLongestTurn))) {
    if (was_empty) {
      int64_t left = turn;
      const Join::Outcome outcome = delta_->advance(left);
      work += turn - left;
      if (outcome == Join::Outcome::end) return end(Answer::none);
      was_empty = outcome == Join::Outcome::out_of_budget;
      if (watch.must_stop(1)) return end(Answer::stopped);
    }
    if (!started) start();
    started = true;
    for (auto& [num_pivots, join] : plans_) {
      int64_t left = turn;
      Join::Outcome outcome = join.advance(left);
      for (; outcome == Join::Outcome::answer; outcome = join.advance(left)) {
        if (!found || join.binding() < best_) best_ = join.binding();
        if (num_pivots == 0) break;
        // The first answer for these pivots; what comes after it is of no use to the other search.
        if (!found) {
          for (Plan& plan : plans_) plan.join.prune(plan.num_pivots, &best_);
        }
        found = true;
        join.skip(num_pivots);
      }
      work += turn - left;
      if (outcome == Join::Outcome::answer) return end(Answer::found);
      if (outcome == Join::Outcome::end) return end(found ? Answer::found : Answer::none);
      if (watch.must_stop(1)) return end(Answer::stopped);
    }
    if (!searches_ && work > most) return end(Answer::too_long);
    if (ordered_) {
      int64_t left = turn;
      const Join::Outcome outcome = ordered_->advance(left);
      work += turn - left;
      if (outcome == Join::Outcome::end) return end(Answer::none);
      if (outcome == Join::Outcome::answer) {
        best_ = ordered_->binding();
        return end(Answer::found);
      }
      if (watch.must_stop(1)) return end(Answer::stopped);
    }
  }
}

void LiftedQuery::start() {
  for (Plan& plan : plans_) {
    plan.join.start();
    plan.join.prune(plan.num_pivots, nullptr);
  }
  if (ordered_) ordered_->start();
}

}  // namespace pg3
