#include "graph.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// Trees kept at a time, in bytes: beyond, all are dropped and grown again where they are needed.
constexpr size_t kTreeBytes = size_t{64} << 20;

}  // namespace

void Graph::assign(int32_t num_nodes, const std::vector<int32_t>& edges) {
  num_nodes_ = num_nodes;
  trees_.clear();
  begins_.assign(static_cast<size_t>(num_nodes) + 1, 0);
  for (size_t i = 1; i < edges.size(); i += 2) ++begins_[edges[i] + 1];
  for (int32_t node = 0; node < num_nodes; ++node) begins_[node + 1] += begins_[node];
  predecessors_.resize(edges.size() / 2);
  std::vector<int32_t> at(begins_.begin(), begins_.end() - 1);
  for (size_t i = 0; i < edges.size(); i += 2) predecessors_[at[edges[i + 1]]++] = edges[i];
  for (int32_t node = 0; node < num_nodes; ++node) {
    std::sort(predecessors_.begin() + begins_[node], predecessors_.begin() + begins_[node + 1]);
  }
}

Tuple Graph::into(int32_t node) const {
  return Tuple(predecessors_).subspan(begins_[node], begins_[node + 1] - begins_[node]);
}

int32_t Graph::distance(int32_t from, int32_t to) {
  auto found = trees_.find(to);
  if (found == trees_.end()) {
    if (bytes() > kTreeBytes) trees_.clear();
    found = trees_.try_emplace(to).first;
    found->second.distances.assign(static_cast<size_t>(num_nodes_), -1);
    found->second.distances[to] = 0;
    found->second.queue.push_back(to);
  }
  auto& [distances, queue, done] = found->second;
  // All that is nearer than a node is known once the node is.
  while (distances[from] < 0 && done < queue.size()) {
    const int32_t node = queue[done++];
    for (int32_t before : into(node)) {
      if (distances[before] >= 0) continue;
      distances[before] = distances[node] + 1;
      queue.push_back(before);
    }
  }
  return distances[from];
}

bool Graph::is_next(int32_t from, int32_t hop, int32_t to) {
  if (!std::ranges::binary_search(into(hop), from)) return false;
  const int32_t far = distance(from, to);
  return far > 0 && distance(hop, to) == far - 1;
}

size_t Graph::bytes() const {
  return (begins_.capacity() + predecessors_.capacity() +
          trees_.size() * 2 * static_cast<size_t>(num_nodes_)) *
         sizeof(int32_t);
}

}  // namespace pg3
