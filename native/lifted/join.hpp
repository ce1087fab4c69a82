// A conjunction over relations, answered one tuple of objects after another.
//
// A leapfrog join: variables are bound one after the other, in a given order. For each of them the
// indexes of its relations, sorted in that order, are asked in turn for their next object from the
// largest one seen, until they agree. After a dead end it goes back to the last variable that had a
// say in it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/limits.hpp"
#include "lifted/lifted_state.hpp"

namespace pg3 {

// A positive condition: the tuple of the terms is in the relation.
struct Source {
  Relation* relation;
  std::vector<Term> terms;  // at least one a variable
};

// What a join asks for, over variables 0, 1, ...
struct Conjunction {
  std::vector<const ObjectSet*> types;  // by variable; null if any object will do
  std::vector<Source> sources;
  std::vector<Condition> checks;  // looked up once their variables are bound

  size_t num_variables() const { return types.size(); }
};

// The variables so that each is as far as possible determined by those before it, `fixed` first;
// others with few objects come sooner where that is much better, as far as the relations tell.
std::vector<VariableId> greedy_order(const Conjunction& conjunction,
                                     const std::vector<VariableId>& fixed, int32_t num_objects);
// The first variables, as they are numbered.
std::vector<VariableId> first_variables(size_t count);

class Join {
 public:
  // Binds the variables in this order; the first `num_fixed` are given, not searched. The answers
  // come in lexicographic order of the bound objects.
  Join(const LiftedState& state, const Conjunction& conjunction, std::vector<VariableId> order,
       size_t num_fixed = 0);

  // Tells the indexes that they are still needed.
  void use() const {
    for (const Path& path : paths_) path.index->use();
  }

  // Begins anew in the state of now, with these objects for the fixed variables, in their order.
  void start(const int32_t* fixed = nullptr);

  // Looks for the next answer. `budget` is how many candidates may be tried and is used up. If it
  // does not suffice, the next call goes on. The state must not change from start() on.
  enum class Outcome { answer, end, out_of_budget };
  Outcome advance(int64_t& budget);
  // The same without a budget, for those who need all answers: whether there is a next one.
  // `work` counts the candidates. Throws Stopped if the watch, if any, says so.
  bool next_answer(Watch* watch, int64_t& work);

  // The objects of the answer, by variable.
  const std::vector<int32_t>& binding() const { return binding_; }

  // Leaves out what is left of the answers that agree with this one in all of the first
  // `num_bound` variables of the order.
  void skip(size_t num_bound);

  // Of the answers that agree in the first `num_bound` variables of the order, the others being in
  // ascending order, leaves out those after `best`, in the order of the variables' numbers. From
  // now on, as `best` changes.
  void prune(size_t num_bound, const std::vector<int32_t>* best) {
    num_bound_ = num_bound;
    best_ = best;
  }

  // For those who search themselves, from start() on. The smallest object from `from` on that all
  // sources allow at a depth, those above it being bound, if any.
  ObjectId next(size_t depth, ObjectId from) const;
  // Binds the variable at a depth; false if a condition does not allow it.
  bool descend(size_t depth, ObjectId object);

 private:
  // A source walked along its index level by level.
  struct Path {
    const Trie* index;
    std::vector<ObjectId> constants;  // the objects of the first levels
    std::vector<TrieNode> nodes;      // the node reached before each level
  };
  struct Step {
    int32_t path;
    int32_t level;
    int32_t repeats;  // how many levels in a row belong to the variable
    bool last;        // whether the path ends with them
  };

  void add_path(const Source& source);
  void add_check(const Condition& check);
  void depend(const std::vector<Term>& terms, bool every);
  int32_t depth_of(Term variable) const { return depth_[index_of(variable)]; }
  int32_t last_depth(const std::vector<Term>& terms) const;
  int32_t& bound(size_t depth) { return binding_[index_of(order_[depth])]; }
  bool holds(const Condition& check);
  bool go_back();
  bool is_behind_best(size_t depth) const;

  const LiftedState& state_;
  size_t num_variables_, num_fixed_;
  std::vector<VariableId> order_;        // depth -> variable
  std::vector<int32_t> depth_;           // variable -> depth
  std::vector<const ObjectSet*> types_;  // by depth
  std::vector<Path> paths_;
  std::vector<std::vector<Step>> steps_;        // by depth
  std::vector<std::vector<Condition>> checks_;  // by depth: decided once it is bound
  std::vector<Condition> ground_checks_;
  std::vector<uint64_t> depends_on_;  // by depth: a bit for each earlier depth
  std::vector<uint64_t> conflicts_;   // likewise: who had a say in the failures here
  std::vector<int32_t> binding_;      // by variable
  std::vector<int32_t> atom_;

  size_t depth_now_ = 0;
  ObjectId from_{0};
  bool ended_ = true;
  bool answered_ = false;  // the binding is the last answer given
  size_t num_bound_ = 0;
  const std::vector<int32_t>* best_ = nullptr;
};

}  // namespace pg3
