"""Functional dependencies: which argument of a static predicate the other arguments determine.

In all problems each room is on one floor: of `(on-floor ?room ?floor)` the first argument
determines the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Atom, Domain, Problem

# For each predicate the places that its other arguments determine.
Dependencies = Mapping[str, tuple[int, ...]]


def dependencies(domain: Domain, problems: Iterable[Iterable[Atom]]) -> Dependencies:
    """Those that hold among the static facts of each problem."""
    found: dict[str, set[int]] = {}
    for facts in problems:
        seen: set[tuple[str, int, tuple[str, ...]]] = set()
        for predicate, terms in facts:
            for place in tuple(found.setdefault(predicate, set(range(len(terms))))):
                rest = (predicate, place, (*terms[:place], *terms[place + 1 :]))
                if rest in seen:
                    found[predicate].discard(place)
                seen.add(rest)
    return {
        predicate.name: tuple(sorted(places))
        for predicate in domain.predicates
        if (places := found.get(predicate.name)) and predicate.arity > 1
    }


def shown_dependencies(problems: Sequence[Problem]) -> Dependencies:
    """Those that hold in each problem, and that some problem could have shown to be wrong.

    That one has several objects at the place, and several choices of the other arguments. Where
    each problem has one floor only, nobody knows whether a room could be on two.
    """
    domain = problems[0].domain
    facts = [[one for one in p.init if one.predicate not in domain.fluents] for p in problems]
    return {
        predicate: shown
        for predicate, places in dependencies(domain, facts).items()
        if (shown := tuple(place for place in places if _is_shown(predicate, place, facts)))
    }


def _is_shown(predicate: str, place: int, problems: Iterable[Iterable[Atom]]) -> bool:
    for facts in problems:
        terms = [atom.terms for atom in facts if atom.predicate == predicate]
        others = {(*some[:place], *some[place + 1 :]) for some in terms}
        if len(others) > 1 and len({some[place] for some in terms}) > 1:
            return True
    return False
