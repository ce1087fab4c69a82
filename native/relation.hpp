// A set of tuples of one length with as many sorted indexes as are asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "trie.hpp"
#include "tuple_table.hpp"

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

  // How many tuples agree at the places of the mask: the most up to now, or a bound on it where more
  // than one place is left, and the mean.
  double fan_out(uint64_t mask);
  double mean_fan_out(uint64_t mask);
  // The most objects up to now at one place of the tuples that agree at the places of the mask.
  double values(uint64_t mask, int32_t place);

  size_t arity() const { return arity_; }
  size_t bytes() const;

 private:
  Trie& find_or_build(const std::vector<int32_t>& order);
  // What an index knows that begins with the places of the mask, then `place` if it is not -1.
  const std::vector<Trie::Level>& levels(uint64_t mask, int32_t place);

  size_t arity_;
  int32_t num_objects_;
  std::function<void(const Visitor&)> fill_;
  std::vector<std::unique_ptr<Trie>> indexes_;
  // By order: what an index knew before it was dropped.
  std::map<std::vector<int32_t>, std::vector<Trie::Level>> old_levels_;
  int32_t size_ = 0, peak_ = 0;
};

}  // namespace pg3
