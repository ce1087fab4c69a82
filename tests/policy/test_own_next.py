"""A domain with a predicate `next` of its own: the number of terms tells it from the built-in."""

from __future__ import annotations

import itertools

import pytest

from pg3 import execute
from pg3.errors import Pg3Error
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy import parse_policy, policy_from_json, policy_to_json, write_policy
from tests.oracle import execution

FUEL = parse_domain("""
(define (domain fuel)
  (:types place level)
  (:predicates (road ?x ?y - place) (next ?low ?high - level) (at ?x - place) (left ?n - level))
  (:action drive :parameters (?x ?y - place ?n ?m - level)
    :precondition (and (at ?x) (road ?x ?y) (left ?n) (next ?m ?n))
    :effect (and (not (at ?x)) (at ?y) (not (left ?n)) (left ?m))))
""")

DRIVE = """
(define (policy drive)
  (:rule drive :parameters (?z ?x ?y - place ?n ?m - level)
    :preconditions (and (at ?x) (left ?n) (next ?m ?n) (next road ?x ?y ?z))
    :goals (at ?z) :action (drive ?x ?y ?n ?m)))
"""


def test_a_domain_with_its_own_next_still_has_the_built_in_one() -> None:
    policy = parse_policy(DRIVE, FUEL)
    assert parse_policy(write_policy(policy), FUEL) == policy
    assert policy_from_json(policy_to_json(policy), FUEL) == policy
    places, levels = [f"p{i}" for i in range(5)], [f"n{i}" for i in range(4)]
    roads = [("p0", "p1"), ("p1", "p2"), ("p2", "p3"), ("p1", "p4"), ("p4", "p3"), ("p1", "p3")]
    problem = Problem.of(
        "journey",
        FUEL,
        [TypedObject(p, "place") for p in places] + [TypedObject(n, "level") for n in levels],
        [
            *(Atom("road", road) for road in roads),
            *(Atom("next", pair) for pair in itertools.pairwise(levels)),
            Atom("at", ("p0",)),
            Atom("left", ("n2",)),
        ],
        [Literal(Atom("at", ("p3",)))],
    )
    found = execute(problem, policy)
    assert found.solved
    assert tuple(found.plan) == tuple(execution.execute(problem, policy).plan)
    assert [step.objects[:2] for step in found.plan] == [("p0", "p1"), ("p1", "p3")]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("(next ?n)", "predicate 'next' takes 2 arguments, not 1"),
        ("(next road ?x ?z)", "predicate 'next' takes 2 arguments, not 3"),
        ("(next raod ?x ?y ?z)", "predicate 'raod' is not declared"),
    ],
)
def test_slips_where_the_domain_has_its_own_next(wrong: str, message: str) -> None:
    with pytest.raises(Pg3Error, match=message):
        parse_policy(DRIVE.replace("(next road ?x ?y ?z)", wrong), FUEL)
