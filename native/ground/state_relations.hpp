// What holds in a state of a ground task, and in the goal, as relations that rules ask.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph_family.hpp"
#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/rule.hpp"
#include "ground/ground_task.hpp"

namespace pg3 {

class RuleQuery;

// What a turn of a search takes, in the units of a watch, beside its words and tuples.
inline constexpr uint64_t kQueryTurn = 32;

inline void spend(Watch* watch, uint64_t work) {
  if (watch) watch->spend(work);
}

// The relations of one state (and the goal's) as bit matrices, filled anew for each state looked
// at. Derived relations are worked out when a query asks for them, group by group, and kept until
// another state is shown.
class StateRelations {
 public:
  // Those of the state come first, by predicate, then those that the goal wants true, those that it
  // wants false, and the derived ones.
  enum class Slot : int32_t { none = -1 };

  StateRelations(std::shared_ptr<const GroundTask> ground, std::shared_ptr<RuleTable> rules);
  ~StateRelations();

  struct Relation {
    int32_t arity = 0;
    bool fluent = false;
    bool used = false;              // some rule asks for it
    bool graph = false;             // asked through graph_holds() only: it has no tuples
    bool matrix = false;            // arity 2 and small enough for `rows` and `columns`
    std::vector<int32_t> tuples;    // all of it, flat; one dummy entry a tuple for arity 0
    std::vector<uint64_t> rows;     // bit y of row x: (x, y) holds
    std::vector<uint64_t> columns;  // bit x of column y
    std::vector<std::vector<uint64_t>> projections;  // for each place the objects that occur there
  };

  Slot slot_of(const Condition& condition) const;
  Slot slot_of(RelationId relation) const {
    return Slot{number_of(first_derived()) + number_of(relation)};
  }

  // Makes the relation available from the next show() on; one that never changes, at once. That
  // takes a while: the watch, if any, may throw Stopped, here and in derive(); all that was begun
  // is then forgotten.
  void use(Slot slot, Watch* watch);
  // Fills the fluent relations in use from the state, unless it is shown already.
  void show(StateId state, const uint64_t* words);
  // Works out a derived relation in the state shown, unless it is known. It is in use.
  void derive(Slot slot, Watch* watch);
  // Whether a graph relation holds of these objects. It is derived.
  bool graph_holds(Slot slot, Tuple objects, Watch* watch);
  // That a next hop is one hop away, of these terms of a graph relation; nothing if it is about
  // whole paths.
  std::optional<Condition> edge_of(Slot slot, const std::vector<Term>& terms) const;

  const Relation& operator[](Slot slot) const { return relations_[index_of(slot)]; }
  int32_t words() const { return words_; }
  const GroundTask& ground() const { return *ground_; }
  size_t bytes() const;

 private:
  // What is kept of a group of derived relations, or of a single one.
  struct Group {
    std::vector<Slot> inputs;  // the derived relations of other groups that it reads
    bool recursive = false;
    bool fluent = false;
    bool known = false;                               // worked out in the state shown
    std::vector<std::pair<Slot, RuleQuery>> clauses;  // the relation and the query of each
    std::unique_ptr<GraphFamily> graphs;
    Slot compared = Slot::none;  // of a comparison, with all its instances
    std::vector<std::pair<std::vector<int32_t>, GroundSum>> sums;
    Order order = Order::at_least;
    DerivedRelation::Form form = DerivedRelation::Form::clauses;
    Condition edge;
  };

  void add(Relation& relation, Tuple objects);
  void clear(Relation& relation);
  bool contains(const Relation& relation, Tuple objects) const;
  void make_room(Relation& relation) const;
  void use_group(RelationId first, Watch* watch);
  void make_group(RelationId first, Watch* watch);
  void work_out(Group& group, Watch* watch);
  Slot first_derived() const { return Slot{3 * ground_->task->num_predicates()}; }
  RelationId derived_at(Slot slot) const {
    return RelationId{number_of(slot) - number_of(first_derived())};
  }
  Relation& relation(Slot slot) { return relations_[index_of(slot)]; }

  std::shared_ptr<const GroundTask> ground_;
  std::shared_ptr<RuleTable> rules_;
  int32_t words_;
  StateId shown_ = StateId::none;
  std::vector<int64_t> values_;  // of the state shown
  std::vector<Relation> relations_;
  std::vector<std::unique_ptr<Group>> groups_;  // by the group's first relation
  std::vector<int32_t> found_;
};

}  // namespace pg3
