"""The validator: every kind of fault named, effects in the right order, costs added up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pg3.errors import Pg3Error
from pg3.pddl.model import (
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
)
from pg3.pddl.plans import GroundAction
from pg3.semantics.validation import plan_cost, validate


def lit(predicate: str, *terms: str) -> Literal:
    return Literal(Atom(predicate, terms))


def act(name: str, *objects: str) -> GroundAction:
    return GroundAction(name, objects)


PLACE = ("place",)
DOMAIN = Domain(
    name="walk",
    types=(Type("object", ()), Type("place", ("object",)), Type("hill", ("place",))),
    constants=(TypedObject("home", "place"),),
    predicates=(
        Predicate("at", (Parameter("?p", PLACE),)),
        Predicate("seen", (Parameter("?p", PLACE),)),
        Predicate("tired", ()),
    ),
    actions=(
        Action(
            "go",
            (Parameter("?a", PLACE), Parameter("?b", PLACE)),
            (lit("at", "?a"), lit("=", "?a", "?b").negated, lit("tired").negated),
            (lit("at", "?a").negated, lit("at", "?b")),
        ),
        # Deletes what it also adds: the atom must be true afterwards.
        Action(
            "look",
            (Parameter("?p", PLACE),),
            (lit("at", "?p"),),
            (lit("seen", "?p"), lit("seen", "?p").negated, lit("tired")),
        ),
        Action("rest", (), (lit("at", "home"),), (lit("tired").negated,)),
        Action("climb", (Parameter("?h", ("hill",)),), (lit("=", "?h", "?h"),), ()),
    ),
)
PROBLEM = Problem.of(
    "p",
    DOMAIN,
    [TypedObject("top", "hill"), TypedObject("shop", "place")],
    [Atom("at", ("home",))],
    [lit("seen", "top"), lit("seen", "shop"), lit("tired").negated, lit("at", "home")],
)
WORKING = [
    act("go", "home", "shop"),
    act("go", "shop", "home"),
    act("look", "home"),
    act("rest"),
]


def test_valid() -> None:
    problem = Problem.of("q", DOMAIN, PROBLEM.objects, PROBLEM.init, [lit("seen", "home")])
    outcome = validate(problem, WORKING)
    assert outcome.valid
    assert bool(outcome)
    assert (outcome.steps, outcome.cost) == (4, 4)
    assert outcome.message == "valid: 4 steps, cost 4"
    assert (outcome.failed_step, outcome.action, outcome.failed) == (None, None, None)


def test_the_empty_plan() -> None:
    problem = Problem.of("q", DOMAIN, PROBLEM.objects, PROBLEM.init, [lit("at", "home")])
    assert validate(problem, []).message == "valid: 0 steps, cost 0"
    problem = Problem.of("q", DOMAIN, PROBLEM.objects, PROBLEM.init, [])
    assert validate(problem, [act("rest")]).message == "valid: 1 step, cost 1"


def test_missing_goals() -> None:
    outcome = validate(PROBLEM, WORKING)
    assert not outcome.valid
    assert outcome.missing_goals == (lit("seen", "top"), lit("seen", "shop"))
    assert outcome.message == "the plan ends without (seen top) and 1 more goal"
    outcome = validate(PROBLEM, [act("look", "home")])
    assert outcome.missing_goals[-1] == lit("tired").negated
    assert outcome.message == "the plan ends without (seen top) and 2 more goals"


@pytest.mark.parametrize(
    ("plan", "step", "failed", "message"),
    [
        (
            [act("go", "home", "shop"), act("rest")],
            2,
            lit("at", "home"),
            "step 2: (rest) needs (at home), which is false",
        ),
        (
            [act("look", "home"), act("go", "home", "shop")],
            2,
            lit("tired").negated,
            "step 2: (go home shop) needs (not (tired)), but (tired) is true",
        ),
        (
            [act("go", "home", "home")],
            1,
            lit("=", "home", "home").negated,
            "step 1: (go home home) needs (not (= home home)), but (= home home) is true",
        ),
        ([act("fly", "home")], 1, None, "step 1: (fly home) is no action of domain walk"),
        ([act("rest", "home")], 1, None, "step 1: (rest home) has 1 argument instead of 0"),
        (
            [act("go", "home", "mars")],
            1,
            None,
            "step 1: (go home mars) names 'mars', which is no object of problem p",
        ),
        (
            [act("climb", "top"), act("climb", "shop")],
            2,
            None,
            "step 2: (climb shop) has shop (place) as ?h, which must be hill",
        ),
    ],
)
def test_failing_step(
    plan: list[GroundAction], step: int, failed: Literal | None, message: str
) -> None:
    outcome = validate(PROBLEM, plan)
    assert not outcome.valid
    assert outcome.failed_step == step
    assert outcome.action == plan[step - 1]
    assert outcome.failed == failed
    assert outcome.message == message
    assert outcome.cost == step - 1


def test_costs() -> None:
    go, look, rest, climb = DOMAIN.actions
    domain = replace(
        DOMAIN,
        functions=(Predicate("total-cost", ()), Predicate("far", go.parameters)),
        actions=(replace(go, cost=Atom("far", ("?a", "?b"))), replace(look, cost=5), rest, climb),
    )
    problem = Problem.of(
        "q",
        domain,
        PROBLEM.objects,
        PROBLEM.init,
        [],
        function_values={Atom("far", ("home", "shop")): 20, Atom("far", ("shop", "home")): 30},
    )
    assert validate(problem, WORKING).cost == 55
    assert plan_cost(problem, WORKING) == 55
    unpriced = [act("go", "home", "top")]
    message = r"\(go home top\) has no cost: problem q gives no value for \(far home top\)"
    with pytest.raises(Pg3Error, match=message):
        validate(problem, unpriced)
    with pytest.raises(Pg3Error, match=message):
        plan_cost(problem, unpriced)
    assert plan_cost(PROBLEM, unpriced) == 1


def test_a_long_plan_takes_linear_time() -> None:
    plan = [act("go", "home", "shop"), act("go", "shop", "home")] * 50_000
    problem = Problem.of("q", DOMAIN, PROBLEM.objects, PROBLEM.init, [])
    assert validate(problem, plan).steps == 100_000
