"""Runs of moves as one step of goal regression, on hand-made plans and on random maps."""

from __future__ import annotations

import dataclasses
import random
from collections import defaultdict
from typing import TYPE_CHECKING

from pg3 import execute, learn
from pg3.domains import DOMAINS
from pg3.learning.operators.features import features_of
from pg3.learning.operators.ways import pure_moves, roads, ways
from pg3.learning.regression.macro_moves import (
    MacroMove,
    have_stops,
    macro_moves_of,
    movers,
    schemas_of,
)
from pg3.learning.regression.macro_plans import MacroPlanner
from pg3.learning.regression.rules.steps import Step
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.pddl.plans import GroundAction
from pg3.policy import DecisionList, check_policy, write_policy
from pg3.semantics.task import Task
from tests.learning.regression.test_regression import ground
from tests.support.errands import literals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl.model import Domain

# Couriers, each with a map of its own, stamp letters and hand them over; no street may be dark.
POST_TEXT = """
(define (domain post)
  (:types place courier letter)
  (:predicates (at ?c - courier ?p - place) (knows ?c - courier ?a ?b - place) (lit ?a ?b - place)
               (desk ?p - place) (box ?p - place) (has ?c - courier ?l - letter)
               (stamped ?l - letter) (posted ?l - letter) (met ?c ?d - courier))
  (:action go :parameters (?c - courier ?a ?b - place)
    :precondition (and (at ?c ?a) (knows ?c ?a ?b) (lit ?a ?b) (not (= ?a ?b)))
    :effect (and (not (at ?c ?a)) (at ?c ?b)))
  (:action stamp :parameters (?c - courier ?l - letter ?p - place)
    :precondition (and (at ?c ?p) (desk ?p) (has ?c ?l))
    :effect (stamped ?l))
  (:action post :parameters (?c - courier ?l - letter ?p - place)
    :precondition (and (at ?c ?p) (box ?p) (has ?c ?l) (stamped ?l))
    :effect (and (posted ?l) (not (has ?c ?l))))
  (:action meet :parameters (?c ?d - courier ?p - place)
    :precondition (and (at ?c ?p) (at ?d ?p))
    :effect (met ?c ?d)))
"""
POST = parse_domain(POST_TEXT)

TYPES = {
    **dict.fromkeys(("p0", "p1", "p2", "p3", "p4"), "place"),
    **dict.fromkeys(("ann", "bob"), "courier"),
    "mail": "letter",
}


def macros(domain: Domain) -> dict[str, MacroMove]:
    moves = pure_moves(domain)
    return macro_moves_of(moves, roads(moves, domain), domain)


def rewriter(
    domain: Domain, who: Iterable[GroundAction], types: Mapping[str, str] = TYPES
) -> MacroPlanner:
    found = macros(domain)
    schemas = {action.name: action for action in domain.actions} | schemas_of(found)
    return MacroPlanner(
        found, set(who), lambda done: Step.of(schemas[done.name], done.objects), domain, types
    )


MACROS = macros(POST)


def rewritten(
    goal: str, plan: str, domain: Domain = POST, who: str = "go ann p0 p1, go bob p0 p1"
) -> list[str]:
    found = macros(domain)
    movers = [found[move.name].mover(found[move.name].of(move)) for move in ground(who)]
    predicate, *terms = goal.split()
    types = TYPES if len(domain.subtypes) > 1 else defaultdict(lambda: "object")
    actions = rewriter(domain, movers, types).rewrite(Atom(predicate, tuple(terms)), ground(plan))
    return [" ".join((name, *objects)) for name, objects in actions]


def post(
    streets: list[tuple[int, int]], places: int, couriers: tuple[int, ...], desk: int, box: int
) -> Problem:
    """Couriers that start in these places, the first with a letter; all know all streets, which
    lead both ways."""
    both = {(f"p{a}", f"p{b}") for one, other in streets for a, b in ((one, other), (other, one))}
    names = [f"c{i}" for i in range(len(couriers))]
    init = [Atom("at", (name, f"p{start}")) for name, start in zip(names, couriers, strict=True)]
    init += [Atom("lit", pair) for pair in sorted(both)]
    init += [Atom("knows", (name, *pair)) for name in names for pair in sorted(both)]
    init += [Atom("desk", (f"p{desk}",)), Atom("box", (f"p{box}",)), Atom("has", ("c0", "mail"))]
    objects = [TypedObject(f"p{i}", "place") for i in range(places)]
    objects += [*(TypedObject(name, "courier") for name in names), TypedObject("mail", "letter")]
    return Problem.of("post", POST, objects, init, [Literal(Atom("posted", ("mail",)))])


class TestMacroMoves:
    def test_all_that_is_asked_of_an_edge_makes_the_way(self) -> None:
        (move,) = pure_moves(POST).values()
        assert (move.edges, move.leading) == ("way-at", (0,))
        (clause,) = ways(pure_moves(POST), POST)["way-at"]
        assert [str(one) for one in clause.conditions] == ["(knows ?by ?x ?y)", "(lit ?x ?y)"]
        check_policy(DecisionList("p", (), (clause,)), POST)
        assert features_of(POST, []).edges == {"way-at": (("courier",), ("place",), ("place",))}

    def test_a_relation_that_says_it_all_is_the_way(self) -> None:
        text = "(define (domain d) (:predicates (at ?c ?p) (knows ?c ?a ?b)) (:action go"
        text += " :parameters (?a ?b ?c) :precondition (and (at ?c ?a) (knows ?c ?a ?b))"
        text += " :effect (and (not (at ?c ?a)) (at ?c ?b))))"
        domain = parse_domain(text)
        (macro,) = macros(domain).values()
        assert (macro.edges, macro.leading) == ("knows", (2,))
        assert not ways(pure_moves(domain), domain)

    def test_what_is_not_true_of_all_places_is_no_macro_move(self) -> None:
        assert not macros(parse_domain(POST_TEXT.replace("(= ?a ?b)", "(= ?b ?c)")))

    def test_an_empty_move_asks_for_what_is_needed_anyway(self) -> None:
        tired = parse_domain(POST_TEXT.replace("(not (= ?a ?b))", "(not (met ?c ?c))"))
        asleep = POST_TEXT.replace("(not (= ?a ?b))", "(has ?c ?l)")
        laden = parse_domain(
            asleep.replace(
                "(?c - courier ?a ?b - place)", "(?c - courier ?a ?b - place ?l - letter)"
            )
        )
        at, has = literals("at ann p1, has ann mail")
        assert macros(tired)["go"].empty_for(at, (at, has)) is None
        assert macros(POST)["go"].empty_for(at, (at,)) == ground("go ann p1 p1")[0]
        (empty,) = ground("go ann p1 p1 mail")
        assert macros(laden)["go"].empty_for(at, (at, has)) == empty
        assert macros(laden)["go"].empty_for(at, (at,)) is None

    def test_moves_there_and_back_are_one_macro_move(self) -> None:
        floor = DOMAINS["miconic"].domain
        up, down = macros(floor)["up"], macros(floor)["down"]
        assert up == down
        assert [variant.action.name for variant in up.variants] == ["up", "down"]
        moves = ground("up f0 f1"), ground("down f1 f0")
        assert [up.of(*move).objects for move in moves] == [("f0", "f1"), ("f1", "f0")]

    def test_stops(self) -> None:
        moves = pure_moves(POST)
        line = post([(0, 1), (1, 2)], 3, (0,), 0, 2)
        assert have_stops(MACROS, moves, POST, [line])
        lift = parse_domain("""(define (domain lift) (:predicates (above ?a ?b) (serves ?l ?a)
            (at ?l ?a)) (:action up :parameters (?l ?a ?b)
            :precondition (and (at ?l ?a) (above ?a ?b) (serves ?l ?b))
            :effect (and (at ?l ?b) (not (at ?l ?a)))))""")
        floors = parse_problem(
            """(define (problem p) (:domain lift) (:objects l a b c)
            (:init (at l a) (above a b) (above b c) (serves l b) (serves l c)) (:goal (at l c)))""",
            lift,
        )
        assert have_stops(macros(lift), pure_moves(lift), lift, [floors]), "for who goes, too"
        ring = post([(0, 1), (1, 2), (2, 0)], 3, (0,), 0, 2)
        assert not have_stops(MACROS, moves, POST, [ring]), "every place is next to every other"


class TestPlans:
    def test_runs_of_moves_are_one_macro_move_each(self) -> None:
        assert rewritten(
            "posted mail",
            "go ann p0 p1, go ann p1 p2, stamp ann mail p2, go ann p2 p1, go ann p1 p3,"
            "post ann mail p3",
        ) == ["go ann p0 p2", "stamp ann mail p2", "go ann p2 p3", "post ann mail p3"]

    def test_what_happens_in_one_place_has_empty_moves_between(self) -> None:
        assert rewritten("posted mail", "stamp ann mail p2, post ann mail p2") == [
            "go ann p2 p2",
            "stamp ann mail p2",
            "go ann p2 p2",
            "post ann mail p2",
        ]

    def test_others_on_their_way_do_not_matter(self) -> None:
        assert rewritten(
            "met ann bob", "go ann p0 p1, go bob p4 p3, go ann p1 p2, go bob p3 p2, meet ann bob p2"
        ) == ["go ann p0 p2", "go bob p4 p2", "meet ann bob p2"]

    def test_a_way_there_and_back(self) -> None:
        assert rewritten("posted mail", "go ann p0 p1, go ann p1 p0, post ann mail p0") == [
            "go ann p0 p0",
            "post ann mail p0",
        ]

    def test_a_goal_to_be_somewhere(self) -> None:
        assert rewritten("at ann p2", "go ann p0 p1, go bob p0 p1, go ann p1 p2") == [
            "go ann p0 p2"
        ]

    def test_only_movers_move(self) -> None:
        problem = post([(0, 1)], 2, (0, 1), 0, 1)
        assert movers(MACROS, Task(problem)) == {
            MACROS["go"].mover(action) for action in ground("go c0 p0 p1, go c1 p0 p1")
        }
        assert movers({}, Task(problem)) == frozenset()


# Robots that mark each place they get to, and light lamps where two marks are.
MARKS = parse_domain("""
(define (domain marks) (:predicates (at ?r ?p) (street ?a ?b) (marked ?p) (lit ?a ?b))
  (:action go :parameters (?r ?a ?b) :precondition (and (at ?r ?a) (street ?a ?b))
    :effect (and (not (at ?r ?a)) (at ?r ?b) (marked ?b)))
  (:action light :parameters (?a ?b) :precondition (and (marked ?a) (marked ?b))
    :effect (lit ?a ?b)))
""")


class TestMarks:
    MACROS = macros(MARKS)

    def rewritten(self, goal: str, plan: str) -> list[str]:
        return rewritten(goal, plan, MARKS, "go nobody a b")

    def test_a_move_that_leaves_marks_is_one(self) -> None:
        assert self.MACROS["go"].marks == {"marked"}
        (at,) = literals("at r a")
        assert self.MACROS["go"].empty_for(at, (at,)) is None, "who stays leaves no mark"

    def test_marks_that_are_wiped_or_asked_to_be_absent_are_effects_like_others(self) -> None:
        for text in ("not marked ?b", "not marked ?a"):
            wiped = dataclasses.replace(
                MARKS.actions[1], effects=(*MARKS.actions[1].effects, *literals(text))
            )
            absent = dataclasses.replace(MARKS.actions[1], precondition=literals(text))
            for other in (wiped, absent):
                changed = dataclasses.replace(MARKS, actions=(MARKS.actions[0], other))
                assert not pure_moves(changed)

    def test_a_mark_is_where_a_macro_move_ends(self) -> None:
        assert self.rewritten("marked c", "go r a b, go r b c") == ["go r a c"]

    def test_a_mark_that_is_needed_is_not_passed_by(self) -> None:
        assert self.rewritten("lit b d", "go r a b, go r b c, go r c d, light b d") == [
            "go r a b",
            "go r b d",
            "light b d",
        ]

    def test_to_see_all_places_is_one_rule(self) -> None:
        """On maps so small that a robot which turns anywhere gets everywhere."""

        def tour(places: int, seed: int) -> Problem:
            rng = random.Random(seed)
            streets = [(i, rng.randrange(i)) for i in range(1, places)]
            both = [(f"p{a}", f"p{b}") for one in streets for a, b in (one, one[::-1])]
            init = [Atom("street", pair) for pair in both] + [Atom("at", ("r", "p0"))]
            goal = [Literal(Atom("marked", (f"p{i}",))) for i in range(1, places)]
            objects = [TypedObject(name) for name in ("r", *(f"p{i}" for i in range(places)))]
            return Problem.of("tour", MARKS, objects, init, goal)

        result = learn(MARKS, [tour(2 + i % 5, i) for i in range(12)])
        assert "(next street" in write_policy(result.policy, MARKS)
        for seed in range(5):
            assert execute(tour(40, seed), result.policy, max_steps=5000).solved


# Maids walk from hall to hall, and enter and leave rooms: three moves between places of two types.
HOTEL = parse_domain("""
(define (domain hotel) (:types room hall - area area maid - object)
  (:predicates (at ?m - maid ?a - area) (door ?a ?b - area) (open ?r - room) (clean ?r - room)
               (key ?m - maid))
  (:action walk :parameters (?m - maid ?a ?b - hall)
    :precondition (and (at ?m ?a) (door ?a ?b)) :effect (and (at ?m ?b) (not (at ?m ?a))))
  (:action enter :parameters (?m - maid ?a - hall ?r - room)
    :precondition (and (at ?m ?a) (door ?a ?r) (open ?r))
    :effect (and (at ?m ?r) (not (at ?m ?a))))
  (:action leave :parameters (?m - maid ?r - room ?a - hall)
    :precondition (and (at ?m ?r) (door ?r ?a)) :effect (and (at ?m ?a) (not (at ?m ?r))))
  (:action unlock :parameters (?m - maid ?a - hall ?r - room)
    :precondition (and (at ?m ?a) (door ?a ?r) (not (open ?r)) (key ?m)) :effect (open ?r))
  (:action fetch :parameters (?m - maid ?a - hall) :precondition (at ?m ?a) :effect (key ?m))
  (:action clean :parameters (?m - maid ?r - room) :precondition (at ?m ?r) :effect (clean ?r)))
""")


class TestTypesOfPlaces:
    def test_what_leads_from_halls_into_rooms_and_out_is_one_way(self) -> None:
        found, types = macros(HOTEL), {"ann": "maid", "r1": "room", "h1": "hall"}
        (macro,) = {id(one): one for one in found.values()}.values()
        assert found.keys() == {"walk", "enter", "leave"}
        who = {GroundAction(macro.action.name, ("ann",))}
        planner = rewriter(HOTEL, who, types)
        for goal, done, place in (
            (Atom("clean", ("r1",)), "clean ann r1", "r1"),
            (Atom("key", ("ann",)), "fetch ann h1", "h1"),
        ):
            plan = ground(done)
            empty = GroundAction(macro.action.name, ("ann", place, place))
            assert planner.rewrite(goal, plan) == [empty, *plan]

    def test_rules_fit_the_domain(self) -> None:
        types = {"ann": "maid", **dict.fromkeys(("r1", "r2"), "room"), "h1": "hall", "h2": "hall"}
        found = macros(HOTEL)
        plan = ground(
            "leave ann r1 h1, fetch ann h1, walk ann h1 h2, unlock ann h2 r2, enter ann h2 r2,"
            "clean ann r2"
        )
        who = {GroundAction(macro.action.name, ("ann",)) for macro in found.values()}
        suffixes = list(SuffixTree(HOTEL, found).regress(Atom("clean", ("r2",)), plan, types, who))
        rules = [rule for suffix in suffixes for rule in suffix.rules]
        named = [dataclasses.replace(one, name=f"rule{i}") for i, one in enumerate(rules)]
        clauses = [c for some in ways(pure_moves(HOTEL), HOTEL).values() for c in some]
        clauses += [
            c for some in ways(roads(pure_moves(HOTEL), HOTEL), HOTEL).values() for c in some
        ]
        assert {rule.action for rule in rules} == {one.name for one in plan}
        check_policy(DecisionList("hotel", tuple(named), tuple(dict.fromkeys(clauses))), HOTEL)
