"""Numbers in domains and problems."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.io import PDDLReader

from pg3 import validate
from pg3.errors import InputError, InputWarning
from pg3.pddl import parse_domain, parse_problem, write_problem
from pg3.pddl.model import Atom, Literal
from pg3.pddl.numbers import number_of, number_text, read_comparison
from pg3.pddl.plans import parse_plan
from pg3.planning import plan
from pg3.semantics.effects import Effects
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pathlib import Path

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


SPELLED: dict[str, int | Fraction] = {
    "+3": 3, ".5": Fraction(1, 2), "-.5": Fraction(-1, 2), "+.25": Fraction(1, 4), "5.": 5,
    "1e-05": Fraction(1, 100_000), "1E3": 1000, "1.5e+2": 150, "-2e-1": Fraction(-1, 5), "-0": 0,
}  # fmt: skip


@pytest.mark.parametrize("text", SPELLED)
def test_numbers_as_other_programs_print_them(text: str, tmp_path: Path) -> None:
    """In :init, goals, conditions and effects alike, and as unified-planning reads them."""
    domain_text = (
        "(define (domain d) (:requirements :numeric-fluents) (:predicates (g)) (:functions (f) (h))"
        f" (:action a :parameters () :precondition (>= (f) {text})"
        f" :effect (and (g) (increase (f) {text}) (assign (h) {text}))))"
    )
    problem_text = (
        f"(define (problem p) (:domain d) (:init (= (f) {text}) (= (h) 7))"
        f" (:goal (and (g) (= (h) {text}) (>= (f) {text}))))"
    )
    value = SPELLED[text]
    domain = parse_domain(domain_text)
    problem = parse_problem(problem_text, domain)
    assert problem.function_values[Atom("f")] == value
    assert str(domain.actions[0].precondition[0]) == f"(>= (f) {number_text(value)})"
    assert [effect.amount.constant for effect in domain.actions[0].numeric] == [value, value]
    assert parse_problem(write_problem(problem), domain) == problem
    (tmp_path / "d.pddl").write_text(domain_text)
    (tmp_path / "p.pddl").write_text(problem_text)
    reader = PDDLReader()
    theirs = reader.parse_problem(str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))
    for steps in ("(a)", "(a)\n(a)"):
        their_plan = reader.parse_plan_string(theirs, steps)
        verdict = SequentialPlanValidator().validate(theirs, their_plan)
        ours = validate(problem, parse_plan(steps, problem))
        assert ours.valid == (verdict.status == ValidationResultStatus.VALID) == (value >= 0)


@pytest.mark.parametrize("values", ["1 2.5", "2.5 1", "1 +2", "1 1.0 .5", ".5 5e-1 1"])
def test_two_values(values: str) -> None:
    init = " ".join(f"(= (trips) {value})" for value in values.split())
    with pytest.raises(InputError, match=r"\(trips\) has two values"):
        parse_problem(_problem(init), DOMAIN)


def test_the_same_value_twice() -> None:
    init = " ".join(f"(= (trips) {value})" for value in ("5", "+5", "5.", "0.5e1", "5"))
    problem = parse_problem(_problem(init), DOMAIN)
    assert problem.function_values == {Atom("trips"): 5}


@pytest.mark.parametrize("text", ["1e", "e5", "+", "-", ".", "1/2", "1_000", "0x10", "inf", "1,5"])
def test_what_is_no_number(text: str) -> None:
    assert number_of(text) is None
    with pytest.raises(InputError, match="unexpected"):
        parse_problem(_problem(f"(= (trips) {text})"), DOMAIN)


@pytest.mark.parametrize(("text", "cost"), [("+3", 3), ("1e3", 1000), ("3.0", 3), ("5.", 5)])
def test_costs_too(text: str, cost: int) -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (g ?x)) (:functions (total-cost) (price ?x)) (:action a"
        " :parameters (?x) :effect (and (g ?x) (increase (total-cost) (price ?x))))"
        f" (:action b :parameters (?x) :effect (and (g ?x) (increase (total-cost) {text}))))"
    )
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects o) (:goal (g o))"
        f" (:init (= (price o) {text}) (= (total-cost) +0)))",
        domain,
    )
    assert problem.function_values == {Atom("price", ("o",)): cost}
    assert domain.action("b").cost == cost


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
