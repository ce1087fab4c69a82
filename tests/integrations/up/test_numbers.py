"""Numbers on their way from unified-planning to pg3; its validator judges the plans."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import (
    GE,
    LE,
    And,
    Equals,
    Fluent,
    InstantaneousAction,
    IntType,
    MinimizeActionCosts,
    MinimizeExpressionOnFinalState,
    Not,
    Or,
    Plus,
    Problem,
    RealType,
    Times,
    UserType,
    Variable,
)

from pg3.integrations.up import Pg3Planner, UnsupportedProblemError, convert, learn_from_up
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import plan
from tests.support.number_domains import NUMBER_DOMAINS


def is_valid(problem: Any, found: Any) -> bool:
    """Whether unified-planning accepts a plan."""
    with SequentialPlanValidator() as validator:
        return bool(validator.validate(problem, found).status == ValidationResultStatus.VALID)


@pytest.mark.parametrize("name", NUMBER_DOMAINS)
@pytest.mark.parametrize("seed", range(3))
def test_what_unified_planning_reads_is_what_we_read(name: str, seed: int) -> None:
    text, generate = NUMBER_DOMAINS[name]
    domain = parse_domain(text)
    ours = parse_problem(generate(seed), domain)
    theirs = PDDLReader().parse_problem_string(text, generate(seed))
    conversion = convert([theirs], name=name)
    converted = conversion.problems[0]
    assert converted.domain.functions == domain.functions
    assert [action.numeric for action in conversion.domain.actions] == [
        action.numeric for action in domain.actions
    ]
    assert converted.initial_state == ours.initial_state
    assert converted.goal_literals == ours.goal_literals
    assert converted.function_values == ours.function_values
    found, expected = plan(converted), plan(ours)
    assert found.plan is not None
    assert expected.plan is not None
    assert len(found.plan) == len(expected.plan)
    assert is_valid(theirs, conversion.plan(found.plan))
    # A plan of ours from files is one of theirs, too.
    assert is_valid(theirs, conversion.plan(expected.plan))
    assert not is_valid(theirs, conversion.plan(expected.plan[:-1]))


def test_learning() -> None:
    text, generate = NUMBER_DOMAINS["bars"]
    problems = [PDDLReader().parse_problem_string(text, generate(i)) for i in range(4)]
    result = learn_from_up(problems, name="bars", seed=0)
    large = PDDLReader().parse_problem_string(text, generate(17))
    answer = Pg3Planner(policy=result.policy).solve(large)
    assert answer.status == Status.SOLVED_SATISFICING
    assert is_valid(large, answer.plan)


# -- problems as a user of unified-planning builds them ------------------------------------------


class Jugs:
    """Two jugs that are filled, emptied and poured from, litre by litre."""

    def __init__(self, kind: Any = None) -> None:
        jug = UserType("Jug")
        self.level = Fluent("level", kind or RealType(), j=jug)
        self.room = Fluent("room", IntType(), j=jug)
        self.problem = Problem("jugs")
        self.problem.add_fluent(self.level, default_initial_value=0)
        self.problem.add_fluent(self.room, default_initial_value=3)
        self.small, self.large = (self.problem.add_object(n, jug) for n in ("small", "large"))
        self.fill = InstantaneousAction("fill", j=jug)
        self.fill.add_precondition(LE(self.level(self.fill.j), Plus(self.room(self.fill.j), -1)))
        self.fill.add_increase_effect(self.level(self.fill.j), 1)
        self.pour = InstantaneousAction("pour", a=jug, b=jug)
        self.pour.add_precondition(GE(self.level(self.pour.a), 1))
        self.pour.add_decrease_effect(self.level(self.pour.a), 1)
        self.pour.add_increase_effect(self.level(self.pour.b), 1)
        self.problem.add_actions([self.fill, self.pour])

    def solve(self) -> Any:
        return Pg3Planner().solve(self.problem)


def test_goals_of_every_form() -> None:
    jugs = Jugs()
    small, large = jugs.level(jugs.small), jugs.level(jugs.large)
    for goal in (
        GE(small, 2),
        Not(LE(small, 1)),
        Equals(large, Fraction(4, 2)),
        Or(And(GE(small, 1), GE(large, 1)), GE(small, 7)),
        LE(Plus(small, 1), Times(large, 2)),
    ):
        jugs.problem.clear_goals()
        jugs.problem.add_goal(goal)
        answer = jugs.solve()
        assert answer.status == Status.SOLVED_SATISFICING
        assert is_valid(jugs.problem, answer.plan)


def test_bounds_of_types_are_preconditions() -> None:
    jugs = Jugs(IntType(0, 2))
    jugs.pour.add_precondition(Not(Equals(jugs.pour.a, jugs.pour.b)))
    domain = convert([jugs.problem]).domain
    written = [[str(literal) for literal in action.precondition] for action in domain.actions]
    assert written[0][1:] == ["(>= (level ?j) -1)", "(<= (level ?j) 1)"]
    jugs.problem.add_goal(GE(jugs.level(jugs.small), 2))
    assert is_valid(jugs.problem, jugs.solve().plan)
    jugs.problem.add_goal(GE(Plus(jugs.level(jugs.small), jugs.level(jugs.large)), 5))
    assert jugs.solve().status == Status.UNSOLVABLE_PROVEN


def test_changes_of_one_number_add_up() -> None:
    jugs = Jugs()
    jugs.fill.add_increase_effect(jugs.level(jugs.fill.j), 3)
    jugs.fill.add_decrease_effect(jugs.level(jugs.fill.j), 1)
    [effect] = convert([jugs.problem]).domain.action("fill").numeric
    assert str(effect) == "(increase (level ?j) 3)"
    jugs.problem.add_goal(Equals(jugs.level(jugs.small), 4))
    # Pouring a jug into itself changes nothing: three litres and one more.
    assert is_valid(jugs.problem, jugs.solve().plan)


def test_a_number_without_a_value() -> None:
    jugs = Jugs()
    open_ = Fluent("open", RealType(), j=UserType("Jug"))
    jugs.problem.add_fluent(open_)
    jugs.problem.set_initial_value(open_(jugs.large), 1)
    jugs.fill.add_precondition(GE(open_(jugs.fill.j), 1))
    jugs.problem.add_goal(GE(jugs.level(jugs.small), 1))
    answer = jugs.solve()
    assert [step.action.name for step in answer.plan.actions] == ["fill", "pour"]


def test_costs_are_functions_of_their_own() -> None:
    jugs = Jugs()
    weight = Fluent("weight", RealType(), j=UserType("Jug"))
    jugs.problem.add_fluent(weight, default_initial_value=Fraction(1, 2))
    jugs.fill.add_precondition(LE(weight(jugs.fill.j), 1))
    jugs.problem.add_quality_metric(
        MinimizeActionCosts({jugs.fill: weight(jugs.fill.j)}, default=0)
    )
    conversion = convert([jugs.problem], with_costs=True)
    assert [f.name for f in conversion.domain.functions] == [
        "total-cost",
        "weight_cost",
        "level",
        "room",
        "weight",
    ]
    jugs.problem.add_goal(GE(jugs.level(jugs.small), 2))
    assert is_valid(jugs.problem, jugs.solve().plan)


def test_a_metric_of_numbers_is_left_out_with_a_message() -> None:
    jugs = Jugs()
    jugs.problem.add_goal(GE(jugs.level(jugs.small), 1))
    jugs.problem.add_quality_metric(MinimizeExpressionOnFinalState(jugs.level(jugs.large)))
    answer = jugs.solve()
    assert answer.status == Status.SOLVED_SATISFICING
    assert "the metric is not looked at" in answer.log_messages[0].message


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("product", "expected a linear sum"),
        ("huge", "expected a linear sum of numbers that fit"),
        ("changing", "expected an amount that no action changes"),
        ("conditional", "expected an effect on a number to happen always"),
        ("forall", "expected an effect on a number to happen always"),
        ("alias", "expected a precondition that their objects differ"),
        ("initial", "the initial value"),
    ],
)
def test_refused(what: str, message: str) -> None:
    jugs = Jugs(IntType(0, 2) if what == "alias" else None)
    more = InstantaneousAction("more")
    small, large = jugs.level(jugs.small), jugs.level(jugs.large)
    if what == "product":
        more.add_precondition(GE(Times(small, large), 1))
    elif what == "huge":
        more.add_precondition(GE(small, 2**60))
    elif what == "changing":
        more.add_increase_effect(small, large)
    elif what == "conditional":
        more.add_increase_effect(small, 1, GE(large, 1))
    elif what == "forall":
        jug = Variable("j", UserType("Jug"))
        more.add_increase_effect(jugs.level(jug), 1, forall=(jug,))
    elif what == "initial":
        jugs.problem.set_initial_value(small, 2**60)
    jugs.problem.add_action(more)
    with pytest.raises(UnsupportedProblemError, match=message):
        convert([jugs.problem])
    assert jugs.solve().status == Status.UNSUPPORTED_PROBLEM
