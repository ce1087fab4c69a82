"""The network once more, slowly: node by node and edge by edge, inputs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from pg3.baselines.gnn.weights import HIDDEN, ROUNDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.baselines.gnn.graphs import Graph, Rows, Tables


class NaiveNetwork:
    """Weights by name."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        self.weights = weights

    def module(self, name: str, inputs: Sequence[Tensor]) -> Tensor:
        part = {
            key.removeprefix(f"{name}."): value
            for key, value in self.weights.items()
            if key.startswith(f"{name}.")
        }
        hidden = torch.cat(list(inputs)) @ part["hidden.weight"] + part["hidden.bias"]
        output = hidden.clamp(min=0) @ part["output.weight"] + part["output.bias"]
        centered = output - output.mean()
        deviation = (centered.square().mean() + 1e-5).sqrt()
        return centered / deviation * part["norm.scale"] + part["norm.shift"]

    def logits(self, graph: Graph, tables: Tables) -> tuple[Tensor, Tensor]:
        """Those of the actions, and those of the arguments by node."""
        first_nodes = [
            self.module("encode.node", [features(tables.nodes, row)]) for row in graph.nodes
        ]
        first_edges = [
            self.module("encode.edge", [features(tables.edges, row)]) for row in graph.edges
        ]
        first_whole = self.module("encode.global", [features(tables.globals, graph.globals)])
        nodes, edges, whole = first_nodes, first_edges, first_whole
        for _ in range(ROUNDS):
            edges = [
                self.module(
                    "process.edge",
                    [
                        first_edges[i],
                        edges[i],
                        first_nodes[source],
                        nodes[source],
                        first_nodes[target],
                        nodes[target],
                        first_whole,
                        whole,
                    ],
                )
                for i, (source, target) in enumerate(zip(graph.sources, graph.targets, strict=True))
            ]
            incoming = [torch.zeros(HIDDEN) for _ in nodes]
            for edge, target in zip(edges, graph.targets, strict=True):
                incoming[target] = incoming[target] + edge
            nodes = [
                self.module("process.node", [first, node, received, first_whole, whole])
                for first, node, received in zip(first_nodes, nodes, incoming, strict=True)
            ]
            whole = self.module(
                "process.global",
                [
                    first_whole,
                    whole,
                    sum(nodes, torch.zeros(HIDDEN)),
                    sum(edges, torch.zeros(HIDDEN)),
                ],
            )
        weights = self.weights
        return (
            whole @ weights["action.weight"] + weights["action.bias"],
            torch.stack(nodes) @ weights["argument.weight"] + weights["argument.bias"],
        )


def features(rows: Rows, number: int) -> Tensor:
    row = list(rows.numbers)[number]
    return torch.tensor([float(row >> bit & 1) for bit in range(rows.width)])
