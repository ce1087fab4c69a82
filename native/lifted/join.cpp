#include "lifted/join.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>

namespace pg3 {

namespace {

using Kind = Condition::Kind;

// Dependencies are kept for joins of up to this many variables; beyond, a dead end goes back one.
constexpr size_t kMaskedVariables = 64;

// How many candidates are tried before a watch is told, and what one takes in its units.
constexpr int64_t kTurn = 1024;
constexpr uint64_t kCandidate = 16;

uint64_t bits_below(size_t depth) {
  return depth >= 64 ? ~uint64_t{0} : (uint64_t{1} << depth) - 1;
}

}  // namespace

namespace {

// By how much the orders' estimates must differ for the one that leaps to be taken.
constexpr double kSurelyBetter = 4;

// The places of bound variables and constants, a bit for each of the first 64.
uint64_t bound_places(const std::vector<Term>& terms, const std::vector<bool>& bound) {
  uint64_t mask = 0;
  for (size_t place = 0; place < std::min<size_t>(terms.size(), 64); ++place) {
    const Term term = terms[place];
    if (!is_variable(term) || bound[index_of(term)]) mask |= uint64_t{1} << place;
  }
  return mask;
}

// About how many objects are left for a variable when these are bound.
double estimate(const Conjunction& conjunction, VariableId variable, const std::vector<bool>& bound,
                double all) {
  const ObjectSet* objects = conjunction.types[index_of(variable)];
  const double type = std::max(1.0, objects ? objects->size() : all);
  double share = 1;
  for (const auto& [relation, terms] : conjunction.sources) {
    if (terms.size() > 64) continue;
    const auto found = std::ranges::find(terms, Term{number_of(variable)});
    if (found == terms.end()) continue;
    const auto place = static_cast<int32_t>(found - terms.begin());
    // Of what is at that place, as much is of the type as there is of it at all.
    const double among = std::max(type, relation->spread(0, place).mean);
    share *= std::min(1.0, relation->spread(bound_places(terms, bound), place).mean / among);
  }
  return type * share;
}

// About how many candidates a join in this order tries.
double estimate(const Conjunction& conjunction, const std::vector<VariableId>& order, size_t fixed,
                double all) {
  std::vector<bool> bound(conjunction.num_variables(), false);
  double answers = 1, total = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i >= fixed) {
      answers *= estimate(conjunction, order[i], bound, all);
      total += answers;
    }
    bound[index_of(order[i])] = true;
  }
  return total;
}

// Each variable connected with those before it, if there is one.
std::vector<VariableId> connected_order(const Conjunction& conjunction,
                                        std::vector<VariableId> fixed) {
  std::vector<bool> bound(conjunction.num_variables(), false);
  for (VariableId variable : fixed) bound[index_of(variable)] = true;
  std::vector<VariableId> order = std::move(fixed);
  while (order.size() < conjunction.num_variables()) {
    // What is bound already determines best; only where nothing is connected to it, sizes count.
    std::pair<bool, double> least{true, std::numeric_limits<double>::infinity()};
    auto chosen = VariableId::none;
    for (const auto& [relation, terms] : conjunction.sources) {
      const uint64_t mask = bound_places(terms, bound);
      for (size_t place = 0; place < terms.size(); ++place) {
        const Term term = terms[place];
        if (!is_variable(term) || bound[index_of(term)]) continue;
        const std::pair cost(mask == 0, relation->spread(mask, static_cast<int32_t>(place)).most);
        if (cost < least || (cost == least && variable_of(term) < chosen)) {
          least = cost;
          chosen = variable_of(term);
        }
      }
    }
    if (chosen == VariableId::none) {
      chosen = VariableId{static_cast<int32_t>(std::ranges::find(bound, false) - bound.begin())};
    }
    bound[index_of(chosen)] = true;
    order.push_back(chosen);
  }
  return order;
}

// Each variable the one with the fewest objects left, connected or not: ten trucks are tried sooner
// than the hundreds of packages that go to a city.
std::vector<VariableId> leaping_order(const Conjunction& conjunction, std::vector<VariableId> fixed,
                                      double all) {
  std::vector<bool> bound(conjunction.num_variables(), false);
  for (VariableId variable : fixed) bound[index_of(variable)] = true;
  std::vector<VariableId> order = std::move(fixed);
  while (order.size() < conjunction.num_variables()) {
    double least = std::numeric_limits<double>::infinity();
    auto chosen = VariableId::none;
    for (VariableId variable : first_variables(bound.size())) {
      if (bound[index_of(variable)]) continue;
      const double left = estimate(conjunction, variable, bound, all);
      if (chosen != VariableId::none && left >= least) continue;
      least = left;
      chosen = variable;
    }
    bound[index_of(chosen)] = true;
    order.push_back(chosen);
  }
  return order;
}

}  // namespace

std::vector<VariableId> first_variables(size_t count) {
  std::vector<VariableId> variables;
  for (size_t v = 0; v < count; ++v) variables.push_back(VariableId{static_cast<int32_t>(v)});
  return variables;
}

std::vector<VariableId> greedy_order(const Conjunction& conjunction,
                                     const std::vector<VariableId>& fixed, int32_t num_objects) {
  std::vector<VariableId> connected = connected_order(conjunction, fixed);
  std::vector<VariableId> leaping = leaping_order(conjunction, fixed, num_objects);
  const double cost = estimate(conjunction, leaping, fixed.size(), num_objects);
  const bool better =
      kSurelyBetter * cost < estimate(conjunction, connected, fixed.size(), num_objects);
  return better ? leaping : connected;
}

Join::Join(const LiftedState& state, const Conjunction& conjunction, std::vector<VariableId> order,
           size_t num_fixed)
    : state_(state),
      num_variables_(conjunction.num_variables()),
      num_fixed_(num_fixed),
      order_(std::move(order)) {
  assert(order_.size() == num_variables_ && num_fixed_ <= num_variables_);
  depth_.resize(num_variables_);
  for (size_t d = 0; d < num_variables_; ++d) {
    const size_t variable = index_of(order_[d]);
    depth_[variable] = static_cast<int32_t>(d);
    types_.push_back(conjunction.types[variable]);
  }
  steps_.resize(num_variables_);
  checks_.resize(num_variables_);
  depends_on_.assign(num_variables_, 0);
  conflicts_ = depends_on_;
  binding_.assign(num_variables_, -1);
  for (const Source& source : conjunction.sources) add_path(source);
  for (const Condition& check : conjunction.checks) add_check(check);
}

int32_t Join::last_depth(const std::vector<Term>& terms) const {
  int32_t last = -1;
  for (Term term : terms) {
    if (is_variable(term)) last = std::max(last, depth_of(term));
  }
  return last;
}

// A condition has its say on a variable through the variables bound before it that it mentions: a
// check only on the one bound last, a source on every one.
void Join::depend(const std::vector<Term>& terms, bool every) {
  const int32_t last = last_depth(terms);
  for (Term term : terms) {
    if (!is_variable(term) || (!every && depth_of(term) != last)) continue;
    for (Term other : terms) {
      if (!is_variable(other) || depth_of(other) >= depth_of(term)) continue;
      if (static_cast<size_t>(depth_of(other)) >= kMaskedVariables) continue;
      depends_on_[depth_of(term)] |= uint64_t{1} << depth_of(other);
    }
  }
}

void Join::add_path(const Source& source) {
  const auto& terms = source.terms;
  depend(terms, true);
  auto rank = [&](int32_t place) {
    return is_variable(terms[place]) ? depth_of(terms[place]) : -1;
  };
  std::vector<int32_t> order(terms.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, rank);
  Path path{&source.relation->index(order), {}, {}};
  path.nodes.assign(terms.size() + 1, TrieNode::root);
  const auto number = static_cast<int32_t>(paths_.size());
  for (size_t level = 0; level < order.size();) {
    const Term term = terms[order[level]];
    if (!is_variable(term)) {
      path.constants.push_back(object_of(term));
      ++level;
      continue;
    }
    size_t end = level;
    while (end < order.size() && terms[order[end]] == term) ++end;
    steps_[depth_of(term)].push_back({number, static_cast<int32_t>(level),
                                      static_cast<int32_t>(end - level), end == order.size()});
    level = end;
  }
  paths_.push_back(std::move(path));
}

void Join::add_check(const Condition& check) {
  depend(check.terms, false);
  const int32_t last = last_depth(check.terms);
  (last < 0 ? ground_checks_ : checks_[last]).push_back(check);
}

bool Join::holds(const Condition& check) {
  if (check.kind == Kind::equality) {
    return (value_of(check.terms[0], binding_.data()) ==
            value_of(check.terms[1], binding_.data())) == check.positive;
  }
  if (check.kind == Kind::derived) {
    const Tuple code = instantiate(check.graph(), check.terms, binding_.data(), atom_);
    return state_.graph_holds(check.graph(), code.subspan(1)) == check.positive;
  }
  const Atom atom{instantiate(check.predicate(), check.terms, binding_.data(), atom_)};
  const bool holds = check.kind == Kind::goal       ? state_.in_goal(atom)
                     : check.kind == Kind::unwanted ? state_.is_unwanted(atom)
                                                    : state_.holds(atom);
  return holds == check.positive;
}

void Join::start(const int32_t* fixed) {
  ended_ = true;
  for (const Condition& check : ground_checks_) {
    if (!holds(check)) return;
  }
  for (Path& path : paths_) {
    path.nodes[0] = TrieNode::root;
    for (size_t level = 0; level < path.constants.size(); ++level) {
      path.nodes[level + 1] = path.index->child(path.nodes[level], path.constants[level], false);
      if (path.nodes[level + 1] == TrieNode::none) return;
    }
  }
  for (size_t depth = 0; depth < num_fixed_; ++depth) {
    const ObjectId object{fixed[depth]};
    if (types_[depth] && !types_[depth]->contains(object)) return;
    if (!descend(depth, object)) return;
  }
  ended_ = false;
  answered_ = false;
  depth_now_ = num_fixed_;
  from_ = ObjectId{0};
  if (depth_now_ < num_variables_) conflicts_[depth_now_] = depends_on_[depth_now_];
}

ObjectId Join::next(size_t depth, ObjectId from) const {
  const auto& steps = steps_[depth];
  const ObjectSet* types = types_[depth];
  ObjectId object = from;
  while (true) {
    size_t agreed = 0;
    while (agreed < steps.size()) {
      const Path& path = paths_[steps[agreed].path];
      const ObjectId found = path.index->next(path.nodes[steps[agreed].level], object);
      if (found == ObjectId::none) return found;
      if (found == object) {
        ++agreed;
      } else {
        object = found;
        agreed = 0;
      }
    }
    if (index_of(object) >= state_.task().object_types.size()) return ObjectId::none;
    if (!types || types->contains(object)) return object;
    object = types->next(after(object));
    if (object == ObjectId::none) return object;
  }
}

bool Join::descend(size_t depth, ObjectId object) {
  bound(depth) = number_of(object);
  for (const Step& step : steps_[depth]) {
    Path& path = paths_[step.path];
    const int32_t end = step.level + step.repeats;
    for (int32_t level = step.level; level < end; ++level) {
      const bool last = step.last && level + 1 == end;
      const TrieNode child = path.index->child(path.nodes[level], object, last);
      // Not what next() gave, or a variable that does not repeat here.
      if (child == TrieNode::none) return false;
      path.nodes[level + 1] = child;
    }
  }
  return std::ranges::all_of(checks_[depth], [&](const Condition& check) { return holds(check); });
}

bool Join::is_behind_best(size_t depth) const {
  // All variables up to this one are bound.
  for (size_t variable = 0; variable <= index_of(order_[depth]); ++variable) {
    if (binding_[variable] != (*best_)[variable]) {
      return binding_[variable] > (*best_)[variable];
    }
  }
  return false;
}

bool Join::go_back() {
  if (num_variables_ > kMaskedVariables) {
    if (depth_now_ <= num_fixed_) return false;
    --depth_now_;
  } else {
    // Those between cannot mend it.
    const uint64_t conflict = conflicts_[depth_now_] & ~bits_below(num_fixed_);
    if (conflict == 0) return false;
    depth_now_ = 63 - static_cast<size_t>(std::countl_zero(conflict));
    conflicts_[depth_now_] |= conflict ^ (uint64_t{1} << depth_now_);
  }
  from_ = after(ObjectId{bound(depth_now_)});
  return true;
}

void Join::skip(size_t num_bound) {
  answered_ = false;
  if (num_bound <= num_fixed_) {
    ended_ = true;
    return;
  }
  depth_now_ = num_bound - 1;
  from_ = after(ObjectId{bound(depth_now_)});
  conflicts_[depth_now_] = bits_below(depth_now_);
}

bool Join::next_answer(Watch* watch, int64_t& work) {
  while (true) {
    int64_t left = kTurn;
    const Outcome outcome = advance(left);
    work += kTurn - left;
    if (watch) watch->spend(kCandidate * static_cast<uint64_t>(1 + kTurn - left));
    if (outcome != Outcome::out_of_budget) return outcome == Outcome::answer;
  }
}

Join::Outcome Join::advance(int64_t& budget) {
  if (answered_) skip(num_variables_);
  while (!ended_) {
    if (depth_now_ == num_variables_) {
      answered_ = true;
      return Outcome::answer;
    }
    if (budget <= 0) return Outcome::out_of_budget;
    --budget;
    const ObjectId object = next(depth_now_, from_);
    if (object == ObjectId::none) {
      ended_ = !go_back();
      continue;
    }
    from_ = after(object);
    bound(depth_now_) = number_of(object);
    if (best_ && depth_now_ >= num_bound_ && is_behind_best(depth_now_)) {
      skip(num_bound_);
    } else if (descend(depth_now_, object) && ++depth_now_ < num_variables_) {
      from_ = ObjectId{0};
      conflicts_[depth_now_] = depends_on_[depth_now_];
    }
  }
  return Outcome::end;
}

}  // namespace pg3
