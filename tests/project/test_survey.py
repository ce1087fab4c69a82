"""The domains of benchmarks: their problems can be solved, and test problems are larger."""

from __future__ import annotations

import pytest
from benchmarks.adl import ADL
from benchmarks.survey import SURVEY
from benchmarks.workplace import WORKPLACE
from benchmarks.workplace.fourth import FOURTH
from benchmarks.workplace.held_out import HELD_OUT
from benchmarks.workplace.third import THIRD

from pg3 import plan, validate
from pg3.planning import Limits

DOMAINS = {**ADL, **SURVEY, **WORKPLACE, **HELD_OUT, **THIRD, **FOURTH}


@pytest.mark.parametrize("name", DOMAINS)
def test_the_smallest_training_problem_can_be_solved(name: str) -> None:
    domain = DOMAINS[name]
    problems = domain.problems("train", seed=0, count=5)
    smallest = min(problems, key=lambda problem: (len(problem.objects), len(problem.goal)))
    found = plan(smallest, limits=Limits(expansions=20_000))
    assert found.plan is not None
    assert validate(smallest, found.plan).valid


@pytest.mark.parametrize("name", DOMAINS)
def test_problems_depend_on_the_seed_and_tests_are_larger(name: str) -> None:
    domain = DOMAINS[name]
    train = domain.problems("train", seed=0, count=3)
    assert train == domain.problems("train", seed=0, count=3)
    assert train != domain.problems("train", seed=1, count=3)
    (test,) = domain.problems("test", seed=0, count=1)
    assert len(test.objects) > max(len(problem.objects) for problem in train)
