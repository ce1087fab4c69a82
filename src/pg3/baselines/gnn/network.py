"""The network in torch: encode, pass messages for a few rounds, decode with a linear layer.

Each module of the first two has one hidden layer, ReLU, and layer normalisation at its end. A round
updates the edges from their ends, then the nodes from the sum of their incoming edges, then the
whole graph from the sums of its nodes and edges. All rounds share their weights, and each sees next
to the newest values also those that the encoder made.

The first layer of a module multiplies a row of inputs that stand side by side with one matrix. That
is the sum of the products of each input with its part of the matrix; the products of nodes are
computed once a node and then handed to its edges, not once an edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch.nn import functional

from pg3.baselines.gnn.weights import (
    EDGE_INPUTS,
    GLOBAL_INPUTS,
    HIDDEN,
    NODE_INPUTS,
    ROUNDS,
    weight_layout,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from pg3.baselines.gnn.vocabulary import Vocabulary


class Features(NamedTuple):
    """The distinct rows of features of nodes, edges and graphs."""

    nodes: Tensor
    edges: Tensor
    globals: Tensor


@dataclass(frozen=True, slots=True)
class Batch:
    """Several graphs side by side, in numbers of rows of `Features`.

    `sources` and `targets` are nodes of the whole batch; `graphs` tells for each node its graph. A
    node stands for `node_counts` nodes that are alike, and an edge for `edge_counts` edges into
    each of them (see merging.py); both are columns of floats.
    """

    nodes: Tensor
    graphs: Tensor
    edges: Tensor
    sources: Tensor
    targets: Tensor
    globals: Tensor
    node_counts: Tensor
    edge_counts: Tensor


class Outputs(NamedTuple):
    """Logits: for each graph the actions, for each node the places of arguments."""

    actions: Tensor
    arguments: Tensor


def named_views(vocabulary: Vocabulary, weights: Tensor) -> dict[str, Tensor]:
    """The blocks of a flat list of weights by name; they change with it."""
    return {
        weight.name: weights[weight.begin : weight.end].view(weight.shape)
        for weight in weight_layout(vocabulary)
    }


class Network:
    """The network with the given weights by name."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        self.weights = weights

    def __call__(self, features: Features, batch: Batch) -> Outputs:
        """The logits of every graph of the batch."""
        # index_select, not indexing: the same values, but its way back is faster.
        into, graphs, counts = batch.targets, batch.graphs, batch.node_counts
        edge_part = self._parts("process.edge", EDGE_INPUTS)
        node_part = self._parts("process.node", NODE_INPUTS)
        global_part = self._parts("process.global", GLOBAL_INPUTS)

        node_rows = self._module("encode.node", features.nodes)
        edge_rows = self._module("encode.edge", features.edges)
        global_rows = self._module("encode.global", features.globals)
        nodes = node_rows.index_select(0, batch.nodes)
        wholes = global_rows.index_select(0, batch.globals)
        edges = edge_rows.index_select(0, batch.edges)

        # The share of the encoder's values is the same in every round.
        edge_fixed = (edge_rows @ edge_part["edge0"]).index_select(0, batch.edges)
        source_fixed = nodes @ edge_part["source0"]
        target_fixed = nodes @ edge_part["target0"]
        node_fixed = nodes @ node_part["node0"]
        edge_whole_fixed = wholes @ edge_part["global0"]
        node_whole_fixed = wholes @ node_part["global0"]
        global_fixed = wholes @ global_part["global0"]

        for _ in range(ROUNDS):
            source = source_fixed + nodes @ edge_part["source"]
            target = target_fixed + nodes @ edge_part["target"]
            whole = edge_whole_fixed + wholes @ edge_part["global"]
            target = target + whole.index_select(0, graphs)
            hidden = edge_fixed + edges @ edge_part["edge"]
            hidden = hidden + source.index_select(0, batch.sources) + target.index_select(0, into)
            edges = self._rest("process.edge", hidden)
            incoming = _sums(edges * batch.edge_counts, into, len(nodes))

            whole = node_whole_fixed + wholes @ node_part["global"]
            hidden = node_fixed + nodes @ node_part["node"]
            hidden = hidden + incoming @ node_part["incoming"] + whole.index_select(0, graphs)
            nodes = self._rest("process.node", hidden)

            hidden = global_fixed + wholes @ global_part["global"]
            hidden = hidden + _sums(nodes * counts, graphs, len(wholes)) @ global_part["nodes"]
            hidden = hidden + _sums(incoming * counts, graphs, len(wholes)) @ global_part["edges"]
            wholes = self._rest("process.global", hidden)

        weights = self.weights
        return Outputs(
            wholes @ weights["action.weight"] + weights["action.bias"],
            nodes @ weights["argument.weight"] + weights["argument.bias"],
        )

    def _parts(self, name: str, inputs: Sequence[str]) -> dict[str, Tensor]:
        """The first layer's matrix, cut into the parts that its inputs meet."""
        matrix = self.weights[f"{name}.hidden.weight"]
        return dict(zip(inputs, matrix.view(-1, HIDDEN, HIDDEN).unbind(), strict=True))

    def _module(self, name: str, inputs: Tensor) -> Tensor:
        return self._rest(name, inputs @ self.weights[f"{name}.hidden.weight"])

    def _rest(self, name: str, hidden: Tensor) -> Tensor:
        """What a module makes of its first layer's products."""
        weights = self.weights
        hidden = torch.relu(hidden + weights[f"{name}.hidden.bias"])
        output = hidden @ weights[f"{name}.output.weight"] + weights[f"{name}.output.bias"]
        scale, shift = weights[f"{name}.norm.scale"], weights[f"{name}.norm.shift"]
        return functional.layer_norm(output, (HIDDEN,), scale, shift)


def _sums(values: Tensor, groups: Tensor, count: int) -> Tensor:
    """For each group the sum of its rows."""
    return values.new_zeros(count, values.shape[1]).index_add(0, groups, values)


def log_probabilities(outputs: Outputs, batch: Batch) -> Outputs:
    """The logarithms of probabilities: of actions, and at each place of the objects of a graph."""
    arguments, graphs = outputs.arguments, batch.graphs
    count, width = len(outputs.actions), arguments.shape[1]
    groups = graphs[:, None].expand(-1, width)
    # The largest logit of each graph is taken off first, so that no power overflows.
    largest = arguments.new_full((count, width), -torch.inf)
    largest = largest.scatter_reduce(0, groups, arguments.detach(), "amax")
    shifted = arguments - largest.index_select(0, graphs)
    totals = _sums(shifted.exp() * batch.node_counts, graphs, count).log()
    arguments = shifted - totals.index_select(0, graphs)
    return Outputs(functional.log_softmax(outputs.actions, dim=1), arguments)
