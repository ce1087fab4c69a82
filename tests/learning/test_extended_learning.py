"""Domains that cannot be learned in the paper's language are, in the larger one."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pg3 import execute, learn, read_policy
from pg3.domains import DOMAINS
from pg3.learning.result import Status
from pg3.policy import parse_policy, write_policy
from tests.extended.problems import blocksworld, transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Problem

EXAMPLES = Path(__file__).parents[1] / "extended"

CASES: dict[str, tuple[Callable[[int, random.Random], Problem], tuple[int, ...], int]] = {
    "blocksworld": (partial(blocksworld, partial=False), (2, 3, 3, 4, 4, 5, 5, 6, 6, 7), 1),
    "transport": (transport, (3, 4, 4, 5, 6, 8, 9, 10), 1),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_learned_from_small_problems(name: str) -> None:
    make, sizes, seed = CASES[name]
    rng = random.Random(seed)
    problems = [make(size, rng) for size in sizes]
    domain = problems[0].domain
    result = learn(domain, problems, jobs=2)
    assert result.status is Status.PASSED
    text = write_policy(result.policy, domain)
    assert (":derived" if name == "blocksworld" else "(next road") in text
    assert parse_policy(text, domain) == result.policy
    for size in (8, 12, 20, 40):
        for seed in range(5):
            found = execute(make(size, random.Random(seed)), result.policy, max_steps=10_000)
            assert found.solved, (size, seed, found.reason)


@pytest.mark.thorough
def test_a_floor_is_painted_by_what_is_learned_from_small_ones() -> None:
    floortile = DOMAINS["floortile"]
    domain, problems = floortile.domain, floortile.problems("train", seed=4)
    result = learn(domain, problems, jobs=2)
    assert result.method.startswith("larger language")
    text = write_policy(result.policy, domain)
    assert "(next way-robot-at" in text
    assert parse_policy(text, domain) == result.policy
    for problem in floortile.problems("test", seed=4, count=5):
        found = execute(problem, result.policy, max_steps=floortile.horizon)
        assert found.solved, (problem.name, found.reason)


def test_a_start_keeps_its_definitions() -> None:
    problems = [blocksworld(size, random.Random(size), partial=False) for size in (4, 5, 6)]
    domain = problems[0].domain
    start = read_policy(EXAMPLES / "blocksworld.policy", domain)
    result = learn(domain, problems, start=start, keep=["dig"])
    assert result.score == 0
    assert {clause.name for clause in result.policy.definitions} >= {"unsettled"}
    assert next(rule for rule in start.rules if rule.name == "dig") in result.policy.rules
    assert parse_policy(write_policy(result.policy), domain) == result.policy
