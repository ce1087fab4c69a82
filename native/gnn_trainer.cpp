#include "gnn_trainer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "generator.hpp"
#include "rows.hpp"
#include "tuple_table.hpp"

namespace pg3 {

namespace {

constexpr int kRounds = 3;
constexpr float kNormEpsilon = 1e-5f;  // torch's, like the numbers of Adam
constexpr double kMeanDecay = 0.9;
constexpr double kSquareDecay = 0.999;
constexpr float kAdamEpsilon = 1e-8f;

using Rows = std::vector<Row>;

// The inputs of the modules of a round, in the order of their parts of the first matrix. A 0 marks
// what the encoder made.
enum EdgePart {
  edge0,
  edge,
  source0,
  source,
  target0,
  target,
  edge_global0,
  edge_global,
  kEdgeParts
};
enum NodePart { node0, node, incoming, node_global0, node_global, kNodeParts };
enum GlobalPart { global0, global, all_nodes, all_edges, kGlobalParts };

// Where the weights of a module stand in a list of rows: first matrix, its bias, second matrix, its
// bias, scale and shift of the normalisation.
struct Module {
  int32_t begin = 0;
  int32_t inputs = 0;

  int32_t part(int i) const { return begin + i * kWidth; }
  int32_t bias() const { return begin + inputs; }
  int32_t output() const { return bias() + 1; }
  int32_t output_bias() const { return output() + kWidth; }
  int32_t scale() const { return output_bias() + 1; }
  int32_t shift() const { return scale() + 1; }
  int32_t end() const { return shift() + 1; }
};

// What a module computed for some rows and its backward pass needs again.
struct Trace {
  Rows hidden;                 // after ReLU
  Rows normalized;             // before scale and shift
  std::vector<float> inverse;  // one over the standard deviation

  void resize(size_t count) {
    hidden.resize(count);
    normalized.resize(count);
    inverse.resize(count);
  }
};

// A module whose sums of its first layer are given: the pass forward and back.
struct Tail {
  const Row* output;
  const Row* transposed;  // the second matrix
  const Row* output_bias;
  const Row* scale;
  const Row* shift;
  Row* output_gradient;
  Row* output_bias_gradient;
  Row* scale_gradient;
  Row* shift_gradient;

  // Fills the trace at i, ..., i + N - 1 from the sums of the first layer.
  template <int N>
  inline void forward(const Row* sums, Trace& trace, int32_t i) const {
    Row outputs[N];
    for (int j = 0; j < N; ++j) {
      trace.hidden[i + j] = positive(sums[j]);
      outputs[j] = *output_bias;
    }
    multiply<N>(outputs, &trace.hidden[i], output);
    for (int j = 0; j < N; ++j) {
      const Row centered = outputs[j] - sum(outputs[j]) * (1.0f / kWidth);
      const float variance = sum(centered * centered) * (1.0f / kWidth);
      const float inverse = 1.0f / std::sqrt(variance + kNormEpsilon);
      trace.inverse[i + j] = inverse;
      trace.normalized[i + j] = inverse * centered;
    }
  }

  inline Row value(const Trace& trace, int32_t i) const {
    return trace.normalized[i] * *scale + *shift;
  }

  // From the gradients of the values to those of the first layer's sums.
  template <int N>
  inline void backward(const Row* value_gradients, const Trace& trace, int32_t i,
                       Row* gradients) const {
    Row outputs[N];
    Row shifts = *shift_gradient, scales = *scale_gradient, biases = *output_bias_gradient;
    for (int j = 0; j < N; ++j) {
      const Row& normalized = trace.normalized[i + j];
      shifts += value_gradients[j];
      scales += value_gradients[j] * normalized;
      const Row scaled = value_gradients[j] * *scale;
      const float mean = sum(scaled) * (1.0f / kWidth);
      const float along = sum(scaled * normalized) * (1.0f / kWidth);
      outputs[j] = trace.inverse[i + j] * ((scaled - mean) - along * normalized);
      biases += outputs[j];
    }
    *shift_gradient = shifts;
    *scale_gradient = scales;
    *output_bias_gradient = biases;
    add_products<N>(output_gradient, &trace.hidden[i], outputs);
    for (int j = 0; j < N; ++j) gradients[j] = Row{};
    multiply<N>(gradients, outputs, transposed);
    for (int j = 0; j < N; ++j) gradients[j] = where_positive(trace.hidden[i + j], gradients[j]);
  }
};

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

// A linear layer from a row to a few logits: for each logit its weights as a row.
struct OutputLayer {
  size_t weight = 0, bias = 0;  // where its weights stand in the flat list
  int32_t count = 0;
  Rows columns, gradients;
  std::vector<float> bias_gradients;

  void place(size_t begin, int32_t outputs) {
    weight = begin;
    bias = begin + static_cast<size_t>(kWidth) * outputs;
    count = outputs;
    columns.resize(outputs);
    gradients.resize(outputs);
    bias_gradients.resize(outputs);
  }
  size_t end() const { return bias + count; }

  inline void load(const float* weights) {
    auto* flat = reinterpret_cast<float*>(columns.data());
    for (int32_t c = 0; c < count; ++c) {
      for (int k = 0; k < kWidth; ++k) flat[c * kWidth + k] = weights[weight + k * count + c];
      gradients[c] = Row{};
      bias_gradients[c] = 0.0f;
    }
  }
  inline void forward(const Row& value, const float* weights, float* logits) const {
    for (int32_t c = 0; c < count; ++c) logits[c] = weights[bias + c] + sum(value * columns[c]);
  }
  inline void backward(const Row& value, const float* slopes, Row& value_gradient) {
    value_gradient = Row{};
    for (int32_t c = 0; c < count; ++c) {
      gradients[c].add(slopes[c], value);
      value_gradient.add(slopes[c], columns[c]);
      bias_gradients[c] += slopes[c];
    }
  }
  inline void store_gradients(float* all) const {
    for (int32_t c = 0; c < count; ++c) {
      for (int k = 0; k < kWidth; ++k) all[weight + k * count + c] = at(gradients[c], k);
      all[bias + c] = bias_gradients[c];
    }
  }
};

}  // namespace

class GnnTrainer::Work {
 public:
  Work(const GnnShape& shape, GnnSamples samples, GnnState state, const GnnOptions& options);

  double run_epoch();
  GnnState state() const;

 private:
  void check(const GnnState& state) const;
  void prepare(Encoded& encoded, const std::vector<float>& rows, int32_t width,
               std::vector<std::array<int32_t, 3>> products);
  Tail tail(const Module& module);
  const Row* matrix(int32_t begin) const { return weights_.data() + begin; }
  const Row* transposed(int32_t begin) const { return transposed_.data() + begin; }
  Row* gradient(int32_t begin) { return gradients_.data() + begin; }

  // The bodies of training, compiled for several kinds of processors.
  double train_batch(const int32_t* first, const int32_t* last);
  double train_batch_plain(const int32_t* first, const int32_t* last);
#if defined(__x86_64__)
  double train_batch_avx2(const int32_t* first, const int32_t* last);
#endif

  inline double batch_body(const int32_t* first, const int32_t* last);
  inline void transpose_all();
  inline void encode(const Module& module, Encoded& encoded);
  inline void encode_backward(const Module& module, Encoded& encoded);
  void sort_out_first_edges();
  inline void first_edges();
  inline void first_edges_backward();
  inline void forward(int32_t sample);
  inline double loss(int32_t sample, float share);
  inline double softmax(int32_t count, int32_t stride, float* logits, const float* counts,
                        int32_t wanted, float share);
  inline void backward(int32_t sample);
  inline void adam();

  GnnShape shape_;
  GnnSamples samples_;
  GnnOptions options_;
  int64_t epoch_;
  int64_t steps_;
  bool has_avx2_ = false;

  Module encode_node_, encode_edge_, encode_global_;
  Module edge_, node_, global_;
  Module decode_node_, decode_global_;
  size_t num_weights_;

  // Weights and all that goes with them, in rows; the last rows hold the output layers.
  Rows weights_, transposed_, gradients_, means_, squares_;

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
  Rows node_gradients_, earlier_node_gradients_, sum_gradients_;
  Rows edge_gradients_, incoming_gradients_, source_gradients_, target_gradients_;
  std::vector<int32_t> order_;
};

// The sizes follow weight_layout in src/pg3/baselines/gnn/weights.py.
GnnTrainer::Work::Work(const GnnShape& shape, GnnSamples samples, GnnState state,
                       const GnnOptions& options)
    : shape_(shape), samples_(std::move(samples)), options_(options), epoch_(state.epoch) {
  int32_t at = 0;
  auto place = [&](Module& module, int32_t inputs) {
    module = {at, inputs};
    at = module.end();
  };
  for (int32_t size :
       {shape.node_width, shape.edge_width, shape.global_width, shape.arguments, shape.actions}) {
    if (size < 0 || size > (1 << 20)) throw std::invalid_argument("malformed shape");
  }
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
  num_weights_ = action_layer_.end();
  check(state);

  const size_t num_rows = (num_weights_ + kWidth - 1) / kWidth;
  auto load = [&](Rows& rows, const std::vector<float>& values) {
    rows.assign(num_rows, Row{});
    std::copy(values.begin(), values.end(), reinterpret_cast<float*>(rows.data()));
  };
  load(weights_, state.weights);
  load(means_, state.means);
  load(squares_, state.squares);
  transposed_.resize(num_rows);
  gradients_.resize(num_rows);

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
  for (Rows* rows :
       {&sources_, &targets_, &node_gradients_, &earlier_node_gradients_, &sum_gradients_,
        &incoming_gradients_, &source_gradients_, &target_gradients_}) {
    rows->resize(most_nodes);
  }
  edge_gradients_.resize(most_edges);
  const auto count = static_cast<int64_t>(samples_.actions.size());
  steps_ = epoch_ * ((count + options_.batch - 1) / options_.batch);
#if defined(__x86_64__)
  has_avx2_ = __builtin_cpu_supports("avx2");
#endif
}

void GnnTrainer::Work::check(const GnnState& state) const {
  auto require = [](bool fits) {
    if (!fits) throw std::invalid_argument("malformed samples or state");
  };
  const size_t count = samples_.actions.size();
  auto rows = [&](const std::vector<float>& values, int32_t width) {
    // Rows without features are all alike: then there is one at most.
    return width == 0 ? int32_t{1} : static_cast<int32_t>(values.size() / width);
  };
  auto in_range = [](const std::vector<int32_t>& values, int32_t low, int32_t end) {
    return std::ranges::all_of(values, [&](int32_t v) { return low <= v && v < end; });
  };
  auto grows = [&](const std::vector<int32_t>& begins, size_t total) {
    return begins.size() == count + 1 && begins[0] == 0 && std::ranges::is_sorted(begins) &&
           static_cast<size_t>(begins[count]) == total;
  };
  require(count > 0 && state.epoch >= 0 && options_.batch > 0);
  require(state.weights.size() == num_weights_ && state.means.size() == num_weights_ &&
          state.squares.size() == num_weights_);
  require(grows(samples_.node_begins, samples_.nodes.size()));
  require(grows(samples_.edge_begins, samples_.edges.size()));
  require(samples_.sources.size() == samples_.edges.size() &&
          samples_.targets.size() == samples_.edges.size() && samples_.globals.size() == count &&
          samples_.node_counts.size() == samples_.nodes.size() &&
          samples_.edge_counts.size() == samples_.edges.size() &&
          samples_.arguments.size() == count * shape_.arguments);
  require(in_range(samples_.nodes, 0, rows(samples_.node_rows, shape_.node_width)));
  require(in_range(samples_.edges, 0, rows(samples_.edge_rows, shape_.edge_width)));
  require(in_range(samples_.globals, 0, rows(samples_.global_rows, shape_.global_width)));
  require(in_range(samples_.actions, 0, shape_.actions));
  require(in_range(samples_.node_counts, 1, 1 << 24) && in_range(samples_.edge_counts, 1, 1 << 24));
  for (size_t s = 0; s < count; ++s) {
    const int32_t nodes = samples_.node_begins[s + 1] - samples_.node_begins[s];
    for (int32_t e = samples_.edge_begins[s]; e < samples_.edge_begins[s + 1]; ++e) {
      require(0 <= samples_.sources[e] && samples_.sources[e] < nodes);
      require(0 <= samples_.targets[e] && samples_.targets[e] < nodes);
    }
    for (int32_t i = 0; i < shape_.arguments; ++i) {
      const int32_t object = samples_.arguments[s * shape_.arguments + i];
      require(-1 <= object && object < nodes);
    }
  }
}

void GnnTrainer::Work::prepare(Encoded& encoded, const std::vector<float>& rows, int32_t width,
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

void GnnTrainer::Work::sort_out_first_edges() {
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

Tail GnnTrainer::Work::tail(const Module& module) {
  return {matrix(module.output()),        transposed(module.output()), matrix(module.output_bias()),
          matrix(module.scale()),         matrix(module.shift()),      gradient(module.output()),
          gradient(module.output_bias()), gradient(module.scale()),    gradient(module.shift())};
}

inline void GnnTrainer::Work::transpose_all() {
  auto turn = [&](int32_t begin) { transpose(matrix(begin), transposed_.data() + begin); };
  for (const Module* module : {&encode_node_, &encode_edge_, &encode_global_, &edge_, &node_,
                               &global_, &decode_node_, &decode_global_}) {
    turn(module->output());
  }
  for (const Module* module : {&edge_, &node_, &global_, &decode_node_, &decode_global_}) {
    for (int32_t part = 0; part < module->inputs / kWidth; ++part) turn(module->part(part));
  }
}

inline void GnnTrainer::Work::encode(const Module& module, Encoded& encoded) {
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

inline void GnnTrainer::Work::encode_backward(const Module& module, Encoded& encoded) {
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

inline void GnnTrainer::Work::first_edges() {
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

inline void GnnTrainer::Work::first_edges_backward() {
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

inline void GnnTrainer::Work::forward(int32_t sample) {
  const int32_t node_begin = samples_.node_begins[sample];
  const int32_t count = samples_.node_begins[sample + 1] - node_begin;
  const int32_t edge_begin = samples_.edge_begins[sample];
  const int32_t edge_count = samples_.edge_begins[sample + 1] - edge_begin;
  const int32_t* node_row = samples_.nodes.data() + node_begin;
  const int32_t* edge_row = samples_.edges.data() + edge_begin;
  const int32_t* from = samples_.sources.data() + edge_begin;
  const int32_t* to = samples_.targets.data() + edge_begin;
  const int32_t* first = first_.of_edge.data() + edge_begin;
  const float* node_count = node_counts_.data() + node_begin;
  const float* edge_times = edge_counts_.data() + edge_begin;
  const int32_t whole = samples_.globals[sample];
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
inline double GnnTrainer::Work::softmax(int32_t count, int32_t stride, float* logits,
                                        const float* counts, int32_t wanted, float share) {
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
inline double GnnTrainer::Work::loss(int32_t sample, float share) {
  const int32_t count = samples_.node_begins[sample + 1] - samples_.node_begins[sample];
  const float* node_count = node_counts_.data() + samples_.node_begins[sample];
  const auto* weights = reinterpret_cast<const float*>(weights_.data());
  const int32_t places = shape_.arguments;
  const Tail node_decoder = tail(decode_node_), global_decoder = tail(decode_global_);

  action_layer_.forward(global_decoder.value(global_decoded_, 0), weights, action_logits_.data());
  double result = softmax(shape_.actions, 1, action_logits_.data(), ones_.data(),
                          samples_.actions[sample], share);
  for (int32_t i = 0; i < count; ++i) {
    argument_layer_.forward(node_decoder.value(node_decoded_, i), weights,
                            argument_logits_.data() + i * places);
  }
  for (int32_t p = 0; p < places; ++p) {
    const int32_t wanted = samples_.arguments[sample * places + p];
    if (wanted >= 0) {
      result += softmax(count, places, argument_logits_.data() + p, node_count, wanted, share);
    } else {
      for (int32_t i = 0; i < count; ++i) argument_logits_[i * places + p] = 0.0f;
    }
  }
  return result;
}

inline void GnnTrainer::Work::backward(int32_t sample) {
  const int32_t node_begin = samples_.node_begins[sample];
  const int32_t count = samples_.node_begins[sample + 1] - node_begin;
  const int32_t edge_begin = samples_.edge_begins[sample];
  const int32_t edge_count = samples_.edge_begins[sample + 1] - edge_begin;
  const int32_t* node_row = samples_.nodes.data() + node_begin;
  const int32_t* edge_row = samples_.edges.data() + edge_begin;
  const int32_t* from = samples_.sources.data() + edge_begin;
  const int32_t* to = samples_.targets.data() + edge_begin;
  const int32_t* first = first_.of_edge.data() + edge_begin;
  const float* node_count = node_counts_.data() + node_begin;
  const float* edge_times = edge_counts_.data() + edge_begin;
  const int32_t whole = samples_.globals[sample];
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

// As torch's Adam: the same formulas in the same order.
inline void GnnTrainer::Work::adam() {
  ++steps_;
  auto power = [](double base, int64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent >>= 1, base *= base) {
      if (exponent & 1) result *= base;
    }
    return result;
  };
  const auto step = static_cast<float>(options_.learning_rate / (1.0 - power(kMeanDecay, steps_)));
  const auto root = static_cast<float>(std::sqrt(1.0 - power(kSquareDecay, steps_)));
  const auto mean_share = static_cast<float>(1.0 - kMeanDecay);
  const auto square_decay = static_cast<float>(kSquareDecay);
  const auto square_share = static_cast<float>(1.0 - kSquareDecay);
  auto* __restrict weights = reinterpret_cast<float*>(weights_.data());
  auto* __restrict means = reinterpret_cast<float*>(means_.data());
  auto* __restrict squares = reinterpret_cast<float*>(squares_.data());
  const auto* __restrict gradients = reinterpret_cast<const float*>(gradients_.data());
  const size_t size = weights_.size() * kWidth;
  for (size_t i = 0; i < size; ++i) {
    means[i] += mean_share * (gradients[i] - means[i]);
    squares[i] = squares[i] * square_decay + square_share * (gradients[i] * gradients[i]);
    weights[i] -= step * (means[i] / (std::sqrt(squares[i]) / root + kAdamEpsilon));
  }
}

inline double GnnTrainer::Work::batch_body(const int32_t* first, const int32_t* last) {
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
  adam();
  return total;
}

double GnnTrainer::Work::train_batch_plain(const int32_t* first, const int32_t* last) {
  return batch_body(first, last);
}

#if defined(__x86_64__)
// "flatten" puts everything that is called into this function, so that it is compiled for AVX2.
__attribute__((flatten, target("avx2"))) double GnnTrainer::Work::train_batch_avx2(
    const int32_t* first, const int32_t* last) {
  return batch_body(first, last);
}
#endif

double GnnTrainer::Work::train_batch(const int32_t* first, const int32_t* last) {
#if defined(__x86_64__)
  if (has_avx2_) return train_batch_avx2(first, last);
#endif
  return train_batch_plain(first, last);
}

double GnnTrainer::Work::run_epoch() {
  ++epoch_;
  const auto count = static_cast<int32_t>(samples_.actions.size());
  order_.resize(count);
  for (int32_t i = 0; i < count; ++i) order_[i] = i;
  Generator generator(options_.seed, epoch_);
  for (int32_t i = count - 1; i > 0; --i) std::swap(order_[i], order_[generator.below(i + 1)]);
  double total = 0.0;
  for (int32_t begin = 0; begin < count; begin += options_.batch) {
    const int32_t end = std::min(begin + options_.batch, count);
    total += train_batch(order_.data() + begin, order_.data() + end);
  }
  return total / count;
}

GnnState GnnTrainer::Work::state() const {
  auto floats = [&](const Rows& rows) {
    const auto* begin = reinterpret_cast<const float*>(rows.data());
    return std::vector<float>(begin, begin + num_weights_);
  };
  return {epoch_, floats(weights_), floats(means_), floats(squares_)};
}

GnnTrainer::GnnTrainer(const GnnShape& shape, GnnSamples samples, GnnState state,
                       const GnnOptions& options)
    : work_(std::make_unique<Work>(shape, std::move(samples), std::move(state), options)) {}

GnnTrainer::~GnnTrainer() = default;

double GnnTrainer::run_epoch() {
  return work_->run_epoch();
}

GnnState GnnTrainer::state() const {
  return work_->state();
}

}  // namespace pg3
