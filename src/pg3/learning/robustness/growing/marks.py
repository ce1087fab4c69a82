"""Grown problems in which other objects have the marks that some have: weighed, torn, open.

A few small problems show few combinations: the one weighed parcel may stand at a depot. A mark is a
fact about one object that actions change and that no mutex group ties to other facts. Which objects
of a sort have it is chance, as far as the given problems tell. So marks change hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.sources import Source

if TYPE_CHECKING:
    import random

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.permutations import Sort
    from pg3.pddl.model import Domain, Problem

# The chance of a mark to change hands: to do so or not is as likely.
_EXCHANGED = 0.5


class Marks:
    """Exchanges marks among objects of one sort."""

    def __init__(self, domain: Domain, mined: Mined) -> None:
        self._marks = [
            predicate.name
            for predicate in domain.predicates
            if predicate.arity == 1
            and predicate.name in domain.fluents
            and predicate.name not in mined.parts_of
            and predicate.name not in mined.once
        ]

    def exchanged(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with some of its marks on other objects."""
        of_sort: dict[Sort, list[str]] = Source(problem).of_sort
        chosen = {name for name in self._marks if generator.random() < _EXCHANGED}
        init = list(problem.init)
        for mark in self._marks:
            if mark not in chosen:
                continue
            name_of: dict[str, str] = {}
            for names in of_sort.values():
                name_of |= zip(names, generator.sample(names, len(names)), strict=True)
            init = [atom.substitute(name_of) if atom.predicate == mark else atom for atom in init]
        return problem.replace(init=init)
