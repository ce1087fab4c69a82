"""States as graphs: a node an object, an edge a pair of objects that share an atom.

Features are 0 or 1, so a row of them is kept as the bits of one integer. Rows repeat a lot (most
objects of a kind look alike), so graphs name their rows by number and each row is stored, and later
encoded by the network, once.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pg3.baselines.gnn.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pg3.baselines.gnn.vocabulary import Vocabulary
    from pg3.pddl.model import Problem


class Rows:
    """Distinct rows of bits, numbered in the order in which they were first met."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.numbers: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def number(self, row: int) -> int:
        """The number of a row."""
        return self.numbers.setdefault(row, len(self.numbers))

    def number_all(self, rows: Collection[int]) -> array[int]:
        """The numbers of several rows, which are mostly the same few."""
        for row in dict.fromkeys(rows):
            self.number(row)
        return array("q", map(self.numbers.__getitem__, rows))

    def floats(self) -> array[float]:
        """All rows one after the other, each bit a 0.0 or 1.0."""
        bits = (row >> bit & 1 for row in self.numbers for bit in range(self.width))
        return array("f", bits)


class Graph(NamedTuple):
    """A state of a problem in numbers of rows; node i is the object with number i.

    `targets` is sorted: the edges into one node stand together.
    """

    nodes: array[int]
    sources: array[int]
    targets: array[int]
    edges: array[int]
    globals: int


@dataclass(frozen=True, slots=True)
class Tables:
    """The rows that the graphs of one collection share."""

    nodes: Rows
    edges: Rows
    globals: Rows

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Tables:
        """Empty tables."""
        return cls(
            Rows(vocabulary.node_width), Rows(vocabulary.edge_width), Rows(vocabulary.global_width)
        )


@dataclass
class _Sketch:
    """A graph in the making: the bits of every node, edge and of the whole."""

    nodes: list[int]
    edges: dict[int, int] = field(default_factory=dict)  # by target * number of objects + source
    globals: int = 0

    def copy(self) -> _Sketch:
        return _Sketch(self.nodes.copy(), self.edges.copy(), self.globals)


class GraphMaker:
    """Makes the graphs of one problem's states."""

    def __init__(self, vocabulary: Vocabulary, problem: Problem) -> None:
        self._vocabulary = vocabulary
        self._count = len(problem.all_objects)
        domain = problem.domain
        types = [(1 << bit, domain.subtypes[name]) for bit, name in enumerate(vocabulary.types)]
        self._fixed = _Sketch(
            [
                sum(bit for bit, subtypes in types if typed.type in subtypes)
                for typed in problem.all_objects
            ]
        )
        fluent = [predicate.name in domain.fluents for predicate in domain.predicates]
        static = (atom for atom in self._atoms(problem.init.codes) if not fluent[atom[0]])
        self._add(self._fixed, Kind.STATE, static)
        self._add(self._fixed, Kind.GOAL, self._atoms(problem.goal.codes))
        self._add(self._fixed, Kind.UNWANTED, self._atoms(problem.negative_goal.codes))

    def graph(self, fluents: bytes, tables: Tables) -> Graph:
        """The graph of the state in which, besides the static atoms, these hold."""
        sketch = self._fixed.copy()
        self._add(sketch, Kind.STATE, self._atoms(fluents))
        ends = sorted(sketch.edges)
        count = self._count
        return Graph(
            tables.nodes.number_all(sketch.nodes),
            array("q", [end % count for end in ends]),
            array("q", [end // count for end in ends]),
            tables.edges.number_all([sketch.edges[end] for end in ends]),
            tables.globals.number(sketch.globals),
        )

    def _atoms(self, codes: bytes) -> Iterable[list[int]]:
        arities = [predicate.arity for predicate in self._vocabulary.predicates]
        values = memoryview(codes).cast("i").tolist()
        at = 0
        while at < len(values):
            # Beyond the domain's predicates are those of disjunctions in the goal, without places.
            if values[at] >= len(arities):
                at += 1
                continue
            end = at + 1 + arities[values[at]]
            yield values[at:end]
            at = end

    def _add(self, sketch: _Sketch, kind: Kind, atoms: Iterable[list[int]]) -> None:
        vocabulary, count, edges = self._vocabulary, self._count, sketch.edges
        for predicate, *objects in atoms:
            key = (kind, predicate)
            if not objects:
                if (feature := vocabulary.global_features.get(key)) is not None:
                    sketch.globals |= 1 << feature
            elif len(objects) == 1:
                if (feature := vocabulary.node_features.get(key)) is not None:
                    sketch.nodes[objects[0]] |= 1 << feature
            else:
                for first, second, forward, backward in vocabulary.edge_features.get(key, ()):
                    one, other = objects[first], objects[second]
                    there, back = other * count + one, one * count + other
                    edges[there] = edges.get(there, 0) | 1 << forward
                    edges[back] = edges.get(back, 0) | 1 << backward
