"""What plans teach besides rules for their own goals: goals on the way, disjuncts, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.learning.regression import Regression
from pg3.learning.regression.rules.cases import Disjunct, Disjunctions, with_disjuncts
from pg3.learning.training import Training
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.plans import GroundAction
from pg3.planning import execute
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import DecisionList

# Trucks are washed and assigned a stream anew before they collect it.
TRUCKS = parse_domain("""
    (define (domain trucks) (:requirements :typing) (:types truck bin stream)
      (:constants paper glass - stream)
      (:predicates (assigned ?t - truck ?s - stream) (washed ?t - truck) (full ?b - bin)
        (contains ?b - bin ?s - stream) (emptied ?b - bin))
      (:action wash :parameters (?t - truck ?s - stream) :precondition (assigned ?t ?s)
        :effect (and (washed ?t) (not (assigned ?t ?s))))
      (:action assign :parameters (?t - truck ?s - stream) :precondition (washed ?t)
        :effect (and (assigned ?t ?s) (not (washed ?t))))
      (:action collect :parameters (?t - truck ?b - bin ?s - stream)
        :precondition (and (assigned ?t ?s) (contains ?b ?s) (full ?b))
        :effect (and (emptied ?b) (not (full ?b)))))""")


def trucks(init: str, goal: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain trucks) (:objects t - truck b - bin)
          (:init (full b) (contains b glass) {init}) (:goal (and {goal})))""",
        TRUCKS,
    )


def learned(domain: Domain, *problems: Problem) -> DecisionList:
    training = Training(problems)
    result = Regression(training, seed=0).learn(training)
    return training.book.policy(result.policy, domain.name)


def test_a_goal_is_learned_from_plans_that_achieve_it_on_the_way() -> None:
    """No problem asks for a washed truck to be assigned; a plan for a bin does it."""
    policy = learned(
        TRUCKS,
        trucks("(assigned t glass)", "(emptied b) (assigned t glass)"),
        trucks("(washed t)", "(emptied b)"),
    )
    problem = trucks("(washed t)", "(assigned t paper)")
    assert execute(problem, policy).solved


def test_a_constant_of_the_goal_is_a_variable_of_the_rule() -> None:
    policy = learned(TRUCKS, trucks("(assigned t paper)", "(assigned t glass)"))
    assert execute(trucks("(assigned t glass)", "(assigned t paper)"), policy).solved
    assert not {"paper", "glass"} & {
        term for rule in policy.rules for literal in rule.goals for term in literal.atom.terms
    }


# Copper makes a tool dirty; only copper may come into a dirty one.
TOOLS = parse_domain("""
    (define (domain tools) (:requirements :adl) (:types lot tool)
      (:predicates (copper ?l - lot) (dirty ?t - tool) (done ?l - lot) (kit) (spare ?t - tool))
      (:action fetch-kit :parameters () :precondition (not (kit)) :effect (kit))
      (:action clean :parameters (?t - tool) :precondition (and (kit) (dirty ?t))
        :effect (not (dirty ?t)))
      (:action process :parameters (?l - lot ?t - tool)
        :precondition (and (or (copper ?l) (not (dirty ?t)))
                           (or (copper ?l) (exists (?s - tool) (spare ?s))))
        :effect (and (done ?l) (when (copper ?l) (dirty ?t)))))""")


def tools(lots: int, copper: int, init: str) -> Problem:
    names = [f"l{i}" for i in range(lots)]
    return parse_problem(
        f"""(define (problem p) (:domain tools) (:objects t - tool {" ".join(names)} - lot)
          (:init (spare t) {init} {" ".join(f"(copper {name})" for name in names[:copper])})
          (:goal (and {" ".join(f"(done {name})" for name in names)})))""",
        TOOLS,
    )


def test_what_makes_a_disjunct_true_is_learned() -> None:
    """The one disjunct never changes, the other is brought about by cleaning."""
    policy = learned(TOOLS, tools(2, 1, ""), tools(1, 0, "(dirty t)"), tools(2, 1, "(dirty t)"))
    assert {"fetch-kit", "clean", "process"} <= {rule.action for rule in policy.rules}
    for problem in (tools(8, 3, "(dirty t)"), tools(9, 0, "(dirty t)"), tools(7, 7, "")):
        assert execute(problem, policy).solved


@pytest.mark.parametrize(
    ("lot", "needs"),
    [("l0", {"(copper l0)"}), ("l1", {"(not (dirty t))", "(spare t)"})],
    ids=["the first", "the second"],
)
def test_the_disjuncts_that_are_true(lot: str, needs: set[str]) -> None:
    task = Task(tools(2, 1, ""))
    task.ground()
    done = GroundAction("process", (lot, "t"))
    action, chosen, literals = Disjunctions(task).used(task.space.initial, done)
    assert {str(literal) for literal in literals} == needs
    schema = with_disjuncts(TOOLS.action("process"), chosen, TOOLS.axioms)
    assert len(action.objects) == len(schema.parameters)
    ground = schema.ground(action.objects)
    assert {str(literal) for literal in ground.precondition} == needs
    assert ground.conditional == TOOLS.action("process").ground(done.objects).conditional


def test_what_needs_no_disjunct_stays_as_it_is() -> None:
    task = Task(tools(1, 0, "(dirty t)"))
    task.ground()
    fetch = GroundAction("fetch-kit", ())
    assert Disjunctions(task).used(task.space.initial, fetch) == (fetch, (), ())
    assert Disjunct(0, 1) != Disjunct(0, 1, 0)
