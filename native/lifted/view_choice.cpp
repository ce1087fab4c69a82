#include "lifted/view_choice.hpp"

#include <algorithm>
#include <limits>

namespace pg3 {

namespace {

using Kind = Condition::Kind;
using Part = LiftedState::Part;

// A view takes at most this many times the tuples of its largest condition, or so many anyhow.
constexpr double kMostTuples = 2, kAnyTuples = 1024;

class Chooser {
 public:
  Chooser(const Pattern& pattern, ViewedState& state, Level level, double most)
      : pattern_(pattern),
        state_(state.state()),
        few_(state.tuning().few),
        level_(level),
        most_(most) {}

  std::vector<ViewConditions> choose() {
    for (size_t i = 0; i < pattern_.literals.size(); ++i) chosen_.push_back({{i}, {}});
    if (level_ == Level::plain || pattern_.types.size() > 64) return chosen_;
    while (merge_two()) {
    }
    // An equality is quickly looked up: it goes where a view is made anyhow.
    for (const bool equalities : {false, true}) {
      for (size_t i = 0; i < pattern_.checks.size(); ++i) {
        if ((pattern_.checks[i].kind == Kind::equality) == equalities) place_check(i);
      }
    }
    return chosen_;
  }

 private:
  using Variables = uint64_t;  // a bit for each

  static Variables variables_of(const std::vector<Term>& terms) {
    Variables variables = 0;
    for (Term term : terms) {
      if (is_variable(term)) variables |= uint64_t{1} << index_of(term);
    }
    return variables;
  }
  Variables variables_of(const ViewConditions& conditions) const {
    Variables variables = 0;
    for (size_t i : conditions.literals) variables |= variables_of(pattern_.literals[i].terms);
    return variables;
  }
  Relation& relation(size_t literal) {
    return state_.relation(pattern_.literals[literal].part, pattern_.literals[literal].predicate);
  }
  bool is_few(const ViewConditions& conditions) {
    return conditions.literals.size() == 1 && relation(conditions.literals[0]).peak() <= few_;
  }

  // How many answers to these literals have the same objects for `bound`: a bound on the most, and
  // about as many as there are in the mean.
  struct Answers {
    double most, mean;
  };
  Answers answers(std::vector<size_t> literals, Variables bound) {
    Answers product{1, 1};
    while (!literals.empty()) {
      double least = std::numeric_limits<double>::infinity(), mean = least;
      size_t chosen = 0;
      for (size_t i = 0; i < literals.size(); ++i) {
        const auto& terms = pattern_.literals[literals[i]].terms;
        uint64_t places = 0;
        for (size_t place = 0; place < std::min<size_t>(terms.size(), 64); ++place) {
          if (!is_variable(terms[place]) || (bound >> index_of(terms[place]) & 1)) {
            places |= uint64_t{1} << place;
          }
        }
        if (places == 0) continue;
        const auto spread = relation(literals[i]).spread(places);
        if (spread.most < least) {
          least = spread.most;
          mean = spread.mean;
          chosen = i;
        }
      }
      product = {product.most * least, product.mean * mean};
      bound |= variables_of(pattern_.literals[literals[chosen]].terms);
      literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return product;
  }

  bool is_worth_while(const ViewConditions& conditions) {
    double tuples = std::numeric_limits<double>::infinity(), largest = 0;
    for (size_t i : conditions.literals) {
      const auto& [part, predicate, terms] = pattern_.literals[i];
      std::vector<size_t> others = conditions.literals;
      std::erase(others, i);
      const auto [most, mean] = answers(others, variables_of(terms));
      const bool changes = LiftedState::can_change(part) && state_.task().is_fluent(predicate);
      if (changes && most > most_) return false;
      tuples = std::min(tuples, mean * relation(i).size());
      largest = std::max<double>(largest, relation(i).size());
    }
    return tuples <= kMostTuples * largest + kAnyTuples;
  }

  bool merge_two() {
    for (size_t i = 0; i < chosen_.size(); ++i) {
      for (size_t j = i + 1; j < chosen_.size(); ++j) {
        const Variables left = variables_of(chosen_[i]), right = variables_of(chosen_[j]);
        const Variables common = left & right;
        if (common == 0 || is_few(chosen_[i]) || is_few(chosen_[j])) continue;
        if (level_ == Level::filtered && common != left && common != right) continue;
        ViewConditions both = chosen_[i];
        both.literals.insert(both.literals.end(), chosen_[j].literals.begin(),
                             chosen_[j].literals.end());
        if (!is_worth_while(both)) continue;
        chosen_[i] = std::move(both);
        chosen_.erase(chosen_.begin() + static_cast<std::ptrdiff_t>(j));
        return true;
      }
    }
    return false;
  }

  void place_check(size_t number) {
    const Condition& check = pattern_.checks[number];
    if (check.kind == Kind::derived) return;  // a graph may change for any tuple at once
    const Variables variables = variables_of(check.terms);
    const bool changes = check.kind == Kind::state && state_.task().is_fluent(check.predicate());
    ViewConditions* chosen = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (ViewConditions& conditions : chosen_) {
      const bool covered = variables != 0 && (variables & ~variables_of(conditions)) == 0;
      if (!covered || is_few(conditions)) continue;
      if (check.kind == Kind::equality &&
          conditions.literals.size() + conditions.checks.size() == 1) {
        continue;
      }
      const double touched = changes ? answers(conditions.literals, variables).most : 0;
      if (touched > most_ || touched >= least) continue;
      least = touched;
      chosen = &conditions;
    }
    if (chosen) chosen->checks.push_back(number);
  }

  const Pattern& pattern_;
  LiftedState& state_;
  int32_t few_;
  Level level_;
  double most_;
  std::vector<ViewConditions> chosen_;
};

}  // namespace

std::vector<ViewConditions> choose_views(const Pattern& pattern, ViewedState& state, Level level,
                                         double most) {
  return Chooser(pattern, state, level, most).choose();
}

}  // namespace pg3
