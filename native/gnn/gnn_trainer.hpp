// Behaviour cloning with a graph network of a fixed shape: the whole of training in one place.
//
// The network is that of src/pg3/baselines/gnn/network.py, where torch computes it; a test compares
// the two. A general library spends most of its time on calls here, since rows have sixteen numbers
// only. Graph by graph, forward and backward, everything stays in the processor's caches.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/limits.hpp"

namespace pg3 {

// The numbers of features and of outputs.
struct GnnShape {
  int32_t node_width = 0, edge_width = 0, global_width = 0;
  int32_t arguments = 0;  // places of arguments: outputs of a node
  int32_t actions = 0;    // outputs of a graph
};

// The graphs of all samples one after the other, in numbers of distinct rows of features. `sources`
// and `targets` count from their sample's first node. `arguments` has shape.arguments entries a
// sample, -1 where the action has fewer. A node stands for `node_counts` nodes that the network
// cannot tell apart, and an edge for `edge_counts` edges into each of them.
struct GnnSamples {
  std::vector<float> node_rows, edge_rows, global_rows;
  std::vector<int32_t> node_begins, edge_begins;
  std::vector<int32_t> nodes, edges, sources, targets, globals;
  std::vector<int32_t> actions, arguments;
  std::vector<int32_t> node_counts, edge_counts;
};

// Where training stands: the weights as one list, and Adam's means of gradients and their squares.
struct GnnState {
  int64_t epoch = 0;
  std::vector<float> weights, means, squares;
};

struct GnnOptions {
  int32_t batch = 16;
  double learning_rate = 0.001;
  bool plain = false;  // leave the processor's wider registers alone: the same numbers, slower
};

class GnnTrainer {
 public:
  // Throws std::invalid_argument unless all sizes and numbers fit each other.
  GnnTrainer(const GnnShape& shape, GnnSamples samples, GnnState state, const GnnOptions& options);
  ~GnnTrainer();

  // Trains for one more epoch, in batches of neighbours, always in the same order; the mean loss of
  // its samples, each before its own batch's step. If a limit is reached, the status says so and
  // everything is as it was before.
  struct Epoch {
    Status status = Status::solved;
    double loss = 0.0;
  };
  Epoch run_epoch(const Limits& limits);

  GnnState state() const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace pg3
