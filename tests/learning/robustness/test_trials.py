"""Trials: what a changed policy must do as well, against execution step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.budget import LimitReached
from pg3.learning.robustness.perturbations.random_starts import started_from
from pg3.learning.robustness.trials import Trials, trials_of
from pg3.learning.training import Training
from tests.oracle import execution, matching, semantics
from tests.support.errands import FETCH, RULES, errand_policies, errand_problems
from tests.support.ferry_problems import POLICY, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.robustness.trials import Trial
    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey

MAX_STEPS = 50


def trials(training: Training, key: PolicyKey) -> Trials:
    found = Trials(training.budget)
    found.add(trials_of(training, key, MAX_STEPS))
    return found


def slow_steps(problem: Problem, policy: DecisionList, max_steps: int = MAX_STEPS) -> int | None:
    """The steps that a policy takes; None if it fails."""
    run = execution.execute(problem, policy, max_steps)
    return len(run.plan) if run.status == "solved" else None


def starts(trial: Trial) -> list[Problem]:
    """The problem of a trial, as it is and from the other states."""
    (task,) = trial.problem.tasks
    others = [started_from(task.problem, task.atoms(state)) for state in trial.starts]
    return [task.problem, *others]


def slow_acting(problems: Sequence[Problem], policy: DecisionList) -> list[int]:
    """The places of the rules that act on problems which the policy solves."""
    places = set()
    for problem in problems:
        run = execution.execute(problem, policy)
        assert run.status == "solved"
        state = semantics.initial_state(problem)
        for action in run.plan:
            match = matching.policy_action(problem, policy, state)
            instance = semantics.find(problem, action, state)
            assert match is not None
            assert instance is not None
            places.add(match.rule)
            state = instance.successor(state)
    return sorted(places)


@given(st.lists(errand_problems(), min_size=1, max_size=2), errand_policies())
def test_what_is_tried(problems: list[Problem], policy: DecisionList) -> None:
    """All that the policy solves, and from other states only what it solves from there."""
    training = Training(problems)
    found = trials_of(training, training.book.take(policy), MAX_STEPS)
    solved = {i: n for i, one in enumerate(problems) if (n := slow_steps(one, policy)) is not None}
    assert [trial.problem.indices for trial in found] == [(i,) for i in solved]
    assert [trial.steps for trial in found] == list(solved.values())
    for trial in found:
        assert trial.most >= trial.steps
        assert len(set(trial.starts)) == len(trial.starts)
        assert all(slow_steps(one, policy, trial.most) is not None for one in starts(trial))


@given(st.lists(errand_problems(), min_size=1, max_size=2), errand_policies())
def test_the_rules_that_act(problems: list[Problem], policy: DecisionList) -> None:
    training = Training(problems)
    key = training.book.take(policy)
    found = trials_of(training, key, MAX_STEPS)
    tried = [problem for trial in found for problem in starts(trial)]
    assert trials(training, key).acting(key) == slow_acting(tried, policy)


@given(st.lists(errand_problems(), min_size=1, max_size=2), errand_policies(), errand_policies())
def test_what_passes(problems: list[Problem], policy: DecisionList, other: DecisionList) -> None:
    """All that was solved is solved again, from everywhere, in no more steps altogether.

    The trials change their order by and by, and what is known of a policy like the changed one is
    used: neither changes an answer.
    """
    training = Training(problems)
    key = training.book.take(policy)
    found, all_of_them = trials_of(training, key, MAX_STEPS), trials(training, key)
    mixed = replace(policy, rules=(*policy.rules[1:], *other.rules, *policy.rules[:1]))
    likes = [(), *map(training.book.key, (policy, other, mixed))]
    for changed in (other, policy, mixed, other):
        changed_key = training.book.key(changed)
        after: list[int | None] = []
        for trial in found:
            steps = [slow_steps(one, changed, trial.most) for one in starts(trial)]
            after.append(None if None in steps else steps[0])
        for like in likes:
            assert [trial.steps_of(changed_key, like) for trial in found] == after
        assert [trial.is_passed(changed_key) for trial in found] == [n is not None for n in after]
        solved = [steps for steps in after if steps is not None]
        before = sum(trial.steps for trial in found)
        expected = len(solved) == len(after) and sum(solved) <= before
        assert all_of_them.passes(changed_key) == expected


def test_a_policy_that_solves_nothing_has_no_trials() -> None:
    none = trials(Training([FETCH]), ())
    assert len(none) == 0
    assert none.passes(())
    assert none.acting(()) == []


def test_a_policy_that_takes_too_many_steps_has_no_trials() -> None:
    training = Training(small_ferry_problems(3))
    key = training.book.take(POLICY)
    most = max(steps for steps in training.solved_steps(key) if steps is not None)
    assert len(trials_of(training, key, most)) == 3
    assert len(trials_of(training, key, most - 1)) < 3


def test_the_same_trials_always() -> None:
    found = []
    for _ in range(2):
        training = Training(small_ferry_problems(3))
        key = training.book.take(POLICY)
        found.append([starts(trial) for trial in trials_of(training, key, MAX_STEPS)])
    assert found[0] == found[1]
    assert all(len(problems) > 1 for problems in found[0])


def test_further_trials() -> None:
    training = Training(small_ferry_problems(3))
    key = training.book.take(POLICY)
    some = Trials(training.budget)
    assert some.passes(())
    some.add(trials_of(training.subset([0]), key, MAX_STEPS))
    assert len(some) == 1
    assert not some.passes(())
    some.add(trials_of(training.subset([1, 2]), key, MAX_STEPS))
    assert len(some) == 3
    assert some.passes(key)


def test_trials_end_with_the_time() -> None:
    training = Training([FETCH])
    key = tuple(training.book.number(rule) for rule in RULES)
    found = trials(training, key)
    assert len(found) == 1
    training.budget.seconds = 0.0
    with pytest.raises(LimitReached):
        found.passes(key)
    with pytest.raises(LimitReached):
        trials_of(training, key, MAX_STEPS)
