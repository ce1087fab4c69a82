"""Graphs with the nodes merged that a network of so many rounds cannot tell apart.

Two nodes have the same values in every round if they start with the same features and, round by
round, receive the same messages: as many from each kind of node over each kind of edge. Such nodes
are found by refining a colouring once a round. Merged graphs give the same outputs and gradients
with less work; a place that nothing happens at looks like all the others of that kind.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from pg3.baselines.gnn.demonstrations import Samples
from pg3.baselines.gnn.graphs import Graph
from pg3.baselines.gnn.weights import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Sequence


class MergedSamples(NamedTuple):
    """Samples of merged graphs: each node stands for several, each edge for several into each.

    The action's arguments are the merged nodes that hold them: each stands for one of its objects.
    """

    samples: Samples
    node_counts: array[int]
    edge_counts: array[int]


def merge(samples: Samples) -> MergedSamples:
    """The same samples with merged graphs."""
    merged = Samples(samples.vocabulary, samples.tables)
    node_counts, edge_counts = array("q"), array("q")
    width = samples.vocabulary.arguments
    for number in range(len(samples)):
        graph = samples.graph(number)
        colours = _colours(graph)
        first: dict[int, int] = {}
        members = [0] * (max(colours, default=-1) + 1)
        for node, colour in enumerate(colours):
            first.setdefault(colour, node)
            members[colour] += 1
        # All members of a colour receive the same, so the edges into its first one stand for all.
        edges: dict[tuple[int, int, int], int] = {}
        for source, target, edge in zip(graph.sources, graph.targets, graph.edges, strict=True):
            if first[colours[target]] == target:
                key = (colours[target], colours[source], edge)
                edges[key] = edges.get(key, 0) + 1
        ends = sorted(edges)
        merged_graph = Graph(
            array("q", [graph.nodes[node] for node in first.values()]),
            array("q", [source for _, source, _ in ends]),
            array("q", [target for target, _, _ in ends]),
            array("q", [edge for _, _, edge in ends]),
            graph.globals,
        )
        given = samples.arguments[number * width : (number + 1) * width]
        merged.append(
            merged_graph, samples.actions[number], [colours[o] if o >= 0 else -1 for o in given]
        )
        node_counts.extend(members)
        edge_counts.extend([edges[end] for end in ends])
    return MergedSamples(merged, node_counts, edge_counts)


def _colours(graph: Graph) -> Sequence[int]:
    """For each node the number of its colour; colours are numbered by their first nodes."""
    colours: Sequence[int] = graph.nodes
    for _ in range(ROUNDS):
        received: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
        for source, target, edge in zip(graph.sources, graph.targets, graph.edges, strict=True):
            received[target].append((edge, colours[source]))
        numbers: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        colours = [
            numbers.setdefault((colour, tuple(sorted(these))), len(numbers))
            for colour, these in zip(colours, received, strict=True)
        ]
    return colours
