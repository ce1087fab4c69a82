// A set of tuples of one length with as many sorted indexes as are asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/trie.hpp"
#include "core/tuple_table.hpp"

namespace pg3 {

class Relation {
 public:
  using Visitor = std::function<void(Tuple)>;
  // `fill` visits the tuples of now; it is asked where there is no index to copy from.
  Relation(size_t arity, int32_t num_objects, std::function<void(const Visitor&)> fill);

  // The index that is sorted by the places in this order, kept up to date from now on. The
  // reference stays valid until drop_unused() finds that nobody asked since forget_uses().
  const Trie& index(const std::vector<int32_t>& order);
  void forget_uses();
  void drop_unused();

  // What is there already, or is not there, is left as it is.
  void insert(Tuple tuple);
  void erase(Tuple tuple);

  // How many tuples there are, and the most that there were.
  int32_t size() const { return size_; }
  int32_t peak() const { return peak_; }

  // How many different objects there are at a place, or tuples if it is -1, in the tuples that
  // agree at the places of the mask: the most found up to now, and the mean. For choices only:
  // counted when asked for the first time, and again when much has changed since.
  struct Spread {
    double most = 0, mean = 0;
  };
  Spread spread(uint64_t mask, int32_t place = -1);

  size_t arity() const { return arity_; }
  size_t bytes() const;

 private:
  Trie& find_or_build(const std::vector<int32_t>& order);
  void for_each(const Visitor& visit) const;
  Spread count(uint64_t mask, int32_t place) const;
  Spread count_at(int32_t place) const;

  size_t arity_;
  int32_t num_objects_;
  std::function<void(const Visitor&)> fill_;
  std::vector<std::unique_ptr<Trie>> indexes_;
  struct Counted {
    Spread spread;
    int64_t at_change = 0;
  };
  std::map<std::pair<uint64_t, int32_t>, Counted> counted_;
  int64_t changes_ = 0;
  int32_t size_ = 0, peak_ = 0;
};

}  // namespace pg3
