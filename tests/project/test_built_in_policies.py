"""Every built-in domain has a policy written by hand that solves its whole test split.

They are examples of the language, and upper bounds for what is learned.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pg3 import execute
from pg3.analysis.explain import explain
from pg3.domains import DOMAINS
from pg3.policy import parse_policy, read_policy, write_policy

POLICIES = Path(__file__).parents[2] / "examples" / "policies"

# Where a domain's policy is not called like the domain: the same one serves a domain of MOOSE's.
ELSEWHERE = {
    "blocksworld-partial": "extended/blocksworld",
    "ferry-typed": "moose/ferry",
    "miconic-once": "moose/miconic",
}


def policy_path(name: str) -> Path:
    """The file with the policy for a built-in domain; there is exactly one that is meant."""
    if name in ELSEWHERE:
        return POLICIES / f"{ELSEWHERE[name]}.policy"
    places = [POLICIES / folder / f"{name}.policy" for folder in (".", "extended", "moose")]
    return next(path for path in places if path.exists())


@pytest.mark.parametrize("name", DOMAINS)
def test_the_whole_test_split_is_solved(name: str) -> None:
    built_in = DOMAINS[name]
    policy = read_policy(policy_path(name), built_in.domain)
    problems = built_in.problems("test", seed=0)
    assert len(problems) == 30
    for problem in problems:
        found = execute(problem, policy, max_steps=built_in.horizon)
        assert found.solved, found.reason
        verdict = found.check()
        assert verdict.valid, verdict.message


@pytest.mark.parametrize("name", DOMAINS)
def test_explanations_find_the_same_actions(name: str) -> None:
    """The slow matcher behind explanations is a twin of the executor."""
    built_in = DOMAINS[name]
    policy = read_policy(policy_path(name), built_in.domain)
    problem = min(built_in.problems("train", seed=3), key=lambda one: len(one.all_objects))
    explanation = explain(problem, policy)
    assert explanation.execution.solved
    for number in range(1, explanation.steps + 1):
        step = explanation.step(number, near_misses=False)
        assert step.firing is not None
        assert step.firing.action == explanation.plan[number - 1]


@pytest.mark.parametrize("name", DOMAINS)
def test_text_loses_nothing(name: str) -> None:
    domain = DOMAINS[name].domain
    policy = read_policy(policy_path(name), domain)
    assert parse_policy(write_policy(policy, domain), domain) == policy


def test_no_example_is_left_alone() -> None:
    """Each file in `extended` is the policy of a built-in domain."""
    used = {policy_path(name) for name in DOMAINS}
    assert set((POLICIES / "extended").glob("*.policy")) <= used
