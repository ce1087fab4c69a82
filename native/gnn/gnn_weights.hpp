// The weights of the network that gnn_trainer trains, and where each module's stand.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gnn/gnn_layers.hpp"
#include "gnn/gnn_trainer.hpp"
#include "gnn/rows.hpp"

namespace pg3 {

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

// Weights, the matrices among them transposed, and gradients, all in rows; the last rows hold the
// output layers and are filled up with zeros. The places follow weight_layout in
// src/pg3/baselines/gnn/weights.py.
struct GnnWeights {
  Module encode_node, encode_edge, encode_global;
  Module edge_module, node_module, global_module;
  OutputLayer arguments, actions;
  Rows weights, transposes, gradients;

  explicit GnnWeights(const GnnShape& shape) {
    int32_t at = 0;
    auto place = [&](Module& module, int32_t inputs) {
      module = {at, inputs};
      at = module.end();
    };
    place(encode_node, shape.node_width);
    place(encode_edge, shape.edge_width);
    place(encode_global, shape.global_width);
    place(edge_module, kEdgeParts * kWidth);
    place(node_module, kNodeParts * kWidth);
    place(global_module, kGlobalParts * kWidth);
    arguments.place(static_cast<size_t>(at) * kWidth, shape.arguments);
    actions.place(arguments.end(), shape.actions);
    const size_t num_rows = (count() + kWidth - 1) / kWidth;
    for (Rows* rows : {&weights, &transposes, &gradients}) rows->assign(num_rows, Row{});
  }

  size_t count() const { return actions.end(); }
  const float* flat() const { return reinterpret_cast<const float*>(weights.data()); }
  const Row* matrix(int32_t begin) const { return weights.data() + begin; }
  const Row* transposed(int32_t begin) const { return transposes.data() + begin; }
  Row* gradient(int32_t begin) { return gradients.data() + begin; }

  Tail tail(const Module& module) {
    return {
        matrix(module.output()),        transposed(module.output()), matrix(module.output_bias()),
        matrix(module.scale()),         matrix(module.shift()),      gradient(module.output()),
        gradient(module.output_bias()), gradient(module.scale()),    gradient(module.shift())};
  }

  // To be called when the weights have changed, and before gradients are collected anew.
  void begin_batch() {
    auto turn = [&](int32_t begin) { transpose(matrix(begin), transposes.data() + begin); };
    for (const Module* module :
         {&encode_node, &encode_edge, &encode_global, &edge_module, &node_module, &global_module}) {
      turn(module->output());
    }
    for (const Module* module : {&edge_module, &node_module, &global_module}) {
      for (int32_t part = 0; part < module->inputs / kWidth; ++part) turn(module->part(part));
    }
    std::fill(gradients.begin(), gradients.end(), Row{});
    arguments.load(flat());
    actions.load(flat());
  }

  // To be called when all gradients are collected.
  void end_batch() {
    arguments.store_gradients(reinterpret_cast<float*>(gradients.data()));
    actions.store_gradients(reinterpret_cast<float*>(gradients.data()));
  }
};

}  // namespace pg3
