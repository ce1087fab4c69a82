from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

from pg3.errors import InputWarning, PddlError
from pg3.pddl import Atom, Literal, Problem, TypedObject, parse_domain, parse_problem, read_problem

if TYPE_CHECKING:
    from pathlib import Path

DOMAIN = parse_domain("""
(define (domain d)
  (:types car place)
  (:constants base - place)
  (:predicates (at ?c - car ?p - place) (open) (near ?p ?q - place))
  (:functions (total-cost) (toll ?p - place) - number))
""")


def problem(sections: str) -> Problem:
    return parse_problem(f"(define (problem p) (:domain d) {sections})", DOMAIN)


def test_everything() -> None:
    one = problem("""
      (:goal (and (at C1 base) (and (not (open)) (near base p1)) (at c1 base)))
      (:init (at c1 p1) (near p1 base) (at c1 p1) (not (open)) (= (total-cost) 0)
             (= (toll base) 4) (= (toll p1) 2.0) (= (toll base) 4))
      (:metric minimize (total-cost))
      (:requirements :strips)
      (:objects c1 c2 - car p1 - place thing)""")
    assert one.name == "p"
    assert one.objects == (
        TypedObject("c1", "car"),
        TypedObject("c2", "car"),
        TypedObject("p1", "place"),
        TypedObject("thing", "object"),
    )
    assert one.object_names == ("base", "c1", "c2", "p1", "thing")
    assert [o.name for o in one.all_objects] == list(one.object_names)
    assert list(one.init) == [Atom("at", ("c1", "p1")), Atom("near", ("p1", "base"))]
    assert list(one.goal) == [Atom("at", ("c1", "base")), Atom("near", ("base", "p1"))]
    assert list(one.negative_goal) == [Atom("open")]
    assert one.function_values == {Atom("toll", ("base",)): 4, Atom("toll", ("p1",)): 2}
    assert one.minimizes_cost


def test_the_smallest_problem() -> None:
    one = problem("(:init) (:goal (and))")
    assert one.objects == ()
    assert list(one.init) == list(one.goal) == list(one.negative_goal) == []
    assert not one.minimizes_cost


@pytest.mark.parametrize("goal", ["()", "(and)", "(and (and))"])
def test_empty_goals(goal: str) -> None:
    assert len(problem(f"(:init) (:goal {goal})").goal) == 0


def test_a_goal_may_ask_for_the_impossible() -> None:
    one = problem("(:init) (:goal (and (open) (not (open)) (not (not (open)))))")
    assert list(one.goal) == list(one.negative_goal) == [Atom("open")]


def test_equal_to_the_same_problem_made_from_values() -> None:
    text = problem("(:objects c - car) (:init (at c base)) (:goal (not (at c base)))")
    at = Atom("at", ("c", "base"))
    made = Problem.of("p", DOMAIN, [TypedObject("c", "car")], [at, at], [Literal(at, False)])
    assert made.minimizes_cost
    assert text.init == made.init
    assert text.negative_goal == made.negative_goal
    assert text.objects == made.objects
    assert hash(text.init) == hash(made.init)
    assert text.init != made.goal


def test_a_constant_may_be_repeated_with_a_warning() -> None:
    with pytest.warns(InputWarning, match=r"^<problem>:1:51: object 'base' is a constant"):
        one = problem("(:objects c - car base - place) (:init) (:goal (at c base))")
    assert one.object_names == ("base", "c")


def test_costs_without_values_are_a_warning() -> None:
    """Else a problem in which nothing can be done looks unsolvable for no reason."""
    roads = parse_domain("""(define (domain roads) (:predicates (at ?x))
      (:functions (total-cost) (length ?x ?y) (toll ?x))
      (:action go :parameters (?x ?y) :effect (and (at ?y) (increase (total-cost) (length ?x ?y))))
      (:action fly :parameters (?x ?y) :effect (and (at ?y) (increase (total-cost) (length ?x ?y))))
      (:action pay :parameters (?x) :effect (increase (total-cost) (toll ?x))))""")
    text = "(define (problem p) (:domain roads) (:objects a b)\n(:init {}) (:goal (at a)))"
    with pytest.warns(InputWarning) as caught:
        parse_problem(text.format("(= (toll a) 3)"), roads)
    assert [str(one.message) for one in caught] == [
        "<problem>:2:2: no value of 'length', the cost of 'go' and 'fly': "
        "what has no cost can never be done"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_problem(text.format("(= (toll a) 3) (= (length a b) 0)"), roads)


def test_no_cost_is_missed_where_there_is_nothing_to_act_on() -> None:
    """Without a plane no value of its fare can be given; there was a warning all the same."""
    travel = parse_domain("""(define (domain travel) (:types car plane) (:predicates (used ?x))
      (:functions (total-cost) (fare ?p - plane))
      (:action drive :parameters (?c - car) :effect (used ?c))
      (:action fly :parameters (?c - car ?p - plane)
       :effect (and (used ?p) (increase (total-cost) (fare ?p)))))""")
    text = "(define (problem p) (:domain travel) (:objects c - car {}) (:init) (:goal (used c)))"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse_problem(text.format(""), travel)
    with pytest.warns(InputWarning, match="no value of 'fare', the cost of 'fly'"):
        parse_problem(text.format("a - plane"), travel)


def test_length_is_ignored_with_a_warning() -> None:
    with pytest.warns(InputWarning, match=r"the section ':length' is ignored"):
        problem("(:init) (:goal (open)) (:length (:serial 3))")


def test_a_missing_final_parenthesis_is_a_warning() -> None:
    with pytest.warns(InputWarning, match=r"^<problem>:2:19: missing '\)' at the end"):
        parse_problem("(define (problem p) (:domain d) (:init)\n    (:goal (open))\n", DOMAIN)


def test_no_warning_beside_an_error() -> None:
    with pytest.raises(PddlError, match="object 'x' is not declared"):
        parse_problem("(define (problem p) (:domain d) (:init (at x base)) (:goal (and))", DOMAIN)


def test_a_fault_in_a_large_problem_is_found() -> None:
    names = [f"c{i}" for i in range(20_000)]
    facts = "\n".join(f"(at {name} base)" for name in [*names, "c1999x"])
    with pytest.raises(PddlError) as caught:
        problem(f"(:objects {' '.join(names)} - car) (:init\n{facts}) (:goal (open))")
    first, _, _, hint = str(caught.value).split("\n")
    assert first == "<problem>:20002:5: object 'c1999x' is not declared"
    assert hint == "  did you mean 'c1999'?"


def test_names_beyond_ascii() -> None:
    one = problem("(:objects café Ünal - car) (:init (at café base)) (:goal (open))")
    assert list(one.init) == [Atom("at", ("café", "base"))]


def test_deep_nesting_is_read_without_recursion() -> None:
    depth = 50_000
    deep = "(and " * depth + "(not " * depth + "(open)" + ")" * (2 * depth)
    assert list(problem(f"(:init) (:goal {deep})").goal) == [Atom("open")]
    with pytest.raises(PddlError, match="predicate 'opn' is not declared"):
        problem(f"(:init) (:goal {deep.replace('open', 'opn')})")


def test_files_are_named_in_messages(tmp_path: Path) -> None:
    path = tmp_path / "p.pddl"
    path.write_text("(define (problem p) (:domain e))")
    with pytest.raises(PddlError, match=r"p\.pddl:1:9: problem 'p' has no section ':init'"):
        read_problem(path, DOMAIN)
