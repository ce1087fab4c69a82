"""Satisficing search on problems small enough to do by hand; `tests/support/twins.py` has more."""

from __future__ import annotations

import pytest

from pg3.errors import Pg3Error
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom
from pg3.planning import (
    Limits,
    PlanStatus,
    SatisficingOptions,
    plan,
    plan_anytime,
    satisficing,
)
from pg3.planning.search import some_plan
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.support.lights import POLICY, act, house


def test_a_plan_is_found_and_valid() -> None:
    outcome = plan(house(), search="satisficing")
    assert outcome.plan is not None
    verdict = validate(house(), outcome.plan)
    assert verdict.valid
    assert (outcome.cost, outcome.from_policy) == (verdict.cost, (False,) * len(outcome.plan))
    assert plan(Task(house()), search="satisficing").plan == outcome.plan


def test_only_astar_has_a_choice_of_heuristics() -> None:
    with pytest.raises(Pg3Error, match=r"^'heuristic': 'add', as only A.* is expected, not 'max'$"):
        plan(house(), search="satisficing", heuristic="max")


@pytest.mark.parametrize("goal", ["(in r attic)", "(in r hall) (not (in r hall))"])
def test_no_plan(goal: str) -> None:
    assert plan(house(goal), search="satisficing").status is PlanStatus.UNSOLVABLE


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Limits(expansions=0), PlanStatus.EXPANSION_LIMIT),
        (Limits(seconds=0), PlanStatus.TIME_LIMIT),
        (Limits(megabytes=0), PlanStatus.MEMORY_LIMIT),
    ],
)
def test_limits_are_statuses(limits: Limits, status: PlanStatus) -> None:
    task = Task(house())
    assert plan(task, search="satisficing", limits=limits).status is status
    assert plan(task, search="satisficing").solved


def test_costs_and_bounds() -> None:
    """To b there is a step that costs 10, and a way round that costs 5."""
    space = Task(house("(in r b)")).space
    cheapest = satisficing(space, SatisficingOptions(use_costs=True, weight=1, bound=6))
    assert (cheapest.status, cheapest.cost, len(cheapest.steps)) == ("solved", 5, 2)
    cheaper = SatisficingOptions(use_costs=True, weight=1, bound=5)
    assert satisficing(space, cheaper).status == "unsolvable"
    shortest = satisficing(space, SatisficingOptions(weight=1, bound=2))
    assert (shortest.cost, len(shortest.steps)) == (10, 1)
    for bound in (0, 1):
        assert satisficing(space, SatisficingOptions(bound=bound)).status == "unsolvable"


def test_from_a_state_to_some_fluents() -> None:
    """The lights are not asked for, only where the robot is to be."""
    task = Task(house())
    start = task.number(task.successor(task.initial_state, act("go r hall a")))
    to_b = SatisficingOptions(start=start, goal=[task.fluent(Atom("in", ("r", "b")))])
    found = satisficing(task.space, to_b)
    assert [task.decode_action(action) for action, _ in found.steps] == [act("go r a b")]


def test_the_policy_is_preferred() -> None:
    task = Task(house())
    guided = SatisficingOptions(policy=task.rule_numbers(POLICY))
    found = satisficing(task.space, guided)
    assert found.status == "solved"
    assert any(by_policy for _, by_policy in found.steps)


def test_a_goal_that_holds_needs_no_plan() -> None:
    outcome = plan(house("(in r hall)"), search="satisficing")
    assert (outcome.plan, outcome.expansions) == ((), 0)


def test_cheaper_plans_come_later() -> None:
    problem = house("(in r b)")
    first = plan(problem, search="satisficing")
    assert (first.cost, first.plans, first.cheapest) == (10, 1, False)
    best = plan_anytime(problem)
    assert (best.cost, best.plans, best.cheapest, best.solved) == (5, 2, True, True)
    assert best.expansions > first.expansions
    at_once = plan_anytime(problem, use_costs=True)
    assert (at_once.cost, at_once.plans, at_once.cheapest) == (5, 1, True)
    cut_short = plan_anytime(problem, limits=Limits(expansions=first.expansions))
    assert (cut_short.plan, cut_short.plans, cut_short.cheapest) == (first.plan, 1, False)


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Limits(expansions=0), PlanStatus.EXPANSION_LIMIT),
        (Limits(seconds=0), PlanStatus.TIME_LIMIT),
        (Limits(megabytes=0), PlanStatus.MEMORY_LIMIT),
    ],
)
def test_limits_before_the_first_plan(limits: Limits, status: PlanStatus) -> None:
    for task in (Task(house()), Task(house())):
        if limits.seconds is None:
            task.ground()
        outcome = plan_anytime(task, limits=limits)
        assert (outcome.status, outcome.plan, outcome.plans) == (status, None, 0)


def test_an_unsolvable_problem_has_no_cheapest_plan() -> None:
    outcome = plan_anytime(house("(in r attic)"))
    assert (outcome.status, outcome.cheapest) == (PlanStatus.UNSOLVABLE, False)


# Each day one of two airports; on no day can all planes be served, and the choices exclude others.
MAINTENANCE = """(define (domain maintenance)
  (:predicates (today ?d) (at ?p ?d ?c) (done ?p))
  (:action work
    :parameters (?d ?c)
    :precondition (today ?d)
    :effect (and (not (today ?d)) (forall (?p) (when (at ?p ?d ?c) (done ?p))))))"""
PLANES = """(define (problem planes) (:domain maintenance)
  (:objects d1 d2 a b p q r)
  (:init (today d1) (today d2) (at p d1 a) (at q d1 b) (at q d2 a) (at r d2 a) (at p d2 b))
  (:goal (and (done p) (done q) (done r))))"""


@pytest.mark.parametrize("first_states", [0, 1, 2, 100])
def test_some_plan_by_turns(first_states: int) -> None:
    """Lazily, by A* or lazily again: whichever search is the one that finds a plan."""
    problem = parse_problem(PLANES, parse_domain(MAINTENANCE))
    task = Task(problem)
    task.ground()
    found = some_plan(task.space, SatisficingOptions(), first_states)
    assert found.status == PlanStatus.SOLVED
    assert validate(problem, [task.decode_action(action) for action, _ in found.steps]).valid


@pytest.mark.parametrize("limit", range(8))
def test_turns_keep_the_limits_together(limit: int) -> None:
    task = Task(parse_problem(PLANES, parse_domain(MAINTENANCE)))
    task.ground()
    for options in (SatisficingOptions(expansions=limit), SatisficingOptions(generated=limit)):
        found = some_plan(task.space, options, 2)
        assert found.expansions <= limit or options.expansions is None
        assert found.generated <= limit or options.generated is None
        assert found.status in (PlanStatus.SOLVED, PlanStatus.EXPANSION_LIMIT)
