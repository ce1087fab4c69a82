// The first tuple of objects that satisfies a rule in a state of a ground task.
//
// A rule is a conjunctive query. Its variables are bound in the order of the rule's parameters,
// each to its candidates in the order of the objects, so the first answer is the lexicographically
// first. The candidates of a variable are a bit set: the objects of its type, intersected with a
// row of bits for each condition whose other terms are bound already.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grounding.hpp"
#include "limits.hpp"
#include "rule.hpp"

namespace pg3 {

// The relations of one state (and the goal's) as bit matrices, filled anew for each state looked
// at. A relation is numbered by its predicate for the state, by predicate + num_predicates for the
// goal.
class RelationView {
 public:
  explicit RelationView(std::shared_ptr<const GroundTask> ground);

  struct Relation {
    int32_t arity = 0;
    bool fluent = false;
    bool used = false;              // some rule asks for it
    bool matrix = false;            // arity 2 and small enough for `rows` and `columns`
    std::vector<int32_t> tuples;    // all of it, flat; one dummy entry a tuple for arity 0
    std::vector<uint64_t> rows;     // bit y of row x: (x, y) holds
    std::vector<uint64_t> columns;  // bit x of column y
    std::vector<std::vector<uint64_t>> projections;  // for each place the objects that occur there
  };

  // Makes the relation available from the next show() on.
  void use(int32_t relation);
  // Fills the fluent relations in use from the state, unless it is shown already.
  void show(int32_t state_number, const uint64_t* state);

  const Relation& operator[](int32_t relation) const { return relations_[relation]; }
  int32_t words() const { return words_; }
  const GroundTask& ground() const { return *ground_; }
  size_t bytes() const;

 private:
  void add(Relation& relation, Tuple objects);
  void clear(Relation& relation);

  std::shared_ptr<const GroundTask> ground_;
  int32_t words_;
  int32_t shown_ = -1;
  std::vector<Relation> relations_;
};

// A rule compiled for one ground task.
class RuleQuery {
 public:
  RuleQuery(const Rule& rule, RelationView& view);

  // Writes the first satisfying tuple to `binding` and returns true, or returns false. A query can
  // take time exponential in its parameters: throws Stopped if the watch, if any, says so.
  bool first(const RelationView& view, int32_t* binding, Watch* watch);

  size_t num_parameters() const { return num_variables_; }

 private:
  // Something that narrows the candidates of one variable once earlier variables are bound.
  struct Filter {
    enum class Kind { row, column, equal, scan };
    Kind kind;
    bool positive;
    int32_t relation;
    Term other;               // row, column, equal: the term already bound
    std::vector<Term> terms;  // scan: the condition's terms
    int32_t place;            // scan: where the variable stands first
  };
  // A projection or unary relation of the state: narrows a variable before anything is bound.
  struct Prefilter {
    int32_t variable;
    int32_t relation;
    int32_t place;
    bool positive;
  };

  void depend(size_t variable, Term on);
  void add_condition(const Condition& condition, RelationView& view);
  bool holds(const RelationView& view, const Condition& condition) const;
  // Computes the candidates of a variable from its start set; returns whether there are any.
  bool narrow(const RelationView& view, size_t variable, const int32_t* binding);
  void scan(const RelationView& view, const Filter& filter, size_t variable,
            const int32_t* binding);
  uint64_t* set_of(std::vector<uint64_t>& sets, size_t variable) {
    return sets.data() + variable * words_;
  }

  size_t words_;
  size_t num_variables_;
  std::vector<uint64_t> types_;  // for each variable the objects that its type and statics allow
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
