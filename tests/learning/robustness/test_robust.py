"""What the robust preset and the scores promise beyond one lucky run."""

from __future__ import annotations

import random

import pytest

from pg3.domains import DOMAINS
from pg3.learning.learner import learn
from pg3.learning.operators import OPERATORS, OperatorOptions
from pg3.learning.robustness.perturbations.permutations import shuffled
from pg3.learning.robustness.perturbations.random_starts import random_walk
from pg3.learning.scores.pg3 import Pg3Score
from pg3.learning.scores.plan_comparison import PlanComparison
from pg3.learning.training import Training
from pg3.planning import execute
from tests.support.errands import ERRANDS
from tests.support.errands import FETCH as ERRAND


@pytest.mark.parametrize(
    ("name", "data_seed", "seed"),
    [
        ("gripper", 0, 2),  # has policies that are perfect by luck
        pytest.param("gripper", 0, 1, marks=pytest.mark.thorough),
        ("forest", 1, 1),  # tempts to remember
        pytest.param("forest", 2, 1, marks=pytest.mark.thorough),
        pytest.param("spanner", 1, 2, marks=pytest.mark.thorough),
    ],
)
def test_no_luck_of_names_order_or_seed(name: str, data_seed: int, seed: int) -> None:
    source = DOMAINS[name]
    generator = random.Random(1000 * data_seed + seed)
    train = [shuffled(problem, generator) for problem in source.problems("train", seed=data_seed)]
    generator.shuffle(train)
    result = learn(source.domain, train, seed=seed)
    assert result.solved
    for problem in source.problems("test", seed=data_seed):
        assert execute(problem, result.policy, max_steps=source.horizon).solved


def test_no_luck_with_few_training_problems() -> None:
    """From half of these problems of Satellite one search finds a policy that only looks right."""
    source = DOMAINS["satellite"]
    train, tests = source.problems("train", seed=2)[::2], source.problems("test", seed=2)
    lucky = learn(source.domain, train, preset="paper")
    assert lucky.solved
    assert not any(execute(problem, lucky.policy).solved for problem in tests)
    result = learn(source.domain, train)
    assert all(execute(problem, result.policy).solved for problem in tests)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("blocksworld", 3),
        pytest.param("childsnack", 1, marks=pytest.mark.thorough),
        pytest.param("logistics", 0, marks=pytest.mark.thorough),
    ],
)
def test_no_luck_with_small_training_problems(name: str, seed: int) -> None:
    """Where the training problems alone do not show what a policy lacks, their variations do."""
    source = DOMAINS[name]
    result = learn(source.domain, source.problems("train", seed=seed))
    for problem in source.problems("test", seed=seed, count=4):
        assert execute(problem, result.policy).solved


def test_scores_depend_on_the_settings_they_are_asked_with() -> None:
    training = Training([ERRAND])
    rules = [make(training, OperatorOptions()) for make in OPERATORS.values()]
    policies = [(), *(p for o in rules for p in o.children((), lambda: training.plans))]
    for rollout in (0, 50, 1, 50, 0):
        expected = [
            Pg3Score(Training([ERRAND], book=training.book), rollout_steps=rollout)
            .evaluate([policy])[0]
            .score
            for policy in policies
        ]
        got = Pg3Score(training, rollout_steps=rollout).evaluate(policies)
        assert [evaluation.score for evaluation in got] == expected


def test_plan_comparison_without_plans_is_not_perfect() -> None:
    training = Training([ERRAND], expansions=0)
    assert training.plans == (None,)
    (evaluation,) = PlanComparison(training).evaluate([()])
    assert (evaluation.score, evaluation.perfect) == (100, False)


def test_equal_problems_count_once() -> None:
    result = learn(ERRANDS, [ERRAND, ERRAND])
    assert [p.left_out for p in result.problems] == [None, "it is the same as problem 1"]


def test_a_walk_stays_in_the_state_space() -> None:
    space = Training([ERRAND]).tasks[0].space
    assert random_walk(space, 0, random.Random(0)) == space.initial
    walks = [random_walk(space, 20, random.Random(seed)) for seed in range(5)]
    assert walks == [random_walk(space, 20, random.Random(seed)) for seed in range(5)]
    assert all(0 <= state < space.num_states() for state in walks)
