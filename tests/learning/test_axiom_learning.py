"""Learning in domains with axioms: from small problems of four domains, and of random ones."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3 import execute, learn
from pg3.backends.scoring import PoolEvaluator
from pg3.learning.evaluator import LOCAL
from pg3.learning.robustness.perturbations.permutations import shuffled
from pg3.policy import parse_policy, write_policy
from tests.backends.test_remote_scores import LocalPool
from tests.learning.test_adl_learning import assert_learned
from tests.support.axiom_domains import GENERATORS, grid_problem
from tests.support.random_problems import AXIOMS, problems

if TYPE_CHECKING:
    from pg3.learning.config import Preset
    from pg3.pddl.model import Problem

# Seed and sizes of what to learn from, sizes of what to solve, and what the policy must say.
CASES = {
    "blocks": (2, (3, 3, 4, 4, 4, 5, 5, 5, 6, 6), (8, 16, 24), "(clear "),
    "grid": (1, (4, 5, 5, 6, 6, 7, 8, 8), (12, 30, 60), "(not (alarm))"),
    "rooms": (0, (3, 3, 4, 4, 5, 5, 6, 6), (12, 30, 60), "(reachable "),
    "vans": (0, (1, 1, 2, 2, 2, 3, 3, 3), (5, 8, 12), "(next linked "),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.thorough] if name == "blocks" else [])
        for name in sorted(CASES)
    ],
)
def test_learned_from_small_problems(name: str) -> None:
    seed, small, large, said = CASES[name]
    make, generator = GENERATORS[name], random.Random(seed)
    problems = [make(size, generator) for size in small]
    domain = problems[0].domain
    result = learn(domain, problems, jobs=2)
    assert (result.score, result.solved) == (0, True)
    text = write_policy(result.policy, domain)
    assert said in text
    assert parse_policy(text, domain) == result.policy
    for size in large:
        problem = make(size, generator)
        for one in (problem, *(shuffled(problem, generator) for _ in range(3))):
            found = execute(one, result.policy, max_steps=20_000)
            assert found.solved, (size, found.reason)


def test_who_works_out_the_scores_changes_nothing() -> None:
    generator = random.Random(1)
    problems = [grid_problem(size, generator) for size in (4, 5, 5, 6, 6)]
    with ThreadPoolExecutor(2) as executor:
        pool = LocalPool(executor, lambda: 2)
        here, there = (
            learn(problems[0].domain, problems, evaluator=one)
            for one in (LOCAL, PoolEvaluator(pool))
        )
    assert pool.messages
    assert (here.policy, here.candidates) == (there.policy, there.candidates)


@given(problems(AXIOMS), st.sampled_from(["robust", "paper"]))
def test_whatever_the_axioms(problem: Problem, preset: Preset) -> None:
    assert_learned(problem, preset)
