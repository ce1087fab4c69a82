#include "lifted/view.hpp"

#include <numeric>

#include "lifted/derivations.hpp"

namespace pg3 {

namespace {

// Changing a tuple of a view takes the time of about so many candidates.
constexpr int64_t kCandidatesATuple = 16;

// How many tuples are made before the memory is looked at.
constexpr int64_t kTuplesALook = 4096;

}  // namespace

View::View(const Pattern& pattern, LiftedState& state, const Tuning& tuning, Watch& watch)
    : pattern_(pattern),
      relation_(pattern.types.size(), state.task().num_objects(), [](const Relation::Visitor&) {}),
      triggers_(triggers_of(pattern, state)),
      watch_(watch),
      fair_work_(tuning.fair_work),
      grace_(tuning.grace) {
  // Views are made in the middle of an execution too, and then each index takes its time: the
  // variables in their order are what one of the rules is likely to ask for.
  std::vector<int32_t> places(pattern.types.size());
  std::iota(places.begin(), places.end(), 0);
  relation_.index(places);
  relation_.forget_uses();
  const Conjunction all = over_atoms(pattern, state);
  Join join(state, all, greedy_order(all, {}, state.task().num_objects()));
  join.start();
  for (int64_t work = 0, tuples = 0; join.next_answer(&watch_, work); ++tuples) {
    relation_.insert(join.binding());
    if (tuples % kTuplesALook == 0) watch_.check_bytes(state.bytes() + relation_.bytes());
  }
}

void View::use() {
  used_ = true;
  for (const Trigger& trigger : triggers_) trigger.rest.use();
}

void View::forget_uses() {
  used_ = false;
  relation_.forget_uses();
}

template <typename Visit>
void View::each_answer(Trigger& trigger, Atom atom, Visit visit) {
  ++changes_;
  if (!trigger.start(atom, objects_)) return;
  while (trigger.rest.next_answer(&watch_, work_)) {
    visit(trigger.rest.binding());
    work_ += kCandidatesATuple;
  }
}

void View::end_answers(Trigger& trigger, Atom atom) {
  each_answer(trigger, atom, [&](Tuple answer) { relation_.erase(answer); });
}

void View::begin_answers(Trigger& trigger, Atom atom) {
  each_answer(trigger, atom, [&](Tuple answer) { relation_.insert(answer); });
}

ViewedState::ViewedState(LiftedState& state, Watch& watch, const Tuning& tuning)
    : state_(state),
      watch_(watch),
      tuning_(tuning),
      watchers_(static_cast<size_t>(state.task().num_predicates())) {}

View& ViewedState::view(const Pattern& pattern) {
  for (auto& view : views_) {
    if (!(view->pattern() == pattern)) continue;
    view->use();
    return *view;
  }
  views_.push_back(std::make_unique<View>(pattern, state_, tuning_, watch_));
  watch(*views_.back());
  return *views_.back();
}

void ViewedState::watch(View& view) {
  for (size_t i = 0; i < view.triggers_.size(); ++i) {
    watchers_[index_of(view.triggers_[i].predicate)].push_back({&view, i});
  }
}

void ViewedState::forget_uses() {
  state_.forget_uses();
  for (auto& view : views_) view->forget_uses();
  if (derivations_) derivations_->use();
  for (const Join* join : kept_) join->use();
}

void ViewedState::drop_unused() {
  std::erase_if(views_, [](const auto& view) { return !view->is_used(); });
  for (auto& watchers : watchers_) watchers.clear();
  for (auto& view : views_) {
    view->drop_unused();
    watch(*view);
  }
  state_.drop_unused();
}

void ViewedState::set(Atom atom, bool present) {
  Fact* fact = state_.to_change(atom, present);
  if (!fact) return;
  const bool wanted = fact->wanted > 0;
  if (derivations_) derivations_->before_change(atom, present, wanted);
  const auto& watchers = watchers_[index_of(atom.predicate())];
  for (const auto& [view, i] : watchers) {
    Trigger& trigger = view->triggers_[i];
    if (trigger.makes(false, present, wanted)) view->end_answers(trigger, atom);
  }
  state_.toggle(atom, *fact);
  log_.add(atom);
  for (const auto& [view, i] : watchers) {
    Trigger& trigger = view->triggers_[i];
    if (trigger.makes(true, present, wanted)) view->begin_answers(trigger, atom);
  }
  if (derivations_) derivations_->after_change(atom, present, wanted);
}

size_t ViewedState::bytes() const {
  size_t total = state_.bytes();
  for (const auto& view : views_) total += view->relation_.bytes();
  return total;
}

}  // namespace pg3
