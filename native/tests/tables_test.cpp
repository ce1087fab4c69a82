#include <set>

#include "core/fact_table.hpp"
#include "core/graph.hpp"
#include "core/object_set.hpp"
#include "core/relation.hpp"
#include "core/tuple_table.hpp"
#include "ground/generator.hpp"
#include "tests/check.hpp"

using namespace pg3;

TEST(tuples_are_numbered_in_order_of_arrival) {
  TupleTable table;
  const std::vector<std::vector<int32_t>> tuples{{1, 2}, {}, {1}, {1, 2, 3}};
  for (int32_t i = 0; i < 4; ++i) CHECK(table.insert(tuples[i]) == std::pair(i, true));
  CHECK(table.insert(tuples[2]) == std::pair(2, false));
  CHECK(table.size() == 4);
  CHECK(table.find(std::vector<int32_t>{2, 1}) == -1);
  CHECK(table[3].size() == 3 && table[3][2] == 3);
}

// Through all its forms: a few in place, a sorted list, levels of bits.
TEST(a_set_of_objects_is_a_set) {
  constexpr int32_t kUniverse = 500;
  Generator generator(1);
  ObjectSet set;
  std::set<ObjectId> expected;
  for (int32_t step = 0; step < 4000; ++step) {
    const ObjectId x{static_cast<int32_t>(generator.below(kUniverse))};
    if (generator.below(3) > 0) {
      CHECK(set.insert(x, kUniverse) == expected.insert(x).second);
    } else {
      CHECK(set.erase(x) == (expected.erase(x) == 1));
    }
    CHECK(set.size() == static_cast<int32_t>(expected.size()));
    const ObjectId from{static_cast<int32_t>(generator.below(kUniverse))};
    const auto next = expected.lower_bound(from);
    CHECK(set.next(from) == (next == expected.end() ? ObjectId::none : *next));
    CHECK(set.contains(from) == expected.contains(from));
  }
}

TEST(an_index_of_a_relation_follows_its_changes) {
  Relation relation(2, 10, [](const Relation::Visitor& visit) {
    visit(std::vector<int32_t>{3, 1});
    visit(std::vector<int32_t>{3, 4});
  });
  const Trie& by_second = relation.index({1, 0});
  relation.insert(std::vector<int32_t>{7, 4});
  relation.erase(std::vector<int32_t>{3, 1});
  std::vector<std::vector<int32_t>> found;
  by_second.for_each([&](Tuple tuple) { found.emplace_back(tuple.begin(), tuple.end()); });
  CHECK(found == std::vector<std::vector<int32_t>>{{3, 4}, {7, 4}});
  CHECK(relation.size() == 2);
  CHECK(by_second.next(TrieNode::root, ObjectId{0}) == ObjectId{4});
}

TEST(facts_of_every_arity_are_found_again) {
  for (size_t arity = 0; arity <= 4; ++arity) {
    FactTable table(arity);
    const std::vector<int32_t> objects(arity, 5);
    CHECK(table.find(objects) == nullptr);
    table.meet(objects).present = true;
    CHECK(table.find(objects) && table.find(objects)->present);
    size_t visits = 0;
    table.for_each([](const Fact& fact) { return fact.present; },
                   [&](Tuple found) { visits += std::ranges::equal(found, objects); });
    CHECK(visits == 1);
  }
}

TEST(a_graph_knows_its_shortest_paths) {
  Graph graph;
  graph.clear(5);
  for (int32_t i = 0; i < 3; ++i) graph.insert(i, i + 1);
  CHECK(graph.reaches(0, 3) && graph.reaches(2, 2) && !graph.reaches(3, 0));
  CHECK(graph.is_next(0, 1, 3) && !graph.is_next(1, 0, 3) && !graph.reaches(0, 4));
  graph.erase(1, 2);
  CHECK(!graph.reaches(0, 3));
  graph.insert(0, 3);
  CHECK(graph.is_next(0, 3, 3));
}
