"""Policies with numbers are learned from small problems and solve larger ones."""

from __future__ import annotations

import random

import pytest
from benchmarks.scale import domains, problems

from pg3 import learn
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import execute

BARS = """
(define (domain bars)
  (:types bar)
  (:predicates (at ?b - bar) (brewery ?b - bar))
  (:functions (load) (stock ?b - bar))
  (:action go
    :parameters (?a ?b - bar)
    :precondition (at ?a)
    :effect (and (at ?b) (not (at ?a))))
  (:action take
    :parameters (?b - bar)
    :precondition (and (at ?b) (brewery ?b) (<= (load) 2))
    :effect (increase (load) 1))
  (:action leave
    :parameters (?b - bar)
    :precondition (and (at ?b) (>= (load) 1))
    :effect (and (decrease (load) 1) (increase (stock ?b) 1))))
"""


def bars_problem(bars: int, most: int, seed: int) -> str:
    """Each bar wants up to so many barrels."""
    chance = random.Random(seed)
    names = [f"b{i}" for i in range(bars)]
    init = ["(brewery b0)", f"(at {chance.choice(names)})", "(= (load) 0)"]
    init += [f"(= (stock {name}) 0)" for name in names]
    goal = [f"(>= (stock {name}) {chance.randint(1, most)})" for name in names[1:]]
    return (
        f"(define (problem bars-{bars}-{seed}) (:domain bars) (:objects {' '.join(names)} - bar)"
        f" (:init {' '.join(init)}) (:goal (and {' '.join(goal)})))"
    )


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
