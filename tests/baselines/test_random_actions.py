"""Random actions: the kernel against a slow twin, fair choices, and every way to end."""

from __future__ import annotations

from collections import Counter

import pytest

from pg3.baselines.generator import Generator
from pg3.baselines.random_actions import execute_random
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import ExecutionStatus, Limits
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.support.errands import FETCH
from tests.support.ferry_problems import small_ferry_problems
from tests.support.lights import act, house

TRAP = parse_domain(
    """
(define (domain trap)
  (:predicates (here ?p) (way ?p ?q))
  (:action go :parameters (?p ?q) :precondition (and (here ?p) (way ?p ?q))
   :effect (and (not (here ?p)) (here ?q))))
"""
)


def trapped(goal: str = "(here nowhere)") -> Task:
    """A place from which ways lead to three others, but none leads on."""
    return Task(
        parse_problem(
            f"""
(define (problem p) (:domain trap) (:objects a b c d nowhere)
  (:init (here a) (way a b) (way a c) (way a d)) (:goal {goal}))
""",
            TRAP,
        )
    )


def slow_walk(task: Task, seed: int, max_steps: int) -> list[object]:
    """The same walk state by state in Python."""
    generator, state, plan = Generator(seed), task.initial_state, list[object]()
    while not task.is_goal(state) and len(plan) < max_steps:
        actions = task.applicable(state)
        if not actions:
            break
        action = actions[generator.below(len(actions))]
        plan.append(action)
        state = task.successor(state, action)
    return plan


@pytest.mark.parametrize("seed", [0, 1, 2**63 + 5, -4])
def test_the_kernel_walks_like_the_slow_twin(seed: int) -> None:
    for problem in (house(), FETCH, *small_ferry_problems(2)):
        task = Task(problem)
        walk = execute_random(task, seed=seed, max_steps=60)
        assert list(walk.plan) == slow_walk(task, seed, 60)
        assert walk.steps == len(walk.plan)
        assert walk.solved == walk.check().valid == validate(problem, walk.plan).valid


def test_each_applicable_action_is_equally_likely() -> None:
    task = trapped()
    firsts = Counter(execute_random(task, seed=s, max_steps=1).plan[0] for s in range(3000))
    assert set(firsts) == {act("go a b"), act("go a c"), act("go a d")}
    assert all(abs(count - 1000) < 100 for count in firsts.values())


def test_ends() -> None:
    dead_end = execute_random(trapped(), seed=0, max_steps=10)
    assert dead_end.status is ExecutionStatus.NOT_APPLICABLE
    assert dead_end.reason == "no action is applicable after 1 step"
    at_once = execute_random(trapped("(here a)"), seed=0, max_steps=0)
    assert at_once.solved
    assert (at_once.steps, at_once.plan, at_once.reason) == (0, (), None)
    horizon = execute_random(small_ferry_problems(1)[0], seed=0, max_steps=3)
    assert (horizon.status, horizon.steps) == (ExecutionStatus.HORIZON, 3)
    assert horizon.reason == "the goal is not reached within 3 steps"


def test_limits() -> None:
    problem = small_ferry_problems(1)[0]
    late = execute_random(problem, seed=0, max_steps=3, limits=Limits(seconds=0))
    assert (late.status, late.steps, late.solved) == (ExecutionStatus.TIME_LIMIT, 0, False)
    large = execute_random(problem, seed=0, max_steps=3, limits=Limits(megabytes=0))
    assert large.status is ExecutionStatus.MEMORY_LIMIT
