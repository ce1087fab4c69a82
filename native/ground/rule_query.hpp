// The first tuple of objects that satisfies a rule in a state of a ground task.
//
// A rule is a conjunctive query. Its variables are bound in the order of the rule's parameters,
// each to its candidates in the order of the objects, so the first answer is the lexicographically
// first. The candidates of a variable are a bit set: the objects of its type, intersected with a
// row of bits for each condition whose other terms are bound already.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/rule.hpp"
#include "ground/state_relations.hpp"

namespace pg3 {

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
    Term other;          // row, column, equal: the term already bound
    uint32_t begin = 0;  // scan, graph: the condition's terms in terms_
    uint32_t num_terms = 0;
    int32_t place = 0;  // scan: where the variable stands first
  };
  // A projection or unary relation of the state: narrows a variable before anything is bound.
  struct Prefilter {
    VariableId variable;
    StateRelations::Slot relation;
    int32_t place;
    bool positive;
  };
  using Filters = std::vector<std::vector<Filter>>;  // by variable

  void compile(const ParameterTypes& parameter_types, const std::vector<Condition>& conditions,
               StateRelations& relations, Watch* watch);
  void depend(size_t variable, Term on);
  void add_condition(const Condition& condition, StateRelations& relations, Filters& filters,
                     Watch* watch);
  void add_graph_condition(const Condition& condition, StateRelations::Slot relation, Term last,
                           StateRelations& relations, Filters& filters, Watch* watch);
  Filter of_terms(Filter filter, const std::vector<Term>& terms);
  std::span<const Term> terms_of(const Filter& filter) const {
    return {terms_.data() + filter.begin, filter.num_terms};
  }
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
  std::vector<Filter> filters_;        // by variable; there are many queries, so one array
  std::vector<uint32_t> filter_ends_;  // where those of each variable end
  std::vector<Term> terms_;            // those of the filters, one after the other
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
