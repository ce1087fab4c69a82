"""Conformance of every way to make a problem from given ones: a file can state what it makes."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from pg3.domains import DOMAINS
from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.perturbations.longer_paths import LongerPaths
from pg3.learning.robustness.perturbations.permutations import renamed, shuffled
from pg3.learning.robustness.perturbations.random_starts import random_walk, started_from
from pg3.learning.robustness.perturbations.variations import Variations
from pg3.pddl import Problem, parse_problem, write_problem
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Maker = Callable[[Problem, random.Random], Problem]


def varied(problems: Sequence[Problem], **how: bool | int) -> Maker:
    vary = Variations(problems).vary
    return lambda problem, generator: vary(problem, generator, **({"relink": False} | how))  # type: ignore[arg-type]


def grown(problems: Sequence[Problem], *, redraw: bool) -> Maker:
    grow = Grower(problems).grow
    return lambda problem, generator: grow(problem, generator, times=2.0, redraw=redraw) or problem


def randomly_started(problem: Problem, generator: random.Random) -> Problem:
    task = Task(problem)
    steps = generator.choice((2, 5, 10, 20, 50))
    return started_from(problem, task.atoms(random_walk(task.space, steps, generator)))


MAKERS: dict[str, Callable[[Sequence[Problem]], Maker]] = {
    "shuffled objects": lambda _: shuffled,
    "renamed objects": lambda _: renamed,
    "twins": lambda problems: varied(problems, twins=2),
    "relinked facts": lambda problems: varied(problems, relink=True),
    "other goals": varied,
    "fewer goals": lambda problems: varied(problems, twins=2, fewer_goals=True),
    "longer paths": lambda problems: LongerPaths(problems).subdivided,
    "random starts": lambda _: randomly_started,
    "grown problems": lambda problems: grown(problems, redraw=False),
    "grown and altered problems": lambda problems: grown(problems, redraw=True),
}


@pytest.mark.parametrize("domain", ["miconic", "transport-roads", "blocksworld", "rovers"])
@pytest.mark.parametrize("name", MAKERS)
def test_what_is_made_is_a_problem(name: str, domain: str) -> None:
    problems = DOMAINS[domain].problems("train", seed=0)
    made_of = MAKERS[name](problems)
    for seed, problem in enumerate(problems[:3]):
        before = problem.content
        made = made_of(problem, random.Random(seed))
        assert problem.content == before
        assert made.goal_literals
        assert made.minimizes_cost == problem.minimizes_cost
        assert made == made_of(problem, random.Random(seed)), "the same choices"
        assert parse_problem(write_problem(made), made.domain).same_as(made)


@pytest.mark.parametrize("name", MAKERS)
def test_it_changes_something(name: str) -> None:
    def changes(domain: str) -> bool:
        problems = DOMAINS[domain].problems("train", seed=0)
        made_of = MAKERS[name](problems)
        made = [made_of(problem, random.Random(0)) for problem in problems]
        if name == "shuffled objects":
            return made != [*problems]
        return not all(one.same_as(problem) for one, problem in zip(made, problems, strict=True))

    assert changes("transport-roads") or changes("miconic")
