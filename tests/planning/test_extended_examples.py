"""Policies in the extended language, with the names that competitions use: `tests/extended`.

They solve their domains, and can be explained. For those of built-in domains see
`test_built_in_policies`.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pg3 import execute, read_policy
from pg3.analysis.explain import explain
from pg3.errors import Pg3Error
from pg3.integrations.exports import EXPORTS
from pg3.planning import Limits, plan_guided
from tests.extended.problems import MAKERS, domain
from tests.oracle import execution

EXAMPLES = Path(__file__).parents[1] / "extended"
SIZES = {
    "blocksworld": (2, 5, 9),
    "transport": (2, 5, 9),
    "childsnack": (3, 7),
    "floortile": (2, 4),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", sorted(MAKERS))
def test_every_problem_is_solved(name: str, seed: int) -> None:
    policy = read_policy(EXAMPLES / f"{name}.policy", domain(name))
    for size in SIZES[name]:
        problem = MAKERS[name](size, random.Random(seed))
        found = execute(problem, policy)
        assert found.solved, found.reason
        assert found.check().valid
        one = Limits(expansions=1)
        assert plan_guided(problem, policy, rollout_steps=10_000, limits=one).solved


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_the_slow_twin_does_the_same(name: str) -> None:
    policy = read_policy(EXAMPLES / f"{name}.policy", domain(name))
    problem = MAKERS[name](SIZES[name][0], random.Random(7))
    assert execute(problem, policy).plan == execution.execute(problem, policy).plan


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_explanations_find_the_same_rules(name: str) -> None:
    policy = read_policy(EXAMPLES / f"{name}.policy", domain(name))
    problem = MAKERS[name](SIZES[name][0], random.Random(3))
    explanation = explain(problem, policy)
    for number in range(1, explanation.steps + 1):
        step = explanation.step(number)
        assert step.firing is not None
        assert step.firing.action == explanation.plan[number - 1]


def test_paths_cannot_be_exported_as_axioms() -> None:
    policy = read_policy(EXAMPLES / "transport.policy", domain("transport"))
    with pytest.raises(Pg3Error, match=r"\(next road .* cannot be exported"):
        EXPORTS["pddl-axioms"].policy_text(policy, domain("transport"))
