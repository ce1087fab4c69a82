"""Every score against its definition, worked out slowly; and what all scores must do."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings

from pg3.learning.operators import OPERATORS, OperatorOptions
from pg3.learning.policy_search import PolicySearch
from pg3.learning.scores import SCORES, Evaluation
from pg3.learning.scores.base import accumulate
from pg3.learning.training import Training
from pg3.planning import Limits, compare_plan, execute, plan, plan_guided
from pg3.policy import DecisionList
from pg3.semantics.task import Task
from tests.support.errands import FETCH, FETCHING, round_trip
from tests.support.ferry_problems import POLICY, small_ferry_problems
from tests.support.random_problems import Scenario, scenarios

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.scores import Accumulation
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction

EXPANSIONS = 150
ROLLOUT, HORIZON = 50, 100
EMPTY = DecisionList("empty", ())


# -- the definitions -------------------------------------------------------------------------------


def mismatches(problem: Problem, policy: DecisionList, steps: Sequence[GroundAction]) -> int:
    return compare_plan(problem, policy, steps).count(False)


def slow_pg3(problem: Problem, policy: DecisionList, horizon: int = HORIZON) -> float:
    outcome = plan_guided(
        problem, policy, rollout_steps=ROLLOUT, limits=Limits(expansions=EXPANSIONS)
    )
    if outcome.plan is None:
        return horizon
    return min(horizon, mismatches(problem, policy, outcome.plan))


def slow_policy_evaluation(problem: Problem, policy: DecisionList) -> float:
    return 0 if execute(problem, policy, max_steps=1000).solved else 1


def slow_plan_comparison(problem: Problem, policy: DecisionList) -> float:
    outcome = plan(problem, limits=Limits(expansions=EXPANSIONS))
    if outcome.plan is None:
        return HORIZON
    return min(HORIZON, mismatches(problem, policy, outcome.plan))


def slow_goal_count(problem: Problem, policy: DecisionList) -> float:
    task = Task(problem)
    state = task.initial_state
    for action in execute(problem, policy, max_steps=1000).plan:
        state = task.successor(state, action)
    open_goals = [atom for atom in problem.goal if atom not in state]
    return len(open_goals) + sum(atom in state for atom in problem.negative_goal)


def slow_scores(name: str, problems: Sequence[Problem], policy: DecisionList) -> list[float]:
    definition = {
        "pg3": slow_pg3,
        "policy-evaluation": slow_policy_evaluation,
        "combo": slow_policy_evaluation,
        "plan-comparison": slow_plan_comparison,
        "goal-count": slow_goal_count,
    }[name]
    return [definition(p, policy) for p in problems]


def slow_ties(name: str, problems: Sequence[Problem], policy: DecisionList) -> tuple[float, float]:
    """Total and tie of an evaluation with the score `max`."""
    if name == "pg3":
        return sum(slow_scores(name, problems, policy)), 0
    if name == "combo":
        return 0, max(slow_scores("plan-comparison", problems, policy))
    return 0, 0


def evaluate(
    name: str,
    problems: Sequence[Problem],
    policies: Sequence[DecisionList],
    how: Accumulation = "max",
) -> list[Evaluation]:
    training = Training(problems, expansions=EXPANSIONS)
    score = SCORES[name](training, ROLLOUT, HORIZON, how)
    return score.evaluate([training.book.key(policy) for policy in policies])


def numbers(evaluation: Evaluation) -> tuple[float, list[float], bool]:
    return evaluation.score, list(evaluation.by_problem), evaluation.perfect


# -- against the definitions -----------------------------------------------------------------------


@pytest.mark.parametrize("name", SCORES)
@settings(max_examples=30)
@given(scenario=scenarios())
def test_the_definition_on_random_problems(name: str, scenario: Scenario) -> None:
    problem, policy = scenario
    # The learner leaves out problems without a solution; the kernel does not count goals that can
    # never be reached.
    assume(name != "goal-count" or Task(problem).h_add(frozenset(problem.init)) < inf)
    for one, evaluation in zip(
        (policy, EMPTY), evaluate(name, [problem], [policy, EMPTY]), strict=True
    ):
        (expected,) = slow_scores(name, [problem], one)
        assert list(evaluation.by_problem) == pytest.approx([expected])
        assert evaluation.score == pytest.approx(expected)
        assert (evaluation.total, evaluation.tie) == slow_ties(name, [problem], one)


@pytest.mark.parametrize("name", SCORES)
def test_the_definition_on_candidates_of_a_search(name: str) -> None:
    """Batches, caches and all: as the scores are used."""
    problems = small_ferry_problems(3)
    training = Training(problems, expansions=EXPANSIONS)
    seen: list[tuple[DecisionList, Evaluation]] = []
    PolicySearch(
        training,
        SCORES[name](training, ROLLOUT, HORIZON, "max"),
        {n: make(training, OperatorOptions()) for n, make in OPERATORS.items()},
        max_candidates=150,
        stop_when_perfect=False,
        observe=lambda c: seen.append((training.book.policy(c.policy, "p"), c.evaluation)),
    ).run()
    assert len(seen) > 100
    for policy, evaluation in seen[::5]:
        assert list(evaluation.by_problem) == pytest.approx(slow_scores(name, problems, policy))
        assert (evaluation.total, evaluation.tie) == slow_ties(name, problems, policy)
        (alone,) = evaluate(name, problems, [policy])
        assert numbers(alone) == numbers(evaluation)


@pytest.mark.parametrize("name", SCORES)
def test_what_is_remembered_changes_nothing(name: str) -> None:
    """Policies scored one after the other, in another order, and each with nothing remembered."""
    problems = [FETCH, round_trip(4, 2)]
    policies = [
        DecisionList("part", rules)
        for rules in (
            *(FETCHING.rules[:i] for i in range(len(FETCHING.rules) + 1)),
            *(FETCHING.rules[i:] for i in range(len(FETCHING.rules))),
            FETCHING.rules[::-1],
        )
    ]
    together = [numbers(one) for one in evaluate(name, problems, policies)]
    backwards = [numbers(one) for one in evaluate(name, problems, policies[::-1])]
    alone = [numbers(evaluate(name, problems, [policy])[0]) for policy in policies]
    assert together == alone == backwards[::-1]


def test_a_low_horizon_bounds_the_score() -> None:
    problem = round_trip(5, 3)
    training = Training([problem])
    score = SCORES["pg3"](training, ROLLOUT, 4, "max")
    (evaluation,) = score.evaluate([()])
    assert slow_pg3(problem, EMPTY) > 4
    assert numbers(evaluation) == (4, [4], False)


def test_plans_beyond_the_horizon_are_none() -> None:
    """Algorithm 3's horizon: the problem scores it, whatever the plan was."""
    problem = round_trip(5, 3)
    steps = plan(problem).plan
    assert steps is not None
    for name in ("pg3", "plan-comparison"):
        enough, short = (
            Training([problem], horizon=horizon) for horizon in (len(steps), len(steps) - 1)
        )
        (evaluation,) = SCORES[name](enough, ROLLOUT, HORIZON, "max").evaluate([()])
        assert numbers(evaluation) == (len(steps), [len(steps)], False)
        (evaluation,) = SCORES[name](short, ROLLOUT, HORIZON, "max").evaluate([()])
        assert numbers(evaluation) == (HORIZON, [HORIZON], False)
        assert evaluation.plans() == (None,)


# -- every member ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCORES)
@settings(max_examples=30)
@given(scenario=scenarios())
def test_scores_are_not_negative_and_always_the_same(name: str, scenario: Scenario) -> None:
    problem, policy = scenario
    once, again = (evaluate(name, [problem], [policy])[0] for _ in range(2))
    assert numbers(once) == numbers(again)
    assert once.plans() == again.plans()
    assert once.score >= 0
    assert all(score >= 0 for score in once.by_problem)


@pytest.mark.parametrize("name", SCORES)
def test_a_perfect_policy(name: str) -> None:
    problems = small_ferry_problems(6)
    perfect, empty = evaluate(name, problems, [POLICY, EMPTY])
    assert perfect.score <= empty.score
    assert not empty.perfect
    if name != "plan-comparison":  # Good policies need not do as the planner does.
        assert perfect.perfect
    if name != "plan-comparison":
        assert numbers(perfect) == (0, [0] * len(problems), True)


@pytest.mark.parametrize("name", SCORES)
def test_an_empty_batch(name: str) -> None:
    assert evaluate(name, [FETCH], []) == []


@pytest.mark.parametrize("name", SCORES)
def test_plans_come_with_the_score(name: str) -> None:
    """Plans of the problems, in order, that reach the goal; the guided ones for PG3."""
    problems = [FETCH, round_trip(4, 2)]
    training = Training(problems)
    key = training.book.key(FETCHING)
    (evaluation,) = SCORES[name](training, ROLLOUT, HORIZON, "max").evaluate([key])
    plans = evaluation.plans()
    assert len(plans) == len(problems)
    for task, steps in zip(training.tasks, plans, strict=True):
        assert steps is not None
        state = task.space.initial
        for step in steps:
            state = task.space.apply(state, step)
        assert task.space.is_goal(state)
        outcome = plan_guided(task.problem, FETCHING) if name == "pg3" else plan(task.problem)
        assert tuple(map(task.decode_action, steps)) == outcome.plan


# -- accumulation ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pg3", "plan-comparison"])
def test_accumulations(name: str) -> None:
    problems = small_ferry_problems(4)
    for how in ("max", "mean", "unsolved-mean"):
        (evaluation,) = evaluate(name, problems, [EMPTY], how)
        scores = list(evaluation.by_problem)
        assert len(set(scores)) > 1
        assert evaluation.score == (max(scores) if how == "max" else sum(scores) / len(scores))


def test_unsolved_mean_counts_the_unsolved_first() -> None:
    assert accumulate([3, 5], "unsolved-mean", 100) == 4
    assert accumulate([3, 100, 5], "unsolved-mean", 100) == 104
    assert accumulate([100, 100], "unsolved-mean", 100) == 200
    assert accumulate([99, 100], "unsolved-mean", 100) > accumulate([99, 99], "mean", 100)
    assert accumulate([], "unsolved-mean", 100) == accumulate([], "max", 100) == 0
