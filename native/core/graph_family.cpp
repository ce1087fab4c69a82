#include "core/graph_family.hpp"

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
  Graph& graph = *members_.begin()->second.graph;
  graph.clear(num_nodes);
  bytes_ = graph.bytes();
}

int32_t GraphFamily::node(const Member& member, ObjectId object) const {
  if (leading_ == 0) return number_of(object);
  const auto found = member.nodes.find(object);
  return found == member.nodes.end() ? -1 : found->second;
}

void GraphFamily::set(Tuple objects, bool present) {
  key_.assign(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(leading_));
  const ObjectId from{objects[leading_]}, to{objects[leading_ + 1]};
  Member& member = members_[key_];
  if (member.graph) {
    const int32_t start = node(member, from), end = node(member, to);
    if (start >= 0 && end >= 0) {
      Graph& graph = *member.graph;
      const size_t before = graph.bytes();
      if (present) {
        graph.insert(start, end);
      } else {
        graph.erase(start, end);
      }
      count(graph, before);
      return;
    }
    make_list(member);
  }
  auto& edges = member.edges;
  constexpr size_t bytes = 2 * sizeof(ObjectId);
  if (present) {
    edges.insert(edges.end(), {from, to});
    list_bytes_ += bytes;
    bytes_ += bytes;
    return;
  }
  for (size_t at = 0; at < edges.size(); at += 2) {
    if (edges[at] != from || edges[at + 1] != to) continue;
    edges[at] = edges[edges.size() - 2];
    edges[at + 1] = edges.back();
    edges.resize(edges.size() - 2);
    list_bytes_ -= bytes;
    bytes_ -= bytes;
    return;
  }
}

void GraphFamily::make_graph(Member& member) {
  const auto& edges = member.edges;
  Member made;  // takes the place of the list once it is whole: there may be no memory for it
  if (leading_ > 0) {
    for (ObjectId object : edges) {
      const auto next = static_cast<int32_t>(made.objects.size());
      if (made.nodes.try_emplace(object, next).second) made.objects.push_back(object);
    }
  }
  made.graph = std::make_unique<Graph>();
  made.graph->clear(leading_ == 0 ? num_nodes_ : static_cast<int32_t>(made.objects.size()));
  for (size_t at = 0; at < edges.size(); at += 2) {
    made.graph->insert(node(made, edges[at]), node(made, edges[at + 1]));
  }
  const size_t listed = edges.size() * sizeof(ObjectId);
  list_bytes_ -= listed;
  bytes_ += made.graph->bytes();
  bytes_ -= listed;
  member = std::move(made);
}

void GraphFamily::make_list(Member& member) {
  auto& [edges, graph, nodes, objects] = member;
  std::vector<ObjectId> list;  // likewise
  for (int32_t node : graph->edges()) {
    list.push_back(leading_ > 0 ? objects[node] : ObjectId{node});
  }
  edges = std::move(list);
  const size_t listed = edges.size() * sizeof(ObjectId);
  list_bytes_ += listed;
  bytes_ += listed;
  bytes_ -= graph->bytes();
  graph.reset();
  nodes = {};
  objects = {};
}

GraphFamily::Member* GraphFamily::find(Tuple leading) {
  key_.assign(leading.begin(), leading.end());
  const auto found = members_.find(key_);
  if (found == members_.end()) return nullptr;
  if (!found->second.graph) make_graph(found->second);
  return &found->second;
}

void GraphFamily::count(const Graph& graph, size_t before) {
  bytes_ += graph.bytes();
  bytes_ -= before;
  if (bytes_ <= list_bytes_ + kMostBytes) return;
  for (auto& [key, member] : members_) {
    if (member.graph) make_list(member);
  }
}

template <typename Ask>
bool GraphFamily::asked(Graph& graph, Watch* watch, Ask ask) {
  const size_t before = graph.bytes();
  const uint64_t visited = graph.visited();
  const bool answer = ask(graph);
  const uint64_t work = graph.visited() - visited;
  count(graph, before);  // may drop the graph
  if (watch) watch->spend(32 + 4 * work);
  return answer;
}

bool GraphFamily::reaches(Tuple objects, Watch* watch) {
  const ObjectId from{objects[leading_]}, to{objects[leading_ + 1]};
  if (from == to) return true;
  const Member* member = find(objects.first(leading_));
  if (!member) return false;
  const int32_t start = node(*member, from), end = node(*member, to);
  if (start < 0 || end < 0) return false;
  return asked(*member->graph, watch, [&](Graph& graph) { return graph.reaches(start, end); });
}

bool GraphFamily::is_next(Tuple objects, Watch* watch) {
  const Member* member = find(objects.first(leading_));
  if (!member) return false;
  const int32_t from = node(*member, ObjectId{objects[leading_]}),
                hop = node(*member, ObjectId{objects[leading_ + 1]}),
                to = node(*member, ObjectId{objects[leading_ + 2]});
  if (from < 0 || hop < 0 || to < 0) return false;
  return asked(*member->graph, watch, [&](Graph& graph) { return graph.is_next(from, hop, to); });
}

}  // namespace pg3
