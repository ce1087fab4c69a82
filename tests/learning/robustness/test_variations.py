"""Variations of problems: what may change, what stays, and how many twins objects have."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pg3.domains import DOMAINS
from pg3.learning.robustness.perturbations.permutations import sorts_of
from pg3.learning.robustness.perturbations.random_starts import states_of_walk
from pg3.learning.robustness.perturbations.variations import Variations
from pg3.pddl import Problem, parse_domain, parse_problem
from pg3.pddl.model import Atom
from pg3.planning import plan
from pg3.semantics.task import Task

# Lifts are always one; floors are a map; who waits where is a link.
LIFT = parse_domain("""
(define (domain lift) (:requirements :typing) (:types floor person)
  (:predicates (above ?a ?b - floor) (waits ?p - person ?f - floor) (lift-at ?f - floor)
               (child ?p - person) (served ?p - person))
  (:action serve :parameters (?p - person ?f - floor)
    :precondition (and (lift-at ?f) (waits ?p ?f)) :effect (served ?p))
  (:action go :parameters (?a ?b - floor)
    :precondition (lift-at ?a) :effect (and (not (lift-at ?a)) (lift-at ?b))))
""")


def lift(people: int) -> Problem:
    names = [f"p{i}" for i in range(people)]
    return parse_problem(
        f"""(define (problem p{people}) (:domain lift)
              (:objects f0 f1 f2 - floor {" ".join(names)} - person)
              (:init (above f1 f0) (above f2 f0) (above f2 f1) (lift-at f0) (child p0)
                     {" ".join(f"(waits {name} f{i % 3})" for i, name in enumerate(names))})
              (:goal (and {" ".join(f"(served {name})" for name in names[:-1])})))""",
        LIFT,
    )


PROBLEMS = [lift(2), lift(5)]


def facts(problem: Problem, predicate: str) -> list[Atom]:
    return [atom for atom in problem.init if atom.predicate == predicate]


def test_sorts_are_types_with_what_is_always_said_of_an_object_alone() -> None:
    sorts = sorts_of(PROBLEMS[0])
    assert sorts["p0"] == ("person", "child")
    assert sorts["p1"] == ("person",)
    assert sorts["f0"] == sorts["f1"] == ("floor",)


@pytest.mark.parametrize("seed", range(10))
def test_a_variation_keeps_the_map_and_the_numbers(seed: int) -> None:
    source = PROBLEMS[seed % 2]
    varied = Variations(PROBLEMS).vary(source, random.Random(seed))
    assert Counter(varied.objects) == Counter(source.objects)
    assert sorted(facts(varied, "above")) == sorted(facts(source, "above"))
    assert facts(varied, "lift-at") == facts(source, "lift-at")
    # A child stays one, and everybody still waits on some floor.
    assert facts(varied, "child") == facts(source, "child")
    assert sorted(a.terms[0] for a in facts(varied, "waits")) == sorted(
        a.terms[0] for a in facts(source, "waits")
    )
    assert len(varied.goal) == len(source.goal)


def test_links_and_goals_change() -> None:
    variations, source = Variations(PROBLEMS), PROBLEMS[1]
    varied = [variations.vary(source, random.Random(seed)) for seed in range(10)]
    assert any(set(facts(v, "waits")) != set(facts(source, "waits")) for v in varied)
    assert any(set(v.goal) != set(source.goal) for v in varied)
    kept = [variations.vary(source, random.Random(seed), relink=False) for seed in range(10)]
    assert all(set(facts(v, "waits")) == set(facts(source, "waits")) for v in kept)


def test_the_same_seed_gives_the_same_variation() -> None:
    first, second = (Variations(PROBLEMS).vary(PROBLEMS[1], random.Random(3)) for _ in range(2))
    assert first == second


def test_only_objects_whose_number_varies_have_twins() -> None:
    """There is one child in each problem, and floors are a map; with other people it is not so."""
    states = [
        task.atoms(state)
        for task in map(Task, PROBLEMS)
        for state in states_of_walk(task.space, 20, random.Random(0))
    ]
    source = PROBLEMS[1]
    grown = Variations(PROBLEMS, states).vary(source, random.Random(0), relink=False, twins=2)
    numbers = Counter(sorts_of(grown).values())
    assert numbers == {("floor",): 3, ("person",): 12, ("person", "child"): 1}
    # A twin waits where the other does, and is to be served if the other is.
    assert Counter(atom.terms[1] for atom in facts(grown, "waits")) == {"f0": 4, "f1": 6, "f2": 3}
    assert len(grown.goal) == 1 + 3 * 3
    assert plan(grown).solved


def test_an_object_that_is_alone_in_its_role_has_no_twin() -> None:
    """One block lies on a block at most, as far as anyone has seen: both have twins, or none."""
    domain = parse_domain("""
        (define (domain blocks) (:predicates (on ?x ?y) (held ?x) (clean ?x))
          (:action wipe :parameters (?x) :effect (clean ?x))
          (:action take :parameters (?x ?y) :precondition (on ?x ?y)
            :effect (and (not (on ?x ?y)) (held ?x))))""")
    text = "(define (problem p) (:domain blocks) (:objects {}) (:init {}) (:goal (clean a)))"
    stacked = parse_problem(text.format("a b", "(on a b)"), domain)
    held = parse_problem(text.format("a b c", "(on b c) (held a)"), domain)
    variations = Variations([stacked, held])
    grown = variations.vary(stacked, random.Random(0), twins=1)
    assert sorted(o.name for o in grown.objects) == ["a", "a-1", "b", "b-1"]
    assert set(grown.init) == {Atom("on", ("a", "b")), Atom("on", ("a-1", "b-1"))}
    # Only one block is held at a time, and the goal is about no other.
    assert set(variations.vary(held, random.Random(0), twins=1).objects) == set(held.objects)


@pytest.mark.parametrize("name", DOMAINS)
def test_variations_of_built_in_domains_can_be_grounded(name: str) -> None:
    problems = DOMAINS[name].problems("train", seed=1, count=4)
    variations, generator = Variations(problems), random.Random(1)
    for problem in problems:
        for twins in (0, 1):
            varied = variations.vary(problem, generator, twins=twins)
            assert len(varied.objects) >= len(problem.objects)
            assert Task(varied).space.num_actions > 0


def test_fewer_goals_are_some_of_them_and_never_none() -> None:
    variations, numbers = Variations(PROBLEMS), set()
    for seed in range(20):
        every = variations.vary(PROBLEMS[1], random.Random(seed), twins=1)
        fewer = variations.vary(PROBLEMS[1], random.Random(seed), twins=1, fewer_goals=True)
        assert set(fewer.goal) <= set(every.goal)
        numbers.add(len(fewer.goal))
    assert min(numbers) >= 1
    assert numbers - {len(every.goal)}


def test_without_twins_all_goals_stay() -> None:
    for seed in range(5):
        varied = Variations(PROBLEMS).vary(PROBLEMS[1], random.Random(seed), fewer_goals=True)
        assert len(varied.goal) == len(PROBLEMS[1].goal)


def test_roads_between_places_of_two_kinds_are_no_links() -> None:
    """Else a variation would have one-way roads where no problem has any."""
    domain = parse_domain("""
        (define (domain tour) (:requirements :typing)
          (:types place pupil - object stop school - place)
          (:predicates (road ?a ?b - place) (waits ?p - pupil ?s - stop) (home ?p - pupil))
          (:action take :parameters (?p - pupil ?s - stop) :precondition (waits ?p ?s)
            :effect (home ?p)))""")
    problem = parse_problem(
        """(define (problem t) (:domain tour) (:objects s1 s2 - stop s - school p q - pupil)
          (:init (road s1 s) (road s s1) (road s2 s) (road s s2) (waits p s1) (waits q s2))
          (:goal (and (home p) (home q))))""",
        domain,
    )
    roads = {atom for atom in problem.init if atom.predicate == "road"}
    variations = Variations([problem])
    for seed in range(5):
        varied = variations.vary(problem, random.Random(seed), relink=True)
        assert {atom for atom in varied.init if atom.predicate == "road"} == roads
