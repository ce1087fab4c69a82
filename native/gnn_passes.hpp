// One pass over a batch of graphs, forward and back: from weights to the loss and its gradients.
//
// Graph by graph; what the graphs share (the encoder, the first round's edges) is computed once for
// all of them, and its gradients are collected until the last graph is done. All is inline, so that
// the trainer can compile it for several kinds of processors.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gnn_layers.hpp"
#include "gnn_trainer.hpp"
#include "rows.hpp"
#include "tuple_table.hpp"

namespace pg3 {

class GnnPasses {
 public:
  // Samples that were checked already; they must outlive this.
  inline GnnPasses(const GnnShape& shape, const GnnSamples& samples);

  // How many weights the network has. They and their gradients are kept in rows, the last of them
  // filled up with zeros.
  size_t num_weights() const { return action_layer_.end(); }
  Rows& weights() { return weights_; }
  const Rows& weights() const { return weights_; }
  const Rows& gradients() const { return gradients_; }

  // Fills the gradients of the mean loss of some samples; the sum of their losses.
  inline double run(const int32_t* first, const int32_t* last);

 private:
  // The graph of a sample.
  struct View {
    int32_t count, edge_count;
    const int32_t *nodes, *edges, *sources, *targets, *first;
    const float *node_counts, *edge_counts;
    int32_t whole;
  };

  inline View view(int32_t sample) const;
  inline void prepare(Encoded& encoded, const std::vector<float>& rows, int32_t width,
                      std::vector<std::array<int32_t, 3>> products);
  inline Tail tail(const Module& module);
  const Row* matrix(int32_t begin) const { return weights_.data() + begin; }
  const Row* transposed(int32_t begin) const { return transposed_.data() + begin; }
  Row* gradient(int32_t begin) { return gradients_.data() + begin; }

  inline void transpose_all();
  inline void encode(const Module& module, Encoded& encoded);
  inline void encode_backward(const Module& module, Encoded& encoded);
  inline void sort_out_first_edges();
  inline void first_edges();
  inline void first_edges_backward();
  inline void forward(int32_t sample);
  inline double loss(int32_t sample, float share);
  inline double softmax(int32_t count, int32_t stride, float* logits, const float* counts,
                        int32_t wanted, float share);
  inline void backward(int32_t sample);

  const GnnShape shape_;
  const GnnSamples& samples_;

  Module encode_node_, encode_edge_, encode_global_;
  Module edge_, node_, global_;
  Module decode_node_, decode_global_;

  // In rows; the last rows hold the output layers.
  Rows weights_, transposed_, gradients_;

  Encoded nodes_, edges_, globals_;
  FirstEdges first_;
  std::vector<float> node_counts_, edge_counts_, ones_;
  OutputLayer argument_layer_, action_layer_;

  // One graph in work; index 0 of the values is what the first round starts from.
  Trace edge_trace_[kRounds], node_trace_[kRounds], global_trace_[kRounds];
  Trace node_decoded_, global_decoded_;
  Rows node_values_[kRounds + 1];
  Row global_values_[kRounds + 1];
  Rows incoming_[kRounds];
  Row node_sums_[kRounds], edge_sums_[kRounds];
  Rows sources_, targets_;
  std::vector<float> argument_logits_, action_logits_;
  Rows node_gradients_, earlier_node_gradients_;
  Rows edge_gradients_, incoming_gradients_, source_gradients_, target_gradients_;
};

// The places follow weight_layout in src/pg3/baselines/gnn/weights.py.
inline GnnPasses::GnnPasses(const GnnShape& shape, const GnnSamples& samples)
    : shape_(shape), samples_(samples) {
  int32_t at = 0;
  auto place = [&](Module& module, int32_t inputs) {
    module = {at, inputs};
    at = module.end();
  };
  place(encode_node_, shape.node_width);
  place(encode_edge_, shape.edge_width);
  place(encode_global_, shape.global_width);
  place(edge_, kEdgeParts * kWidth);
  place(node_, kNodeParts * kWidth);
  place(global_, kGlobalParts * kWidth);
  place(decode_node_, kWidth);
  place(decode_global_, kWidth);
  argument_layer_.place(static_cast<size_t>(at) * kWidth, shape.arguments);
  action_layer_.place(argument_layer_.end(), shape.actions);

  const size_t num_rows = (num_weights() + kWidth - 1) / kWidth;
  for (Rows* rows : {&weights_, &transposed_, &gradients_}) rows->assign(num_rows, Row{});

  prepare(nodes_, samples_.node_rows, shape.node_width,
          {{edge_.part(source0), edge_.part(source), -1},
           {edge_.part(target0), edge_.part(target), -1},
           {node_.part(node0), node_.part(node), -1}});
  prepare(edges_, samples_.edge_rows, shape.edge_width,
          {{edge_.part(edge0), edge_.part(edge), edge_.bias()}});
  prepare(globals_, samples_.global_rows, shape.global_width,
          {{edge_.part(edge_global0), edge_.part(edge_global), -1},
           {node_.part(node_global0), node_.part(node_global), node_.bias()},
           {global_.part(global0), global_.part(global), global_.bias()}});

  sort_out_first_edges();
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
  node_decoded_.resize(most_nodes);
  global_decoded_.resize(1);
  argument_logits_.resize(most_nodes * shape.arguments);
  action_logits_.resize(shape.actions);
  for (Rows* rows : {&sources_, &targets_, &node_gradients_, &earlier_node_gradients_,
                     &incoming_gradients_, &source_gradients_, &target_gradients_}) {
    rows->resize(most_nodes);
  }
  edge_gradients_.resize(most_edges);
}

inline GnnPasses::View GnnPasses::view(int32_t sample) const {
  const int32_t node = samples_.node_begins[sample], edge = samples_.edge_begins[sample];
  return {samples_.node_begins[sample + 1] - node,
          samples_.edge_begins[sample + 1] - edge,
          samples_.nodes.data() + node,
          samples_.edges.data() + edge,
          samples_.sources.data() + edge,
          samples_.targets.data() + edge,
          first_.of_edge.data() + edge,
          node_counts_.data() + node,
          edge_counts_.data() + edge,
          samples_.globals[sample]};
}

inline void GnnPasses::prepare(Encoded& encoded, const std::vector<float>& rows, int32_t width,
                               std::vector<std::array<int32_t, 3>> products) {
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

inline void GnnPasses::sort_out_first_edges() {
  TupleTable kinds;
  for (size_t s = 0; s < samples_.actions.size(); ++s) {
    const int32_t* rows = samples_.nodes.data() + samples_.node_begins[s];
    for (int32_t e = samples_.edge_begins[s]; e < samples_.edge_begins[s + 1]; ++e) {
      const std::array<int32_t, 4> kind{samples_.edges[e], rows[samples_.sources[e]],
                                        rows[samples_.targets[e]], samples_.globals[s]};
      const auto [number, is_new] = kinds.insert(kind);
      if (is_new) first_.kinds.push_back({kind[0], kind[1], kind[2], kind[3]});
      first_.of_edge.push_back(number);
    }
  }
  first_.trace.resize(first_.kinds.size());
  for (Rows* rows :
       {&first_.values, &first_.products, &first_.value_gradients, &first_.product_gradients}) {
    rows->resize(first_.kinds.size());
  }
}

inline Tail GnnPasses::tail(const Module& module) {
  return {matrix(module.output()),        transposed(module.output()), matrix(module.output_bias()),
          matrix(module.scale()),         matrix(module.shift()),      gradient(module.output()),
          gradient(module.output_bias()), gradient(module.scale()),    gradient(module.shift())};
}

inline void GnnPasses::transpose_all() {
  auto turn = [&](int32_t begin) { transpose(matrix(begin), transposed_.data() + begin); };
  for (const Module* module : {&encode_node_, &encode_edge_, &encode_global_, &edge_, &node_,
                               &global_, &decode_node_, &decode_global_}) {
    turn(module->output());
  }
  for (const Module* module : {&edge_, &node_, &global_, &decode_node_, &decode_global_}) {
    for (int32_t part = 0; part < module->inputs / kWidth; ++part) turn(module->part(part));
  }
}

inline void GnnPasses::encode(const Module& module, Encoded& encoded) {
  const Tail rest = tail(module);
  for (int32_t u = 0; u < encoded.count; ++u) {
    Row sums = *matrix(module.bias());
    for (int32_t k = 0; k < encoded.width; ++k) {
      sums.add(encoded.features[u * encoded.width + k], *matrix(module.begin + k));
    }
    rest.forward<1>(&sums, encoded.trace, u);
    encoded.values[u] = rest.value(encoded.trace, u);
  }
  for (Encoded::Product& product : encoded.products) {
    const Row start = product.bias < 0 ? Row{} : *matrix(product.bias);
    std::fill(product.later.begin(), product.later.end(), start);
    multiply_all(encoded.count, product.later.data(), encoded.values.data(), matrix(product.fixed));
    product.first = product.later;
    multiply_all(encoded.count, product.first.data(), encoded.values.data(),
                 matrix(product.newest));
    std::fill(product.later_gradients.begin(), product.later_gradients.end(), Row{});
    std::fill(product.first_gradients.begin(), product.first_gradients.end(), Row{});
  }
}

inline void GnnPasses::encode_backward(const Module& module, Encoded& encoded) {
  const Tail rest = tail(module);
  for (int32_t u = 0; u < encoded.count; ++u) {
    Row value_gradient = {};
    const Row* value = &encoded.values[u];
    for (Encoded::Product& product : encoded.products) {
      const Row* first = &product.first_gradients[u];
      const Row both = product.later_gradients[u] + *first;
      add_products<1>(gradient(product.fixed), value, &both);
      add_products<1>(gradient(product.newest), value, first);
      multiply<1>(&value_gradient, &both, transposed(product.fixed));
      multiply<1>(&value_gradient, first, transposed(product.newest));
      if (product.bias >= 0) *gradient(product.bias) += both;
    }
    Row sums;
    rest.backward<1>(&value_gradient, encoded.trace, u, &sums);
    for (int32_t k = 0; k < encoded.width; ++k) {
      gradient(module.begin + k)->add(encoded.features[u * encoded.width + k], sums);
    }
    *gradient(module.bias()) += sums;
  }
}

inline void GnnPasses::first_edges() {
  const Tail rest = tail(edge_);
  in_blocks(static_cast<int32_t>(first_.kinds.size()), [&](int32_t i, auto n) {
    Row sums[n];
    for (int j = 0; j < n; ++j) {
      const auto& [edge_row, source_row, target_row, whole] = first_.kinds[i + j];
      sums[j] = (edges_.products[0].first[edge_row] + nodes_.products[0].first[source_row]) +
                (nodes_.products[1].first[target_row] + globals_.products[0].first[whole]);
    }
    rest.forward<n>(sums, first_.trace, i);
    for (int j = 0; j < n; ++j) {
      first_.values[i + j] = rest.value(first_.trace, i + j);
      first_.products[i + j] = first_.value_gradients[i + j] = first_.product_gradients[i + j] =
          Row{};
    }
    multiply<n>(&first_.products[i], &first_.values[i], matrix(edge_.part(edge)));
  });
}

inline void GnnPasses::first_edges_backward() {
  const Tail rest = tail(edge_);
  in_blocks(static_cast<int32_t>(first_.kinds.size()), [&](int32_t i, auto n) {
    Row* slopes = &first_.product_gradients[i];
    add_products<n>(gradient(edge_.part(edge)), &first_.values[i], slopes);
    multiply<n>(&first_.value_gradients[i], slopes, transposed(edge_.part(edge)));
    Row sums[n];
    rest.backward<n>(&first_.value_gradients[i], first_.trace, i, sums);
    for (int j = 0; j < n; ++j) {
      const auto& [edge_row, source_row, target_row, whole] = first_.kinds[i + j];
      edges_.products[0].first_gradients[edge_row] += sums[j];
      nodes_.products[0].first_gradients[source_row] += sums[j];
      nodes_.products[1].first_gradients[target_row] += sums[j];
      globals_.products[0].first_gradients[whole] += sums[j];
    }
  });
}

inline void GnnPasses::forward(int32_t sample) {
  const auto& [count, edge_count, node_row, edge_row, from, to, first, node_count, edge_times,
               whole] = view(sample);
  const Tail edge_tail = tail(edge_), node_tail = tail(node_), global_tail = tail(global_);

  for (int r = 0; r < kRounds; ++r) {
    auto start = [&](const Encoded& encoded, int product) {
      const Encoded::Product& chosen = encoded.products[product];
      return (r == 0 ? chosen.first : chosen.later).data();
    };
    const Row* before = node_values_[r].data();
    const Row* whole_before = &global_values_[r];
    Row node_whole = start(globals_, 1)[whole];
    Row global_sums = start(globals_, 2)[whole];
    for (int32_t i = 0; i < count; ++i) incoming_[r][i] = Row{};
    if (r == 0) {
      for (int32_t e = 0; e < edge_count; ++e) {
        incoming_[r][to[e]].add(edge_times[e], first_.values[first[e]]);
      }
    } else {
      Row edge_whole = globals_.products[0].later[whole];
      multiply<1>(&edge_whole, whole_before, matrix(edge_.part(edge_global)));
      multiply<1>(&node_whole, whole_before, matrix(node_.part(node_global)));
      multiply<1>(&global_sums, whole_before, matrix(global_.part(global)));
      for (int32_t i = 0; i < count; ++i) {
        sources_[i] = nodes_.products[0].later[node_row[i]];
        targets_[i] = nodes_.products[1].later[node_row[i]] + edge_whole;
      }
      multiply_all(count, sources_.data(), before, matrix(edge_.part(source)));
      multiply_all(count, targets_.data(), before, matrix(edge_.part(target)));
      const Row* edge_start = edges_.products[0].later.data();
      in_blocks(edge_count, [&](int32_t e, auto n) {
        Row sums[n], values[n];
        for (int j = 0; j < n; ++j) {
          sums[j] = edge_start[edge_row[e + j]] + sources_[from[e + j]] + targets_[to[e + j]];
        }
        if (r == 1) {
          for (int j = 0; j < n; ++j) sums[j] += first_.products[first[e + j]];
        } else {
          for (int j = 0; j < n; ++j) values[j] = edge_tail.value(edge_trace_[r - 1], e + j);
          multiply<n>(sums, values, matrix(edge_.part(edge)));
        }
        edge_tail.forward<n>(sums, edge_trace_[r], e);
        for (int j = 0; j < n; ++j) {
          incoming_[r][to[e + j]].add(edge_times[e + j], edge_tail.value(edge_trace_[r], e + j));
        }
      });
    }

    node_sums_[r] = edge_sums_[r] = Row{};
    const Row* node_start = start(nodes_, 2);
    in_blocks(count, [&](int32_t i, auto n) {
      Row sums[n];
      for (int j = 0; j < n; ++j) sums[j] = node_start[node_row[i + j]] + node_whole;
      if (r > 0) multiply<n>(sums, before + i, matrix(node_.part(node)));
      multiply<n>(sums, &incoming_[r][i], matrix(node_.part(incoming)));
      node_tail.forward<n>(sums, node_trace_[r], i);
      for (int j = 0; j < n; ++j) {
        node_values_[r + 1][i + j] = node_tail.value(node_trace_[r], i + j);
        node_sums_[r].add(node_count[i + j], node_values_[r + 1][i + j]);
        edge_sums_[r].add(node_count[i + j], incoming_[r][i + j]);
      }
    });

    multiply<1>(&global_sums, &node_sums_[r], matrix(global_.part(all_nodes)));
    multiply<1>(&global_sums, &edge_sums_[r], matrix(global_.part(all_edges)));
    global_tail.forward<1>(&global_sums, global_trace_[r], 0);
    global_values_[r + 1] = global_tail.value(global_trace_[r], 0);
  }

  const Tail node_decoder = tail(decode_node_), global_decoder = tail(decode_global_);
  in_blocks(count, [&](int32_t i, auto n) {
    Row sums[n];
    for (int j = 0; j < n; ++j) sums[j] = *matrix(decode_node_.bias());
    multiply<n>(sums, &node_values_[kRounds][i], matrix(decode_node_.part(0)));
    node_decoder.forward<n>(sums, node_decoded_, i);
  });
  Row sums = *matrix(decode_global_.bias());
  multiply<1>(&sums, &global_values_[kRounds], matrix(decode_global_.part(0)));
  global_decoder.forward<1>(&sums, global_decoded_, 0);
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
  const View graph = view(sample);
  const auto* weights = reinterpret_cast<const float*>(weights_.data());
  const int32_t places = shape_.arguments;
  const Tail node_decoder = tail(decode_node_), global_decoder = tail(decode_global_);

  action_layer_.forward(global_decoder.value(global_decoded_, 0), weights, action_logits_.data());
  double result = softmax(shape_.actions, 1, action_logits_.data(), ones_.data(),
                          samples_.actions[sample], share);
  for (int32_t i = 0; i < graph.count; ++i) {
    argument_layer_.forward(node_decoder.value(node_decoded_, i), weights,
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
  const auto& [count, edge_count, node_row, edge_row, from, to, first, node_count, edge_times,
               whole] = view(sample);
  const Tail edge_tail = tail(edge_), node_tail = tail(node_), global_tail = tail(global_);
  const Tail node_decoder = tail(decode_node_), global_decoder = tail(decode_global_);
  const int32_t places = shape_.arguments;

  Row value_gradient, global_gradient = {};
  action_layer_.backward(global_decoder.value(global_decoded_, 0), action_logits_.data(),
                         value_gradient);
  Row sum_gradient;
  global_decoder.backward<1>(&value_gradient, global_decoded_, 0, &sum_gradient);
  *gradient(decode_global_.bias()) += sum_gradient;
  add_products<1>(gradient(decode_global_.part(0)), &global_values_[kRounds], &sum_gradient);
  multiply<1>(&global_gradient, &sum_gradient, transposed(decode_global_.part(0)));

  in_blocks(count, [&](int32_t i, auto n) {
    Row value_gradients[n], sum_gradients[n];
    for (int j = 0; j < n; ++j) {
      argument_layer_.backward(node_decoder.value(node_decoded_, i + j),
                               argument_logits_.data() + (i + j) * places, value_gradients[j]);
    }
    node_decoder.backward<n>(value_gradients, node_decoded_, i, sum_gradients);
    for (int j = 0; j < n; ++j) *gradient(decode_node_.bias()) += sum_gradients[j];
    add_products<n>(gradient(decode_node_.part(0)), &node_values_[kRounds][i], sum_gradients);
    for (int j = 0; j < n; ++j) node_gradients_[i + j] = Row{};
    multiply<n>(&node_gradients_[i], sum_gradients, transposed(decode_node_.part(0)));
  });

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
      start_gradients(globals_, product)[whole] += slope;
      if (r == 0) return;
      add_products<1>(gradient(part), whole_before, &slope);
      multiply<1>(&earlier_global_gradient, &slope, transposed(part));
    };

    global_tail.backward<1>(&global_gradient, global_trace_[r], 0, &sum_gradient);
    global_share(2, global_.part(global), sum_gradient);
    add_products<1>(gradient(global_.part(all_nodes)), &node_sums_[r], &sum_gradient);
    add_products<1>(gradient(global_.part(all_edges)), &edge_sums_[r], &sum_gradient);
    Row each_node = {}, each_incoming = {};
    multiply<1>(&each_node, &sum_gradient, transposed(global_.part(all_nodes)));
    multiply<1>(&each_incoming, &sum_gradient, transposed(global_.part(all_edges)));

    Row node_whole = {};
    Row* node_start = start_gradients(nodes_, 2);
    in_blocks(count, [&](int32_t i, auto n) {
      Row sum_gradients[n];
      for (int j = 0; j < n; ++j) node_gradients_[i + j].add(node_count[i + j], each_node);
      node_tail.backward<n>(&node_gradients_[i], node_trace_[r], i, sum_gradients);
      add_products<n>(gradient(node_.part(incoming)), &incoming_[r][i], sum_gradients);
      for (int j = 0; j < n; ++j) {
        node_start[node_row[i + j]] += sum_gradients[j];
        node_whole += sum_gradients[j];
        incoming_gradients_[i + j] = node_count[i + j] * each_incoming;
        earlier_node_gradients_[i + j] = source_gradients_[i + j] = target_gradients_[i + j] =
            Row{};
      }
      multiply<n>(&incoming_gradients_[i], sum_gradients, transposed(node_.part(incoming)));
      if (r > 0) {
        add_products<n>(gradient(node_.part(node)), before + i, sum_gradients);
        multiply<n>(&earlier_node_gradients_[i], sum_gradients, transposed(node_.part(node)));
      }
    });
    global_share(1, node_.part(node_global), node_whole);

    if (r == 0) {
      for (int32_t e = 0; e < edge_count; ++e) {
        first_.value_gradients[first[e]].add(edge_times[e], incoming_gradients_[to[e]]);
      }
      break;
    }
    Row* edge_start = edges_.products[0].later_gradients.data();
    in_blocks(edge_count, [&](int32_t e, auto n) {
      Row value_gradients[n], sum_gradients[n], values[n];
      for (int j = 0; j < n; ++j) {
        value_gradients[j] = edge_times[e + j] * incoming_gradients_[to[e + j]];
        if (r + 1 < kRounds) value_gradients[j] += edge_gradients_[e + j];
      }
      edge_tail.backward<n>(value_gradients, edge_trace_[r], e, sum_gradients);
      for (int j = 0; j < n; ++j) {
        edge_start[edge_row[e + j]] += sum_gradients[j];
        source_gradients_[from[e + j]] += sum_gradients[j];
        target_gradients_[to[e + j]] += sum_gradients[j];
      }
      if (r == 1) {
        for (int j = 0; j < n; ++j) first_.product_gradients[first[e + j]] += sum_gradients[j];
        return;
      }
      for (int j = 0; j < n; ++j) {
        values[j] = edge_tail.value(edge_trace_[r - 1], e + j);
        edge_gradients_[e + j] = Row{};
      }
      add_products<n>(gradient(edge_.part(edge)), values, sum_gradients);
      multiply<n>(&edge_gradients_[e], sum_gradients, transposed(edge_.part(edge)));
    });

    Row edge_whole = {};
    Row* source_start = nodes_.products[0].later_gradients.data();
    Row* target_start = nodes_.products[1].later_gradients.data();
    for (int32_t i = 0; i < count; ++i) {
      source_start[node_row[i]] += source_gradients_[i];
      target_start[node_row[i]] += target_gradients_[i];
      edge_whole += target_gradients_[i];
    }
    global_share(0, edge_.part(edge_global), edge_whole);
    add_all_products(count, gradient(edge_.part(source)), before, source_gradients_.data());
    add_all_products(count, gradient(edge_.part(target)), before, target_gradients_.data());
    multiply_all(count, earlier_node_gradients_.data(), source_gradients_.data(),
                 transposed(edge_.part(source)));
    multiply_all(count, earlier_node_gradients_.data(), target_gradients_.data(),
                 transposed(edge_.part(target)));
    std::swap(node_gradients_, earlier_node_gradients_);
    global_gradient = earlier_global_gradient;
  }
}

inline double GnnPasses::run(const int32_t* first, const int32_t* last) {
  transpose_all();
  std::fill(gradients_.begin(), gradients_.end(), Row{});
  encode(encode_node_, nodes_);
  encode(encode_edge_, edges_);
  encode(encode_global_, globals_);
  first_edges();
  argument_layer_.load(reinterpret_cast<const float*>(weights_.data()));
  action_layer_.load(reinterpret_cast<const float*>(weights_.data()));
  const float share = 1.0f / static_cast<float>(last - first);
  double total = 0.0;
  for (const int32_t* sample = first; sample != last; ++sample) {
    forward(*sample);
    total += loss(*sample, share);
    backward(*sample);
  }
  first_edges_backward();
  encode_backward(encode_node_, nodes_);
  encode_backward(encode_edge_, edges_);
  encode_backward(encode_global_, globals_);
  argument_layer_.store_gradients(reinterpret_cast<float*>(gradients_.data()));
  action_layer_.store_gradients(reinterpret_cast<float*>(gradients_.data()));
  return total;
}

}  // namespace pg3
