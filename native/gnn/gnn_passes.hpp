// One pass over a batch of graphs, forward and back: from weights to the loss and its gradients.
//
// Graph by graph, so that all of a graph stays in the processor's caches. Everything is inline: the
// trainer compiles it for several kinds of processors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gnn/gnn_layers.hpp"
#include "gnn/gnn_shared.hpp"
#include "gnn/gnn_trainer.hpp"
#include "gnn/gnn_weights.hpp"
#include "gnn/rows.hpp"

namespace pg3 {

class GnnPasses {
 public:
  // Samples that were checked already; they must outlive this, like the weights.
  inline GnnPasses(const GnnShape& shape, const GnnSamples& samples, GnnWeights& weights);

  // Fills the gradients of the mean loss of the samples from begin up to end; the sum of their
  // losses.
  inline double run(int32_t begin, int32_t end);

 private:
  // The graph of a sample.
  struct SampleGraph {
    int32_t count, edge_count;
    const int32_t *nodes, *edges, *sources, *targets, *first;
    const float *node_counts, *edge_counts;
    int32_t whole;
  };

  inline SampleGraph graph_of(int32_t sample) const;
  inline void forward(int32_t sample);
  inline double loss(int32_t sample, float share);
  inline double softmax(int32_t count, int32_t stride, float* logits, const float* counts,
                        int32_t wanted, float share);
  inline void backward(int32_t sample);

  const GnnShape shape_;
  const GnnSamples& samples_;
  GnnWeights& weights_;
  GnnShared shared_;
  std::vector<float> node_counts_, edge_counts_, ones_;

  // One graph in work; index 0 of the values is what the first round starts from.
  Trace edge_trace_[kRounds], node_trace_[kRounds], global_trace_[kRounds];
  Rows node_values_[kRounds + 1];
  Row global_values_[kRounds + 1];
  Rows incoming_[kRounds];
  Row node_sums_[kRounds], edge_sums_[kRounds];
  Rows sources_, targets_;
  std::vector<float> argument_logits_, action_logits_;
  Rows node_gradients_, earlier_node_gradients_;
  Rows edge_gradients_, incoming_gradients_, source_gradients_, target_gradients_;
};

inline GnnPasses::GnnPasses(const GnnShape& shape, const GnnSamples& samples, GnnWeights& weights)
    : shape_(shape), samples_(samples), weights_(weights), shared_(shape, samples, weights) {
  node_counts_.assign(samples_.node_counts.begin(), samples_.node_counts.end());
  edge_counts_.assign(samples_.edge_counts.begin(), samples_.edge_counts.end());
  ones_.assign(shape.actions, 1.0f);

  size_t most_nodes = 0, most_edges = 0;
  for (size_t s = 0; s < samples_.actions.size(); ++s) {
    most_nodes =
        std::max<size_t>(most_nodes, samples_.node_begins[s + 1] - samples_.node_begins[s]);
    most_edges =
        std::max<size_t>(most_edges, samples_.edge_begins[s + 1] - samples_.edge_begins[s]);
  }
  for (int r = 0; r < kRounds; ++r) {
    edge_trace_[r].resize(most_edges);
    node_trace_[r].resize(most_nodes);
    global_trace_[r].resize(1);
    incoming_[r].resize(most_nodes);
  }
  for (Rows& values : node_values_) values.resize(most_nodes);
  argument_logits_.resize(most_nodes * shape.arguments);
  action_logits_.resize(shape.actions);
  for (Rows* rows : {&sources_, &targets_, &node_gradients_, &earlier_node_gradients_,
                     &incoming_gradients_, &source_gradients_, &target_gradients_}) {
    rows->resize(most_nodes);
  }
  edge_gradients_.resize(most_edges);
}

inline GnnPasses::SampleGraph GnnPasses::graph_of(int32_t sample) const {
  const int32_t node = samples_.node_begins[sample], edge = samples_.edge_begins[sample];
  return {samples_.node_begins[sample + 1] - node,
          samples_.edge_begins[sample + 1] - edge,
          samples_.nodes.data() + node,
          samples_.edges.data() + edge,
          samples_.sources.data() + edge,
          samples_.targets.data() + edge,
          shared_.first.of_edge.data() + edge,
          node_counts_.data() + node,
          edge_counts_.data() + edge,
          samples_.globals[sample]};
}

inline void GnnPasses::forward(int32_t sample) {
  const SampleGraph graph = graph_of(sample);
  const Tail edge_tail = weights_.tail(weights_.edge_module),
             node_tail = weights_.tail(weights_.node_module),
             global_tail = weights_.tail(weights_.global_module);

  for (int r = 0; r < kRounds; ++r) {
    auto start = [&](const Encoded& encoded, int product) {
      const Encoded::Product& chosen = encoded.products[product];
      return (r == 0 ? chosen.first : chosen.later).data();
    };
    const Row* before = node_values_[r].data();
    const Row* whole_before = &global_values_[r];
    Row node_whole = start(shared_.globals, 1)[graph.whole];
    Row global_sums = start(shared_.globals, 2)[graph.whole];
    for (int32_t i = 0; i < graph.count; ++i) incoming_[r][i] = Row{};
    if (r == 0) {
      for (int32_t e = 0; e < graph.edge_count; ++e) {
        incoming_[r][graph.targets[e]].add(graph.edge_counts[e],
                                           shared_.first.values[graph.first[e]]);
      }
    } else {
      Row edge_whole = shared_.globals.products[0].later[graph.whole];
      multiply<1>(&edge_whole, whole_before,
                  weights_.matrix(weights_.edge_module.part(edge_global)));
      multiply<1>(&node_whole, whole_before,
                  weights_.matrix(weights_.node_module.part(node_global)));
      multiply<1>(&global_sums, whole_before, weights_.matrix(weights_.global_module.part(global)));
      for (int32_t i = 0; i < graph.count; ++i) {
        sources_[i] = shared_.nodes.products[0].later[graph.nodes[i]];
        targets_[i] = shared_.nodes.products[1].later[graph.nodes[i]] + edge_whole;
      }
      multiply_all(graph.count, sources_.data(), before,
                   weights_.matrix(weights_.edge_module.part(source)));
      multiply_all(graph.count, targets_.data(), before,
                   weights_.matrix(weights_.edge_module.part(target)));
      const Row* edge_start = shared_.edges.products[0].later.data();
      in_blocks(graph.edge_count, [&](int32_t e, auto n) {
        Row sums[n], values[n];
        for (int j = 0; j < n; ++j) {
          sums[j] = edge_start[graph.edges[e + j]] + sources_[graph.sources[e + j]] +
                    targets_[graph.targets[e + j]];
        }
        if (r == 1) {
          for (int j = 0; j < n; ++j) sums[j] += shared_.first.products[graph.first[e + j]];
        } else {
          for (int j = 0; j < n; ++j) values[j] = edge_tail.value(edge_trace_[r - 1], e + j);
          multiply<n>(sums, values, weights_.matrix(weights_.edge_module.part(edge)));
        }
        edge_tail.forward<n>(sums, edge_trace_[r], e);
        for (int j = 0; j < n; ++j) {
          incoming_[r][graph.targets[e + j]].add(graph.edge_counts[e + j],
                                                 edge_tail.value(edge_trace_[r], e + j));
        }
      });
    }

    node_sums_[r] = edge_sums_[r] = Row{};
    const Row* node_start = start(shared_.nodes, 2);
    in_blocks(graph.count, [&](int32_t i, auto n) {
      Row sums[n];
      for (int j = 0; j < n; ++j) sums[j] = node_start[graph.nodes[i + j]] + node_whole;
      if (r > 0) multiply<n>(sums, before + i, weights_.matrix(weights_.node_module.part(node)));
      multiply<n>(sums, &incoming_[r][i], weights_.matrix(weights_.node_module.part(incoming)));
      node_tail.forward<n>(sums, node_trace_[r], i);
      for (int j = 0; j < n; ++j) {
        node_values_[r + 1][i + j] = node_tail.value(node_trace_[r], i + j);
        node_sums_[r].add(graph.node_counts[i + j], node_values_[r + 1][i + j]);
        edge_sums_[r].add(graph.node_counts[i + j], incoming_[r][i + j]);
      }
    });

    multiply<1>(&global_sums, &node_sums_[r],
                weights_.matrix(weights_.global_module.part(all_nodes)));
    multiply<1>(&global_sums, &edge_sums_[r],
                weights_.matrix(weights_.global_module.part(all_edges)));
    global_tail.forward<1>(&global_sums, global_trace_[r], 0);
    global_values_[r + 1] = global_tail.value(global_trace_[r], 0);
  }
}

// Turns logits into the gradients of the loss by them, times the sample's share; the loss. Each
// logit is that of `counts` equal choices, and one choice of the wanted logit is the right one.
inline double GnnPasses::softmax(int32_t count, int32_t stride, float* logits, const float* counts,
                                 int32_t wanted, float share) {
  float largest = logits[0];
  for (int32_t i = 1; i < count; ++i) largest = std::max(largest, logits[i * stride]);
  const float wanted_logit = logits[wanted * stride] - largest;
  float total = 0.0f;
  for (int32_t i = 0; i < count; ++i) {
    logits[i * stride] = counts[i] * power_of_e(logits[i * stride] - largest);
    total += logits[i * stride];
  }
  const float factor = share / total;
  for (int32_t i = 0; i < count; ++i) logits[i * stride] *= factor;
  logits[wanted * stride] -= share;
  return std::log(static_cast<double>(total)) - wanted_logit;
}

// The loss of a sample; the logits become its gradients.
inline double GnnPasses::loss(int32_t sample, float share) {
  const SampleGraph graph = graph_of(sample);
  const float* weights = weights_.flat();
  const int32_t places = shape_.arguments;

  weights_.actions.forward(global_values_[kRounds], weights, action_logits_.data());
  double result = softmax(shape_.actions, 1, action_logits_.data(), ones_.data(),
                          samples_.actions[sample], share);
  for (int32_t i = 0; i < graph.count; ++i) {
    weights_.arguments.forward(node_values_[kRounds][i], weights,
                               argument_logits_.data() + i * places);
  }
  for (int32_t p = 0; p < places; ++p) {
    const int32_t wanted = samples_.arguments[sample * places + p];
    if (wanted >= 0) {
      result += softmax(graph.count, places, argument_logits_.data() + p, graph.node_counts, wanted,
                        share);
    } else {
      for (int32_t i = 0; i < graph.count; ++i) argument_logits_[i * places + p] = 0.0f;
    }
  }
  return result;
}

inline void GnnPasses::backward(int32_t sample) {
  const SampleGraph graph = graph_of(sample);
  const Tail edge_tail = weights_.tail(weights_.edge_module),
             node_tail = weights_.tail(weights_.node_module),
             global_tail = weights_.tail(weights_.global_module);

  Row global_gradient, sum_gradient;
  weights_.actions.backward(global_values_[kRounds], action_logits_.data(), global_gradient);
  for (int32_t i = 0; i < graph.count; ++i) {
    weights_.arguments.backward(node_values_[kRounds][i],
                                argument_logits_.data() + i * shape_.arguments, node_gradients_[i]);
  }

  for (int r = kRounds - 1; r >= 0; --r) {
    const Row* before = node_values_[r].data();
    const Row* whole_before = &global_values_[r];
    Row earlier_global_gradient = {};
    auto start_gradients = [&](Encoded& encoded, int product) {
      Encoded::Product& chosen = encoded.products[product];
      return (r == 0 ? chosen.first_gradients : chosen.later_gradients).data();
    };
    // The share of the whole graph in the first layer of some module.
    auto global_share = [&](int product, int32_t part, const Row& slope) {
      start_gradients(shared_.globals, product)[graph.whole] += slope;
      if (r == 0) return;
      add_products<1>(weights_.gradient(part), whole_before, &slope);
      multiply<1>(&earlier_global_gradient, &slope, weights_.transposed(part));
    };

    global_tail.backward<1>(&global_gradient, global_trace_[r], 0, &sum_gradient);
    global_share(2, weights_.global_module.part(global), sum_gradient);
    add_products<1>(weights_.gradient(weights_.global_module.part(all_nodes)), &node_sums_[r],
                    &sum_gradient);
    add_products<1>(weights_.gradient(weights_.global_module.part(all_edges)), &edge_sums_[r],
                    &sum_gradient);
    Row each_node = {}, each_incoming = {};
    multiply<1>(&each_node, &sum_gradient,
                weights_.transposed(weights_.global_module.part(all_nodes)));
    multiply<1>(&each_incoming, &sum_gradient,
                weights_.transposed(weights_.global_module.part(all_edges)));

    Row node_whole = {};
    Row* node_start = start_gradients(shared_.nodes, 2);
    in_blocks(graph.count, [&](int32_t i, auto n) {
      Row sum_gradients[n];
      for (int j = 0; j < n; ++j) node_gradients_[i + j].add(graph.node_counts[i + j], each_node);
      node_tail.backward<n>(&node_gradients_[i], node_trace_[r], i, sum_gradients);
      add_products<n>(weights_.gradient(weights_.node_module.part(incoming)), &incoming_[r][i],
                      sum_gradients);
      for (int j = 0; j < n; ++j) {
        node_start[graph.nodes[i + j]] += sum_gradients[j];
        node_whole += sum_gradients[j];
        incoming_gradients_[i + j] = graph.node_counts[i + j] * each_incoming;
        earlier_node_gradients_[i + j] = source_gradients_[i + j] = target_gradients_[i + j] =
            Row{};
      }
      multiply<n>(&incoming_gradients_[i], sum_gradients,
                  weights_.transposed(weights_.node_module.part(incoming)));
      if (r > 0) {
        add_products<n>(weights_.gradient(weights_.node_module.part(node)), before + i,
                        sum_gradients);
        multiply<n>(&earlier_node_gradients_[i], sum_gradients,
                    weights_.transposed(weights_.node_module.part(node)));
      }
    });
    global_share(1, weights_.node_module.part(node_global), node_whole);

    if (r == 0) {
      for (int32_t e = 0; e < graph.edge_count; ++e) {
        shared_.first.value_gradients[graph.first[e]].add(graph.edge_counts[e],
                                                          incoming_gradients_[graph.targets[e]]);
      }
      break;
    }
    Row* edge_start = shared_.edges.products[0].later_gradients.data();
    in_blocks(graph.edge_count, [&](int32_t e, auto n) {
      Row value_gradients[n], sum_gradients[n], values[n];
      for (int j = 0; j < n; ++j) {
        value_gradients[j] = graph.edge_counts[e + j] * incoming_gradients_[graph.targets[e + j]];
        if (r + 1 < kRounds) value_gradients[j] += edge_gradients_[e + j];
      }
      edge_tail.backward<n>(value_gradients, edge_trace_[r], e, sum_gradients);
      for (int j = 0; j < n; ++j) {
        edge_start[graph.edges[e + j]] += sum_gradients[j];
        source_gradients_[graph.sources[e + j]] += sum_gradients[j];
        target_gradients_[graph.targets[e + j]] += sum_gradients[j];
      }
      if (r == 1) {
        for (int j = 0; j < n; ++j)
          shared_.first.product_gradients[graph.first[e + j]] += sum_gradients[j];
        return;
      }
      for (int j = 0; j < n; ++j) {
        values[j] = edge_tail.value(edge_trace_[r - 1], e + j);
        edge_gradients_[e + j] = Row{};
      }
      add_products<n>(weights_.gradient(weights_.edge_module.part(edge)), values, sum_gradients);
      multiply<n>(&edge_gradients_[e], sum_gradients,
                  weights_.transposed(weights_.edge_module.part(edge)));
    });

    Row edge_whole = {};
    Row* source_start = shared_.nodes.products[0].later_gradients.data();
    Row* target_start = shared_.nodes.products[1].later_gradients.data();
    for (int32_t i = 0; i < graph.count; ++i) {
      source_start[graph.nodes[i]] += source_gradients_[i];
      target_start[graph.nodes[i]] += target_gradients_[i];
      edge_whole += target_gradients_[i];
    }
    global_share(0, weights_.edge_module.part(edge_global), edge_whole);
    add_all_products(graph.count, weights_.gradient(weights_.edge_module.part(source)), before,
                     source_gradients_.data());
    add_all_products(graph.count, weights_.gradient(weights_.edge_module.part(target)), before,
                     target_gradients_.data());
    multiply_all(graph.count, earlier_node_gradients_.data(), source_gradients_.data(),
                 weights_.transposed(weights_.edge_module.part(source)));
    multiply_all(graph.count, earlier_node_gradients_.data(), target_gradients_.data(),
                 weights_.transposed(weights_.edge_module.part(target)));
    std::swap(node_gradients_, earlier_node_gradients_);
    global_gradient = earlier_global_gradient;
  }
}

inline double GnnPasses::run(int32_t begin, int32_t end) {
  weights_.begin_batch();
  shared_.forward();
  const float share = 1.0f / static_cast<float>(end - begin);
  double total = 0.0;
  for (int32_t sample = begin; sample < end; ++sample) {
    forward(sample);
    total += loss(sample, share);
    backward(sample);
  }
  shared_.backward();
  weights_.end_batch();
  return total;
}

}  // namespace pg3
