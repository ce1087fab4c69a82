"""Why derived conditions hold or not: what is told is true, and proofs do not go in circles."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pg3.analysis.explain import explain
from pg3.analysis.explain.json_format import step_values
from pg3.analysis.explain.reasons import Reasons
from pg3.analysis.explain.text import tell_step
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy import DecisionList, parse_policy, read_policy
from pg3.semantics.datalog import Condition
from tests.extended.problems import transport
from tests.oracle import semantics
from tests.oracle.derived import distances, goal_atoms, holds, with_derived
from tests.oracle.semantics import bindings
from tests.support.random_problems import (
    AXIOMS,
    AXIOMS_AND_DERIVED,
    DERIVED,
    Scenario,
    scenarios,
    walks,
)

if TYPE_CHECKING:
    from pg3.analysis.explain.reasons import Reason
    from pg3.policy.model import Clause
    from tests.oracle.semantics import State

EXTENDED = Path(__file__).parents[2] / "extended"


def told_truly(reason: Reason, problem: Problem, known: State) -> None:
    goal = goal_atoms(problem)
    assert holds(problem, Literal(reason.atom), {}, known) == reason.holds
    for literal, of_goal in ((c.literal, c.of_goal) for c in reason.because):
        assert holds(problem, literal, {}, goal if of_goal else known) == reason.holds
    assert reason.because or reason.path or reason.note
    for further in reason.further:
        told_truly(further, problem, known)


def heads(problem: Problem, clauses: tuple[Clause, ...]) -> list[Atom]:
    """All atoms of the derived predicates, of the types of their first clauses."""
    first = {clause.name: clause for clause in reversed(clauses)}
    return [
        Atom(clause.name, tuple(binding[p.name] for p in clause.parameters))
        for clause in first.values()
        for binding in bindings(problem, clause.parameters)
    ]


@settings(max_examples=40)
@given(st.data(), scenarios(DERIVED, AXIOMS, AXIOMS_AND_DERIVED))
def test_reasons_are_true(data: st.DataObject, scenario: Scenario) -> None:
    problem, policy = scenario
    state = data.draw(walks(problem, 3))[-1]
    known = with_derived(problem, policy.definitions, semantics.closed(problem, state))
    atoms = heads(problem, (*problem.domain.axioms, *policy.definitions))[:30]
    reasons = Reasons(policy, problem, state)
    for atom in atoms:
        (reason,) = reasons.of([Condition(Literal(atom), False)])
        told_truly(reason, problem, known)


@settings(max_examples=30)
@given(scenarios(DERIVED, AXIOMS, AXIOMS_AND_DERIVED))
def test_steps_are_told_with_reasons(scenario: Scenario) -> None:
    problem, policy = scenario
    explanation = explain(problem, policy, max_steps=3)
    for number in range(1, explanation.steps + 1):
        assert tell_step(explanation, number)
        assert json.dumps(step_values(explanation, explanation.step(number)))


CIRCLE = parse_domain("""
(define (domain circle)
  (:predicates (edge ?x ?y) (path ?x ?y))
  (:derived (path ?x ?y) (exists (?z) (and (path ?x ?z) (path ?z ?y))))
  (:derived (path ?x ?y) (edge ?x ?y))
  (:action cut :parameters (?x ?y) :precondition (path ?x ?y) :effect (not (edge ?x ?y))))
""")


def test_proofs_do_not_go_in_circles() -> None:
    text = """(define (problem c) (:domain circle) (:objects a b c d)
    (:init (edge a b) (edge b c) (edge c d) (edge d a)) (:goal (not (path a c))))"""
    problem = parse_problem(text, CIRCLE)
    reasons = Reasons(DecisionList("none", ()), problem, frozenset(problem.init))
    rests: dict[Atom, list[Atom]] = {}
    for x in "abcd":
        for y in "abcd":
            (reason,) = reasons.of([Condition(Literal(Atom("path", (x, y))), False)])
            assert reason.holds
            rests[reason.atom] = [
                c.literal.atom for c in reason.because if c.literal.atom.predicate == "path"
            ]
    done: set[Atom] = set()
    while len(done) < len(rests):
        ready = {atom for atom, needed in rests.items() if set(needed) <= done}
        assert ready > done, "a proof rests on itself"
        done = ready


def test_ways_are_shortest_and_missing_ones_are_said() -> None:
    problem = transport(7, random.Random(1))
    roads = [(a.terms[0], a.terms[1]) for a in problem.init if a.predicate == "road"]
    policy = read_policy(EXTENDED / "transport.policy", problem.domain)
    reasons = Reasons(policy, problem, frozenset(problem.init))
    away = distances(roads, "l6")
    for start, steps in away.items():
        (reason,) = reasons.of([Condition(Literal(Atom("reach", ("road", start, "l6"))), False)])
        assert reason.holds
        assert len(reason.path) == steps + 1
        assert all(pair in roads for pair in zip(reason.path, reason.path[1:], strict=False))
    island = Problem.of(
        "island",
        problem.domain,
        [*problem.objects, TypedObject("isle", "location")],
        problem.init,
        [],
    )
    reasons = Reasons(policy, island, frozenset(island.init))
    for atom in (Atom("reach", ("road", "isle", "l0")), Atom("next", ("road", "isle", "l1", "l0"))):
        (reason,) = reasons.of([Condition(Literal(atom), False)])
        assert not reason.holds
        assert reason.note == "nothing is within reach of isle"
    wrong = Atom("next", ("road", "l0", "l0", "l1"))
    (reason,) = reasons.of([Condition(Literal(wrong), False)])
    assert reason.note == "no edge leads from l0 to l0"


def test_the_text_of_a_step_names_clause_and_way() -> None:
    domain = parse_domain("""
(define (domain walk)
  (:predicates (edge ?x ?y) (at ?x) (blocked ?x) (free ?x))
  (:derived (free ?x) (not (blocked ?x)))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (edge ?x ?y) (free ?y))
   :effect (and (at ?y) (not (at ?x)))))""")
    problem = parse_problem(
        """(define (problem w) (:domain walk) (:objects a b c d)
    (:init (at a) (edge a b) (edge b c) (edge a d) (edge d c) (blocked b)) (:goal (at c)))""",
        domain,
    )
    policy = parse_policy(
        """(define (policy p)
      (:derived (way ?x ?y) (and (edge ?x ?y) (free ?y)))
      (:rule go :parameters (?z ?x ?y) :preconditions (and (at ?x) (next way ?x ?y ?z))
       :goals (at ?z) :action (go ?x ?y)))""",
        domain,
    )
    told = tell_step(explain(problem, policy), 1)
    assert "(next way a d c) holds, as the path is a d c" in told
