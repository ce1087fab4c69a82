"""Goals of grown problems: how many objects have them, and the facts that they depend on."""

from __future__ import annotations

import random

from pg3.learning.robustness.growing import Grower
from pg3.pddl import Problem, parse_domain, parse_problem


def test_goals_keep_the_facts_that_they_depend_on() -> None:
    """A part is fitted where it is worn: goals are not exchanged, nor is that drawn anew."""
    domain = parse_domain("""
        (define (domain repair) (:requirements :typing) (:types part car)
          (:predicates (worn ?p - part ?c - car) (fitted ?p - part ?c - car))
          (:action fit :parameters (?p - part ?c - car) :precondition (worn ?p ?c)
            :effect (and (fitted ?p ?c) (not (worn ?p ?c)))))""")
    problems = [
        parse_problem(
            f"(define (problem repair) (:domain repair) (:objects "
            f"{' '.join(f'p{i}' for i in range(n))} - part "
            f"{' '.join(f'c{i}' for i in range(n))} - car) "
            f"(:init {' '.join(f'(worn p{i} c{i})' for i in range(n))}) "
            f"(:goal (and {' '.join(f'(fitted p{i} c{i})' for i in range(n))})))",
            domain,
        )
        for n in (1, 2, 3)
    ]
    grower, generator = Grower(problems), random.Random(0)
    for i in range(12):
        problem = grower.grow(problems[i % 3], generator, times=3.0, redraw=i % 2 == 1)
        assert problem is not None
        worn = {terms for _, terms in problem.init}
        assert {terms for _, terms in problem.goal} <= worn


YARD = parse_domain("""(define (domain yard)
  (:types wagon track) (:constants exit - track)
  (:predicates (on ?w - wagon ?t - track) (clean ?w - wagon) (open ?t - track))
  (:action push :parameters (?w - wagon ?t - track) :precondition (open ?t) :effect (on ?w ?t))
  (:action wash :parameters (?w - wagon) :effect (clean ?w)))""")


def _yard(goal: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain yard) (:objects a b c - wagon s t - track)
          (:init (on a s) (on b s) (on c s) (open s)) (:goal (and {goal})))""",
        YARD,
    )


def _asked(problem: Problem) -> dict[str, set[str]]:
    return {
        o.name: {atom.predicate for atom in problem.goal if o.name in atom.terms}
        for o in problem.objects
        if o.type == "wagon"
    }


def test_fewer_objects_have_goals_where_given_problems_have_such() -> None:
    """A wagon is pushed and washed, or left alone; none is only washed."""
    given = [_yard("(on a t) (clean a) (on b t) (clean b)"), _yard("(on c t) (clean c)")]
    grower, generator = Grower(given), random.Random(0)
    shares = set()
    for _ in range(40):
        problem = grower.grow(given[0], generator, times=3)
        assert problem is not None
        demands = list(_asked(problem).values())
        assert all(demand in ({"on", "clean"}, set()) for demand in demands)
        shares.add(sum(map(bool, demands)) / len(demands))
    assert min(shares) < 1 / 3  # the least that a given problem has


def test_all_objects_have_goals_where_all_have_in_given_problems() -> None:
    given = [
        _yard("(on a t) (on b t) (on c t) (clean c)"),
        _yard("(on a t) (on b t) (on c t) (clean a)"),
    ]
    grower, generator = Grower(given), random.Random(0)
    for _ in range(20):
        problem = grower.grow(given[0], generator, times=3)
        assert problem is not None
        assert all("on" in demand for demand in _asked(problem).values())


PORT = parse_domain("""(define (domain port)
  (:types box ship)
  (:predicates (booked ?b - box ?s - ship) (loaded ?b - box ?s - ship) (washed ?b - box))
  (:action load :parameters (?b - box ?s - ship) :precondition (booked ?b ?s)
    :effect (loaded ?b ?s))
  (:action wash :parameters (?b - box) :effect (washed ?b)))""")


def _port(goal: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain port) (:objects a b c - box r s - ship)
          (:init (booked a r) (booked b s)) (:goal (and {goal})))""",
        PORT,
    )


def test_something_else_is_asked_of_objects_where_given_problems_ask_it_of_such() -> None:
    """What is booked is loaded where it is booked for, or washed; what is not is only washed."""
    given = [_port("(loaded a r)"), _port("(washed b) (washed c)")]
    grower, generator = Grower(given), random.Random(0)
    as_grown: set[tuple[str, str]] = set()
    otherwise: set[tuple[str, str]] = set()
    for i in range(40):
        problem = grower.grow(given[i % 2], generator, times=2, redraw=i % 4 < 2)
        assert problem is not None
        booked = {terms for predicate, terms in problem.init if predicate == "booked"}
        assert {terms for predicate, terms in problem.goal if predicate == "loaded"} <= booked
        (otherwise if i % 4 < 2 else as_grown).update(
            (atom.predicate, atom.terms[0][0]) for atom in problem.goal
        )
    # Names of boxes begin as in the given problems.
    assert as_grown == {("loaded", "a"), ("washed", "b"), ("washed", "c")}
    assert otherwise == {*as_grown, ("washed", "a"), ("loaded", "b")}
