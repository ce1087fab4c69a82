"""Single traits of unified-planning problems on their way to pg3."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines import SequentialPlanValidator
from unified_planning.shortcuts import (
    FALSE,
    And,
    BoolType,
    Equals,
    Fluent,
    Iff,
    InstantaneousAction,
    Int,
    IntType,
    MinimizeActionCosts,
    MinimizeMakespan,
    Not,
    Object,
    Plus,
    Problem,
    UserType,
)

from pg3.errors import Pg3Error
from pg3.integrations.up import Pg3Planner, UnsupportedProblemError, convert, learn_from_up
from pg3.pddl.model import Literal
from pg3.planning import plan
from tests.integrations.up.ferries import ferry, ring


def switches(*conditions: Any, goal: Any = None) -> Any:
    """Two lamps, one of which an action under the given conditions lights."""
    x, y = Fluent("x"), Fluent("y")
    light = InstantaneousAction("light")
    for condition in conditions:
        light.add_precondition(condition)
    light.add_effect(x, True)
    problem = Problem("switches")
    problem.add_fluent(x, default_initial_value=False)
    problem.add_fluent(y, default_initial_value=False)
    problem.add_action(light)
    problem.add_goal(x if goal is None else goal)
    return problem


def solve(problem: Any) -> Any:
    return Pg3Planner().solve(problem)


# -- names -----------------------------------------------------------------------------------------


def test_odd_names_become_names_of_pddl_and_come_back() -> None:
    problem = ring(2, 2)
    conversion = convert([problem])
    domain = conversion.domain
    assert [action.name for action in domain.actions] == ["sail", "board", "debark"]
    assert [p.name for p in domain.predicates] == ["at", "on_board", "at_ferry", "empty"]
    assert [t.name for t in domain.types] == ["object", "car", "location"]
    outcome = plan(conversion.problems[0])
    assert outcome.plan is not None
    theirs = conversion.plan(outcome.plan)
    assert {step.action.name for step in theirs.actions} == {"Sail", "board", "debark"}
    assert SequentialPlanValidator().validate(problem, theirs)


def test_names_that_differ_in_case_only() -> None:
    kind = UserType("thing")
    one, other = Fluent("p", BoolType(), a=kind), Fluent("P", BoolType(), a=kind)
    move = InstantaneousAction("move", a=kind, A=kind)
    move.add_precondition(one(move.parameter("a")))
    move.add_effect(other(move.parameter("A")), True)
    problem = Problem()
    problem.add_fluents([one, other])
    problem.add_action(move)
    things = [Object("b", kind), Object("B", kind), Object("and not", kind)]
    problem.add_objects(things)
    for thing in things:
        problem.set_initial_value(one(thing), thing.name == "B")
        problem.set_initial_value(other(thing), False)
    problem.add_goal(other(things[2]))
    conversion = convert([problem])
    assert [p.name for p in conversion.domain.predicates] == ["p", "p_2"]
    assert [o.name for o in conversion.problems[0].objects] == ["b", "b_2", "and_not"]
    assert str(solve(problem).plan.actions[0]) == "move(B, and not)"


def test_reserved_words() -> None:
    problem = switches()
    fluent = Fluent("not")
    problem.add_fluent(fluent, default_initial_value=True)
    problem.add_goal(fluent)
    assert [p.name for p in convert([problem]).domain.predicates] == ["x", "y", "not_2"]
    assert solve(problem).status == Status.SOLVED_SATISFICING


# -- types -----------------------------------------------------------------------------------------


def test_object_is_the_root_only_if_it_is_above_all() -> None:
    root = UserType("object")
    child, stranger = UserType("child", root), UserType("stranger")
    fluent = Fluent("p", BoolType(), a=root)
    problem = Problem()
    problem.add_fluent(fluent, default_initial_value=False)
    problem.add_object("c", child)
    types = convert([problem]).domain.types
    assert [(t.name, t.parents) for t in types] == [("object", ()), ("child", ("object",))]

    problem.add_object("s", stranger)
    domain = convert([problem]).domain
    assert [(t.name, t.parents) for t in domain.types] == [
        ("object", ()),
        ("object_2", ("object",)),
        ("child", ("object_2",)),
        ("stranger", ("object",)),
    ]
    assert domain.predicates[0].parameters[0].types == ("object_2",)


def test_types_of_single_problems_are_united() -> None:
    vehicle = UserType("vehicle")
    fluent = Fluent("p", BoolType(), a=vehicle)

    def with_a(type_name: str) -> Any:
        problem = Problem(type_name)
        problem.add_fluent(fluent, default_initial_value=False)
        problem.add_object("thing", UserType(type_name, vehicle))
        return problem

    domain = convert([with_a("car"), with_a("van")]).domain
    assert sorted(t.name for t in domain.types) == ["car", "object", "van", "vehicle"]


# -- conditions ------------------------------------------------------------------------------------


def test_conditions_that_are_never_true() -> None:
    assert solve(switches(FALSE())).status == Status.UNSOLVABLE_PROVEN
    assert solve(switches(goal=FALSE())).status == Status.UNSOLVABLE_PROVEN
    assert solve(switches(Not(FALSE()))).status == Status.SOLVED_SATISFICING
    assert solve(switches(Equals(Int(1), Int(1)))).status == Status.SOLVED_SATISFICING


@pytest.mark.parametrize("shape", ["not-and", "iff"])
def test_what_a_kind_does_not_tell(shape: str) -> None:
    x, y = Fluent("x"), Fluent("y")
    problem = switches(Not(And(x, y)) if shape == "not-and" else Iff(x, y))
    assert Pg3Planner.supports(problem.kind)
    assert solve(problem).status == Status.SOLVED_SATISFICING


def test_default_true_and_undefined() -> None:
    problem = switches(Fluent("y"))
    problem.set_initial_value(Fluent("y"), True)
    assert solve(problem).status == Status.SOLVED_SATISFICING
    undefined = Problem("undefined")
    undefined.add_fluent(Fluent("z"))
    with pytest.raises(UnsupportedProblemError, match="UNDEFINED_INITIAL_SYMBOLIC"):
        convert([undefined])


def test_negative_goals() -> None:
    problem = switches()
    y = Fluent("y")
    problem.add_goal(Not(y))
    (converted,) = convert([problem]).problems
    assert [str(atom) for atom in converted.negative_goal] == ["(y)"]
    assert solve(problem).status == Status.SOLVED_SATISFICING


# -- constants -------------------------------------------------------------------------------------


def test_objects_that_actions_name_are_constants() -> None:
    problem = ring(2, 3)
    dock = problem.object("L2")
    problem.action("board").add_precondition(Not(problem.fluent("at_ferry")(dock)))
    conversion = convert([problem])
    assert [c.name for c in conversion.domain.constants] == ["l2"]
    assert [o.name for o in conversion.problems[0].objects] == ["c0", "c1", "l0", "l1"]
    assert Literal(conversion.problems[0].init[0])  # numbered with the constant first
    everything = convert([problem], all_constant=True)
    assert [c.name for c in everything.domain.constants] == ["c0", "c1", "l0", "l1", "l2"]


# -- costs -----------------------------------------------------------------------------------------


def roads(costs: dict[str, Any], **prices: Any) -> Any:
    """A long and a short road to the goal, with what each of them costs."""
    a, b = Fluent("a"), Fluent("b")
    problem = Problem("roads")
    problem.add_fluent(a, default_initial_value=False)
    problem.add_fluent(b, default_initial_value=False)
    for name, needed, reached in (("direct", None, b), ("detour", None, a), ("on", a, b)):
        action = InstantaneousAction(name)
        if needed is not None:
            action.add_precondition(needed)
        action.add_effect(reached, True)
        problem.add_action(action)
    problem.add_goal(b)
    for name, price in prices.items():
        problem.add_fluent(Fluent(name, IntType(0, 50)), default_initial_value=price)
    values = {
        name: Fluent(cost, IntType(0, 50))() if isinstance(cost, str) else cost
        for name, cost in costs.items()
    }
    problem.add_quality_metric(
        MinimizeActionCosts({problem.action(name): cost for name, cost in values.items()})
    )
    return problem


def steps(problem: Any) -> list[str]:
    assert Pg3Planner.supports(problem.kind)
    result = solve(problem)
    assert result.status == Status.SOLVED_SATISFICING
    assert SequentialPlanValidator().validate(problem, result.plan)
    return [step.action.name for step in result.plan.actions]


def test_search_minds_the_costs() -> None:
    assert steps(roads({"direct": 1, "detour": 1, "on": 1})) == ["direct"]
    assert steps(roads({"direct": 9, "detour": 1, "on": 1})) == ["detour", "on"]
    assert steps(roads({"direct": "toll", "detour": 1, "on": 1}, toll=9)) == ["detour", "on"]
    half = Fraction(1, 2)
    assert steps(roads({"direct": Fraction(7, 3), "detour": half, "on": half})) == ["detour", "on"]


def test_costs_that_cannot_be_had_are_left_out() -> None:
    problem = roads(
        {"direct": 9, "detour": Plus(1, Fluent("toll", IntType(0, 50))), "on": 1}, toll=2
    )
    result = solve(problem)
    assert result.status == Status.SOLVED_SATISFICING
    assert "every action counts 1 instead" in result.log_messages[0].message


def test_other_metrics_are_not_supported() -> None:
    problem = switches()
    problem.add_quality_metric(MinimizeMakespan())
    assert not Pg3Planner.supports(problem.kind)


# -- learning --------------------------------------------------------------------------------------


def test_learning_from_a_list_of_problems() -> None:
    train = [ring(cars, locations) for cars, locations in ((1, 2), (2, 2), (2, 3), (3, 3), (3, 4))]
    result = learn_from_up(train, name="ferry", seed=0)
    assert result.solved
    assert result.policy.name == "ferry"
    large = ring(40, 20)
    found = Pg3Planner(policy=result.policy).solve(large)
    assert found.status == Status.SOLVED_SATISFICING
    assert SequentialPlanValidator().validate(large, found.plan)


def test_problems_of_different_domains() -> None:
    with pytest.raises(Pg3Error, match="'switches' is of another domain than 'ferry'"):
        learn_from_up([ring(2, 2), switches()])
    with pytest.raises(Pg3Error, match="no problems"):
        learn_from_up([])
    other = ferry({"C0": "L0"}, {"C0": "L1"})
    other.action("board").add_precondition(other.fluent("empty"))
    other.action("board").add_effect(other.fluent("at_ferry")(other.object("L1")), True)
    with pytest.raises(Pg3Error, match="its constant 'l1' is different"):
        learn_from_up([ring(2, 2), other])
