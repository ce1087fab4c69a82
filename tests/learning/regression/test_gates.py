"""Macro moves along links that an action has to open first."""

from __future__ import annotations

import random
from itertools import pairwise

from pg3 import execute, learn
from pg3.learning.operators.features import features_of
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy import write_policy
from tests.learning.regression.test_macro_moves import POST_TEXT, macros, rewritten
from tests.learning.regression.test_regression import ground

# A house with doors that are opened from where one stands, and stairs that only lead down.
DOORS = parse_domain("""
(define (domain doors)
  (:predicates (in ?p ?r) (door ?a ?b) (stairs ?a ?b) (open ?a ?b) (lies ?t ?r) (found ?t))
  (:action walk :parameters (?p ?a ?b) :precondition (and (in ?p ?a) (door ?a ?b) (open ?a ?b))
    :effect (and (in ?p ?b) (not (in ?p ?a))))
  (:action descend :parameters (?low ?high ?p) :precondition (and (in ?p ?high) (stairs ?high ?low))
    :effect (and (in ?p ?low) (not (in ?p ?high))))
  (:action unlock :parameters (?p ?a ?b) :precondition (and (in ?p ?a) (door ?a ?b))
    :effect (open ?a ?b))
  (:action find :parameters (?p ?t ?r) :precondition (and (in ?p ?r) (lies ?t ?r))
    :effect (found ?t)))
""")


class TestGates:
    def rewritten(self, plan: str) -> list[str]:
        return rewritten("found key", plan, DOORS, "walk ann a b")

    def test_open_doors_are_on_the_way(self) -> None:
        assert self.rewritten("walk ann a b, descend c b ann, find ann key c") == [
            "reach way-in ann a c",
            "find ann key c",
        ]

    def test_a_door_that_the_plan_opens_is_a_stop(self) -> None:
        assert self.rewritten(
            "walk ann a b, unlock ann b c, walk ann b c, descend d c ann, find ann key d"
        ) == ["reach way-in ann a b", "unlock ann b c", "next walk ann b d c", "find ann key d"]

    def test_what_is_learned_at_one_door_opens_all_on_the_way(self) -> None:
        def house(doors: int, closed: tuple[int, ...]) -> Problem:
            rooms = [f"r{i}" for i in range(doors + 1)]
            pairs = list(pairwise(rooms))
            init = [Atom("door", pair) for pair in pairs]
            init += [Atom("open", pair) for i, pair in enumerate(pairs) if i not in closed]
            init += [Atom("in", ("ann", "r0")), Atom("lies", ("key", rooms[-1]))]
            objects = [TypedObject(name) for name in ("ann", "key", *rooms)]
            return Problem.of("house", DOORS, objects, init, [Literal(Atom("found", ("key",)))])

        small = [house(3, closed) for closed in ((0,), (1,), (2,), (0, 2), (), (0, 1, 2))]
        result = learn(DOORS, small)
        assert result.method == "goal regression along roads"
        # Houses that are put together have rooms that no door leads to: they test nothing.
        assert result.status == "doubtful"
        for closed in ((0, 1, 2, 3, 4), (7, 8, 30), ()):
            assert execute(house(40, closed), result.policy).solved

    def test_a_plan_that_meets_no_closed_door_tells_how_to_open_one(self) -> None:
        plan = ground("walk ann a b, find ann key b")
        found = SuffixTree(DOORS, macros(DOORS)).regress(
            Atom("found", ("key",)), plan, dict.fromkeys(("ann", "key", "a", "b"), "object"), ()
        )
        rules = [one for suffix in found for one in suffix.rules if one.action == "unlock"]
        assert rules
        for opening in rules:
            _, start, stop = opening.arguments
            assert any(
                atom.predicate == "next" and atom.terms[1:3] == (start, stop)
                for atom, _ in opening.preconditions
            )

    def test_doors_that_are_objects(self) -> None:
        """The rules say through which door."""
        text = """(define (domain gates) (:types room door - object robot - object)
          (:predicates (in ?r - robot ?a - room) (joins ?d - door ?a ?b - room) (open ?d - door)
            (cleaned ?a - room))
          (:action go :parameters (?r - robot ?d - door ?a ?b - room)
            :precondition (and (in ?r ?a) (joins ?d ?a ?b) (open ?d))
            :effect (and (in ?r ?b) (not (in ?r ?a))))
          (:action unlock :parameters (?r - robot ?d - door ?a ?b - room)
            :precondition (and (in ?r ?a) (joins ?d ?a ?b) (not (open ?d))) :effect (open ?d))
          (:action clean :parameters (?r - robot ?a - room)
            :precondition (in ?r ?a) :effect (cleaned ?a)))"""
        domain = parse_domain(text)

        def house(rooms: int, seed: int) -> Problem:
            rng = random.Random(seed)
            init, doors = [Atom("in", ("robot", "r0"))], []
            for i in range(1, rooms):
                door, one, other = f"d{i}", f"r{i}", f"r{rng.randrange(i)}"
                doors.append(TypedObject(door, "door"))
                init += [Atom("joins", (door, one, other)), Atom("joins", (door, other, one))]
                init += [Atom("open", (door,))] * (rng.random() < 0.5)
            goal = [Literal(Atom("cleaned", (f"r{i}",))) for i in range(rooms) if i % 2]
            places = [TypedObject(f"r{i}", "room") for i in range(rooms)]
            objects = [TypedObject("robot", "robot"), *places, *doors]
            return Problem.of("house", domain, objects, init, goal)

        result = learn(domain, [house(3 + i % 4, i) for i in range(8)])
        assert result.status == "passed"
        assert "(next way-in" in write_policy(result.policy, domain)
        for seed in range(5):
            assert execute(house(40, seed), result.policy, max_steps=5000).solved

    def test_each_kind_of_thing_has_a_road_of_its_own(self) -> None:
        """Carts on tracks and barges on canals are both somewhere, along other relations."""
        text = """(define (domain goods) (:types stop quay cart barge)
          (:predicates (at ?x ?y) (track ?a ?b - stop) (firm ?a - stop) (shut ?a - stop)
            (canal ?x - barge ?a ?b - quay) (deep ?a - quay) (closed ?a - quay))"""
        for action, kind, place, *static, gate in (
            ("roll", "cart", "stop", "(track ?a ?b)", "(firm ?b)", "shut"),
            ("float", "barge", "quay", "(canal ?x ?a ?b)", "(deep ?b)", "closed"),
        ):
            text += f""" (:action {action} :parameters (?x - {kind} ?a ?b - {place})
              :precondition (and (at ?x ?a) {" ".join(static)} (not ({gate} ?b)))
              :effect (and (at ?x ?b) (not (at ?x ?a))))
            (:action open-{place} :parameters (?a - {place}) :effect (not ({gate} ?a)))"""
        domain = parse_domain(text + ")")
        names = {name: move.edges for name, move in features_of(domain, []).roads.items()}
        assert names == {"roll": "road-at", "float": "road-at-2"}

    def test_those_who_move_by_other_actions_have_ways_of_their_own(self) -> None:
        text = """(define (domain lifts) (:types floor person) (:constants boss - person)
          (:predicates (at ?p - person ?f - floor) (stairs ?a ?b - floor) (lit ?f - floor)
            (lift ?a ?b - floor) (fast ?f - floor))"""
        ride = """(:action ride :parameters (?a ?b - floor)
          :precondition (and (at boss ?a) (lift ?a ?b) (fast ?b))
          :effect (and (at boss ?b) (not (at boss ?a))))"""
        walk = """(:action walk :parameters (?p - person ?a ?b - floor)
          :precondition (and (at ?p ?a) (stairs ?a ?b) (lit ?b))
          :effect (and (at ?p ?b) (not (at ?p ?a))))"""
        for actions in (ride + walk, walk + ride):
            found = macros(parse_domain(f"{text} {actions})"))
            assert len({macro.edges for macro in found.values()}) == 2

    def test_no_move_is_put_behind_what_forbids_it(self) -> None:
        text = POST_TEXT.replace("(not (= ?a ?b))", "(not (met ?c ?c))")
        tired = parse_domain(text)
        plan = "go ann p0 p1, meet ann ann p1, post ann mail p1"
        needs = "met ann ann"
        assert rewritten(needs, plan, tired) == ["go ann p0 p1", "meet ann ann p1"]
