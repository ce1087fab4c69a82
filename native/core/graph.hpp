// Shortest paths in a directed graph over the objects of a problem.
//
// Never materialised: for each target that is asked for there is one breadth-first tree, grown
// backwards from it only as far as the questions reach. Where edges come and go between the
// questions, trees do not live long; then they are grown from the starts of the ways instead if
// fewer of those are asked for: a robot that chooses among a hundred places needs one tree, not a
// hundred.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/tuple_table.hpp"

namespace pg3 {

class Graph {
 public:
  // Forgets what there was; there are no edges.
  void clear(int32_t num_nodes);
  // An edge that is not there comes, or one that is there goes.
  void insert(int32_t from, int32_t to);
  void erase(int32_t from, int32_t to);
  // Pairs of nodes, one after the other, in lexicographic order.
  std::vector<int32_t> edges() const;

  // Whether there is a path, perhaps of no edge at all.
  bool reaches(int32_t from, int32_t to) { return distance(from, to) >= 0; }
  // Whether an edge leads from a node to a hop that is one step nearer to the target.
  bool is_next(int32_t from, int32_t hop, int32_t to);

  size_t bytes() const;
  // The nodes that all questions so far have visited: what they cost.
  uint64_t visited() const { return visited_; }

 private:
  struct Tree {
    std::vector<int32_t> distances;  // by node; -1 where the search has not come
    std::vector<int32_t> queue;
    size_t done = 0;
  };
  // The edges on a shortest path, or -1 if there is none.
  int32_t distance(int32_t from, int32_t to);
  Tree& tree(int32_t root);
  void drop_trees();

  int32_t num_nodes_ = 0;
  size_t num_edges_ = 0;
  std::vector<std::vector<int32_t>> before_, after_;  // by node, ascending: where edges join it
  bool from_starts_ = false;                          // where the roots of the trees are
  std::unordered_map<int32_t, Tree> trees_;           // by root
  std::vector<Tree> spare_;
  std::vector<bool> others_;  // by node: the other ends that were asked for since the last change
  size_t num_others_ = 0;
  uint64_t visited_ = 0;
};

}  // namespace pg3
