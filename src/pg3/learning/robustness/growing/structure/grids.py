"""Grids: maps of directions, which grow by copies side by side.

Where each relation of a map leads from an object to at most one other and from at most one (right,
above), two pieces joined by a single edge are no grid. A copy of the whole map is put next to it
instead: each row goes on with its copy. The direction is one in which the objects at the seam get
goals and neighbours as others have them in given problems: if the lowest row never has goals, no
copy is put above.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from pg3.learning.robustness.growing.draft import Draft
    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.growing.structure.maps import Map, Relation
    from pg3.pddl.model import Atom

    # The places of facts and goals at which an object stands.
    Profile = tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]


class _Seam(NamedTuple):
    """A direction to grow in: the ends of its rows, and an edge with the facts about it."""

    rows: list[tuple[str, str]]
    edge: tuple[str, str]
    facts: list[Atom]


def is_grid(map_: Map, mined: Mined) -> bool:
    """Whether a map has several relations that each lead from one object to one at most."""
    return len(map_.relations) > 1 and all(
        mined.single.get(predicate) == (0, 1)
        and predicate not in mined.single_paths
        and mined.arity[predicate] == 2
        for predicate, _, _ in map_.relations
    )


class Grid:
    """The map of a grown problem that is made of copies of one map."""

    def __init__(
        self,
        map_: Map,
        first: Source,
        sources: Sequence[Source],
        draft: Draft,
        generator: random.Random,
    ) -> None:
        self._draft = draft
        self._names: list[Mapping[str, str]] = []
        seen = {p for source in sources for p in _profiles(map_, source).values()}
        own = _profiles(map_, first)
        seams = [s for r in map_.relations if (s := _seam(r, first)) is not None]
        generator.shuffle(seams)
        self._seam = min(seams, key=lambda s: _unseen(s, own, seen), default=None)

    def add(self, name_of: Mapping[str, str]) -> None:
        """Put a copy next to the last one."""
        if self._names and self._seam is not None:
            for start, end in self._seam.rows:
                if end not in self._names[-1] or start not in name_of:
                    continue
                new = (self._names[-1][end], name_of[start])
                binding = dict(zip(self._seam.edge, new, strict=True))
                for atom in self._seam.facts:
                    moved = atom.substitute(binding)
                    if self._draft.init.admits(moved):
                        self._draft.init.add(moved)
        self._names.append(name_of)


def _seam(relation: Relation, source: Source) -> _Seam | None:
    """The rows of a relation, each with its first and last object; None if it goes in circles."""
    after = {a.terms[0]: a.terms[1] for a in source.static if a.predicate == relation.predicate}
    starts = [name for name in after if name not in set(after.values())]
    if not starts:
        return None
    rows = []
    for start in starts:
        end = start
        while end in after:
            end = after[end]
        rows.append((start, end))
    edge = (starts[0], after[starts[0]])
    facts = [atom for atom in source.static if set(atom.terms) == set(edge)]
    return _Seam(rows, edge, facts)


def _profiles(map_: Map, source: Source) -> dict[str, Profile]:
    predicates = {relation.predicate for relation in map_.relations}
    facts, goals = defaultdict(set), defaultdict(set)
    for predicate, terms in source.static:
        for place, term in enumerate(terms if predicate in predicates else ()):
            facts[term].add((predicate, place))
    for predicate, terms in source.problem.goal:
        for place, term in enumerate(terms):
            goals[term].add((predicate, place))
    return {
        name: (frozenset(facts[name]), frozenset(goals[name])) for name in map_.vertices(source)
    }


def _unseen(seam: _Seam, own: Mapping[str, Profile], seen: set[Profile]) -> int:
    """How many objects at the seam would be as none is in the given problems."""
    number = 0
    for start, end in seam.rows:
        for name, side in ((end, 0), (start, 1)):
            more = {
                (atom.predicate, place)
                for atom in seam.facts
                for place, term in enumerate(atom.terms)
                if term == seam.edge[side]
            }
            facts, goals = own[name]
            number += (facts | more, goals) not in seen
    return number
