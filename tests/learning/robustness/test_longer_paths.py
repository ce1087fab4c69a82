"""Longer paths: what is put into a subdivided edge, and where edges stay as they are."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pg3.domains import DOMAINS
from pg3.learning.robustness.perturbations.longer_paths import LongerPaths
from pg3.pddl import Problem, parse_domain, parse_problem
from pg3.pddl.model import Atom
from pg3.planning import plan

PATROL = parse_domain("""
(define (domain patrol) (:requirements :typing) (:types robot cell zone)
  (:predicates (at ?r - robot ?c - cell) (near ?a ?b - cell) (dry ?c - cell) (free ?c - cell)
               (in ?c - cell ?z - zone) (seen ?c - cell))
  (:action go :parameters (?r - robot ?a ?b - cell)
    :precondition (and (at ?r ?a) (near ?a ?b) (dry ?b) (free ?b))
    :effect (and (at ?r ?b) (not (at ?r ?a)) (free ?a) (not (free ?b))))
  (:action look :parameters (?r - robot ?c - cell)
    :precondition (at ?r ?c) :effect (seen ?c)))
""")


def patrol(near: str) -> Problem:
    return parse_problem(
        f"""(define (problem p) (:domain patrol) (:objects r - robot a b c - cell z - zone)
              (:init (at r a) {near} (dry a) (dry b) (dry c) (free b) (free c)
                     (in a z) (in b z) (in c z))
              (:goal (seen c)))""",
        PATROL,
    )


CORRIDOR = patrol("(near a b) (near b a) (near b c) (near c b)")
TRIANGLE = patrol("(near a b) (near b a) (near b c) (near c b) (near a c) (near c a)")


@pytest.mark.parametrize("seed", range(8))
def test_new_places_are_between_two_others_and_like_both(seed: int) -> None:
    subdivided = LongerPaths([CORRIDOR]).subdivided(CORRIDOR, random.Random(seed))
    new = {o.name for o in subdivided.objects} - {o.name for o in CORRIDOR.objects}
    assert 1 <= len(new) <= 3
    near = {atom.terms for atom in subdivided.init if atom.predicate == "near"}
    # Still a corridor, in both directions, from a to c: two ends, and none is left out.
    assert near == {(two, one) for one, two in near}
    assert len(near) == 2 * (2 + len(new))
    for one in new:
        assert sum(pair[0] == one for pair in near) == 2
        said = {Atom("dry", (one,)), Atom("free", (one,)), Atom("in", (one, "z"))}
        assert said <= set(subdivided.init)
    assert subdivided.goal == CORRIDOR.goal
    found = plan(subdivided)
    assert found.plan is not None
    assert len(found.plan) == 3 + len(new)


def test_where_every_two_steps_can_be_done_in_one_edges_stay() -> None:
    assert not LongerPaths([TRIANGLE])
    assert LongerPaths([TRIANGLE, CORRIDOR])


@pytest.mark.parametrize(
    ("name", "has_ways"),
    [
        ("miconic", False),
        ("ferry", False),
        ("spanner", True),
        ("transport-roads", True),
        ("floortile", False),
        ("rovers-traverse", False),
    ],
)
def test_built_in_domains(name: str, has_ways: bool) -> None:
    built_in = DOMAINS[name]
    problems = built_in.problems("train", seed=0)
    assert bool(LongerPaths(problems)) == has_ways


def test_the_same_seed_gives_the_same_problem() -> None:
    longer_paths = LongerPaths([CORRIDOR])
    one, two = (longer_paths.subdivided(CORRIDOR, random.Random(3)) for _ in range(2))
    assert one == two


def test_what_axioms_ask_for_is_more_than_a_way() -> None:
    near = parse_domain("""
(define (domain near) (:requirements :typing :derived-predicates) (:types place)
  (:predicates (at ?p - place) (road ?a ?b - place) (beside ?a ?b - place) (done ?p - place))
  (:derived (beside ?a ?b - place) (road ?a ?b))
  (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (at ?b) (not (at ?a))))
  (:action paint :parameters (?a ?b - place) :precondition (and (at ?a) (beside ?a ?b))
    :effect (done ?b)))
""")
    problem = parse_problem(
        """(define (problem p) (:domain near) (:objects a b c - place)
             (:init (at a) (road a b) (road b c)) (:goal (done c)))""",
        near,
    )
    assert not LongerPaths([problem])


def test_names_of_constants_are_not_taken_and_costs_are_known() -> None:
    hills = parse_domain("""
(define (domain hills) (:requirements :typing :action-costs) (:types place)
  (:constants a-b-0 - place)
  (:predicates (at ?p - place) (road ?a ?b - place))
  (:functions (total-cost) - number (fee ?p - place) - number (far ?a ?b - place) - number)
  (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) (far ?a ?b)))))
""")
    problem = parse_problem(
        """(define (problem p) (:domain hills) (:objects a b c - place)
             (:init (at a) (road a b) (road b c) (= (total-cost) 0) (= (fee b) 2) (= (fee c) 3)
                    (= (far a b) 4) (= (far b c) 5)) (:goal (at c))
             (:metric minimize (total-cost)))""",
        hills,
    )
    for seed in range(5):
        subdivided = LongerPaths([problem]).subdivided(problem, random.Random(seed))
        names = [o.name for o in subdivided.all_objects]
        assert len(names) == len(set(names)) > 4
        fees = {atom.terms[0] for atom in subdivided.function_values if atom.predicate == "fee"}
        assert fees == {o.name for o in subdivided.objects} - {"a"}
        assert plan(subdivided).plan is not None


GARDEN = parse_domain("""
(define (domain garden) (:requirements :typing :negative-preconditions)
  (:types spot - object lawn path - spot) (:constants gate - path)
  (:predicates (at ?s - spot) (next ?a ?b - spot) (shut ?a ?b - spot) (mown ?s - lawn))
  (:action walk :parameters (?a ?b - spot)
    :precondition (and (at ?a) (next ?a ?b) (not (shut ?a ?b))) :effect (and (at ?b) (not (at ?a))))
  (:action open :parameters (?a ?b - spot)
    :precondition (and (at ?a) (next ?a ?b) (shut ?a ?b)) :effect (not (shut ?a ?b)))
  (:action mow :parameters (?s - lawn) :precondition (at ?s) :effect (mown ?s)))
""")


def garden(lawns: int) -> Problem:
    """Lawns in a row behind the gate, the first of them behind a shut door."""
    row = ["gate", *(f"l{i}" for i in range(lawns))]
    links = " ".join(f"(next {a} {b}) (next {b} {a})" for a, b in pairwise(row))
    return parse_problem(
        f"(define (problem garden) (:domain garden) (:objects {' '.join(row[1:])} - lawn) "
        f"(:init (at gate) {links} (shut gate l0)) (:goal (mown {row[-1]})))",
        GARDEN,
    )


def test_places_between_those_of_two_types_and_gates_that_stay_shut() -> None:
    """The way from the gate to the first lawn, which is one step in every given problem."""
    problems = [garden(2), garden(3)]
    longer = LongerPaths(problems)
    assert longer, "to open a door asks for it, and that is no reason to leave it as it is"
    seen = set()
    for seed in range(20):
        problem = longer.subdivided(problems[1], random.Random(seed))
        new = {o.name for o in problem.objects} - {"l0", "l1", "l2"}
        assert {o.type for o in problem.objects if o.name in new} == {"lawn"}
        links = {atom.terms for atom in problem.init if atom.predicate == "next"}
        shut = [atom.terms for atom in problem.init if atom.predicate == "shut"]
        assert links.issuperset(shut)
        assert len(shut) == 1 if ("gate", "l0") in links else len(shut) > 1
        seen.add(("gate", "l0") in links)
        assert plan(problem).solved
    assert seen == {True, False}


def test_doors_that_are_objects_have_others_beside_them() -> None:
    domain = parse_domain("""
(define (domain gates) (:requirements :typing :negative-preconditions) (:types room door)
  (:predicates (in ?a - room) (joins ?d - door ?a ?b - room) (shut ?d - door))
  (:action go :parameters (?d - door ?a ?b - room)
    :precondition (and (in ?a) (joins ?d ?a ?b) (not (shut ?d)))
    :effect (and (in ?b) (not (in ?a))))
  (:action open :parameters (?d - door ?a ?b - room)
    :precondition (and (in ?a) (joins ?d ?a ?b) (shut ?d)) :effect (not (shut ?d))))
""")
    problem = parse_problem(
        "(define (problem p) (:domain gates) (:objects a b c - room d e - door) (:init (in a) "
        "(joins d a b) (joins d b a) (joins e b c) (joins e c b) (shut d)) (:goal (in c)))",
        domain,
    )
    longer = LongerPaths([problem])
    for seed in range(10):
        made = longer.subdivided(problem, random.Random(seed))
        ends: dict[str, set[frozenset[str]]] = {}
        for predicate, terms in made.init:
            if predicate == "joins":
                ends.setdefault(terms[0], set()).add(frozenset(terms[1:]))
        assert ends.keys() == {o.name for o in made.objects if o.type == "door"}
        assert all(len(pairs) == 1 for pairs in ends.values()), "each is between two rooms"
        shut = {atom.terms[0] for atom in made.init if atom.predicate == "shut"}
        assert shut == {name for name in ends if name.startswith("d")}
        assert plan(made).solved
