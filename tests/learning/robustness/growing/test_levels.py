"""Longer lines of numbers in altered problems: what is full stays full."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.robustness.growing.levels import Levels
from pg3.learning.robustness.growing.mining import Mined
from pg3.learning.robustness.growing.sources import Source
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import plan

if TYPE_CHECKING:
    from pg3.pddl.model import Problem

KILNS = """
(define (domain kilns) (:requirements :typing)
  (:types piece kiln level - object) (:constants no-room - level)
  (:predicates (next ?a ?b - level) (size ?k - kiln ?l - level) (room ?k - kiln ?l - level)
               (on-table ?p - piece) (in ?p - piece ?k - kiln) (packed ?p - piece))
  (:functions (weight ?l - level) - number (total-cost) - number)
  (:action load :parameters (?p - piece ?k - kiln ?less ?more - level)
    :precondition (and (on-table ?p) (room ?k ?more) (next ?less ?more))
    :effect (and (in ?p ?k) (room ?k ?less) (not (on-table ?p)) (not (room ?k ?more))))
  (:action unload :parameters (?p - piece ?k - kiln ?less ?more - level)
    :precondition (and (in ?p ?k) (room ?k ?less) (next ?less ?more))
    :effect (and (on-table ?p) (room ?k ?more) (not (in ?p ?k)) (not (room ?k ?less))))
  (:action pack :parameters (?p - piece ?k - kiln ?all - level)
    :precondition (and (on-table ?p) (size ?k ?all) (room ?k ?all)) :effect (packed ?p)))
"""
DOMAIN = parse_domain(KILNS)


def kilns(sizes: list[int], full: list[int], extra: str = "") -> Problem:
    """Kilns of these sizes with so many pieces in each, and a piece that is to be packed."""
    levels = ["no-room", *(f"l{i}" for i in range(1, max(2, *sizes) + 1))]
    facts = [f"(next {one} {two})" for one, two in itertools.pairwise(levels)]
    pieces = ["p"]
    for i, (size, number) in enumerate(zip(sizes, full, strict=True)):
        facts += [f"(size k{i} {levels[size]})", f"(room k{i} {levels[size - number]})"]
        for j in range(number):
            pieces.append(f"p{i}-{j}")
            facts.append(f"(in p{i}-{j} k{i})")
    return parse_problem(
        f"(define (problem p) (:domain kilns) (:objects {' '.join(levels[1:])} - level "
        f"{' '.join(f'k{i}' for i in range(len(sizes)))} - kiln {' '.join(pieces)} - piece) "
        f"(:init (on-table p) {' '.join(facts)} {extra}) (:goal (packed p)))",
        DOMAIN,
    )


GIVEN = [kilns([1, 2], [1, 0]), kilns([2, 1], [1, 0]), kilns([3, 1, 2], [2, 1, 0])]


def levels_of(problems: list[Problem]) -> Levels:
    sources = [Source(problem) for problem in problems]
    return Levels(sources, Mined(sources))


def numbers(problem: Problem) -> dict[str, dict[str, int]]:
    """For each predicate the number of each kiln's level."""
    after = {a.terms[0]: a.terms[1] for a in problem.init if a.predicate == "next"}
    line = ["no-room"]
    while line[-1] in after:
        line.append(after[line[-1]])
    levels = [o.name for o in problem.all_objects if o.type == "level"]
    assert sorted(line) == sorted(levels), "one line"
    return {
        predicate: {
            a.terms[0]: line.index(a.terms[1]) for a in problem.init if a.predicate == predicate
        }
        for predicate in ("size", "room")
    }


@given(st.integers(0, 2**32))
def test_what_is_in_a_kiln_fits(seed: int) -> None:
    given_problem = GIVEN[-1]
    raised = levels_of(GIVEN).raised(given_problem, random.Random(seed))
    old, new = numbers(given_problem), numbers(raised)
    for kiln, size in new["size"].items():
        assert size >= old["size"][kiln]
        inside = sum(a.predicate == "in" and a.terms[1] == kiln for a in raised.init)
        assert size - new["room"][kiln] == inside
    assert plan(raised).plan is not None
    assert raised.goal == given_problem.goal


def test_some_are_longer() -> None:
    made = [levels_of(GIVEN).raised(GIVEN[0], random.Random(seed)) for seed in range(20)]
    assert {len(p.objects) - len(GIVEN[0].objects) for p in made} >= {0, 1, 2, 3}
    assert max(numbers(p)["size"]["k1"] for p in made) > 2


def test_not_where_goals_ask_for_levels_or_functions_give_them_values() -> None:
    text = KILNS.replace("(packed ?p - piece)", "(packed ?p - piece) (left ?k - kiln ?l - level)")
    domain = parse_domain(text)
    asked = [
        parse_problem(
            f"(define (problem p) (:domain kilns) (:objects l1 l2 - level k - kiln p - piece) "
            f"(:init (next no-room l1) (next l1 l2) (size k l2) (room k l{i})) "
            "(:goal (room k l2)))",
            domain,
        )
        for i in (1, 2)
    ]
    valued = [
        kilns([1, 2], [1, 0], "(= (weight no-room) 0) (= (weight l1) 1) (= (weight l2) 3)")
        for _ in range(2)
    ]
    for problems in (asked, valued):
        made = [levels_of(problems).raised(problems[0], random.Random(seed)) for seed in range(10)]
        assert all(problem == problems[0] for problem in made)


def problems_of(domain_text: str, *problems: tuple[str, str, str]) -> list[Problem]:
    domain = parse_domain(domain_text)
    return [
        parse_problem(
            f"(define (problem p) (:domain {domain.name}) (:objects {objects}) "
            f"(:init {facts}) (:goal {goal}))",
            domain,
        )
        for objects, facts, goal in problems
    ]


def test_zero_stays_the_lowest_and_levels_remain_levels() -> None:
    """Where marks say what is a level and which one is zero, not types and constants."""
    vans = """
(define (domain vans)
  (:predicates (level ?l) (zero ?l) (below ?a ?b) (room ?v ?l) (here ?p) (in ?p ?v))
  (:action load :parameters (?p ?v ?a ?b)
    :precondition (and (level ?a) (level ?b) (room ?v ?b) (here ?p) BELOW)
    :effect (and (room ?v ?a) (in ?p ?v) (not (room ?v ?b)) (not (here ?p))))
  (:action empty :parameters (?p ?v ?a ?b)
    :precondition (and (room ?v ?a) (zero ?a) (in ?p ?v) (level ?b) BELOW)
    :effect (and (room ?v ?b) (here ?p) (not (room ?v ?a)) (not (in ?p ?v)))))
"""
    for is_upwards in (True, False):
        below = "(below {} {})" if is_upwards else "(below {1} {0})"
        line = "".join(below.format(f"l{i}", f"l{i + 1}") for i in range(2))
        facts = f"(level l0) (level l1) (level l2) (zero l0) (here p) {line}"
        problems = problems_of(
            vans.replace("BELOW", below.format("?a", "?b")),
            ("l0 l1 l2 v p", f"{facts} (room v l2)", "(in p v)"),
            ("l0 l1 l2 v w p", f"{facts} (room v l1) (room w l2)", "(in p v)"),
        )
        lengths = set()
        for seed in range(20):
            raised = levels_of(problems).raised(problems[1], random.Random(seed))
            levels = {o.name for o in raised.objects} - {*"vwp"}
            lengths.add(len(levels))
            assert {a.terms[0] for a in raised.init if a.predicate == "level"} == levels
            steps = [a.terms for a in raised.init if a.predicate == "below"]
            lower = {step[0 if is_upwards else 1] for step in steps}
            higher = {step[1 if is_upwards else 0] for step in steps}
            assert levels - higher == {"l0"}
            assert len(levels - lower) == 1
            assert plan(raised).plan is not None
        assert len(lengths) > 2


def test_what_each_place_of_a_line_has_stays_true() -> None:
    """Slots are no numbers: each is empty or holds one box."""
    slots = """
(define (domain slots) (:requirements :typing) (:types slot box - object)
  (:predicates (after ?a ?b - slot) (empty ?s - slot) (holds ?s - slot ?b - box) (out ?b - box))
  (:action pull :parameters (?b - box ?s - slot) :precondition (holds ?s ?b)
    :effect (and (out ?b) (empty ?s) (not (holds ?s ?b))))
  (:action put :parameters (?b - box ?s - slot) :precondition (and (out ?b) (empty ?s))
    :effect (and (holds ?s ?b) (not (empty ?s)) (not (out ?b)))))
"""
    after = "(after s0 s1) (after s1 s2) (after s2 s3)"
    problems = problems_of(
        slots,
        (
            "s0 s1 s2 s3 - slot b c - box",
            f"{after} (holds s0 b) (holds s1 c) (empty s2) (empty s3)",
            "(out b)",
        ),
        (
            "s0 s1 s2 s3 - slot b - box",
            f"{after} (empty s0) (empty s1) (holds s2 b) (empty s3)",
            "(out b)",
        ),
    )
    for seed in range(30):
        raised = levels_of(problems).raised(problems[0], random.Random(seed))
        said = [a.terms[0] for a in raised.init if a.predicate in ("empty", "holds")]
        assert sorted(said) == sorted(o.name for o in raised.objects if o.type == "slot")
