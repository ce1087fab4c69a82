"""Which conditions an induced rule has, and which types its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains import DOMAINS
from pg3.learning.operators.induce import Lesson, lift
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom
from pg3.pddl.plans import GroundAction
from tests.learning.operators.test_induce import Case, ferry_problem, lesson, table
from tests.support.errands import FETCH, literals

if TYPE_CHECKING:
    from pg3.pddl.model import Problem


# -- which conditions ------------------------------------------------------------------------------

ERRAND = "(wake) (go van home shop) (load box van shop) (go van shop home) (unload box van home)"


def test_negative_preconditions_of_the_missed_action_only() -> None:
    found = lesson(FETCH, ERRAND, 1)
    assert found.subsequence == (1, 2, 3, 4)
    assert found.required == literals(
        "at van home, not = home shop, road home shop, not shut shop, not resting, not at box home"
    )
    assert found.context == literals("at box shop, road shop home, not = box van")


def test_no_lesson_along_negative_preconditions() -> None:
    assert Lesson.of(table(FETCH, ERRAND), 0, FETCH.goal) is None


def test_actions_that_do_not_serve_the_goal_are_left_out() -> None:
    problem = ferry_problem("(at-ferry l1) (on c0) (at c1 l2)", "(at c0 l2)")
    plan = "(sail l1 l3) (sail l3 l2) (debark c0 l2) (board c1 l2) (debark c1 l2)"
    assert lesson(problem, plan, 1).subsequence == (1, 2)
    assert lesson(problem, plan, 0).subsequence == (0, 1, 2)


# A post office: parcels are stamped with ink, then sent through the hub.
POST = parse_domain("""
(define (domain post)
  (:types parcel ink - object blue red - ink machine - object)
  (:constants hub - machine)
  (:predicates (full ?i - ink) (stamped ?p - parcel) (sent ?p - parcel) (likes ?p - parcel ?i - ink)
    (running ?m - machine) (broken ?m - machine) (chosen ?p - parcel) (tested ?x - object))
  (:action choose
    :parameters (?p - parcel)
    :precondition ()
    :effect (chosen ?p))
  (:action stamp
    :parameters (?p - parcel ?i - ink)
    :precondition (and (chosen ?p) (likes ?p ?i) (full ?i))
    :effect (stamped ?p))
  (:action send
    :parameters (?p - parcel)
    :precondition (and (stamped ?p) (running hub))
    :effect (sent ?p))
  (:action test
    :parameters (?x - object)
    :precondition (not (broken ?x))
    :effect (tested ?x)))
""")


def post_problem(init: str, goal: str) -> Problem:
    return parse_problem(
        "(define (problem post) (:domain post)"
        " (:objects first second - parcel navy azure - blue scarlet - red)"
        f" (:init (running hub) {init}) (:goal (and {goal})))",
        POST,
    )


SEND_SECOND = "(choose second) (stamp second navy) (send second)"
SEND = """
  (:rule send
    :parameters (?p - parcel)
    :preconditions (and (stamped ?p) (not (sent ?p)))
    :goals (sent ?p)
    :action (send ?p))
"""
STAMP = """
  (:rule stamp{0}
    :parameters (?p - parcel ?i - {0})
    :preconditions (and (chosen ?p) (likes ?p ?i) (full ?i) (not (stamped ?p)))
    :action (stamp ?p ?i))
"""
CHOOSE_NOT = SEND + STAMP.format("blue") + STAMP.format("ink")


def test_few_conditions_if_they_reproduce_the_missed_action() -> None:
    problem = post_problem("(likes second navy) (full navy)", "(sent second)")
    rule = Case.of((problem, SEND_SECOND)).induced(CHOOSE_NOT)
    # Sending, which achieves the goal, needs the machine to run all along.
    assert rule.preconditions == literals("not sent ?p, running ?machine")
    assert rule.goals == literals("sent ?p")


def test_more_conditions_until_they_do() -> None:
    # The first parcel waits as well, but the plan turns to the one that likes blue.
    problem = post_problem(
        "(likes first scarlet) (full scarlet) (chosen first) (likes second navy) (full navy)",
        "(sent first) (sent second)",
    )
    case = Case.of((problem, SEND_SECOND + "(stamp first scarlet) (send first)"))
    agreements = case.training.agreements(case.policy(CHOOSE_NOT), 0, case.plans[0] or ())
    assert agreements == [False, True, True, True, True]
    rule = case.induced(CHOOSE_NOT)
    assert set(rule.preconditions) == set(
        literals("not sent ?p, likes ?p ?blue, full ?blue, running ?machine")
    )


def test_growth_goes_action_by_action() -> None:
    problem = post_problem("(likes second navy) (full navy)", "(sent second)")
    assert list(lesson(problem, SEND_SECOND, 0).growing_preconditions()) == [
        # What the sending at the end needs is there from the first: the hub, of which only the
        # domain speaks.
        literals("not sent second, running hub"),
        literals("not sent second, likes second navy, full navy, running hub"),
    ]


def test_what_the_achieving_action_needs_is_in_the_first_set() -> None:
    """The ball is carried by a gripper that neither the move nor the goal speaks of."""
    gripper = DOMAINS["gripper"].domain
    problem = parse_problem(
        "(define (problem carrying) (:domain gripper-strips) (:objects a b x left)"
        " (:init (room a) (room b) (ball x) (gripper left) (at-robby a) (carry x left))"
        " (:goal (at x b)))",
        gripper,
    )
    found = lesson(problem, "(move a b) (drop x b left)", 0)
    first, *_ = found.growing_preconditions()
    assert set(first) == set(
        literals(
            "room a, room b, at-robby a, not at x b, ball x, gripper left, carry x left",
        )
    )
    first, *_ = found.growing_preconditions(achiever_needs=False)
    assert set(first) == set(literals("room a, room b, at-robby a, not at x b, ball x"))


def test_all_conditions_if_nothing_helps() -> None:
    # Any rule takes navy, as it is listed first; the plan takes azure.
    problem = post_problem(
        "(chosen first) (likes first navy) (full navy) (likes first azure) (full azure)",
        "(sent first)",
    )
    case = Case.of((problem, "(stamp first azure) (send first)"))
    rule = case.induced(SEND)
    assert set(rule.preconditions) == set(
        literals("chosen ?p, likes ?p ?i, full ?i, not sent ?p, running ?machine")
    )
    assert case.children(case.policy(SEND)) == case.children(case.policy(SEND), generalise=False)


def test_full_preimage_without_generalisation() -> None:
    problem = post_problem("(likes second navy) (full navy)", "(sent second)")
    rule = Case.of((problem, SEND_SECOND)).induced(CHOOSE_NOT, generalise=False)
    assert set(rule.preconditions) == set(
        literals("not sent ?p, likes ?p ?blue, full ?blue, running ?machine")
    )


# -- lifting ---------------------------------------------------------------------------------------


def test_order_and_types_of_parameters() -> None:
    problem = post_problem("(likes second navy) (full navy)", "(sent second)")
    types = {one.name: one.type for one in problem.all_objects}
    rule = lift(
        GroundAction("stamp", ("first", "scarlet")),
        literals("chosen first, full navy, running hub, full scarlet"),
        Atom("sent", ("second",)),
        types,
        POST,
    )
    assert [(one.name, *one.types) for one in rule.parameters] == [
        ("?second", "parcel"),
        ("?navy", "blue"),
        ("?hub", "machine"),
        ("?first", "parcel"),
        ("?scarlet", "red"),
    ]
    assert rule.preconditions == literals("chosen ?first, full ?navy, running ?hub, full ?scarlet")
    assert (rule.goals, rule.action) == (literals("sent ?second"), "stamp")
    assert rule.arguments == ("?first", "?scarlet")


def test_condition_that_does_not_fit_the_types_is_dropped() -> None:
    # A parcel is never broken, and a rule must not ask.
    problem = post_problem("", "(tested first)")
    rule = Case.of((problem, "(test first)")).induced()
    assert rule.preconditions == literals("not tested ?x")
    machine = post_problem("", "(tested hub)")
    rule = Case.of((machine, "(test hub)")).induced()
    assert set(rule.preconditions) == set(literals("not tested ?x, not broken ?x"))
