#include "core/graph.hpp"

#include <algorithm>

namespace pg3 {

namespace {

// Trees kept at a time, in bytes: beyond, all are dropped and grown again where they are needed.
constexpr size_t kTreeBytes = size_t{64} << 20;

// Trees whose memory is kept for the next ones.
constexpr size_t kSpareTrees = 16;

}  // namespace

void Graph::clear(int32_t num_nodes) {
  num_nodes_ = num_nodes;
  num_edges_ = 0;
  for (auto* lists : {&before_, &after_}) {
    lists->resize(static_cast<size_t>(num_nodes));
    for (auto& list : *lists) list.clear();
  }
  drop_trees();
}

void Graph::insert(int32_t from, int32_t to) {
  drop_trees();
  ++num_edges_;
  auto& before = before_[to];
  before.insert(std::ranges::upper_bound(before, from), from);
  auto& after = after_[from];
  after.insert(std::ranges::upper_bound(after, to), to);
}

void Graph::erase(int32_t from, int32_t to) {
  drop_trees();
  --num_edges_;
  auto& before = before_[to];
  before.erase(std::ranges::lower_bound(before, from));
  auto& after = after_[from];
  after.erase(std::ranges::lower_bound(after, to));
}

std::vector<int32_t> Graph::edges() const {
  std::vector<int32_t> edges;
  for (int32_t from = 0; from < num_nodes_; ++from) {
    for (int32_t to : after_[from]) edges.insert(edges.end(), {from, to});
  }
  return edges;
}

void Graph::drop_trees() {
  if (trees_.empty()) return;
  // What is asked after one change is like what was asked after the last.
  if (num_others_ < trees_.size()) from_starts_ = !from_starts_;
  spare_.reserve(kSpareTrees);
  for (auto& [root, tree] : trees_) {
    if (spare_.size() == kSpareTrees) break;
    spare_.push_back(std::move(tree));
  }
  trees_.clear();
  others_.clear();
  num_others_ = 0;
}

Graph::Tree& Graph::tree(int32_t root) {
  if (const auto found = trees_.find(root); found != trees_.end()) return found->second;
  if (bytes() > kTreeBytes) trees_.clear();
  Tree tree;  // kept once it is whole: there may be no memory for it
  if (!spare_.empty()) {
    tree = std::move(spare_.back());
    spare_.pop_back();
  }
  tree.distances.assign(static_cast<size_t>(num_nodes_), -1);
  visited_ += static_cast<uint64_t>(num_nodes_) / 16;
  tree.distances[root] = 0;
  tree.queue.assign(1, root);
  tree.done = 0;
  return trees_.emplace(root, std::move(tree)).first->second;
}

int32_t Graph::distance(int32_t from, int32_t to) {
  const int32_t root = from_starts_ ? from : to, other = from_starts_ ? to : from;
  const auto& neighbours = from_starts_ ? after_ : before_;
  auto& [distances, queue, done] = tree(root);
  if (others_.empty()) others_.resize(static_cast<size_t>(num_nodes_));
  if (!others_[other]) {
    others_[other] = true;
    ++num_others_;
  }
  // All that is nearer than a node is known once the node is.
  while (distances[other] < 0 && done < queue.size()) {
    const int32_t node = queue[done];
    visited_ += 1 + neighbours[node].size();
    for (int32_t neighbour : neighbours[node]) {
      if (distances[neighbour] >= 0) continue;
      queue.push_back(neighbour);
      distances[neighbour] = distances[node] + 1;
    }
    ++done;  // not before: where memory ends in between, the next question goes on here
  }
  return distances[other];
}

bool Graph::is_next(int32_t from, int32_t hop, int32_t to) {
  if (!std::ranges::binary_search(before_[hop], from)) return false;
  const int32_t far = distance(from, to);
  return far > 0 && distance(hop, to) == far - 1;
}

size_t Graph::bytes() const {
  const size_t lists = before_.capacity() + after_.capacity();
  const size_t trees = trees_.size() + spare_.size();
  return lists * sizeof(before_[0]) +
         (2 * num_edges_ + trees * 2 * static_cast<size_t>(num_nodes_)) * sizeof(int32_t);
}

}  // namespace pg3
