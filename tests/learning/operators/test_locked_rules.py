"""Locked rules: whatever operators do, they stay, as they are and in their order."""

from __future__ import annotations

import random
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3.learning.operators import OPERATORS, LockedRules, OperatorOptions, locked_places
from pg3.learning.training import Training
from pg3.policy import canonical_rule
from tests.learning.operators.test_operators import guided_plans
from tests.support.ferry_problems import POLICY, small_ferry_problems
from tests.support.random_problems import Scenario, scenarios

if TYPE_CHECKING:
    from pg3.policy import Rule
    from pg3.policy.rule_book import PolicyKey


def slow_holds(policy: list[Rule], kept: list[Rule]) -> bool:
    """Whether the kept rules are in the policy in their order: try all ways to choose rules."""
    return any(list(chosen) == kept for chosen in combinations(policy, len(kept)))


@given(st.lists(st.integers(0, 3), max_size=7), st.lists(st.integers(0, 3), max_size=4))
def test_places(policy: list[int], kept: list[int]) -> None:
    places = locked_places(tuple(policy), tuple(kept))
    assert (places is not None) == any(
        list(chosen) == kept for chosen in combinations(policy, len(kept))
    )
    if places is not None:
        assert [policy[place] for place in places] == kept
        assert list(places) == sorted(set(places))


@pytest.mark.parametrize("name", OPERATORS)
@settings(max_examples=40)
@given(scenarios(), st.data())
def test_kept_rules_survive_every_operator(
    name: str, scenario: Scenario, data: st.DataObject
) -> None:
    training = Training([scenario.problem])
    key = training.book.key(scenario.policy)
    locked = data.draw(st.sets(st.sampled_from(range(len(key))))) if key else set()
    kept = tuple(key[place] for place in sorted(locked))
    operator = OPERATORS[name](training, OperatorOptions())
    plans = partial(guided_plans, training, key)
    everything = list(operator.children(key, plans))

    def rules(numbers: PolicyKey) -> list[Rule]:
        return [canonical_rule(training.book.rule(number)) for number in numbers]

    expected = [child for child in everything if slow_holds(rules(child), rules(kept))]
    assert list(LockedRules(operator, kept).children(key, plans)) == expected


def test_they_survive_a_long_walk_of_changes() -> None:
    training = Training(small_ferry_problems(2))
    start = training.book.take(POLICY)
    kept = (start[1], start[3])
    rng = random.Random(0)
    operators = [
        LockedRules(make(training, OperatorOptions()), kept) for make in OPERATORS.values()
    ]
    policy, changed = start, 0
    for _ in range(200):
        children = list(
            rng.choice(operators).children(policy, partial(guided_plans, training, policy))
        )
        if not children:
            continue
        policy = rng.choice(children)
        if len(policy) > 8:
            policy = start
        changed += policy != start
        told = training.book.policy(policy, "p").rules
        assert [rule for rule in told if rule in (POLICY.rules[1], POLICY.rules[3])] == [
            POLICY.rules[1],
            POLICY.rules[3],
        ]
        assert len({rule.name for rule in told}) == len(told)
    assert changed > 100


def test_nothing_locked_changes_nothing() -> None:
    training = Training(small_ferry_problems(2))
    key = training.book.key(POLICY)
    for make in OPERATORS.values():
        operator = make(training, OperatorOptions())
        plans = partial(guided_plans, training, key)
        assert list(LockedRules(operator, ()).children(key, plans)) == list(
            operator.children(key, plans)
        )
