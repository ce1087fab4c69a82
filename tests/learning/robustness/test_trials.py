"""Trials: what a changed policy must do as well, against execution step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.budget import Budget, LimitReached
from pg3.learning.robustness.trials import Trials
from pg3.learning.training import Training
from tests.oracle import execution, matching, semantics
from tests.support.errands import FETCH, RULES, errand_policies, errand_problems
from tests.support.ferry_problems import POLICY, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList

MAX_STEPS = 50


def slow_steps(problem: Problem, policy: DecisionList, max_steps: int = MAX_STEPS) -> int | None:
    """The steps that a policy takes; None if it fails."""
    run = execution.execute(problem, policy, max_steps)
    return len(run.plan) if run.status == "solved" else None


def slow_acting(problems: Sequence[Problem], policy: DecisionList) -> list[int]:
    """The places of the rules that act on those of the problems that the policy solves."""
    places = set()
    for problem in problems:
        run = execution.execute(problem, policy, MAX_STEPS)
        if run.status != "solved":
            continue
        state = semantics.initial_state(problem)
        for action in run.plan:
            match = matching.policy_action(problem, policy, state)
            instance = semantics.find(problem, action, state)
            assert match is not None
            assert instance is not None
            places.add(match.rule)
            state = instance.successor(state)
    return sorted(places)


@given(st.lists(errand_problems(), min_size=1, max_size=3), errand_policies())
def test_the_rules_that_act(problems: list[Problem], policy: DecisionList) -> None:
    training = Training(problems)
    key = training.book.take(policy)
    trials = Trials(training, key, MAX_STEPS)
    solved = [problem for problem in problems if slow_steps(problem, policy) is not None]
    assert len(trials) == len(solved)
    assert trials.acting(key) == slow_acting(problems, policy)


@given(st.lists(errand_problems(), min_size=1, max_size=3), errand_policies(), errand_policies())
def test_what_passes(problems: list[Problem], policy: DecisionList, other: DecisionList) -> None:
    """All that was solved is solved again, each in twice the steps at most, and in no more in all.

    The trials change their order by and by, which changes no answer.
    """
    training = Training(problems)
    trials = Trials(training, training.book.take(policy), MAX_STEPS)
    before = {
        i: steps
        for i, problem in enumerate(problems)
        if (steps := slow_steps(problem, policy)) is not None
    }
    for changed in (other, policy, other):
        key = training.book.key(changed)
        after = [slow_steps(problems[i], changed, max(2, 2 * n)) for i, n in before.items()]
        solved = [steps for steps in after if steps is not None]
        expected = len(solved) == len(after) and sum(solved) <= sum(before.values())
        assert trials.passes(key) == expected
        assert sorted(trials.steps(key), key=str) == sorted(after, key=str)


def test_a_policy_that_solves_nothing_has_no_trials() -> None:
    trials = Trials(Training([FETCH]), (), MAX_STEPS)
    assert len(trials) == 0
    assert trials.passes(())
    assert trials.acting(()) == []


def test_a_policy_that_takes_too_many_steps_has_no_trials() -> None:
    training = Training(small_ferry_problems(3))
    key = training.book.take(POLICY)
    most = max(steps for steps in training.solved_steps(key) if steps is not None)
    assert len(Trials(training, key, most)) == 3
    assert len(Trials(training, key, most - 1)) < 3


def test_trials_end_with_the_time() -> None:
    training = Training([FETCH])
    key = tuple(training.book.number(rule) for rule in RULES)
    trials = Trials(training, key, MAX_STEPS)
    assert len(trials) == 1
    training.budget.seconds = 0.0
    with pytest.raises(LimitReached):
        trials.passes(key)
    with pytest.raises(LimitReached):
        Trials(Training([FETCH], book=training.book, budget=Budget(0.0)), key, MAX_STEPS)
