"""Every problem that a generator can make of small sizes: all its random choices, one by one."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pg3.domains.base import Sizes
from pg3.domains.chance import Chance
from pg3.errors import Pg3Error
from pg3.pddl import Literal, Problem

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from pg3.domains import BuiltInDomain

# A generator that draws again until something fits would do so for ever if the first choice is
# taken each time.
_CHOICES = 10_000


class EveryChoice(Chance):
    """A source of choices that takes all combinations in turn: `advance` goes to the next.

    All random choices of a generator come down to `below`.
    """

    __slots__ = ("_at", "_path")

    def __init__(self) -> None:
        # The choices of this round with their bounds, and how many of them are made already.
        self._path: list[tuple[int, int]] = []
        self._at = 0

    def below(self, bound: int) -> int:
        """The choice of this round."""
        if self._at == len(self._path):
            if self._at == _CHOICES:
                raise _TooManyError
            self._path.append((0, bound))
        choice, expected = self._path[self._at]
        assert expected == bound, "the generator depends on more than its choices"
        self._at += 1
        return choice

    def advance(self) -> bool:
        """Begin the next round; False if there are no more."""
        self._at = 0
        while self._path:
            choice, bound = self._path.pop()
            if choice + 1 < bound:
                self._path.append((choice + 1, bound))
                return True
        return False


class _TooManyError(Exception):
    """A single problem takes too many choices."""


class Enumeration(NamedTuple):
    """Problems, each once, and whether these are all."""

    problems: list[Problem]
    complete: bool


def every_problem(domain: BuiltInDomain, objects: int, most: int) -> Enumeration:
    """The problems with at most so many objects that the generator can make, small sizes first.

    Each size ranges from its smallest value to `objects`. Problems that are solved from the start
    are left out, as the generator does. After `most` rounds of choices it stops, incomplete.
    """
    found: dict[Hashable, Problem] = {}
    rounds = 0
    names = [size.name for size in domain.sizes]
    ranges = [range(size.least, objects + 1) for size in domain.sizes]
    for numbers in sorted(product(*ranges), key=lambda numbers: (sum(numbers), numbers)):
        sizes = Sizes({name: (n, n) for name, n in zip(names, numbers, strict=True)})
        try:
            for problem in _drafts(domain, sizes):
                # The sizes decide how many objects there are: all problems of these have as many.
                if len(problem.objects) > objects:
                    break
                rounds += 1
                if rounds > most:
                    return Enumeration(list(found.values()), False)
                if not set(problem.goal) <= set(problem.init):
                    found.setdefault(_content(problem), problem)
        except Pg3Error:
            continue  # impossible sizes
        except _TooManyError:
            return Enumeration(list(found.values()), False)
    return Enumeration(list(found.values()), True)


def _drafts(domain: BuiltInDomain, sizes: Sizes) -> Iterator[Problem]:
    chance = EveryChoice()
    suffix = "-".join(str(low) for low, _ in sizes.ranges.values())
    number = 0
    while True:
        number += 1
        objects, init, goal = domain.generate(chance, sizes)
        name = f"{domain.name}-{suffix}-{number}"
        yield Problem.of(name, domain.domain, objects, init, map(Literal, goal))
        if not chance.advance():
            return


def _content(problem: Problem) -> Hashable:
    return problem.objects, frozenset(problem.init), frozenset(problem.goal)
