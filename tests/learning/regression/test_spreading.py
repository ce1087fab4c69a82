"""Conditions that spread along a relation: one rule for chains of any length."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3 import execute
from pg3.learning.regression import Regression
from pg3.learning.regression.spreading import rewritten, spreads_of
from pg3.learning.training import Training
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.plans import GroundAction

if TYPE_CHECKING:
    from pg3.pddl.model import Domain, Problem

# Water flows down a pipe as far as valves are open; a wall stands on the one below it.
PIPES = parse_domain("""
    (define (domain pipes) (:requirements :typing :negative-preconditions)
      (:types node)
      (:predicates (pipe ?a ?b - node) (open ?n - node) (wet ?n - node) (watered ?n - node))
      (:action turn :parameters (?n - node) :precondition (not (open ?n)) :effect (open ?n))
      (:action flow :parameters (?a ?b - node)
        :precondition (and (pipe ?a ?b) (wet ?a) (open ?b)) :effect (wet ?b))
      (:action water :parameters (?n - node) :precondition (wet ?n) :effect (watered ?n)))""")
WALLS = parse_domain("""
    (define (domain walls) (:requirements :typing)
      (:types storey)
      (:predicates (above ?x ?y - storey) (stone ?x - storey) (built ?x - storey))
      (:action fetch :parameters (?x - storey) :effect (stone ?x))
      (:action build :parameters (?x ?y - storey)
        :precondition (and (above ?x ?y) (built ?y) (stone ?x)) :effect (built ?x)))""")
ROAD = parse_domain("""
    (define (domain road) (:requirements :typing) (:types place)
      (:predicates (road ?a ?b - place) (at ?a - place))
      (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
        :effect (and (at ?b) (not (at ?a)))))""")


RECIPES = parse_domain("""
    (define (domain recipes) (:requirements :typing) (:types thing)
      (:predicates (makes ?a ?b ?c - thing) (there ?a - thing))
      (:action make :parameters (?a ?b ?c - thing)
        :precondition (and (makes ?a ?b ?c) (there ?a) (there ?b)) :effect (there ?c)))""")


def pipes(length: int) -> Problem:
    """Water at the first node is wanted at the last; nodes beside the pipe are in the way."""
    nodes = [f"n{i}" for i in range(length)]
    side = [f"s{i}" for i in range(length)]
    edges = [*itertools.pairwise(nodes), *zip(nodes, side, strict=True)]
    return parse_problem(
        f"(define (problem p) (:domain pipes) (:objects {' '.join((*side, *nodes))} - node) (:init "
        f"(wet n0) {' '.join(f'(pipe {a} {b})' for a, b in edges)}) "
        f"(:goal (watered {nodes[-1]})))",
        PIPES,
    )


def walls(height: int) -> Problem:
    names = [f"w{i}" for i in range(height)]
    above = " ".join(f"(above {x} {y})" for y, x in itertools.pairwise(names))
    return parse_problem(
        f"(define (problem p) (:domain walls) (:objects {' '.join(names)} - storey) "
        f"(:init (built w0) {above}) (:goal (built {names[-1]})))",
        WALLS,
    )


def test_what_spreads_stays_true_where_it_was() -> None:
    assert [*spreads_of(PIPES)] == ["flow"]
    assert [*spreads_of(WALLS)] == ["build"]
    assert not spreads_of(ROAD), "who goes is no longer where they were"
    assert not spreads_of(RECIPES), "what is made of two things follows no edge"
    spread = spreads_of(WALLS)["build"]
    assert [str(c) for c in spread.schema.precondition[-2:]] == [
        "(not (built ?x))",
        "(reach above ?far ?x)",
    ]


def test_a_plan_with_one_step_at_a_time() -> None:
    plan = [
        GroundAction(name, tuple(objects))
        for name, *objects in (
            ("turn", "n1"),
            ("flow", "n0", "n1"),
            ("turn", "n2"),
            ("flow", "n1", "n2"),
            ("water", "n2"),
        )
    ]
    found = [[str(action) for action in one] for one in rewritten(plan, spreads_of(PIPES))]
    assert found == [
        ["(turn n1)", "(spread flow n0 n1 n1)", "(turn n2)", "(water n2)"],
        ["(turn n1)", "(spread flow n0 n1 n2)", "(turn n2)", "(water n2)"],
        ["(turn n1)", "(turn n2)", "(spread flow n1 n2 n2)", "(water n2)"],
    ]
    assert [*rewritten(plan[:1], spreads_of(PIPES))] == [plan[:1]]


def learned(problems: list[Problem]) -> tuple[Training, tuple[int, ...]]:
    training = Training(problems)
    return training, Regression(training, seed=0).learn(training).policy


def test_chains_of_any_length_from_short_ones() -> None:
    cases: list[tuple[Domain, list[Problem], list[Problem]]] = [
        (PIPES, [pipes(2), pipes(3)], [pipes(12)]),
        (WALLS, [walls(2), walls(3)], [walls(15)]),
    ]
    for domain, few, large in cases:
        training, key = learned(few)
        policy = training.book.policy(key, domain.name)
        for problem in (*few, *large):
            assert execute(problem, policy).solved
