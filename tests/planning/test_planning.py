"""Planning, guided planning, comparison and execution, on problems small enough to do by hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from pg3.errors import Pg3Error, PolicyError
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import (
    Execution,
    ExecutionStatus,
    Limits,
    PlanStatus,
    compare_plan,
    execute,
    plan,
    plan_guided,
    policy_action,
)
from pg3.policy import parse_policy
from pg3.policy.model import DecisionList
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.support.lights import LIGHTS, POLICY, act, acts, house

if TYPE_CHECKING:
    from pg3.pddl import Problem
    from pg3.planning import Heuristic

SAVING = acts("go r hall a", "switch r a", "rest", "go r a b")
NOTHING = DecisionList("nothing", ())


def rules(text: str) -> DecisionList:
    return parse_policy(f"(define (policy p) {text})", LIGHTS)


def empty_problem(goal: str, actions: str = "") -> Problem:
    """A problem without objects."""
    domain = parse_domain(
        f"""(define (domain d) (:requirements :negative-preconditions)
              (:predicates (p) (q)) {actions})"""
    )
    return parse_problem(
        f"(define (problem p) (:domain d) (:init (q)) (:goal (and {goal})))", domain
    )


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["expansions", "seconds", "megabytes"])
def test_limits_that_are_none(name: str) -> None:
    def limits(value: Any) -> Limits:
        return Limits(**{name: value})

    wrong: list[Any] = [-1, math.nan, "1", True, []]
    for value in wrong:
        with pytest.raises(Pg3Error, match=f"^'{name}': a number from 0 is expected, not "):
            limits(value)
    assert limits(10**30) == limits(math.inf) == limits(None) == Limits()
    assert limits(0) != Limits()


# -- plan ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heuristic", ["add", "max", "blind"])
@pytest.mark.parametrize("as_task", [False, True])
def test_a_plan_with_a_negative_goal(heuristic: Heuristic, as_task: bool) -> None:
    problem = house()
    outcome = plan(Task(problem) if as_task else problem, heuristic=heuristic)
    assert (outcome.status, outcome.solved) == (PlanStatus.SOLVED, True)
    assert outcome.plan == SAVING
    assert outcome.from_policy == (False,) * 4
    assert outcome.cost == 6
    assert 0 < outcome.expansions < outcome.generated
    assert outcome.seconds > 0
    assert validate(problem, SAVING)


@pytest.mark.parametrize("heuristic", ["max", "blind"])
def test_the_shortest_plan_and_the_cheapest(heuristic: Heuristic) -> None:
    problem = house("(in r b)")
    short = plan(problem, heuristic=heuristic)
    assert (short.plan, short.cost) == (acts("go r hall b"), 10)
    cheap = plan(problem, heuristic=heuristic, use_costs=True)
    assert (cheap.plan, cheap.cost) == (acts("go r hall a", "go r a b"), 5)


def test_a_goal_that_holds_needs_no_plan() -> None:
    for goal in ("(in r hall)", "(not (tired))", ""):
        outcome = plan(house(goal))
        assert (outcome.plan, outcome.cost, outcome.solved) == ((), 0, True)


@pytest.mark.parametrize(
    "goal", ["(in r attic)", "(in r hall) (not (in r hall))", "(door b attic)"]
)
def test_no_plan(goal: str) -> None:
    outcome = plan(house(goal))
    assert (outcome.status, outcome.solved) == (PlanStatus.UNSOLVABLE, False)
    assert (outcome.plan, outcome.cost, outcome.from_policy) == (None, None, ())


def test_without_objects() -> None:
    actions = """(:action a :parameters () :precondition (not (p)) :effect (p))
                 (:action b :parameters () :precondition (p) :effect (and (not (p)) (not (q))))"""
    assert plan(empty_problem("(p)", actions)).plan == acts("a")
    assert plan(empty_problem("(p) (not (q))", actions)).plan == acts("a", "b", "a")
    assert plan(empty_problem("(q)")).plan == ()
    assert plan(empty_problem("(p)")).status is PlanStatus.UNSOLVABLE


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Limits(expansions=0), PlanStatus.EXPANSION_LIMIT),
        (Limits(expansions=1), PlanStatus.EXPANSION_LIMIT),
        (Limits(seconds=0), PlanStatus.TIME_LIMIT),
        (Limits(megabytes=0), PlanStatus.MEMORY_LIMIT),
    ],
)
def test_limits_are_statuses(limits: Limits, status: PlanStatus) -> None:
    task = Task(house())
    outcome = plan(task, limits=limits)
    assert (outcome.status, outcome.plan, outcome.cost) == (status, None, None)
    assert outcome.expansions == (limits.expansions or 0)
    assert plan_guided(house(), NOTHING, limits=limits).status is status
    # A limit that was reached says nothing about the next search.
    assert plan(task).plan == SAVING


# -- plan_guided -----------------------------------------------------------------------------------


def test_a_policy_that_solves_the_problem_is_followed() -> None:
    outcome = plan_guided(house(), POLICY)
    assert (outcome.plan, outcome.from_policy) == (SAVING, (True,) * 4)
    # The goal is among the first successors, and expanded next.
    assert outcome.expansions <= 2


def test_the_search_fills_the_gaps_of_a_policy() -> None:
    without_rest = DecisionList("tired", POLICY.rules[1:])
    outcome = plan_guided(house(), without_rest)
    assert (outcome.plan, outcome.from_policy) == (SAVING, (True, True, False, True))
    alone = plan_guided(house(), NOTHING)
    assert (alone.plan, alone.from_policy) == (SAVING, (False,) * 4)


def test_rollouts_have_a_length() -> None:
    for steps in range(5):
        outcome = plan_guided(house(), POLICY, rollout_steps=steps)
        assert outcome.plan == SAVING
        assert any(outcome.from_policy) == (steps > 0)


def test_a_policy_that_does_not_fit_is_an_error() -> None:
    for use in (
        lambda: plan_guided(empty_problem("(p)"), POLICY),
        lambda: execute(empty_problem("(p)"), POLICY),
        lambda: policy_action(empty_problem("(p)"), POLICY, frozenset()),
        lambda: compare_plan(empty_problem("(p)"), POLICY, ()),
    ):
        with pytest.raises(PolicyError):
            use()


# -- compare_plan ----------------------------------------------------------------------------------


def test_which_actions_a_policy_agrees_with() -> None:
    assert compare_plan(house(), POLICY, SAVING) == (True,) * 4
    detour = acts("go r hall b", "go r b a", "switch r a", "rest", "go r a b")
    assert compare_plan(house(), POLICY, detour) == (False, False, True, True, True)
    assert compare_plan(house(), NOTHING, SAVING) == (False,) * 4
    assert compare_plan(house(), POLICY, ()) == ()


@pytest.mark.parametrize("wrong", ["rest", "go r b hall", "fly", "go r a nowhere"])
def test_a_plan_that_cannot_be_carried_out(wrong: str) -> None:
    steps = [act("go r hall a"), act(wrong), act("switch r a")]
    with pytest.raises(ValueError, match=r"^step 2: \(.*\) is not applicable$"):
        compare_plan(house(), POLICY, steps)


# -- policy_action ---------------------------------------------------------------------------------


def test_what_a_policy_does_in_a_state() -> None:
    task = Task(house())
    state = task.initial_state
    step = policy_action(task, POLICY, state)
    # In the order of the objects a comes before b.
    assert step == (2, ("r", "hall", "a"), act("go r hall a"))
    state = task.successor(state, act("go r hall a"))
    assert policy_action(task, POLICY, state) == (1, ("r", "a"), act("switch r a"))
    state = task.successor(state, act("switch r a"))
    assert policy_action(task, POLICY, state) == (0, (), act("rest"))
    assert policy_action(house(), NOTHING, state) is None


def test_goal_conditions_and_constants() -> None:
    policy = rules(
        """(:rule from-the-hall :parameters (?b - room ?r - robot)
             :preconditions (in ?r hall) :goals (and (in ?r ?b) (not (lit ?b)))
             :action (go ?r hall ?b))"""
    )
    start = Task(house()).initial_state
    assert policy_action(house("(in r b)"), policy, start) == (0, ("b", "r"), act("go r hall b"))
    assert policy_action(house("(lit b)"), policy, start) is None
    # Only goals that want the atom true count: (not (lit b)) is none of them.
    negative = house("(in r b) (not (lit b))")
    assert policy_action(negative, policy, start) == (0, ("b", "r"), act("go r hall b"))


def test_a_rule_may_choose_what_cannot_be_done() -> None:
    policy = rules(
        """(:rule jump :parameters (?r - robot ?a ?b - room) :preconditions (in ?r ?a)
             :action (go ?r ?a ?b))
           (:rule never :action (rest))"""
    )
    start = Task(house()).initial_state
    assert policy_action(house(), policy, start) == (
        0,
        ("r", "hall", "hall"),
        act("go r hall hall"),
    )
    execution = execute(house(), policy)
    assert (execution.status, execution.steps) == (ExecutionStatus.NOT_APPLICABLE, 0)
    assert execution.reason == (
        "after 0 steps rule 'jump' chose (go r hall hall), which needs (door hall hall)"
    )


# -- execute ---------------------------------------------------------------------------------------


def test_execution_that_succeeds() -> None:
    execution = execute(house(), POLICY)
    assert (execution.status, execution.solved) == (ExecutionStatus.SOLVED, True)
    assert (execution.plan, execution.steps, execution.reason) == (SAVING, 4, None)
    assert execution.seconds > 0


def test_equal_executions_are_equal() -> None:
    one, other = execute(house(), POLICY), execute(Task(house()), POLICY)
    assert one == other
    assert hash(one) == hash(other)
    assert one != execute(house(), POLICY, max_steps=3)
    to_a = """(:rule r :parameters (?r - robot ?b - room)
                :preconditions (and (in ?r hall) (door hall ?b)) :action (go ?r hall ?b))"""
    to_b = to_a.replace(":action", ":goals (in ?r ?b) :action")
    one, other = execute(house(), rules(to_a)), execute(house(), rules(to_b))
    assert (one.status, one.steps, one.reason) == (other.status, other.steps, other.reason)
    assert one != other
    assert repr(one).startswith("<execution on house: not applicable, ")


def failure(execution: Execution) -> tuple[ExecutionStatus, int, str | None]:
    assert not execution.solved
    assert len(execution.plan) == execution.steps
    return execution.status, execution.steps, execution.reason


def test_executions_that_fail() -> None:
    assert failure(execute(house(), NOTHING)) == (
        ExecutionStatus.NOT_APPLICABLE,
        0,
        "no rule applies after 0 steps",
    )
    round_and_round = rules(
        """(:rule go :parameters (?r - robot ?a ?b - room)
             :preconditions (and (in ?r ?a) (door ?a ?b)) :action (go ?r ?a ?b))"""
    )
    assert failure(execute(house(), round_and_round)) == (
        ExecutionStatus.CYCLE,
        2,
        "step 2 leads back to an earlier state",
    )
    assert failure(execute(house(), POLICY, max_steps=1)) == (
        ExecutionStatus.HORIZON,
        1,
        "the goal is not reached within 1 step",
    )


def test_an_action_without_a_cost() -> None:
    policy = rules(
        """(:rule home :parameters (?r - robot ?b - room)
             :preconditions (and (in ?r ?b) (door ?b hall)) :action (go ?r ?b hall))
           (:rule out :parameters (?r - robot ?b - room)
             :goals (in ?r ?b) :action (go ?r hall ?b))"""
    )
    execution = execute(house(), policy)
    assert failure(execution) == (
        ExecutionStatus.NOT_APPLICABLE,
        1,
        "after 1 step rule 'home' chose (go r b hall), whose cost (way b hall) "
        "the problem does not give",
    )
    assert execution.plan == acts("go r hall b")


def test_a_horizon_of_0() -> None:
    assert execute(house("(in r hall)"), NOTHING, max_steps=0).solved
    assert failure(execute(house(), POLICY, max_steps=0)) == (
        ExecutionStatus.HORIZON,
        0,
        "the goal is not reached within 0 steps",
    )
    assert execute(house(), POLICY, max_steps=10**30).solved


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (Limits(seconds=0), ExecutionStatus.TIME_LIMIT),
        (Limits(megabytes=0), ExecutionStatus.MEMORY_LIMIT),
    ],
)
def test_limits_of_an_execution(limits: Limits, status: ExecutionStatus) -> None:
    assert failure(execute(house(), POLICY, limits=limits)) == (
        status,
        0,
        f"{status} reached after 0 steps",
    )


def test_execution_without_objects() -> None:
    problem = empty_problem("(p)", "(:action a :parameters () :effect (p))")
    policy = parse_policy("(define (policy p) (:rule a :action (a)))", problem.domain)
    execution = execute(problem, policy)
    assert (execution.plan, execution.solved) == (acts("a"), True)


def test_executing_never_grounds() -> None:
    task = Task(house())
    assert execute(task, POLICY).solved
    assert task._space is None
