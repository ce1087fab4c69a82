"""Forest, Example 1 and Figure 1 of the paper: a trail with rocks, and a planner that leaves it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from pg3.pddl import parse_domain, parse_problem
from pg3.planning import execute, plan
from pg3.policy import parse_policy
from tests.theory.scores import pg3_score, plan_comparison, policy_evaluation

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.planning import Heuristic

DOMAIN = parse_domain("""
(define (domain forest)
  (:requirements :strips :typing :negative-preconditions)
  (:types loc)
  (:predicates
    (at ?l - loc) (isWater ?l - loc) (isHill ?l - loc)
    (adjacent ?l1 ?l2 - loc) (onTrail ?from ?to - loc))
  (:action walk
    :parameters (?from ?to - loc)
    :precondition (and (at ?from) (adjacent ?from ?to) (not (isWater ?from)) (not (isHill ?to)))
    :effect (and (not (at ?from)) (at ?to)))
  (:action climb
    :parameters (?from ?to - loc)
    :precondition (and (at ?from) (adjacent ?from ?to) (not (isWater ?from)) (isHill ?to))
    :effect (and (not (at ?from)) (at ?to))))
""")

WALK = """
  (:rule walk :parameters (?from ?to - loc)
    :preconditions (and (at ?from) (onTrail ?from ?to) (not (isHill ?to)))
    :action (walk ?from ?to))"""
CLIMB = """
  (:rule climb :parameters (?from ?to - loc)
    :preconditions (and (at ?from) (onTrail ?from ?to) (isHill ?to))
    :action (climb ?from ?to))"""
FOLLOW = parse_policy(f"(define (policy follow){WALK})", DOMAIN)
FOLLOW_AND_CLIMB = parse_policy(f"(define (policy follow-and-climb){WALK}{CLIMB})", DOMAIN)


def forest(picture: str) -> Problem:
    """A problem from a map: a trail of + from S to G, with rocks # on it; dirt . and water ~.

    A square of the trail touches only its neighbours on the trail.
    """
    squares = {
        (row, column): mark
        for row, line in enumerate(picture.split())
        for column, mark in enumerate(line)
    }

    def around(square: tuple[int, int]) -> list[tuple[int, int]]:
        row, column = square
        near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [one for one in near if one in squares]

    def name(square: tuple[int, int]) -> str:
        return f"r{square[0]}c{square[1]}"

    start = next(square for square, mark in squares.items() if mark == "S")
    trail = [start]
    while squares[trail[-1]] != "G":
        (ahead,) = (s for s in around(trail[-1]) if squares[s] in "+#G" and s not in trail)
        trail.append(ahead)
    facts = [f"(at {name(start)})"]
    facts += [f"(isWater {name(square)})" for square, mark in squares.items() if mark == "~"]
    facts += [f"(isHill {name(square)})" for square, mark in squares.items() if mark == "#"]
    facts += [f"(adjacent {name(a)} {name(b)})" for a in squares for b in around(a)]
    facts += [f"(onTrail {name(a)} {name(b)})" for a, b in itertools.pairwise(trail)]
    return parse_problem(
        f"""(define (problem walk) (:domain forest)
              (:objects {" ".join(map(name, squares))} - loc)
              (:init {" ".join(facts)})
              (:goal (at {name(trail[-1])})))""",
        DOMAIN,
    )


ONE_ROCK = forest("""
+++++#+
+..~~.+
S.....G
""")
TWO_ROCKS = forest("""
S......G
+.~~.~.+
++++#+#+
""")
PROBLEMS = [ONE_ROCK, TWO_ROCKS]

# With h_add, as in the paper's experiments, and with the blind search of its theory.
heuristics = pytest.mark.parametrize("heuristic", ["add", "blind"])


@heuristics
def test_the_planner_leaves_the_trail(heuristic: Heuristic) -> None:
    for problem, steps in zip(PROBLEMS, [6, 7], strict=True):
        found = plan(problem, heuristic=heuristic).plan
        assert found is not None
        assert len(found) == steps
        assert ("ontrail", found[0].objects) not in problem.init


@heuristics
def test_following_the_trail(heuristic: Heuristic) -> None:
    assert [execute(problem, FOLLOW).steps for problem in PROBLEMS] == [6, 5]
    assert policy_evaluation(PROBLEMS, FOLLOW) == len(PROBLEMS)
    assert plan_comparison(PROBLEMS, FOLLOW, heuristic=heuristic) == 7
    assert pg3_score([ONE_ROCK], FOLLOW, heuristic=heuristic) == 1
    assert pg3_score([TWO_ROCKS], FOLLOW, heuristic=heuristic) == 2
    assert pg3_score(PROBLEMS, FOLLOW, heuristic=heuristic) == 2


@heuristics
def test_following_and_climbing(heuristic: Heuristic) -> None:
    assert policy_evaluation(PROBLEMS, FOLLOW_AND_CLIMB) == 0
    assert pg3_score(PROBLEMS, FOLLOW_AND_CLIMB, heuristic=heuristic) == 0
    assert plan_comparison(PROBLEMS, FOLLOW_AND_CLIMB, heuristic=heuristic) == 7


def test_h_add_may_prefer_the_way_round_a_rock() -> None:
    """Policy steps are free, so h_add sees no reason to climb where dirt is as near to the goal."""
    dry = forest("""
        +++++#+
        +.....+
        S.....G
    """)
    assert pg3_score([dry], FOLLOW, heuristic="blind") == 1
    assert pg3_score([dry], FOLLOW, heuristic="add") == 3
