"""Readings of derived predicates, paths and `_`, and why such a condition fails."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings

from pg3 import read_policy
from pg3.analysis.explain import explain
from pg3.analysis.explain.reading import read_definitions, read_rule
from pg3.analysis.explain.text import tell_policy, tell_step
from tests.extended.problems import blocksworld, domain
from tests.support.random_problems import DERIVED, scenarios

if TYPE_CHECKING:
    from tests.support.random_problems import Scenario

EXAMPLES = Path(__file__).parents[2] / "extended"


def test_definitions_are_read_as_alternatives() -> None:
    blocks = domain("blocksworld")
    policy = read_policy(EXAMPLES / "blocksworld.policy", blocks)
    unsettled, wanted = read_definitions(policy, blocks)
    assert unsettled.startswith("An object is unsettled if the first object is not yet on a second")
    assert unsettled.count("; or if ") == 3
    assert wanted.startswith("An object is wanted free if the object is not yet clear")


def test_paths_and_nothing_at_all() -> None:
    roads = domain("transport")
    deliver = read_policy(EXAMPLES / "transport.policy", roads).rules[1]
    assert "the next step from the current location along “road”" in read_rule(deliver, roads)
    snack = domain("childsnack")
    back = read_policy(EXAMPLES / "childsnack.policy", snack).rules[3]
    assert "nothing is at kitchen" in read_rule(back, snack)


def test_a_derived_condition_that_fails_is_named() -> None:
    problem = blocksworld(6, random.Random(4), partial=False)
    policy = read_policy(EXAMPLES / "blocksworld.policy", problem.domain)
    explanation = explain(problem, policy)
    told = " ".join(tell_step(explanation, k) for k in range(1, explanation.steps + 1))
    reasons = [line for line in " ".join(told.split()).split("not rule ") if "fetch" in line[:24]]
    assert any("is unsettled" in reason for reason in reasons)


@settings(max_examples=30)
@given(scenarios(DERIVED))
def test_everything_can_be_told(scenario: Scenario) -> None:
    problem, policy = scenario
    assert tell_policy(policy, problem.domain)
    explanation = explain(problem, policy, max_steps=5)
    for number in range(1, explanation.steps + 1):
        step = explanation.step(number)
        if step.firing is not None and number <= len(explanation.plan):
            assert step.firing.action == explanation.plan[number - 1]
