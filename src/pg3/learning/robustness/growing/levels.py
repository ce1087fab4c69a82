"""Altered problems with more levels: longer lines of numbers, on which things begin higher.

A capacity or a stock is often a line of objects, each level with the next one. A grown problem has
as many levels as one of the given problems: a shelf for two books has no room for ten, however many
books there are. In an altered problem a line may be longer. A thing then begins higher: all its
facts about the line are moved by equally many levels, so that what was full is full and what had
room for one more still has it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.names import Names
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.maps import Shape
from pg3.pddl.model import Atom, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.growing.structure.maps import Map
    from pg3.pddl.model import Problem

# The chance of a line to be longer, as that of all that altered problems draw anew.
_LONGER = 0.5


class Levels:
    """Makes lines of numbers longer; goals ask for no level of theirs."""

    def __init__(self, sources: Sequence[Source], mined: Mined) -> None:
        wanted = {
            source.sorts[term]
            for source in sources
            for literal in source.problem.goal_literals
            for term in literal.atom.terms
        }
        self._lines = [
            map_
            for map_ in mined.maps
            if map_.shape is Shape.LINE
            and len(map_.relations) == 1
            and not (map_.lengthens or map_.is_shared_out)
            and wanted.isdisjoint(map_.sorts)
        ]

    def raised(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with longer lines, each with an even chance."""
        for line in self._lines:
            if generator.random() < _LONGER:
                problem = _raised(problem, line, generator)
        return problem


def _raised(problem: Problem, map_: Map, generator: random.Random) -> Problem:
    """The problem with one line longer at an end that is like all others, if there is one."""
    source = Source(problem)
    line = map_.line(source)
    if len(line) < 2:
        return problem
    is_last_open = not map_.has_last and line[-1] not in source.constants
    is_first_open = not map_.has_first and line[0] not in source.constants
    place = {name: i for i, name in enumerate(line)}
    if not (is_last_open or is_first_open) or any(
        not place.keys().isdisjoint(atom.terms) for atom in problem.function_values
    ):
        return problem
    names, end = Names(source.types), line[-1 if is_last_open else 0]
    new = [names.new(end) for _ in range(generator.randint(1, len(line)))]
    longer = [*line, *new] if is_last_open else [*reversed(new), *line]
    higher: dict[str, int] = {}
    init = []
    assert map_.along is not None
    for atom in problem.init:
        others = [term for term in atom.terms if term not in place]
        if atom.predicate == map_.along.predicate or len(others) in (0, len(atom.terms)):
            init.append(atom)
            continue
        if len({*others}) > 1:
            # Of whom the level is, is not known.
            return problem
        if others[0] not in higher:
            higher[others[0]] = generator.randint(0, len(new))
        by = higher[others[0]] if is_last_open else len(new) - higher[others[0]]
        moved = (longer[place[t] + by] if t in place else t for t in atom.terms)
        init.append(Atom(atom.predicate, tuple(moved)))
    init += [
        Atom(map_.along.predicate, pair if map_.along.start == 0 else pair[::-1])
        for pair in pairwise(longer)
        if not place.keys() >= {*pair}
    ]
    objects = [*problem.objects, *(TypedObject(name, source.types[end]) for name in new)]
    return problem.replace(objects=objects, init=init)
