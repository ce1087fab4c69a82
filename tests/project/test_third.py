"""The third and fourth sets of domains from working life.

Small problems can be solved, and training shows all kinds of goals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks.workplace.fourth import FOURTH
from benchmarks.workplace.third import THIRD
from benchmarks.workplace.third.choice import TEST, TRAIN

from pg3 import plan, validate
from pg3.errors import Pg3Error
from pg3.planning import Limits

if TYPE_CHECKING:
    from pg3.pddl import Problem

DOMAINS = {**THIRD, **FOURTH}


def shapes(problems: tuple[Problem, ...]) -> set[tuple[str, ...]]:
    """The predicates of the goals with the types of their objects."""
    return {
        (atom.predicate, *(dict(problem.all_objects)[term] for term in atom.terms))
        for problem in problems
        for atom in problem.goal
    }


@pytest.mark.parametrize("name", DOMAINS)
def test_small_problems_can_be_solved(name: str) -> None:
    problems = DOMAINS[name].problems("train", seed=1, count=3)
    others = DOMAINS[name].problems("train", seed=0, count=2, sizes={"objects": (9, 10)})
    for problem in (*problems, *others):
        found = plan(problem, limits=Limits(expansions=100_000))
        assert found.plan is not None
        assert validate(problem, found.plan).valid


@pytest.mark.parametrize("name", DOMAINS)
def test_training_problems_have_all_goals_of_the_larger_tests(name: str) -> None:
    train, test = (DOMAINS[name].problems(split, seed=0) for split in ("train", "test"))
    assert shapes(test) <= shapes(train)
    for problems, sizes in ((train, TRAIN), (test, TEST)):
        assert len({problem.content for problem in problems}) == len(problems)
        for problem in problems:
            assert sizes["objects"][0] <= len(problem.objects) <= sizes["objects"][1]
            assert sizes["goals"][0] <= len(problem.goal) <= sizes["goals"][1]


def test_there_are_so_many_problems_and_others_of_other_sizes() -> None:
    with pytest.raises(Pg3Error, match="brewery has 10 problems for 'train'"):
        THIRD["brewery"].problems("train", seed=0, count=11)
    larger = THIRD["brewery"].problems("train", seed=0, count=11, sizes={"objects": (12, 16)})
    assert len({problem.content for problem in larger}) == 11
    with pytest.raises(Pg3Error, match="no problem has 1 to 1 objects"):
        THIRD["brewery"].problems("train", seed=0, count=1, sizes={"objects": (1, 1)})
