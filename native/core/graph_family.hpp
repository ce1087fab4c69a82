// The graphs that the atoms of one predicate make: its last two places are an edge, and the places
// before them say in which graph. With two places there is one graph; with three, such as "this
// rover can drive from here to there", one for each rover.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/graph.hpp"
#include "core/ids.hpp"
#include "core/limits.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

class GraphFamily {
 public:
  // Forgets what there was; `arity` is that of the predicate, two or more.
  void clear(int32_t num_nodes, size_t arity);
  // An atom that was not there comes, or one that was there goes.
  void set(Tuple objects, bool present);

  // Of (graph..., from, to): whether there is a path, perhaps of no edge at all. A question takes
  // time linear in the graph; the watch, if any, is told of it, and may throw Stopped.
  bool reaches(Tuple objects, Watch* watch);
  // Of (graph..., from, hop, to): whether an edge leads to a hop that is one step nearer.
  bool is_next(Tuple objects, Watch* watch);

  size_t bytes() const { return bytes_; }

 private:
  // The edges of a graph that was not asked yet are pairs of objects in a list. Where there are
  // several graphs, the nodes of each are numbered: there may be few among many objects.
  struct Member {
    std::vector<ObjectId> edges;
    std::unique_ptr<Graph> graph;
    std::unordered_map<ObjectId, int32_t> nodes;
    std::vector<ObjectId> objects;  // by node
  };
  // The member with a graph of these objects, null if it has no edges.
  Member* find(Tuple leading);
  // The node of an object; -1 if it is none.
  int32_t node(const Member& member, ObjectId object) const;
  void make_graph(Member& member);
  void make_list(Member& member);
  // Counts what a question or a change has added to a graph; beyond the limit all graphs become
  // lists again.
  void count(const Graph& graph, size_t before);
  // Asks a graph, counts, and only then tells the watch: whoever stops leaves all in order.
  template <typename Ask>
  bool asked(Graph& graph, Watch* watch, Ask ask);

  int32_t num_nodes_ = 0;
  size_t leading_ = 0;
  std::map<std::vector<int32_t>, Member> members_;
  std::vector<int32_t> key_;
  size_t list_bytes_ = 0, bytes_ = 0;
};

}  // namespace pg3
