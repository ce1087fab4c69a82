"""Fewer goals in a grown problem: which objects are asked for is chance.

In a union of problems whatever stands in front of a wanted wagon is wanted as often, and in the
same company, as in the few given problems. So the goals about some objects go, where given problems
have objects of the same kind of which as little is asked. Objects are of one kind if they have the
same sort and static facts of the same predicates: if only tiles with nothing below them need no
paint, all others keep their goals.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.permutations import Sort
    from pg3.pddl.model import Atom

    # The predicates of facts or goals about an object, each with the object's place.
    Said = frozenset[tuple[str, int]]
    Kind = tuple[Sort, Said]


class Demands:
    """What given problems ask of the objects of each kind."""

    def __init__(self, sources: Sequence[Source], once: frozenset[str]) -> None:
        # Of goals that every problem has exactly one of, none goes.
        self._once = once
        self._fluents = sources[0].domain.fluents
        self._seen: dict[Kind, set[Said]] = defaultdict(set)
        for source in sources:
            facts, demands = _said(source.static), _said(source.problem.goal)
            for name, sort in source.sorts.items():
                self._seen[sort, frozenset(facts[name])].add(frozenset(demands[name]))

    def fewer(
        self,
        goal: Sequence[Atom],
        init: Iterable[Atom],
        sorts: Mapping[str, Sort],
        generator: random.Random,
    ) -> list[Atom]:
        """The goals without those about some objects."""
        facts = _said(atom for atom in init if atom.predicate not in self._fluents)
        about: dict[str, list[Atom]] = defaultdict(list)
        for atom in goal:
            for term in dict.fromkeys(atom.terms):
                about[term].append(atom)
        left = dict.fromkeys(goal)

        def can_go(gone: set[Atom]) -> bool:
            objects = {term for atom in gone for term in atom.terms}
            stay = {a for term in objects for a in about[term] if a in left and a not in gone}
            demands = _said(stay)
            kinds = {name: (sorts[name], frozenset(facts[name])) for name in objects}
            return all(
                frozenset(demands[name]) in self._seen.get(kind, ()) for name, kind in kinds.items()
            )

        share = generator.random()
        for atoms in about.values():
            if generator.random() < share:
                gone = {atom for atom in atoms if atom in left}
                if not any(atom.predicate in self._once for atom in gone) and can_go(gone):
                    for atom in gone:
                        del left[atom]
        return list(left)


def _said(atoms: Iterable[Atom]) -> dict[str, set[tuple[str, int]]]:
    """The predicates of atoms about each object, with its place."""
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for predicate, terms in atoms:
        for place, term in enumerate(terms):
            found[term].add((predicate, place))
    return found
