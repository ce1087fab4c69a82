// What the graphs of a batch share: computed once for all of them, its gradients collected until
// the last graph is done.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/tuple_table.hpp"
#include "gnn/gnn_layers.hpp"
#include "gnn/gnn_trainer.hpp"
#include "gnn/gnn_weights.hpp"
#include "gnn/rows.hpp"

namespace pg3 {

// One kind of distinct row (of nodes, edges or graphs): its features, what the encoder makes of
// them, the products with those parts of the first matrices that depend on nothing else, and the
// gradients of these, summed over a batch. The products of the encoder's part serve every round;
// those of the newest values' part serve the first round only, when these are the encoder's.
struct Encoded {
  const float* features = nullptr;
  int32_t count = 0;
  int32_t width = 0;
  Trace trace;
  Rows values;
  struct Product {
    int32_t fixed, newest;  // where the two matrices stand
    int32_t bias;           // added to the products, or -1
    Rows later, first;      // what rounds after the first, and the first, start from
    Rows later_gradients, first_gradients;
  };
  std::vector<Product> products;
};

// The edges as the first round sees them: they differ in the rows of the edge itself, of its two
// ends and of the graph only. There are few such kinds in all samples, so each is computed once a
// batch, and so is its product with the part of the matrix that it meets in the second round.
struct FirstEdges {
  struct Kind {
    int32_t edge, source, target, whole;
  };
  std::vector<Kind> kinds;
  std::vector<int32_t> of_edge;  // for each edge of each sample
  Trace trace;
  Rows values, products;
  Rows value_gradients, product_gradients;
};

class GnnShared {
 public:
  // Samples that were checked already; they must outlive this, like the weights.
  inline GnnShared(const GnnShape& shape, const GnnSamples& samples, GnnWeights& weights);

  // Products, by number: of nodes as source of an edge, as target, and for the node itself; of
  // edges for themselves; of globals for edges, for nodes, and for the graph itself.
  Encoded nodes, edges, globals;
  FirstEdges first;

  inline void forward();
  inline void backward();

 private:
  inline void prepare(Encoded& encoded, const std::vector<float>& rows, int32_t width,
                      const std::vector<std::array<int32_t, 3>>& products);
  inline void sort_out_first_edges(const GnnSamples& samples);
  inline void encode(const Module& module, Encoded& encoded);
  inline void encode_backward(const Module& module, Encoded& encoded);
  inline void first_edges();
  inline void first_edges_backward();

  GnnWeights& weights_;
};

inline GnnShared::GnnShared(const GnnShape& shape, const GnnSamples& samples, GnnWeights& weights)
    : weights_(weights) {
  const Module& edge_module = weights.edge_module;
  const Module& node_module = weights.node_module;
  const Module& global_module = weights.global_module;
  prepare(nodes, samples.node_rows, shape.node_width,
          {{edge_module.part(source0), edge_module.part(source), -1},
           {edge_module.part(target0), edge_module.part(target), -1},
           {node_module.part(node0), node_module.part(node), -1}});
  prepare(edges, samples.edge_rows, shape.edge_width,
          {{edge_module.part(edge0), edge_module.part(edge), edge_module.bias()}});
  prepare(globals, samples.global_rows, shape.global_width,
          {{edge_module.part(edge_global0), edge_module.part(edge_global), -1},
           {node_module.part(node_global0), node_module.part(node_global), node_module.bias()},
           {global_module.part(global0), global_module.part(global), global_module.bias()}});

  sort_out_first_edges(samples);
}

inline void GnnShared::forward() {
  encode(weights_.encode_node, nodes);
  encode(weights_.encode_edge, edges);
  encode(weights_.encode_global, globals);
  first_edges();
}

inline void GnnShared::backward() {
  first_edges_backward();
  encode_backward(weights_.encode_node, nodes);
  encode_backward(weights_.encode_edge, edges);
  encode_backward(weights_.encode_global, globals);
}

inline void GnnShared::prepare(Encoded& encoded, const std::vector<float>& rows, int32_t width,
                               const std::vector<std::array<int32_t, 3>>& products) {
  encoded.features = rows.data();
  encoded.width = width;
  encoded.count = width == 0 ? 1 : static_cast<int32_t>(rows.size() / width);
  encoded.trace.resize(encoded.count);
  encoded.values.resize(encoded.count);
  for (const auto& [fixed, newest, bias] : products) {
    const Rows empty(encoded.count);
    encoded.products.push_back({fixed, newest, bias, empty, empty, empty, empty});
  }
}

inline void GnnShared::sort_out_first_edges(const GnnSamples& samples) {
  TupleTable kinds;
  for (size_t s = 0; s < samples.actions.size(); ++s) {
    const int32_t* rows = samples.nodes.data() + samples.node_begins[s];
    for (int32_t e = samples.edge_begins[s]; e < samples.edge_begins[s + 1]; ++e) {
      const std::array<int32_t, 4> kind{samples.edges[e], rows[samples.sources[e]],
                                        rows[samples.targets[e]], samples.globals[s]};
      const auto [number, is_new] = kinds.insert(kind);
      if (is_new) first.kinds.push_back({kind[0], kind[1], kind[2], kind[3]});
      first.of_edge.push_back(number);
    }
  }
  first.trace.resize(first.kinds.size());
  for (Rows* rows :
       {&first.values, &first.products, &first.value_gradients, &first.product_gradients}) {
    rows->resize(first.kinds.size());
  }
}

inline void GnnShared::encode(const Module& module, Encoded& encoded) {
  const Tail rest = weights_.tail(module);
  for (int32_t u = 0; u < encoded.count; ++u) {
    Row sums = *weights_.matrix(module.bias());
    for (int32_t k = 0; k < encoded.width; ++k) {
      sums.add(encoded.features[u * encoded.width + k], *weights_.matrix(module.begin + k));
    }
    rest.forward<1>(&sums, encoded.trace, u);
    encoded.values[u] = rest.value(encoded.trace, u);
  }
  for (Encoded::Product& product : encoded.products) {
    const Row start = product.bias < 0 ? Row{} : *weights_.matrix(product.bias);
    std::fill(product.later.begin(), product.later.end(), start);
    multiply_all(encoded.count, product.later.data(), encoded.values.data(),
                 weights_.matrix(product.fixed));
    product.first = product.later;
    multiply_all(encoded.count, product.first.data(), encoded.values.data(),
                 weights_.matrix(product.newest));
    std::fill(product.later_gradients.begin(), product.later_gradients.end(), Row{});
    std::fill(product.first_gradients.begin(), product.first_gradients.end(), Row{});
  }
}

inline void GnnShared::encode_backward(const Module& module, Encoded& encoded) {
  const Tail rest = weights_.tail(module);
  for (int32_t u = 0; u < encoded.count; ++u) {
    Row value_gradient = {};
    const Row* value = &encoded.values[u];
    for (Encoded::Product& product : encoded.products) {
      const Row* early = &product.first_gradients[u];
      const Row both = product.later_gradients[u] + *early;
      add_products<1>(weights_.gradient(product.fixed), value, &both);
      add_products<1>(weights_.gradient(product.newest), value, early);
      multiply<1>(&value_gradient, &both, weights_.transposed(product.fixed));
      multiply<1>(&value_gradient, early, weights_.transposed(product.newest));
      if (product.bias >= 0) *weights_.gradient(product.bias) += both;
    }
    Row sums;
    rest.backward<1>(&value_gradient, encoded.trace, u, &sums);
    for (int32_t k = 0; k < encoded.width; ++k) {
      weights_.gradient(module.begin + k)->add(encoded.features[u * encoded.width + k], sums);
    }
    *weights_.gradient(module.bias()) += sums;
  }
}

inline void GnnShared::first_edges() {
  const Tail rest = weights_.tail(weights_.edge_module);
  in_blocks(static_cast<int32_t>(first.kinds.size()), [&](int32_t i, auto n) {
    Row sums[n];
    for (int j = 0; j < n; ++j) {
      const auto& [edge_row, source_row, target_row, whole] = first.kinds[i + j];
      sums[j] = (edges.products[0].first[edge_row] + nodes.products[0].first[source_row]) +
                (nodes.products[1].first[target_row] + globals.products[0].first[whole]);
    }
    rest.forward<n>(sums, first.trace, i);
    for (int j = 0; j < n; ++j) {
      first.values[i + j] = rest.value(first.trace, i + j);
      first.products[i + j] = first.value_gradients[i + j] = first.product_gradients[i + j] = Row{};
    }
    multiply<n>(&first.products[i], &first.values[i],
                weights_.matrix(weights_.edge_module.part(edge)));
  });
}

inline void GnnShared::first_edges_backward() {
  const Tail rest = weights_.tail(weights_.edge_module);
  in_blocks(static_cast<int32_t>(first.kinds.size()), [&](int32_t i, auto n) {
    Row* slopes = &first.product_gradients[i];
    add_products<n>(weights_.gradient(weights_.edge_module.part(edge)), &first.values[i], slopes);
    multiply<n>(&first.value_gradients[i], slopes,
                weights_.transposed(weights_.edge_module.part(edge)));
    Row sums[n];
    rest.backward<n>(&first.value_gradients[i], first.trace, i, sums);
    for (int j = 0; j < n; ++j) {
      const auto& [edge_row, source_row, target_row, whole] = first.kinds[i + j];
      edges.products[0].first_gradients[edge_row] += sums[j];
      nodes.products[0].first_gradients[source_row] += sums[j];
      nodes.products[1].first_gradients[target_row] += sums[j];
      globals.products[0].first_gradients[whole] += sums[j];
    }
  });
}

}  // namespace pg3
