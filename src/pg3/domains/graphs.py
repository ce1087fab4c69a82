"""Random graphs in which every node can be reached from every other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.domains.chance import Chance

T = TypeVar("T")


def random_tree(chance: Chance, nodes: Sequence[T]) -> list[tuple[T, T]]:
    """Edges, each one way, that connect all nodes: every node is joined to one before it."""
    return [(nodes[chance.below(i)], nodes[i]) for i in range(1, len(nodes))]


def random_graph(chance: Chance, nodes: Sequence[T]) -> list[tuple[T, T]]:
    """A tree and half as many edges more, each one way; no edge is there twice."""
    edges = dict.fromkeys(random_tree(chance, chance.sample(nodes, len(nodes))))
    for _ in range(len(nodes) // 2):
        one = chance.choose(nodes)
        other = chance.choose_other(nodes, one)
        if (other, one) not in edges:
            edges[one, other] = None
    return list(edges)


def both_ways(edges: Sequence[tuple[T, T]]) -> list[tuple[T, T]]:
    """The edges, each followed by its reverse."""
    return [way for one, other in edges for way in ((one, other), (other, one))]
