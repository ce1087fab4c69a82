"""Conformance of every registered perturbation: it makes problems that a file can state."""

from __future__ import annotations

import random

import pytest

from pg3.domains import DOMAINS
from pg3.learning.robustness.perturbations import PERTURBATIONS
from pg3.pddl import parse_problem, write_problem


@pytest.mark.parametrize("domain", ["miconic", "transport-roads", "blocksworld", "rovers"])
@pytest.mark.parametrize("name", PERTURBATIONS)
def test_a_perturbation_makes_problems(name: str, domain: str) -> None:
    problems = DOMAINS[domain].problems("train", seed=0)
    perturbed = PERTURBATIONS[name](problems)
    for seed, problem in enumerate(problems[:3]):
        before = problem.content
        made = perturbed(problem, random.Random(seed))
        assert problem.content == before
        assert made.goal_literals
        assert made.minimizes_cost == problem.minimizes_cost
        assert made == perturbed(problem, random.Random(seed)), "the same choices"
        assert parse_problem(write_problem(made), made.domain).same_as(made)


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_it_changes_something(name: str) -> None:
    def changes(domain: str) -> bool:
        problems = DOMAINS[domain].problems("train", seed=0)
        perturbed = PERTURBATIONS[name](problems)
        return any(perturbed(problem, random.Random(0)) != problem for problem in problems)

    assert changes("transport-roads") or changes("miconic")
