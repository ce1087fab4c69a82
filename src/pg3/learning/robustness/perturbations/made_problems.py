"""Problems made from those of the user, to test policies on.

*Grown* problems are larger (`growing`, `longer_paths`) and otherwise like those of the user.
*Random starts* are problems of the user that begin where a random walk has ended. *Altered* ones
differ in what seems to be chance: variations (`variations`), grown problems with another initial
state (`growing.redrawing`) or with a random start. Nobody says that a made problem has a solution;
the altered ones may also be unlike anything that the user has in mind.

All is made when it is asked for, as the journal of a resumed run may have all verdicts. Each part
has a random generator of its own, so that it is the same whatever is asked for first.
"""

from __future__ import annotations

import random
from functools import cached_property
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.perturbations.longer_paths import LongerPaths
from pg3.learning.robustness.perturbations.permutations import shuffled
from pg3.learning.robustness.perturbations.random_starts import (
    random_walk,
    started_from,
    states_of_walk,
)
from pg3.learning.robustness.perturbations.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.learning.training import Training
    from pg3.pddl.model import Problem
    from pg3.semantics.task import State, Task

# Tests with shuffled objects: about so many in all, and at least so many a problem.
_SHUFFLED_TESTS, _LEAST_SHUFFLES = 60, 4

# Problems with longer paths, where the domain has maps. Few: new places make them large. And every
# so many grown problems have longer paths, too.
_LONGER, _LONGER_EVERY = 4, 3

# Grown problems in a batch, and how many times the objects they have. Every other one is altered.
_BATCH, _GROWTH = 12, (1.5, 1.5, 2.0, 2.0, 3.0, 3.0, 5.0, 5.0)

# Larger ones, on which a policy is executed without grounding them.
_LARGER, _MUCH_LARGER = 40, (3.0, 5.0)

# Problems are made from those of the user that have at most so many times the size of given ones.
_SOURCES = 2

# Random walks from each problem's start, and their length.
_WALKS, _WALK_STEPS = 4, 50

# Every so many states of a walk show which facts are never true together; states in between add
# little, since an action changes few facts.
_LOOK_EVERY = 5


class _Recipe(NamedTuple):
    """How to vary a problem; see `Variations.vary`."""

    relink: bool = False
    twins: int = 0
    fewer_goals: bool = False


# Each round makes one variation with the problem's own objects and one with twins. In the last one
# fewer objects have goals: where every object has one, a policy need not ask for it.
_ROUNDS = (
    (_Recipe(relink=True), _Recipe(relink=True, twins=1)),
    (_Recipe(), _Recipe(twins=2)),
    (_Recipe(relink=True), _Recipe(relink=True, twins=1)),
    (_Recipe(), _Recipe(twins=2, fewer_goals=True)),
)
_VARIATION_ROUNDS = 12


class GrownProblem(NamedTuple):
    """A grown problem, and whether its initial state was altered, too."""

    problem: Problem
    is_altered: bool


class MadeProblems:
    """Makes problems from `given` ones; what is common to all problems is looked up in `known`."""

    def __init__(self, given: Training, known: Sequence[Problem], seed: int) -> None:
        self._given = given
        self._known = known
        self._seed = seed
        self.sources = [problem for problem in known if is_source(problem, given)]
        self._batches: dict[int, list[GrownProblem]] = {}

    def _generator(self, *part: object) -> random.Random:
        return random.Random(" ".join(map(str, (self._seed, *part))))

    def shuffled(self, tasks: Sequence[Task], number: int) -> list[Problem]:
        """The problems with their objects in other orders; `number` counts the calls, from 0."""
        generator = self._generator("shuffles", number)
        copies = 0 if number else _SHUFFLED_TESTS // len(tasks)
        return [
            shuffled(task.problem, generator)
            for _ in range(max(_LEAST_SHUFFLES, copies))
            for task in tasks
        ]

    def batch(self, number: int) -> list[GrownProblem]:
        """A batch of grown problems."""
        if number not in self._batches:
            generator = self._generator("grown", number)
            made = self._grown(_BATCH, _GROWTH, generator, cycle((False, True)))
            self._batches[number] = list(made)
        return self._batches[number]

    @cached_property
    def larger(self) -> list[Problem]:
        """Larger ones, none of them altered; some are too large for searches."""
        generator = self._generator("larger")
        made = self._grown(_LARGER, _MUCH_LARGER, generator, cycle((False,)))
        return [problem for problem, _ in made]

    def longer_paths(self) -> Iterator[Problem]:
        """Problems with longer paths, if the domain has maps."""
        generator = self._generator("paths")
        if self._longer_paths:
            larger = sorted(self.sources, key=size_of)[len(self.sources) // 2 :]
            for _, problem in zip(range(_LONGER), cycle(larger), strict=False):
                yield self._longer_paths.subdivided(problem, generator)

    def variations(self) -> Iterator[Problem]:
        """Problems with twins, other links between objects, or other goals."""
        generator = self._generator("variations")
        variations = Variations(self._known, self._states)
        problems = generator.sample(self.sources, min(len(self.sources), _VARIATION_ROUNDS))
        for turn, recipes in zip(range(_VARIATION_ROUNDS), cycle(_ROUNDS), strict=False):
            for recipe in recipes:
                problem = problems[turn % len(problems)]
                yield variations.vary(problem, generator, **recipe._asdict())

    def random_starts(self) -> Iterator[Problem]:
        """The given problems, beginning where random walks have ended."""
        for task, walks in zip(self._given.tasks, self._walks, strict=True):
            for walk in walks:
                yield started_from(task.problem, task.atoms(walk[-1]))

    def started_randomly(self, tasks: Sequence[Task]) -> Iterator[Problem]:
        """These problems, beginning where a random walk has ended."""
        generator = self._generator("starts")
        for task in tasks:
            end = random_walk(task.space, _WALK_STEPS, generator)
            yield started_from(task.problem, task.atoms(end))

    def _grown(
        self,
        number: int,
        growth: Sequence[float],
        generator: random.Random,
        altered: Iterator[bool],
    ) -> Iterator[GrownProblem]:
        for i, times, alter in zip(range(number), cycle(growth), altered, strict=False):
            source = generator.choice(self.sources)
            grown = self._grower.grow(source, generator, times=times, redraw=alter)
            if grown is not None:
                if self._longer_paths and i % _LONGER_EVERY == 0:
                    grown = self._longer_paths.subdivided(grown, generator)
                yield GrownProblem(grown, alter)

    @cached_property
    def _longer_paths(self) -> LongerPaths:
        return LongerPaths(self._known)

    @cached_property
    def _grower(self) -> Grower:
        return Grower(self._known, self._states)

    @cached_property
    def _walks(self) -> list[list[list[int]]]:
        """Random walks from the start of each given problem."""
        generator = self._generator("walks")
        return [
            [states_of_walk(task.space, _WALK_STEPS, generator) for _ in range(_WALKS)]
            for task in self._given.tasks
        ]

    @cached_property
    def _states(self) -> list[State]:
        """States of the given problems, from which is seen what they have in common."""
        return [
            task.atoms(state)
            for task, walks in zip(self._given.tasks, self._walks, strict=True)
            for walk in walks
            for state in walk[::_LOOK_EVERY]
        ]


def is_source(problem: Problem, given: Training) -> bool:
    """Whether problems are made from a problem: those that are much larger would make huge ones."""
    largest = max(size_of(task.problem) for task in given.tasks)[0]
    return size_of(problem)[0] <= _SOURCES * largest


def size_of(problem: Problem) -> tuple[int, int]:
    """How large a problem is: objects and goals together, then facts."""
    return len(problem.all_objects) + len(problem.goal), len(problem.init)
