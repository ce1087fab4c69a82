"""Fewer and other goals in a grown problem: what is asked of which object is chance.

In a union of problems whatever stands in front of a wanted wagon is wanted as often, and in the
same company, as in the few given problems. So the goals about some objects go, where given problems
have objects of the same kind of which as little is asked. Objects are of one kind if they have the
same sort and static facts of the same predicates: if only tiles with nothing below them need no
paint, all others keep their goals.

Likewise something else may be asked of an object that is asked of others of its kind: a box to be
washed is to be delivered instead. If that names another object, it is one that facts relate to the
first as in all such goals of given problems (`exchanges`): a box goes where it is booked for.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pg3.pddl.model import Atom

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pg3.learning.robustness.growing.exchanges import Exchanges, Links
    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.perturbations.permutations import Sort

    # The predicates of facts or goals about an object, each with the object's place.
    Said = frozenset[tuple[str, int]]
    Kind = tuple[Sort, Said]


# The chance that what is asked of an object stays.
_AS_BEFORE = 0.5


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
        # Whether of any kind of object one thing is asked here and another there.
        self.differ = any(len(seen - {frozenset()}) > 1 for seen in self._seen.values())

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

    def other(
        self,
        goal: Sequence[Atom],
        init: Iterable[Atom],
        sorts: Mapping[str, Sort],
        exchanges: Exchanges,
        admitted: Callable[[Iterable[Atom]], bool],
        generator: random.Random,
    ) -> list[Atom]:
        """The goals, where something else is asked of some objects; all together are `admitted`."""
        init = list(init)
        facts = _said(atom for atom in init if atom.predicate not in self._fluents)
        kinds = {name: (sort, frozenset(facts[name])) for name, sort in sorts.items()}
        asked = _said(goal)
        links = exchanges.links(init, sorts)
        result = list(goal)
        for name in asked:
            others = self._seen.get(kinds[name], set()) - {frozenset(), frozenset(asked[name])}
            if not others or generator.random() < _AS_BEFORE:
                continue
            demand = generator.choice(sorted(map(sorted, others)))
            new = [
                self._goal(name, predicate, place, sorts, exchanges, links, generator)
                for predicate, place in demand
            ]
            gone = {atom for atom in result if name in atom.terms}
            if None in new or any(atom.predicate in self._once for atom in gone):
                continue
            changed = list(
                dict.fromkeys(atom for atom in (*result, *new) if atom and atom not in gone)
            )
            now = _said(changed)
            touched = {
                term for atom in gone.symmetric_difference(new) if atom for term in atom.terms
            }
            if admitted(changed) and all(
                frozenset(now[term]) in self._seen.get(kinds[term], ()) for term in touched
            ):
                result = changed
        return result

    def _goal(
        self,
        name: str,
        predicate: str,
        place: int,
        sorts: Mapping[str, Sort],
        exchanges: Exchanges,
        links: Links,
        generator: random.Random,
    ) -> Atom | None:
        """A goal with an object at this place; None if no other object fits."""
        arity = exchanges.arity[predicate]
        if arity == 1:
            return Atom(predicate, (name,))
        if arity > 2:
            return None
        fitting = []
        for other in sorts:
            pair = (name, other) if place == 0 else (other, name)
            wanted = exchanges.links_of.get((predicate, sorts[pair[0]], sorts[pair[1]]))
            if other != name and wanted is not None and wanted <= links.between(*pair):
                fitting.append(Atom(predicate, pair))
        return generator.choice(fitting) if fitting else None


def _said(atoms: Iterable[Atom]) -> dict[str, set[tuple[str, int]]]:
    """The predicates of atoms about each object, with its place."""
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for predicate, terms in atoms:
        for place, term in enumerate(terms):
            found[term].add((predicate, place))
    return found
