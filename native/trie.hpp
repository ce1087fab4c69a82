// A relation sorted by a chosen order of its places, for joins that ask "the next object from
// here".
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tuple_table.hpp"

namespace pg3 {

// Tuples as paths: level i of the trie holds the objects at place order[i], sorted.
class Trie {
 public:
  struct Node {
    std::vector<int32_t> keys;      // sorted
    std::vector<int32_t> children;  // as long as keys, or empty on the last level
  };

  explicit Trie(std::vector<int32_t> order) : order_(std::move(order)), nodes_(1) {}

  const std::vector<int32_t>& order() const { return order_; }
  const Node& node(int32_t number) const { return nodes_[number]; }
  static constexpr int32_t root() { return 0; }

  // The child of a node under an object, or -1; on the last level 0 stands for "there is one".
  int32_t child(int32_t number, int32_t object) const {
    const Node& node = nodes_[number];
    const auto at = std::lower_bound(node.keys.begin(), node.keys.end(), object);
    if (at == node.keys.end() || *at != object) return -1;
    return node.children.empty() ? 0 : node.children[at - node.keys.begin()];
  }

  // Adds a tuple that is not there yet.
  void insert(Tuple objects) {
    int32_t number = root();
    for (size_t level = 0; level < order_.size(); ++level) {
      const int32_t object = objects[order_[level]];
      const bool last = level + 1 == order_.size();
      const size_t at = lower(number, object);
      if (at == nodes_[number].keys.size() || nodes_[number].keys[at] != object) {
        const int32_t child = last ? 0 : take();
        Node& node = nodes_[number];  // after take(), which may move the nodes
        node.keys.insert(node.keys.begin() + at, object);
        if (!last) node.children.insert(node.children.begin() + at, child);
        entries_ += 1;
      }
      if (!last) number = nodes_[number].children[at];
    }
  }

  // Removes a tuple that is there.
  void erase(Tuple objects) {
    path_.clear();
    int32_t number = root();
    for (size_t level = 0; level < order_.size(); ++level) {
      const size_t at = lower(number, objects[order_[level]]);
      path_.push_back({number, at});
      if (level + 1 < order_.size()) number = nodes_[number].children[at];
    }
    for (size_t level = path_.size(); level-- > 0;) {
      const auto [at_node, at] = path_[level];
      Node& node = nodes_[at_node];
      if (!node.children.empty()) {
        free_.push_back(node.children[at]);
        node.children.erase(node.children.begin() + at);
      }
      node.keys.erase(node.keys.begin() + at);
      entries_ -= 1;
      if (!node.keys.empty()) break;
    }
  }

  size_t bytes() const { return nodes_.capacity() * sizeof(Node) + entries_ * 16; }

 private:
  size_t lower(int32_t number, int32_t object) const {
    const auto& keys = nodes_[number].keys;
    return std::lower_bound(keys.begin(), keys.end(), object) - keys.begin();
  }

  int32_t take() {
    if (!free_.empty()) {
      const int32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    nodes_.emplace_back();
    return static_cast<int32_t>(nodes_.size()) - 1;
  }

  std::vector<int32_t> order_;
  std::vector<Node> nodes_;
  std::vector<int32_t> free_;  // empty nodes to use again
  std::vector<std::pair<int32_t, size_t>> path_;
  size_t entries_ = 0;
};

}  // namespace pg3
