#include "graph_family.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// Kept at a time, in bytes, beyond the lists of edges: a graph bounds what it keeps for itself, but
// there may be as many graphs as objects.
constexpr size_t kMostBytes = size_t{128} << 20;

}  // namespace

void GraphFamily::clear(int32_t num_nodes, size_t arity) {
  num_nodes_ = num_nodes;
  leading_ = arity - 2;
  list_bytes_ = bytes_ = 0;
  // The only graph keeps its memory, and what it knows of the questions to come.
  if (leading_ > 0 || members_.empty() || !members_.begin()->second.graph) {
    members_.clear();
    return;
  }
  auto& [edges, graph] = members_.begin()->second;
  graph->clear(num_nodes);
  bytes_ = graph->bytes();
}

void GraphFamily::set(Tuple objects, bool present) {
  key_.assign(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(leading_));
  const int32_t from = objects[leading_], to = objects[leading_ + 1];
  auto& [edges, graph] = members_[key_];
  if (graph) {
    const size_t before = graph->bytes();
    if (present) {
      graph->insert(from, to);
    } else {
      graph->erase(from, to);
    }
    count(*graph, before);
    return;
  }
  if (present) {
    edges.insert(edges.end(), {from, to});
    list_bytes_ += 2 * sizeof(int32_t);
    bytes_ += 2 * sizeof(int32_t);
    return;
  }
  for (size_t at = 0; at < edges.size(); at += 2) {
    if (edges[at] != from || edges[at + 1] != to) continue;
    edges[at] = edges[edges.size() - 2];
    edges[at + 1] = edges.back();
    edges.resize(edges.size() - 2);
    list_bytes_ -= 2 * sizeof(int32_t);
    bytes_ -= 2 * sizeof(int32_t);
    return;
  }
}

Graph* GraphFamily::find(Tuple leading) {
  key_.assign(leading.begin(), leading.end());
  const auto found = members_.find(key_);
  if (found == members_.end()) return nullptr;
  auto& [edges, graph] = found->second;
  if (!graph) {
    graph = std::make_unique<Graph>();
    graph->clear(num_nodes_);
    for (size_t at = 0; at < edges.size(); at += 2) graph->insert(edges[at], edges[at + 1]);
    const size_t listed = edges.size() * sizeof(int32_t);
    list_bytes_ -= listed;
    bytes_ += graph->bytes();
    bytes_ -= listed;
    edges = {};
  }
  return graph.get();
}

void GraphFamily::count(const Graph& graph, size_t before) {
  bytes_ += graph.bytes();
  bytes_ -= before;
  if (bytes_ <= list_bytes_ + kMostBytes) return;
  for (auto& [key, member] : members_) {
    if (!member.graph) continue;
    member.edges = member.graph->edges();
    member.graph.reset();
    list_bytes_ += member.edges.size() * sizeof(int32_t);
  }
  bytes_ = list_bytes_;
}

bool GraphFamily::reaches(Tuple objects) {
  const int32_t from = objects[leading_], to = objects[leading_ + 1];
  Graph* graph = find(objects.first(leading_));
  if (!graph) return from == to;
  const size_t before = graph->bytes();
  const bool answer = graph->reaches(from, to);
  count(*graph, before);
  return answer;
}

bool GraphFamily::is_next(Tuple objects) {
  Graph* graph = find(objects.first(leading_));
  if (!graph) return false;
  const size_t before = graph->bytes();
  const bool answer =
      graph->is_next(objects[leading_], objects[leading_ + 1], objects[leading_ + 2]);
  count(*graph, before);
  return answer;
}

}  // namespace pg3
