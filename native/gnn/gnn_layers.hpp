// The layers of the network that gnn_trainer trains, each with its way forward and back.
//
// A module has two layers: the first multiplies its inputs, which stand side by side, with one
// matrix and takes what is positive; the second multiplies with another and normalises. The first
// matrix is cut into parts, one an input: products with a part are computed where that input is
// known, once, and then added up.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "gnn/rows.hpp"

namespace pg3 {

inline constexpr int kRounds = 3;
inline constexpr float kNormEpsilon = 1e-5f;  // torch's

using Rows = std::vector<Row>;

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

}  // namespace pg3
