"""Regression learns policies of whole domains."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from pg3.domains import DOMAINS
from pg3.learning.regression import Regression, RegressionResult
from pg3.learning.regression.problems import RegressionProblem
from pg3.learning.training import Training
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.planning import execute
from pg3.semantics.task import Task
from tests.learning.regression.test_regression import HOUSE
from tests.support.errands import literals
from tests.support.processes import run_python

if TYPE_CHECKING:
    from pg3.policy.model import DecisionList

    pass


def house(rooms: int, parcels: int, porters: int, seed: int) -> Problem:
    """Parcels and porters anywhere; each parcel is to be brought somewhere else, then the bell."""
    rng = random.Random(seed)
    room_names = ["hall", *(f"room{i}" for i in range(1, rooms))]
    parcel_names = [f"parcel{i}" for i in range(parcels)]
    porter_names = [f"porter{i}" for i in range(porters)]
    init = [Atom("free", (p,)) for p in porter_names]
    init += [Atom("at", (name, rng.choice(room_names))) for name in parcel_names + porter_names]
    goal = [Literal(Atom("rung", ("hall",)))]
    goal += [Literal(Atom("at", (name, rng.choice(room_names)))) for name in parcel_names]
    return Problem.of(
        f"house{seed}",
        HOUSE,
        [
            *(TypedObject(name, "room") for name in room_names[1:]),
            *(TypedObject(name, "parcel") for name in parcel_names),
            *(TypedObject(name, "porter") for name in porter_names),
        ],
        init,
        goal,
    )


def learn_house(seed: int = 0) -> tuple[DecisionList, RegressionResult]:
    training = Training([house(3 + i % 2, 1 + i % 3, 1 + i % 2, i) for i in range(8)])
    result = Regression(training, seed=seed).learn(training)
    return training.book.policy(result.policy, "house"), result


class TestLearning:
    @pytest.mark.parametrize("seed", range(3))
    def test_learned_on_small_problems_solves_large_ones(self, seed: int) -> None:
        policy, result = learn_house(seed)
        assert (result.runs, result.solved) == (32, 32)
        assert result.longest_run == 1
        assert max(result.ranks) == 4
        for test in range(5):
            problem = house(rooms=15, parcels=40, porters=3, seed=100 + test)
            assert execute(problem, policy, max_steps=1000).solved

    def test_the_bell_comes_last(self) -> None:
        """Walking about stops it, so plans for parcels undo it."""
        policy, _ = learn_house()
        goals = [next(iter(rule.goals)).atom.predicate for rule in policy.rules]
        assert goals == sorted(goals)
        assert set(goals) == {"at", "rung"}

    def test_goals_that_need_no_plan_or_have_none(self) -> None:
        open_door, missing_door = Atom("door", ("hall", "room1")), Atom("door", ("room1", "hall"))
        plain = house(3, 1, 1, 0)
        literals_ = [Literal(atom) for atom in (*plain.goal, open_door, missing_door)]
        problem = Problem.of(
            "odd",
            HOUSE,
            plain.objects,
            (*plain.init, open_door),
            (*literals_, Literal(Atom("rung", ("room1",)), False)),
        )
        practice = RegressionProblem(Task(problem))
        assert set(practice.goals.values()) <= set(plain.goal)
        training = Training([problem])
        result = Regression(training, seed=0).learn(training, rounds=1)
        assert result.policy
        assert result.solved == 0

    def test_problems_that_are_solved_already_teach_nothing(self) -> None:
        problem = Problem.of("done", HOUSE, (), [Atom("rung", ("hall",))], literals("rung hall"))
        training = Training([problem])
        result = Regression(training, seed=0).learn(training)
        assert (result.policy, result.longest_run, result.plans) == ((), 0, 0)
        assert result.solved == result.runs

    def test_a_long_run_of_like_actions_is_reported(self) -> None:
        domain = parse_domain("""
        (define (domain path) (:predicates (road ?a ?b) (at ?a))
          (:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
            :effect (and (at ?b) (not (at ?a)))))
        """)
        places = [TypedObject(f"p{i}") for i in range(6)]
        roads = [Atom("road", (f"p{i}", f"p{i + 1}")) for i in range(5)]
        problem = Problem.of(
            "path", domain, places, [Atom("at", ("p0",)), *roads], literals("at p5")
        )
        training = Training([problem])
        result = Regression(training, seed=0).learn(training)
        assert result.longest_run == 5
        # What is not wanted anyway is not worked out to its end.
        unwanted = Regression(training, seed=0, max_run=2).learn(training)
        assert (max(unwanted.ranks), unwanted.longest_run) == (2, 3), "rules end there"
        assert Regression(training, seed=0, max_run=5).learn(training) == result


# Who tears a cake from the oven rather than takes it out leaves the oven jammed.
BAKERY = parse_domain("""
(define (domain bakery)
  (:types cake oven)
  (:predicates (raw ?c - cake) (in ?c - cake ?o - oven) (done ?c - cake) (jammed ?o - oven)
               (full ?o - oven))
  (:action bake :parameters (?c - cake ?o - oven)
    :precondition (and (raw ?c) (not (full ?o)) (not (jammed ?o)))
    :effect (and (in ?c ?o) (full ?o) (not (raw ?c))))
  (:action tear :parameters (?c - cake ?o - oven)
    :precondition (in ?c ?o)
    :effect (and (done ?c) (jammed ?o) (not (in ?c ?o)) (not (full ?o))))
  (:action take-out :parameters (?c - cake ?o - oven)
    :precondition (and (in ?c ?o) (full ?o))
    :effect (and (done ?c) (not (in ?c ?o)) (not (full ?o)))))
""")


def bakery(cakes: int, ovens: int) -> Problem:
    names = [f"cake{i}" for i in range(cakes)]
    return Problem.of(
        f"{cakes}-{ovens}",
        BAKERY,
        [*(TypedObject(c, "cake") for c in names)]
        + [TypedObject(f"oven{i}", "oven") for i in range(ovens)],
        [Atom("raw", (c,)) for c in names],
        [Literal(Atom("done", (c,))) for c in names],
    )


def test_dead_ends_are_avoided() -> None:
    """A plan for one cake may tear it out; with two ovens no dead end comes of that at first."""
    training = Training([bakery(1, 1), bakery(2, 2), bakery(3, 2)])
    result = Regression(training, seed=0).learn(training)
    policy = training.book.policy(result.policy, "bakery")
    assert execute(bakery(20, 2), policy).solved
    assert execute(bakery(20, 1), policy).solved


def report() -> str:
    policy, result = learn_house(seed=5)
    return f"{policy} {result}"


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_every_hash_seed_gives_the_same(hash_seed: str) -> None:
    code = f"from {__name__} import report; print(report())"
    assert run_python(code, hash_seed=hash_seed).stdout.strip() == report()


@pytest.mark.parametrize("name", ["ferry-typed", "gripper", "miconic-once", "transport"])
def test_domains_learned_at_once(name: str) -> None:
    source = DOMAINS[name]
    training = Training(source.problems("train", seed=0))
    policy = training.book.policy(Regression(training, seed=0).learn(training).policy, name)
    for problem in source.problems("test", seed=0):
        steps = 1000 + 60 * len(problem.goal)
        assert execute(problem, policy, max_steps=steps).solved, problem.name


def test_objects_that_an_action_asks_to_be_the_same_are() -> None:
    pairs = parse_domain("""(define (domain pairs) (:requirements :equality)
      (:predicates (made ?x) (ready ?x) (raw ?x))
      (:action prepare :parameters (?a) :precondition (raw ?a) :effect (ready ?a))
      (:action make :parameters (?a ?b) :precondition (and (ready ?a) (= ?a ?b))
        :effect (made ?b)))""")
    names = ["a", "b", "c"]
    problem = Problem.of(
        "p",
        pairs,
        [TypedObject(name) for name in names],
        [Atom("raw", (name,)) for name in names],
        [Literal(Atom("made", (name,))) for name in names],
    )
    training = Training([problem])
    result = Regression(training, seed=0).learn(training)
    policy = training.book.policy(result.policy, "pairs")
    assert execute(problem, policy, max_steps=20).solved
