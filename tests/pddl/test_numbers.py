"""Numbers in domains and problems."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pg3.errors import InputWarning
from pg3.pddl import parse_domain, parse_problem, write_problem
from pg3.pddl.model import Atom, Literal
from pg3.pddl.numbers import number_of, number_text, read_comparison
from pg3.planning import plan
from pg3.semantics.effects import Effects
from pg3.semantics.task import Task

DOMAIN = parse_domain("""
(define (domain vans)
  (:types van place)
  (:predicates (at ?v - van ?p - place))
  (:functions (fuel ?v - van) (far ?a ?b - place) (trips))
  (:action go
    :parameters (?v - van ?a ?b - place)
    :precondition (and (at ?v ?a) (>= (fuel ?v) (+ (far ?a ?b) 0.5)) (< (trips) 10))
    :effect (and (at ?v ?b) (not (at ?v ?a)) (decrease (fuel ?v) (far ?a ?b))
      (increase (trips) 1))))
""")


def _problem(init: str = "", goal: str = "(at x b)") -> str:
    return (
        "(define (problem p) (:domain vans) (:objects x - van a b - place)"
        f" (:init (at x a) {init}) (:goal (and {goal})))"
    )


def test_a_comparison_is_an_atom_with_the_functions_objects() -> None:
    _, compared, trips = DOMAIN.action("go").precondition
    assert compared == Literal(Atom("(>= (fuel $1) (+ (far $2 $3) 0.5))", ("?v", "?a", "?b")))
    assert str(compared) == "(>= (fuel ?v) (+ (far ?a ?b) 0.5))"
    assert str(trips.negated) == "(not (< (trips) 10))"
    assert DOMAIN.numeric_functions == {"fuel", "trips"}
    assert compared.atom.predicate in DOMAIN.changing


def test_values_are_exact() -> None:
    problem = parse_problem(_problem("(= (fuel x) 2.50) (= (far a b) -1) (= (trips) 0)"), DOMAIN)
    assert problem.function_values[Atom("fuel", ("x",))] == Fraction(5, 2)
    assert problem.function_values[Atom("far", ("a", "b"))] == -1
    assert Atom("(= (fuel $1) $2)", ("x", "2.5")) in problem.initial_state


def test_goals_of_numbers_are_numbers_of_the_problem() -> None:
    problem = parse_problem(_problem(goal="(>= (fuel x) 1.5) (not (= 3 (trips)))"), DOMAIN)
    assert [str(goal) for goal in problem.goal_literals] == [
        "(>= (fuel x) (goal (fuel x)))",
        "(not (= (trips) (goal (trips))))",
    ]
    assert "(>= (fuel x) 1.5)" in write_problem(problem)
    assert "(not (= (trips) 3))" in write_problem(problem)
    other = parse_problem(_problem(goal="(> (fuel x) (trips))"), DOMAIN)
    assert not other.goal_literals
    assert len(other.disjunctions) == 1


def test_another_domains_name_is_forgiven() -> None:
    with pytest.warns(InputWarning, match="the problem is of domain 'lorries'"):
        parse_problem(_problem().replace("(:domain vans)", "(:domain lorries)"), DOMAIN)


@pytest.mark.parametrize("text", ["0", "-3", "0.5", "-12.125", "7"])
def test_numbers_are_written_as_they_are_read(text: str) -> None:
    number = number_of(text)
    assert number is not None
    assert number_text(number) == text


@pytest.mark.parametrize(
    "name", ["(>= (f $1)", "(>= (f $2) 1)", "(>= f 1)", "(>= (f $1) 1 2)", "(>= (f  $1) 1)"]
)
def test_what_is_no_name_of_a_comparison(name: str) -> None:
    assert read_comparison(name) is None


def test_thirds() -> None:
    """A number that no decimals write is a number all the same."""
    assert number_of("(/ 1 3)") == Fraction(1, 3)
    assert number_of(number_text(Fraction(-2, 7))) == Fraction(-2, 7)
    assert number_of("(/ 1 0)") is None
    domain = parse_domain(
        "(define (domain t) (:functions (f) (w ?x)) (:predicates (p ?x)) (:action add"
        " :parameters (?x) :precondition (p ?x) :effect (assign (f) (+ (f) (/ (w ?x) 3)))))"
    )
    # To assign a function itself and something more is to increase it.
    assert [str(effect) for effect in domain.actions[0].numeric] == [
        "(increase (f) (* (/ 1 3) (w ?x)))"
    ]
    problem = parse_problem(
        "(define (problem q) (:domain t) (:objects a) (:init (p a) (= (f) 0) (= (w a) 1))"
        " (:goal (>= (f) 1)))",
        domain,
    )
    found = plan(problem).plan
    assert found is not None
    task, effects = Task(problem), Effects(problem)
    state = task.initial_state
    for action in found:
        after = task.successor(state, action)
        assert effects.after(action, state) == after
        state = after
    assert len(found) == 3
    assert task.is_goal(state)


def test_one_change_comes_after_the_other() -> None:
    domain = parse_domain(
        "(define (domain t) (:predicates (p ?x)) (:functions (f ?x)) (:action move"
        " :parameters (?a ?b) :effect (and (decrease (f ?a) 1) (increase (f ?b) 2))))"
    )
    problem = parse_problem(
        "(define (problem q) (:domain t) (:objects a b) (:init (= (f a) 3) (= (f b) 0))"
        " (:goal (>= (f b) 5)))",
        domain,
    )
    task, effects = Task(problem), Effects(problem)
    after = {
        str(a): effects.after(a, task.initial_state) for a in task.applicable(task.initial_state)
    }
    assert {str(atom) for atom in after["(move a a)"]} == {"(= (f a) 4)", "(= (f b) 0)"}
    assert {str(atom) for atom in after["(move a b)"]} == {"(= (f a) 2)", "(= (f b) 2)"}
