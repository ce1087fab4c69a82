"""Joins the maps of the parts of a grown problem, so that they stay connected.

An edge of a part is copied to an object on each side, with all that is said of its two ends: both
directions, what it costs, who can go there. Objects with room for another edge come first: where
none of a sort has more than four, as in a grid, none gets a fifth, and a room off one corridor does
not get a second one. If no edge of the parts fits, that of another given problem may. If edges have
labels, such as roads that are objects, the copy has labels of its own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pg3.learning.robustness.growing.draft import Draft
    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.growing.structure.maps import Map
    from pg3.pddl.model import Atom
    from pg3.pddl.numbers import Number

# Pairs of objects that are tried, with room for an edge of the parts, then with room for any edge,
# then without; and the share of joins with a second edge.
_PAIRS = 20, 20, 20
_SECOND = 0.5


class Piece(NamedTuple):
    """The map of one part: its objects, and the names of all objects of the part."""

    source: Source
    name_of: dict[str, str]
    vertices: list[str]


class Joints:
    """The pieces of one map, which are joined as they come."""

    def __init__(self, map_: Map, sources: Sequence[Source], draft: Draft) -> None:
        self._map = map_
        self._draft = draft
        self._pieces: list[Piece] = []
        self._known: set[str] = set()
        self._neighbours: dict[str, set[str]] = defaultdict(set)
        self._sources = sources
        # How many neighbours an object of a sort may have.
        self._most = draft.mined.most_neighbours[map_]

    def add(self, piece: Piece, generator: random.Random) -> None:
        """Add a piece; it is joined with one that is there, unless they share an object."""
        for one, two in self._map.edges(piece.source):
            x, y = piece.name_of[one], piece.name_of[two]
            self._neighbours[x].add(y)
            self._neighbours[y].add(x)
        if self._pieces and piece.vertices and self._known.isdisjoint(piece.vertices):
            self._join(generator.choice(self._pieces), piece, generator)
            if generator.random() < _SECOND:
                self._join(generator.choice(self._pieces), piece, generator)
        if piece.vertices:
            self._pieces.append(piece)
            self._known.update(piece.vertices)

    def _join(self, here: Piece, there: Piece, generator: random.Random) -> None:
        """Join two pieces by an edge, with another one back if the first leads one way only.

        Each relation that connects the map by itself has such an edge.
        """
        done: set[str] = set()
        for predicate in self._map.joined or (None,):
            if predicate in done:
                continue
            for template in self._templates(here, there, predicate):
                atoms = self._edge(template, here, there, predicate, generator)
                if self._map.two_way and atoms and not self._leads_back(atoms):
                    self._edge(template, there, here, predicate, generator)
                done.update(atom.predicate for atom in atoms)

    def _templates(self, here: Piece, there: Piece, predicate: str | None) -> list[Piece]:
        """The pieces whose edges are copied: both, if edges are for certain others to go along."""
        having = [p for p in (there, here) if self._map.edges(p.source, predicate)]
        if not having:
            source = next((s for s in self._sources if self._map.edges(s, predicate)), None)
            if source is None:
                return []
            return [Piece(source, {name: name for name in source.constants}, [])]
        edge = set(self._map.edges(having[0].source, predicate)[0])
        others = any(
            edge < set(atom.terms) and len(set(atom.terms)) > 2
            for atom in having[0].source.about[next(iter(edge))]
        )
        return having if others else having[:1]

    def _leads_back(self, atoms: Sequence[Atom]) -> bool:
        """Whether the copied facts relate the two ends in both directions."""
        edges = {
            (terms[start], terms[end])
            for predicate, terms in atoms
            for other, start, end in self._map.relations
            if other == predicate
        }
        return any((two, one) in edges for one, two in edges)

    def _edge(
        self,
        given: Piece,
        start: Piece,
        end: Piece,
        predicate: str | None,
        generator: random.Random,
    ) -> list[Atom]:
        """Copy an edge to an object of each piece; returns the facts, none if it fits nowhere."""
        draft, template = self._draft, given
        starts, ends = self._ends(start, predicate), self._ends(end, predicate)
        first, other, last = _PAIRS
        for turn in range(first + other + last):
            if turn == first:
                having = [s for s in self._sources if self._map.edges(s, predicate)]
            if first <= turn < first + other:
                source = generator.choice(having)
                template = Piece(source, {name: name for name in source.constants}, [])
            elif turn == first + other:
                template = given
            old = generator.choice(self._map.edges(template.source, predicate))
            one, two = generator.choice(starts), generator.choice(ends)
            if one == two or not self._fits(template.source, old, (one, two)):
                continue
            if turn < first + other and (self._is_full(one) or self._is_full(two)):
                continue
            atoms = self._copied(template, old, (one, two))
            if all(draft.init.admits(atom) for atom in atoms):
                break
        else:
            return []
        atoms = self._with_own_labels(template.source, old, (one, two), atoms)
        for atom in atoms:
            draft.init.add(atom)
        for atom, value in self._values(template, old, (one, two)):
            draft.values.setdefault(atom, value)
        self._neighbours[one].add(two)
        self._neighbours[two].add(one)
        return atoms

    def _is_full(self, name: str) -> bool:
        """Whether an object has as many neighbours as any of its sort."""
        sort = self._draft.sorts.get(name)
        return sort in self._most and len(self._neighbours[name]) >= self._most[sort]

    def _ends(self, piece: Piece, predicate: str | None) -> list[str]:
        """The objects of a piece that edges can be at: those that have such edges, if any has."""
        known = set(piece.vertices)
        having = dict.fromkeys(
            name
            for edge in self._map.edges(piece.source, predicate)
            for end in edge
            if (name := piece.name_of[end]) in known
        )
        return list(having) or piece.vertices

    def _fits(self, source: Source, old: tuple[str, str], new: tuple[str, str]) -> bool:
        """Whether each object has the type of the one in whose place it comes."""
        types = self._draft.types
        return all(
            source.types[o] == (types[n] if n in types else source.types[n])
            for o, n in zip(old, new, strict=True)
        )

    def _copied(self, piece: Piece, old: tuple[str, str], new: tuple[str, str]) -> list[Atom]:
        """The static facts about both ends of an edge, for other ends."""
        binding = {**piece.name_of, **dict(zip(old, new, strict=True))}
        binding |= {label: f"new {label}" for label in self._labels(piece.source, old)}
        return [
            atom.substitute(binding)
            for atom in piece.source.about[old[0]]
            if old[1] in atom.terms
            and all(term in binding for term in atom.terms)
            and atom.predicate not in self._draft.mined.single_paths
        ]

    def _labels(self, source: Source, edge: tuple[str, str]) -> list[str]:
        """The labels of an edge."""
        return list(
            dict.fromkeys(
                term
                for atom in source.about[edge[0]]
                if edge[1] in atom.terms
                for place, term in enumerate(atom.terms)
                if (atom.predicate, place) in self._map.labels and term not in source.constants
            )
        )

    def _with_own_labels(
        self, source: Source, old: tuple[str, str], new: tuple[str, str], atoms: list[Atom]
    ) -> list[Atom]:
        """The facts of a copied edge with new labels, and what is said of these."""
        draft = self._draft
        binding = dict(zip(old, new, strict=True))
        for label in self._labels(source, old):
            name = draft.names.new(label)
            draft.add_object(name, source.types[label], source.sorts[label])
            binding[label] = name
            known = {*old, label, *source.constants}
            atoms = [
                *(atom.substitute({f"new {label}": name}) for atom in atoms),
                *(
                    atom.substitute(binding)
                    for atom in source.init
                    if label in atom.terms
                    and known.issuperset(atom.terms)
                    and not {*old} <= {*atom.terms}
                ),
            ]
        return atoms

    def _values(
        self, piece: Piece, old: tuple[str, str], new: tuple[str, str]
    ) -> list[tuple[Atom, Number]]:
        binding = {**piece.name_of, **dict(zip(old, new, strict=True))}
        return [
            (atom.substitute(binding), value)
            for atom, value in piece.source.problem.function_values.items()
            if set(old) <= set(atom.terms) and all(term in binding for term in atom.terms)
        ]
