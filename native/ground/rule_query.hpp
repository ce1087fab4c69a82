// The first tuple of objects that satisfies a rule in a state of a ground task.
//
// A rule is a conjunctive query. Its variables are bound in the order of the rule's parameters,
// each to its candidates in the order of the objects, so the first answer is the lexicographically
// first. The candidates of a variable are a bit set: the objects of its type, intersected with a
// row of bits for each condition whose other terms are bound already.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/graph_family.hpp"
#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/rule.hpp"
#include "ground/grounding.hpp"

namespace pg3 {

class RuleQuery;

// The relations of one state (and the goal's) as bit matrices, filled anew for each state looked
// at. Derived relations are worked out when a query asks for them, group by group, and kept until
// another state is shown.
class StateRelations {
 public:
  // Those of the state come first, by predicate, then those of the goal, by predicate, then the
  // derived ones.
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
  Slot first_derived() const { return Slot{2 * ground_->task->num_predicates()}; }
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

// A rule compiled for one ground task.
class RuleQuery {
 public:
  // Derived relations that never change are worked out here: throws Stopped if the watch, if any,
  // says so.
  RuleQuery(const Rule& rule, StateRelations& relations, const RuleTable& table, Watch* watch);
  RuleQuery(const Clause& clause, StateRelations& relations, Watch* watch);

  // Writes the first satisfying tuple to `binding` and returns true, or returns false. A query can
  // take time exponential in its parameters: throws Stopped if the watch, if any, says so.
  bool first(StateRelations& relations, int32_t* binding, Watch* watch);

  // Appends to `tuples` the objects of the first `arity` parameters of all satisfying tuples, each
  // once; a dummy entry for arity 0. What is derived must be known.
  void all(StateRelations& relations, size_t arity, std::vector<int32_t>& tuples, Watch* watch);

  size_t num_parameters() const { return num_variables_; }

 private:
  // Something that narrows the candidates of one variable once earlier variables are bound.
  struct Filter {
    enum class Kind { row, column, equal, scan, graph };
    Kind kind;
    bool positive;
    StateRelations::Slot relation;
    Term other;               // row, column, equal: the term already bound
    std::vector<Term> terms;  // scan, graph: the condition's terms
    int32_t place;            // scan: where the variable stands first
  };
  // A projection or unary relation of the state: narrows a variable before anything is bound.
  struct Prefilter {
    VariableId variable;
    StateRelations::Slot relation;
    int32_t place;
    bool positive;
  };

  void compile(const ParameterTypes& parameter_types, const std::vector<Condition>& conditions,
               StateRelations& relations, Watch* watch);
  void depend(size_t variable, Term on);
  void add_condition(const Condition& condition, StateRelations& relations, Watch* watch);
  void add_graph_condition(const Condition& condition, StateRelations::Slot relation, Term last,
                           StateRelations& relations, Watch* watch);
  bool holds(StateRelations& relations, const Condition& condition, Watch* watch) const;
  // Computes the candidates of a variable from its start set; returns whether there are any.
  bool narrow(StateRelations& relations, size_t variable, const int32_t* binding, Watch* watch);
  void scan(const StateRelations& relations, const Filter& filter, size_t variable,
            const int32_t* binding, Watch* watch);
  void test_graph(StateRelations& relations, const Filter& filter, size_t variable,
                  const int32_t* binding, Watch* watch);
  // Whether there may be an answer; then search() looks for the first one from a variable on.
  bool begin(StateRelations& relations, int32_t* binding, Watch* watch);
  bool search(StateRelations& relations, size_t variable, int32_t* binding, Watch* watch);
  uint64_t* set_of(std::vector<uint64_t>& sets, size_t variable) {
    return sets.data() + variable * words_;
  }

  size_t words_;
  size_t num_variables_;
  std::vector<uint64_t> types_;  // for each variable the objects that its type and statics allow
  std::vector<StateRelations::Slot> derived_;  // the relations that must be known
  std::vector<Condition> ground_conditions_;
  std::vector<Prefilter> prefilters_;
  std::vector<std::vector<Filter>> filters_;  // by variable
  std::vector<uint64_t>
      depends_on_;  // by variable: a bit for each earlier one that its filters read
  bool never_ = false;

  // Working memory of one query.
  std::vector<uint64_t> start_;
  std::vector<uint64_t> candidates_;
  std::vector<uint64_t> marks_;
  std::vector<uint64_t> conflicts_;
};

}  // namespace pg3
