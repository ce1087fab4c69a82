"""Altered problems with more levels: longer lines of numbers, on which things begin higher.

A capacity or a stock is often a line of objects, each level with the next one. A grown problem has
as many levels as one of the given problems: a shelf for two books has no room for ten, however many
books there are. In an altered problem a line may be longer. A thing then begins higher: all its
facts about the line are moved by equally many levels, so that what was full is full and what had
room for one more still has it. A line gets longer at an end that is like other levels: zero may
have a mark of its own. A line each of whose objects has something of its own, as a place has, is
none of numbers.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.robustness.growing.names import Names
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.maps import Shape
from pg3.pddl.model import Atom, TypedObject, objects_of

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.growing.structure.maps import Map
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Problem

# The chance of a line to be longer, as that of all that altered problems draw anew.
_LONGER = 0.5


class _Line(NamedTuple):
    """A line of numbers; the sorts of all its objects but the first ones, and but the last ones."""

    map: Map
    after_first: frozenset[Sort]
    before_last: frozenset[Sort]

    def open_ends(self, line: Sequence[str], source: Source) -> tuple[bool, bool]:
        """Whether there may be objects before the first one, and after the last one."""
        first, last = (source.sorts[name] for name in (line[0], line[-1]))
        return (
            not self.map.has_first
            and line[0] not in source.constants
            and first in self.after_first,
            not self.map.has_last and line[-1] not in source.constants and last in self.before_last,
        )


class Levels:
    """Makes lines of numbers longer; goals ask for no level of theirs."""

    def __init__(self, sources: Sequence[Source], mined: Mined) -> None:
        self._mined = mined
        wanted = {
            source.sorts[term]
            for source in sources
            for literal in source.problem.goal_literals
            for term in literal.atom.terms
        } | {
            source.sorts[term]
            for source in sources
            for disjunction in source.problem.disjunctions
            for term in objects_of(disjunction)
        }
        self._lines = [
            _Line(
                map_,
                frozenset(s.sorts[name] for s in sources for name in map_.line(s)[1:]),
                frozenset(s.sorts[name] for s in sources for name in map_.line(s)[:-1]),
            )
            for map_ in mined.maps
            if map_.shape is Shape.LINE
            and len(map_.relations) == 1
            and not (map_.lengthens or map_.is_shared_out)
            and wanted.isdisjoint(map_.sorts)
            and not _has_own(map_, mined)
        ]

    def raised(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with longer lines, each with an even chance."""
        for line in self._lines:
            if generator.random() < _LONGER:
                problem = self._raised(problem, line, generator)
        return problem

    def _raised(self, problem: Problem, given: _Line, generator: random.Random) -> Problem:
        """The problem with one line longer at an end that is like other levels, if there is one."""
        source = Source(problem)
        line, along = given.map.line(source), given.map.along
        if len(line) < 2:
            return problem
        is_first_open, is_last_open = given.open_ends(line, source)
        place = {name: i for i, name in enumerate(line)}
        if not (is_last_open or is_first_open) or any(
            not place.keys().isdisjoint(atom.terms) for atom in problem.function_values
        ):
            return problem
        names, end = Names(source.types), line[-1 if is_last_open else 0]
        new = [names.new(end) for _ in range(generator.randint(1, len(line)))]
        longer = [*line, *new] if is_last_open else [*reversed(new), *line]
        higher: dict[str, int] = {}
        init, moved = [], []
        assert along is not None
        for atom in source.init:
            others = [term for term in atom.terms if term not in place]
            if atom.predicate == along.predicate or len(others) in (0, len(atom.terms)):
                init.append(atom)
                continue
            if len({*others}) > 1:
                # Of whom the level is, is not known.
                return problem
            if others[0] not in higher:
                higher[others[0]] = generator.randint(0, len(new))
            by = higher[others[0]] if is_last_open else len(new) - higher[others[0]]
            terms = (longer[place[t] + by] if t in place else t for t in atom.terms)
            moved.append(Atom(atom.predicate, tuple(terms)))
        instances = [one for atom in (*init, *moved) for one in self._mined.instances(atom)]
        if len({*instances}) < len(instances):
            return problem
        init += moved
        init += [
            Atom(along.predicate, pair if along.start == 0 else pair[::-1])
            for pair in pairwise(longer)
            if not place.keys() >= {*pair}
        ]
        init += [Atom(mark, (name,)) for name in new for mark in source.sorts[end][1:]]
        objects = [*problem.objects, *(TypedObject(name, source.types[end]) for name in new)]
        return problem.replace(objects=objects, init=init)


def _has_own(map_: Map, mined: Mined) -> bool:
    """Whether each object of a line has a fact of its own, and is not what the fact says of others.

    The size of a kiln says nothing of a level. That a slot is empty or holds something does.
    """

    def is_value(predicate: str, place: int) -> bool:
        return place in mined.single.get(predicate, ()) or any(
            place not in places for _, places in mined.parts_of.get(predicate, ())
        )

    assert map_.along is not None
    return any(not map_.sorts.isdisjoint(sorts) for sorts in mined.exact) or any(
        predicate not in (map_.along.predicate, *sort[1:]) and not is_value(predicate, place)
        for sort in map_.sorts
        for predicate, place in mined.always.get(sort, ())
    )
