// Conjunctions whose answers are kept up to date as atoms come and go.
//
// A view is a relation of its own: the tuples of objects that satisfy several conditions at once.
// When an atom comes or goes, only the answers that it takes part in are looked for: before it
// comes or goes those that end with it, afterwards those that begin with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "lifted/lifted_state.hpp"
#include "lifted/trigger.hpp"

namespace pg3 {

// When a preparation is worth its while. Nothing here changes an answer.
struct Tuning {
  // A relation or type with at most so many members is tried through each time; it is never worth a
  // view.
  int32_t few = 4;
  // A view is worth while from the beginning if no atom takes part in more of its answers.
  double partners = 4;
  // The candidates tried in vain for a rule before something is done about it: about as many as
  // take the time of building an index, which is a quarter of the atoms that there are; in a small
  // problem it is not worth a thought before some thousands.
  int64_t patience = 2048;
  int64_t atoms_a_candidate = 4;
  // The time that keeping a view may take for each change in the mean, in candidates, and the
  // number of changes that are forgiven.
  double fair_work = 128;
  int64_t grace = 256;
  // The candidates that each of several searches tries before the next has its turn, at first:
  // twice as many each time.
  int64_t turn = 32;
};

class Derivations;

class View {
 public:
  // Keeping it up to date takes its time, as making it does: the watch may throw Stopped, and
  // nobody can use the view then.
  View(const Pattern& pattern, LiftedState& state, const Tuning& tuning, Watch& watch);

  const Pattern& pattern() const { return pattern_; }
  // Its places are the pattern's variables.
  Relation& relation() { return relation_; }

  // Whether keeping it has taken more time a change than is fair.
  bool is_costly() const {
    return static_cast<double>(work_) > fair_work_ * static_cast<double>(changes_ + grace_);
  }
  // Somebody saves this much work a step by it.
  void saves(double work) { fair_work_ = std::max(fair_work_, work); }

  // It is dropped unless it is used, and so are its indexes and those that it reads.
  void use();
  void forget_uses();
  void drop_unused() { relation_.drop_unused(); }
  bool is_used() const { return used_; }

 private:
  friend class ViewedState;
  template <typename Visit>
  void each_answer(Trigger& trigger, Atom atom, Visit visit);
  // What the atom takes part in: before it makes the condition false, after it made it true.
  void end_answers(Trigger& trigger, Atom atom);
  void begin_answers(Trigger& trigger, Atom atom);

  Pattern pattern_;
  Relation relation_;
  std::vector<Trigger> triggers_;
  std::vector<int32_t> objects_;
  Watch& watch_;
  bool used_ = true;
  int64_t work_ = 0, changes_ = 0;
  double fair_work_;
  int64_t grace_;
};

// The last changes of a state, for those who look at it now and then. A position counts all changes
// that there ever were.
class ChangeLog {
 public:
  int64_t end() const { return end_; }
  // Whether all changes from a position on are still known.
  bool reaches_back_to(int64_t position) const { return end_ - position <= kLength; }
  // The atom that came or went.
  Atom operator[](int64_t position) const { return {atoms_[position % kLength]}; }
  void add(Atom atom) { atoms_[end_++ % kLength].assign(atom.code.begin(), atom.code.end()); }

 private:
  // Who missed more does better to look at the state as it is.
  static constexpr int64_t kLength = 256;
  std::vector<std::vector<int32_t>> atoms_{kLength};
  int64_t end_ = 0;
};

// A state with views over it.
class ViewedState {
 public:
  // The watch must outlive it.
  explicit ViewedState(LiftedState& state, Watch& watch, const Tuning& tuning = {});
  const Tuning& tuning() const { return tuning_; }

  // The view of this pattern; stays valid until drop_unused() finds that nobody asked since
  // forget_uses().
  View& view(const Pattern& pattern);
  void forget_uses();
  void drop_unused();

  // Makes an atom hold or not hold, and brings the views up to date.
  void set(Atom atom, bool present);
  // A join whose indexes are never forgotten; must outlive the state.
  void keep(const Join* join) { kept_.push_back(join); }
  // Is told of every change from now on, and of the indexes that are forgotten.
  void tell(Derivations* derivations) { derivations_ = derivations; }

  LiftedState& state() { return state_; }
  const LiftedState& state() const { return state_; }
  const ChangeLog& log() const { return log_; }
  size_t bytes() const;

 private:
  struct Watcher {
    View* view;
    size_t trigger;
  };
  void watch(View& view);

  LiftedState& state_;
  Watch& watch_;
  Tuning tuning_;
  std::vector<std::unique_ptr<View>> views_;
  std::vector<std::vector<Watcher>> watchers_;  // by predicate
  Derivations* derivations_ = nullptr;
  std::vector<const Join*> kept_;
  ChangeLog log_;
};

}  // namespace pg3
