// Shortest paths towards a node of a directed graph over the objects of a problem.
//
// Never materialised: for each target that is asked for there is one breadth-first tree, grown
// backwards from it only as far as the questions reach.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tuple_table.hpp"

namespace pg3 {

class Graph {
 public:
  // Forgets what there was; `edges` are pairs of nodes, one after the other.
  void assign(int32_t num_nodes, const std::vector<int32_t>& edges);

  // Whether there is a path, perhaps of no edge at all.
  bool reaches(int32_t from, int32_t to) { return distance(from, to) >= 0; }
  // Whether an edge leads from a node to a hop that is one step nearer to the target.
  bool is_next(int32_t from, int32_t hop, int32_t to);

  size_t bytes() const;

 private:
  struct Tree {
    std::vector<int32_t> distances;  // by node; -1 where the search has not come
    std::vector<int32_t> queue;
    size_t done = 0;
  };
  // The edges on a shortest path, or -1 if there is none.
  int32_t distance(int32_t from, int32_t to);
  Tuple into(int32_t node) const;

  int32_t num_nodes_ = 0;
  std::vector<int32_t> begins_;  // by node: where its predecessors begin
  std::vector<int32_t> predecessors_;
  std::unordered_map<int32_t, Tree> trees_;  // by target
};

}  // namespace pg3
