#include "graph_family.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// Kept at a time, in bytes, beyond the edges themselves: a graph bounds what it keeps for itself,
// but there may be as many graphs as objects.
constexpr size_t kMostBytes = size_t{128} << 20;

}  // namespace

void GraphFamily::assign(int32_t num_nodes, size_t arity, const std::vector<int32_t>& edges) {
  num_nodes_ = num_nodes;
  members_.clear();
  const size_t leading = arity - 2;
  for (size_t at = 0; at < edges.size(); at += arity) {
    key_.assign(edges.begin() + static_cast<std::ptrdiff_t>(at),
                edges.begin() + static_cast<std::ptrdiff_t>(at + leading));
    auto& list = members_[key_].edges;
    list.push_back(edges[at + leading]);
    list.push_back(edges[at + leading + 1]);
  }
  edge_bytes_ = edges.size() * sizeof(int32_t);
  bytes_ = edge_bytes_;
}

Graph* GraphFamily::find(Tuple leading) {
  auto found = members_.begin();  // the only one, if nothing tells them apart
  if (!leading.empty()) {
    key_.assign(leading.begin(), leading.end());
    found = members_.find(key_);
  }
  if (found == members_.end()) return nullptr;
  auto& [edges, graph] = found->second;
  if (!graph) {
    graph = std::make_unique<Graph>();
    graph->assign(num_nodes_, edges);
    bytes_ += graph->bytes();
  }
  return graph.get();
}

void GraphFamily::count(const Graph& graph, size_t before) {
  bytes_ += graph.bytes();
  bytes_ -= before;
  if (bytes_ <= edge_bytes_ + kMostBytes) return;
  for (auto& [key, member] : members_) member.graph.reset();
  bytes_ = edge_bytes_;
}

bool GraphFamily::reaches(Tuple objects) {
  const size_t leading = objects.size() - 2;
  const int32_t from = objects[leading], to = objects[leading + 1];
  Graph* graph = find(objects.first(leading));
  if (!graph) return from == to;
  const size_t before = graph->bytes();
  const bool answer = graph->reaches(from, to);
  count(*graph, before);
  return answer;
}

bool GraphFamily::is_next(Tuple objects) {
  const size_t leading = objects.size() - 3;
  Graph* graph = find(objects.first(leading));
  if (!graph) return false;
  const size_t before = graph->bytes();
  const bool answer = graph->is_next(objects[leading], objects[leading + 1], objects[leading + 2]);
  count(*graph, before);
  return answer;
}

}  // namespace pg3
