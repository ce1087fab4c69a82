// Derived relations of a lifted state, kept up to date as atoms come and go.
//
// The relations are predicates of a larger task (lowering.hpp), so that rules, views and other
// clauses read them like any other. What is different is who changes their atoms: not actions, but
// settle().
//
// Relations that depend on each other are a group; groups are worked off in the order in which they
// depend on each other. When an atom comes or goes, the clauses that mention it say which derived
// atoms may have lost a derivation with it, and which may have got one. settle() then looks only at
// those. In a group that depends on itself an atom may seem to be derived still, but only from
// itself: so first all that may have been derived from a lost atom is withdrawn, then what can be
// derived from the rest comes back (delete and rederive). That happens on a copy of the relation,
// the *draft*; others see the result only.
//
// A graph condition along a relation that changes may change for all tuples at once. A group with
// one is worked out anew whenever something that it reads has changed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/limits.hpp"
#include "lifted/lowering.hpp"
#include "lifted/trigger.hpp"
#include "lifted/view.hpp"

namespace pg3 {

class Derivations {
 public:
  // Adds the policy's graphs to the state and works out its relations; hears of every change of the
  // state from then on. Everything given must outlive it. Throws Stopped, here and in settle(), if
  // a limit is reached.
  Derivations(const LoweredPolicy& policy, ViewedState& views, Watch& watch);
  ~Derivations();
  Derivations(const Derivations&) = delete;
  Derivations& operator=(const Derivations&) = delete;

  // Brings the derived relations up to date after changes.
  void settle();

  // For the state: an atom is about to change, or has changed; whether the goal has it.
  void before_change(Atom atom, bool present, bool wanted);
  void after_change(Atom atom, bool present, bool wanted);
  // Tells the indexes that they are still needed.
  void use() const;

 private:
  // A condition of a clause, and the relation that the clause derives.
  struct ClauseTrigger {
    size_t group, relation;
    bool decides;  // whether its terms mention all variables of the head
    Trigger condition;
  };
  struct Clause {
    const LoweredClause* source;
    bool recursive;
    Join derivation;  // the objects of the head fixed
  };
  // A derived atom of a group: the number of the relation in it, and the objects.
  struct Head {
    size_t relation;
    std::vector<int32_t> objects;
  };
  struct Group {
    const LoweredGroup* source;
    bool has_drafts;
    std::vector<std::vector<Clause>> clauses;  // by relation
    std::vector<Head> lost, gained;            // what is to be looked at
    bool changed = false;                      // something that it reads has changed
  };

  void prepare(size_t group);
  void find_heads(ClauseTrigger& trigger, Atom atom, std::vector<Head>& heads);
  bool next_answer(Join& join);
  void add_head(std::vector<Head>& heads, size_t relation, Tuple objects);
  bool is_derivable(Group& group, const Head& head, bool without_group);
  void work_out(Group& group);
  void maintain(Group& group);
  void withdraw(Group& group, std::vector<Head>& touched);
  void derive(Group& group, std::vector<Head> heads, std::vector<Head>& touched);
  void publish(Group& group, const std::vector<Head>& touched);
  Atom atom_of(PredicateId predicate, const Head& head);
  bool holds(PredicateId predicate, const Head& head);
  void set(PredicateId predicate, const Head& head, bool present);
  void set_draft(PredicateId predicate, const Head& head, bool present);
  // Counts a change, or an atom that is to be looked at; now and then looks at the memory.
  void count(size_t num_heads);

  ViewedState& views_;
  LiftedState& state_;
  Watch& watch_;
  std::vector<Group> groups_;
  std::vector<std::vector<ClauseTrigger>> triggers_;        // by predicate
  std::vector<std::vector<ClauseTrigger>> draft_triggers_;  // by predicate: within its own group
  std::vector<std::vector<size_t>> readers_;                // by predicate: groups worked out anew
  std::vector<int32_t> atom_, objects_;
  int64_t changes_ = 0;
};

}  // namespace pg3
