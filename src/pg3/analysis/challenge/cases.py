"""Problems to try a policy on: generated, permuted, and with other initial states."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, islice
from typing import TYPE_CHECKING

from pg3.analysis.challenge.trial import MEGABYTES, Trial
from pg3.domains.chance import Chance
from pg3.errors import Pg3Error
from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.perturbations.permutations import permuted
from pg3.learning.robustness.perturbations.random_starts import random_walk, started_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.domains import BuiltInDomain, Range
    from pg3.pddl import Problem
    from pg3.pddl.plans import GroundAction
    from pg3.semantics.task import Task


class Kind(StrEnum):
    """How a case was made from a problem.

    The last two start in a state that the problem's author may not have had in mind.
    """

    AS_IT_IS = "as it is"
    PERMUTED = "with its objects permuted"
    GROWN = "grown"
    WALKED = "after random actions"
    ON_THE_WAY = "after a part of the policy's way and random actions"


# Sizes grow from the smallest to those of the test split in so many levels of so many problems.
_LEVELS = 12
_AT_EACH_LEVEL = 5

# The rounds of grown problems have so many times the objects, in turn: small ones first.
_TIMES = (2.0, 3.0, 5.0)

# The most random actions before a start: few, as most failures are near the usual plans.
_LONGEST_WALK = 20
_DEVIATION = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A problem to try, the name of the problem that it was made from, and how."""

    problem: Problem
    origin: str
    kind: Kind


def generated_cases(
    domain: BuiltInDomain, trial: Trial, *, seed: int, walks: bool = True
) -> Iterator[Case]:
    """Endless cases of a built-in domain, small ones first; see `given_cases`."""
    for number, problem in enumerate(_growing(domain, seed)):
        yield from _variations(problem, trial, f"{seed}/{number}", walks)


def given_cases(
    problems: Sequence[Problem], trial: Trial, *, seed: int, walks: bool = True
) -> Iterator[Case]:
    """Endless cases made from given problems: each as it is, then variations of all in turn.

    Some are larger problems grown from all of them. Without `walks` every case starts as its
    problem does.
    """
    for problem in problems:
        yield Case(problem, problem.name, Kind.AS_IT_IS)
    grower = Grower(problems) if problems else None
    for turn in count() if grower is not None else ():
        for number, problem in enumerate(problems):
            assert grower is not None
            generator = random.Random(f"pg3/challenge/{seed}/{turn}/{number}/grown")
            times = _TIMES[turn % len(_TIMES)]
            if (grown := grower.grow(problem, generator, times=times)) is not None:
                yield Case(grown, problem.name, Kind.GROWN)
            yield from islice(
                _variations(problem, trial, f"{seed}/{turn}/{number}", walks), 1, None
            )


def _growing(domain: BuiltInDomain, seed: int) -> Iterator[Problem]:
    """Endless problems, from the smallest sizes to those of the test split."""
    for level in count():
        sizes = {}
        for size in domain.sizes:
            top = max(split.sizes[size.name][1] for split in domain.splits.values())
            sizes[size.name] = _range(size.least, top, min(level, _LEVELS))
        try:
            yield from islice(domain.stream("test", seed=seed + level, sizes=sizes), _AT_EACH_LEVEL)
        except Pg3Error:
            # Impossible sizes, or no further problem of them. Those of the last level are a
            # split's.
            if level > _LEVELS:
                raise


def _range(least: int, top: int, level: int) -> Range:
    high = least + -(-(top - least) * level**2 // _LEVELS**2)
    return max(least, high // 2), high


def _variations(problem: Problem, trial: Trial, seed: str, walks: bool) -> Iterator[Case]:
    """The problem as it is, permuted, and with `walks` from other initial states.

    A start that solves the problem is no case, nor is one that a problem file cannot state. A
    problem that is too large to ground gets no other starts.
    """
    chance = Chance(f"pg3/challenge/{seed}")
    yield Case(problem, problem.name, Kind.AS_IT_IS)
    other = permuted(problem, chance)
    yield Case(other, problem.name, Kind.PERMUTED)
    if not walks:
        return
    task = trial.task(other)
    if task.ground(megabytes=MEGABYTES) is not None:
        return
    start = random_walk(task.space, chance.between(1, _LONGEST_WALK), chance)
    if _is_start(task, start):
        yield Case(started_from(other, task.atoms(start)), problem.name, Kind.WALKED)
    way = states_on(task, trial.execute(task).plan)
    if len(way) > 1:
        begin = chance.choose(way)
        start = random_walk(task.space, chance.between(1, _DEVIATION), chance, begin)
        if _is_start(task, start):
            yield Case(started_from(other, task.atoms(start)), problem.name, Kind.ON_THE_WAY)


def _is_start(task: Task, state: int) -> bool:
    return not task.space.is_goal(state) and can_be_stated(task, state)


def can_be_stated(task: Task, state: int) -> bool:
    """Whether a problem file may have the state as its :init.

    An action with wider types than a predicate's can make atoms true that no file may state.
    """
    types = {o.name: o.type for o in task.problem.all_objects}
    return all(task.domain.accepts(atom, types, types) for atom in task.atoms(state))


def states_on(task: Task, plan: Sequence[GroundAction]) -> list[int]:
    """The states that a plan visits, the first one included, as numbers of the kernel."""
    states = [task.space.initial]
    for action in plan:
        states.append(task.space.apply(states[-1], task.action_number(action)))
    return states
