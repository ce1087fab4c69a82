// A relation sorted by a chosen order of its places, for joins that ask "the next object from
// here".
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/object_set.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

enum class TrieNode : int32_t { none = -1, root = 0 };

// A map from (node, object) to node; open addressing, entries move back when one before them goes.
class ChildMap {
 public:
  TrieNode find(TrieNode node, ObjectId object) const {
    if (slots_.empty()) return TrieNode::none;
    const uint64_t key = key_of(node, object);
    for (size_t i = place(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return slots_[i].child;
      if (slots_[i].key == kFree) return TrieNode::none;
    }
  }

  void insert(TrieNode node, ObjectId object, TrieNode child) {
    if (2 * ++count_ > slots_.size()) grow();
    put({key_of(node, object), child});
  }

  void erase(TrieNode node, ObjectId object) {
    const size_t mask = slots_.size() - 1;
    size_t hole = place(key_of(node, object));
    while (slots_[hole].key != key_of(node, object)) hole = (hole + 1) & mask;
    for (size_t i = (hole + 1) & mask; slots_[i].key != kFree; i = (i + 1) & mask) {
      // An entry may fill the hole unless its own place lies between the two.
      if (((i - place(slots_[i].key)) & mask) >= ((i - hole) & mask)) {
        slots_[hole] = slots_[i];
        hole = i;
      }
    }
    slots_[hole].key = kFree;
    --count_;
  }

  size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr uint64_t kFree = UINT64_MAX;
  struct Slot {
    uint64_t key = kFree;
    TrieNode child = TrieNode::none;
  };

  static uint64_t key_of(TrieNode node, ObjectId object) {
    return (static_cast<uint64_t>(node) << 32) | static_cast<uint32_t>(object);
  }
  size_t place(uint64_t key) const {
    // The upper half of a product depends on all of the key, on the node as well as on the object.
    const uint64_t mixed = (key ^ (key >> 29)) * 0x9E3779B97F4A7C15ull;
    return (mixed >> 32) & (slots_.size() - 1);
  }
  void put(Slot entry) {
    size_t i = place(entry.key);
    while (slots_[i].key != kFree) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = entry;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != kFree) put(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

// Tuples as paths: level i of the trie holds the objects at place order[i].
class Trie {
 public:
  Trie(std::vector<int32_t> order, int32_t num_objects)
      : order_(std::move(order)), num_objects_(num_objects), nodes_(1) {}

  const std::vector<int32_t>& order() const { return order_; }

  // The smallest object under a node that is at least `from`, if any.
  ObjectId next(TrieNode node, ObjectId from) const { return nodes_[index_of(node)].next(from); }

  // The node under an object, none if the object is not there; on the last level the root for
  // "there".
  TrieNode child(TrieNode node, ObjectId object, bool last) const {
    if (!last) return find(node, object);
    return nodes_[index_of(node)].contains(object) ? TrieNode::root : TrieNode::none;
  }

  // For the owner, who drops what nobody uses.
  void use(bool used = true) const { used_ = used; }
  bool is_used() const { return used_; }

  // Adds a tuple; false if it is there already.
  bool insert(Tuple objects) {
    TrieNode node = TrieNode::root;
    for (size_t level = 0;; ++level) {
      const ObjectId object{objects[order_[level]]};
      if (level + 1 == order_.size()) return nodes_[index_of(node)].insert(object, num_objects_);
      TrieNode child = find(node, object);
      if (child == TrieNode::none) {
        child = take();
        nodes_[index_of(node)].insert(object, num_objects_);
        if (node == TrieNode::root) {
          if (first_.empty()) first_.assign(static_cast<size_t>(num_objects_), TrieNode::none);
          first_[index_of(object)] = child;
        } else {
          children_.insert(node, object, child);
        }
      }
      node = child;
    }
  }

  // Removes a tuple; false if it is not there.
  bool erase(Tuple objects) {
    path_.clear();
    TrieNode node = TrieNode::root;
    for (size_t level = 0; level < order_.size(); ++level) {
      path_.push_back(node);
      if (level + 1 < order_.size()) node = find(node, ObjectId{objects[order_[level]]});
      if (node == TrieNode::none) return false;
    }
    if (!nodes_[index_of(node)].erase(ObjectId{objects[order_.back()]})) return false;
    for (size_t level = path_.size() - 1; level > 0; --level) {
      if (!nodes_[index_of(path_[level])].empty()) break;
      const ObjectId object{objects[order_[level - 1]]};
      nodes_[index_of(path_[level - 1])].erase(object);
      if (level == 1) {
        first_[index_of(object)] = TrieNode::none;
      } else {
        children_.erase(path_[level - 1], object);
      }
      free_.push_back(path_[level]);
    }
    return true;
  }

  // Calls visit(Tuple) for each tuple. The trie must not change meanwhile.
  template <typename Visit>
  void for_each(Visit visit) const {
    std::vector<int32_t> tuple(order_.size());
    walk(TrieNode::root, 0, tuple, visit);
  }

  size_t bytes() const {
    // What a node holds beyond itself is counted for the root only, the others' are short.
    return nodes_.capacity() * sizeof(ObjectSet) + nodes_[0].bytes() + children_.bytes() +
           first_.capacity() * sizeof(TrieNode);
  }

 private:
  TrieNode find(TrieNode node, ObjectId object) const {
    if (node != TrieNode::root) return children_.find(node, object);
    return first_.empty() ? TrieNode::none : first_[index_of(object)];
  }

  TrieNode take() {
    if (!free_.empty()) {
      const TrieNode node = free_.back();
      free_.pop_back();
      return node;
    }
    nodes_.emplace_back();
    return TrieNode{static_cast<int32_t>(nodes_.size()) - 1};
  }

  template <typename Visit>
  void walk(TrieNode node, size_t level, std::vector<int32_t>& tuple, Visit& visit) const {
    nodes_[index_of(node)].for_each([&](ObjectId object) {
      tuple[order_[level]] = number_of(object);
      if (level + 1 == order_.size()) {
        visit(Tuple(tuple));
      } else {
        walk(find(node, object), level + 1, tuple, visit);
      }
    });
  }

  std::vector<int32_t> order_;
  int32_t num_objects_;
  std::vector<ObjectSet> nodes_;
  std::vector<TrieNode> first_;  // the root's children by object: most visits begin here
  ChildMap children_;            // the other nodes' children
  std::vector<TrieNode> free_;   // empty nodes to use again
  std::vector<TrieNode> path_;
  mutable bool used_ = false;
};

}  // namespace pg3
