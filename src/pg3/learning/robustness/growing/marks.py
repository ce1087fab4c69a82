"""Grown problems in which other objects have the marks that some have: weighed, torn, equipped.

A few small problems show few combinations: the one weighed parcel may stand at a depot, and nearly
all rovers may be equipped for everything. A mark is a fact about one object.

- A mark that actions change, and that no mutex group ties to other facts: which objects of a sort
  have it is chance, as far as the given problems tell. So such marks change hands.
- Marks that never change make the sorts of a type. How frequent a sort is, is chance as well. So an
  object may be of another sort of its type, each as likely as any other.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.sources import Source
from pg3.pddl.model import Atom

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.permutations import Sort
    from pg3.pddl.model import Problem

# The chance of a mark to change hands, and of a type to have its sorts drawn anew: to do so or not
# is as likely.
_EXCHANGED = 0.5


class Marks:
    """Exchanges marks among objects of one sort, and sorts among objects of one type."""

    def __init__(self, sources: Sequence[Source], mined: Mined) -> None:
        domain = sources[0].domain
        self._mined = mined
        self._marks = [
            predicate.name
            for predicate in domain.predicates
            if predicate.arity == 1
            and predicate.name in domain.fluents
            and predicate.name not in mined.parts_of
            and predicate.name not in mined.once
        ]
        self._sorts: dict[str, list[Sort]] = {}
        for sort in dict.fromkeys(sort for source in sources for sort in source.of_sort):
            if sort not in mined.fixed and mined.map_of(sort) is None:
                self._sorts.setdefault(sort[0], []).append(sort)

    def exchanged(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with some of its marks on other objects."""
        return self._with_other_sorts(self._with_other_marks(problem, generator), generator)

    def _with_other_marks(self, problem: Problem, generator: random.Random) -> Problem:
        of_sort = Source(problem).of_sort
        init = list(problem.init)
        for mark in self._marks:
            if generator.random() >= _EXCHANGED:
                continue
            name_of: dict[str, str] = {}
            for names in of_sort.values():
                name_of |= zip(names, generator.sample(names, len(names)), strict=True)
            init = [atom.substitute(name_of) if atom.predicate == mark else atom for atom in init]
        return problem.replace(init=init)

    def _with_other_sorts(self, problem: Problem, generator: random.Random) -> Problem:
        grown = Source(problem)
        said: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for predicate, terms in grown.init:
            for place, term in enumerate(terms):
                said[term].add((predicate, place))
        gone: set[Atom] = set()
        new: list[Atom] = []
        for type_, sorts in self._sorts.items():
            if len(sorts) < 2 or generator.random() >= _EXCHANGED:
                continue
            for name in [o.name for o in problem.objects if o.type == type_]:
                sort, other = grown.sorts[name], generator.choice(sorts)
                marks = {(mark, 0) for mark in other[1:]}
                if sort in sorts and self._mined.always[other] <= said[name] | marks:
                    gone |= {Atom(mark, (name,)) for mark in sort[1:]}
                    new += [Atom(mark, (name,)) for mark in other[1:]]
        if not gone and not new:
            return problem
        return problem.replace(init=[*(a for a in problem.init if a not in gone), *new])
