"""Problems that are made from one whose goal has a choice ask for that choice, too."""

from __future__ import annotations

import random

from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.perturbations.permutations import permuted, renamed
from pg3.learning.robustness.perturbations.variations import Variations
from pg3.pddl import Problem, parse_domain, parse_problem, write_problem
from pg3.pddl.model import objects_of
from pg3.planning import plan

LAUNDRY = parse_domain("""
(define (domain laundry) (:requirements :adl) (:types place thing - object)
  (:predicates (at ?t - thing ?x - place) (road ?x ?y - place) (washed ?t - thing))
  (:action move :parameters (?t - thing ?x ?y - place)
    :precondition (and (at ?t ?x) (road ?x ?y)) :effect (and (at ?t ?y) (not (at ?t ?x))))
  (:action wash :parameters (?t - thing ?x - place) :precondition (at ?t ?x) :effect (washed ?t)))
""")


def laundry(places: int) -> Problem:
    roads = "".join(f"(road p{i} p{i + 1}) (road p{i + 1} p{i})" for i in range(places - 1))
    names = " ".join(f"p{i}" for i in range(places))
    return parse_problem(
        f"(define (problem p) (:domain laundry) (:objects {names} - place t u - thing) "
        f"(:init {roads} (at t p0) (at u p1)) "
        f"(:goal (and (washed t) (or (at u p0) (at u p{places - 1})))))",
        LAUNDRY,
    )


GIVEN = [laundry(3), laundry(4), laundry(5)]


def test_grown_problems_have_the_choices_of_their_parts() -> None:
    grower, generator = Grower(GIVEN), random.Random(0)
    for redraw in (False, True):
        for problem in GIVEN:
            grown = grower.grow(problem, generator, times=3, redraw=redraw)
            assert grown is not None
            assert grown.disjunctions
            assert plan(grown).plan is not None, "things are in one place at a time"
            assert {o.name for o in grown.objects} >= set().union(
                *map(objects_of, grown.disjunctions)
            )
            assert parse_problem(write_problem(grown), LAUNDRY).same_as(grown)


def test_other_names_are_those_in_the_choice() -> None:
    seen = set()
    for seed in range(20):
        other = renamed(GIVEN[1], random.Random(seed))
        (choice,) = other.disjunctions
        start = {atom.terms for atom in other.init if atom.predicate == "at"}
        (thing,) = {one.atom.terms[0] for (one,) in choice}
        assert (thing, next(o for t, o in start if t == thing)) in start
        assert {atom.terms[0] for atom in other.goal} == {"t", "u"} - {thing}
        seen.add(choice)
        assert len(permuted(GIVEN[1], random.Random(seed)).disjunctions) == 1
    assert len(seen) > 2


def test_variations_keep_the_choice() -> None:
    variations, generator = Variations(GIVEN), random.Random(0)
    for problem in GIVEN:
        for _ in range(10):
            assert variations.vary(problem, generator).disjunctions == problem.disjunctions
