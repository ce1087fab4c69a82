"""Policies with numbers are learned from small problems and solve larger ones."""

from __future__ import annotations

import pytest
from benchmarks.scale import domains, problems

from pg3 import learn
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import execute
from tests.support.number_domains import BARS, bars_problem


@pytest.mark.parametrize(
    ("text", "small", "large"),
    [
        (
            domains.FLEET,
            [problems.fleet_problem(n, n) for n in range(20, 26)],
            [problems.fleet_problem(200, 1)],
        ),
        (
            BARS,
            [bars_problem(2 + i % 2, 1 + i % 3, i) for i in range(6)],
            [bars_problem(20, 9, 1)],
        ),
    ],
    ids=["fleet", "bars"],
)
def test_learned_policies_solve_larger_problems(
    text: str, small: list[str], large: list[str]
) -> None:
    domain = parse_domain(text)
    result = learn(domain, [parse_problem(one, domain) for one in small])
    for one in large:
        assert execute(parse_problem(one, domain), result.policy).solved


STALL = """(define (domain stall)
  (:types item)
  (:predicates (in-van ?i - item))
  (:functions (room) (weight ?i - item) (sold))
  (:action load :parameters (?i - item)
    :precondition (and (not (in-van ?i)) (>= (room) (weight ?i)))
    :effect (and (in-van ?i) (decrease (room) (weight ?i))))
  (:action sell :parameters (?i - item) :precondition (in-van ?i)
    :effect (and (not (in-van ?i)) (increase (room) (weight ?i)) (increase (sold) 1))))"""


def stall(items: int, sales: int) -> str:
    names = [f"i{i}" for i in range(items)]
    weights = " ".join(f"(= (weight {name}) {1 + i % 2})" for i, name in enumerate(names))
    return (
        f"(define (problem stall) (:domain stall) (:objects {' '.join(names)} - item)"
        f" (:init (= (room) 3) (= (sold) 0) {weights}) (:goal (>= (sold) {sales})))"
    )


def test_one_object_twice_in_a_plan_may_be_two() -> None:
    """Twice the weight of an item in the plan is the sum of two weights in a rule."""
    domain = parse_domain(STALL)
    given = [(1, 2), (1, 3), (2, 3), (2, 4), (3, 5)]
    result = learn(domain, [parse_problem(stall(*one), domain) for one in given])
    assert execute(parse_problem(stall(9, 30), domain), result.policy).solved
