"""What the learner proposes beyond the domain's predicates."""

from __future__ import annotations

import dataclasses
import random

import pytest

from pg3.domains import DOMAINS
from pg3.learning.operators.features import features_of
from pg3.learning.operators.induce import lift
from pg3.learning.training import Training
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Atoms, Literal, Predicate, Problem, TypedObject
from pg3.pddl.plans import GroundAction
from pg3.policy import DecisionList, check_policy
from tests.extended.problems import blocksworld, childsnack, domain, floortile, transport


def test_settledness_is_proposed_for_a_fluent_over_one_type_with_goals() -> None:
    problem = blocksworld(4, random.Random(0), partial=False)
    found = features_of(problem.domain, [problem])
    assert found.unsettled == {"unsettled-on": ("object",)}
    assert not found.moves
    check_policy(DecisionList("p", (), found.definitions), domain("blocksworld"))
    other = dataclasses.replace(problem, goal=Atoms.of(problem.domain, problem.object_names, []))
    assert not features_of(problem.domain, [other])


def test_settledness_is_proposed_where_the_lowest_are_of_another_type() -> None:
    yard = parse_domain("""(define (domain yard)
      (:types surface truck - object crate pallet - surface)
      (:predicates (on ?x - crate ?y - surface) (in ?x - crate ?t - truck))
      (:action put :parameters (?x - crate ?y - surface ?t - truck) :precondition (in ?x ?t)
        :effect (and (on ?x ?y) (not (in ?x ?t)))))""")
    crates = [TypedObject("a", "crate"), TypedObject("b", "crate"), TypedObject("c", "crate")]
    problem = Problem.of(
        "yard",
        yard,
        [*crates, TypedObject("p", "pallet"), TypedObject("q", "pallet")],
        [Atom("on", ("a", "p")), Atom("on", ("b", "a")), Atom("on", ("c", "q"))],
        [Literal(Atom("on", ("b", "p"))), Literal(Atom("on", ("c", "q")))],
    )
    found = features_of(yard, [problem])
    assert found.unsettled == {"unsettled-on": ("crate",)}
    check_policy(DecisionList("p", (), found.definitions), yard)
    training = Training([problem])
    training.book.define(found.definitions)
    task = training.tasks[0]
    relation = training.book.vocabulary.number(Atom("unsettled-on", ("?",)))
    objects = task.space.derived(relation, task.space.initial)
    # The lower one stands on the pallet that is wanted, the upper one on that.
    assert sorted(task.names[one] for one in objects) == ["a", "b"]


def test_a_pure_move_along_a_static_relation_is_recognised() -> None:
    found = features_of(domain("transport"), [transport(3, random.Random(0))])
    assert {name: move[:5] for name, move in found.moves.items()} == {
        "drive": ("road", 1, 2, "at", 1)
    }
    assert found.edges == {"road": (("location",), ("location",))}
    assert not found.unsettled
    assert not found.definitions


def test_a_way_leads_only_where_one_may_enter() -> None:
    """Also where the move changes nothing but who is where: doors may be locked now."""
    house = parse_domain("""(define (domain house) (:types room)
      (:predicates (door ?x ?y - room) (open ?x - room) (at ?x - room))
      (:action unlock :parameters (?x ?y - room) :precondition (and (at ?x) (door ?x ?y))
        :effect (open ?y))
      (:action go :parameters (?x ?y - room) :precondition (and (at ?x) (door ?x ?y) (open ?y))
        :effect (and (not (at ?x)) (at ?y))))""")
    problem = Problem.of("house", house, [TypedObject("a", "room")], [], [])
    found = features_of(house, [problem])
    assert {name: move.edges for name, move in found.moves.items()} == {"go": "way-at"}
    (clause,) = found.definitions
    assert [str(literal) for literal in clause.conditions] == ["(door ?x ?y)", "(open ?y)"]


def test_moves_that_follow_nothing_are_none() -> None:
    found = features_of(domain("childsnack"), [childsnack(3, random.Random(0))])
    assert not found.moves, "a tray goes anywhere"
    assert not found.unsettled
    assert found, "it has a constant to speak of"


def test_a_way_over_free_places_is_defined_by_all_moves() -> None:
    """A robot also frees one tile and takes another, in four directions."""
    floor = domain("floortile")
    found = features_of(floor, [floortile(3, random.Random(0))])
    assert {move.edges for move in found.moves.values()} == {"way-robot-at"}
    assert sorted(found.moves) == ["move-down", "move-left", "move-right", "move-up"]
    assert found.edges == {"way-robot-at": (("tile",), ("tile",))}
    check_policy(DecisionList("p", (), found.definitions), floor)
    clauses = [clause for clause in found.definitions if clause.name == "way-robot-at"]
    assert [[str(literal) for literal in clause.conditions] for clause in clauses] == [
        [f"({direction} ?y ?x)", "(clear ?y)"] for direction in ("up", "down", "right", "left")
    ]


def test_an_action_that_does_more_than_to_free_a_place_is_no_move() -> None:
    floor = domain("floortile")
    done = Literal(Atom("painted", ("?y", "?c")), False)
    changed = dataclasses.replace(
        floor,
        actions=tuple(
            dataclasses.replace(action, effects=(*action.effects, done)) for action in floor.actions
        ),
    )
    assert not features_of(changed, [floortile(3, random.Random(0))]).moves


def test_goals_beyond_an_object_are_asked_for_along_static_relations_without_circles() -> None:
    floor = floortile(3, random.Random(0))
    found = features_of(floor.domain, [floor])
    assert found.beyond == {
        f"open-beyond-{name}": ("tile",) for name in ("up", "down", "left", "right")
    }
    roads = transport(4, random.Random(0))
    assert not features_of(roads.domain, [roads]).beyond, "roads lead back"


def test_beyond_which_tiles_goals_are_open() -> None:
    """Three tiles in a column; the middle one is to be painted."""
    floor = domain("floortile")
    tiles = [TypedObject(name, "tile") for name in ("low", "middle", "high")]
    init = [Atom("up", ("middle", "low")), Atom("up", ("high", "middle"))]
    init += [Atom("robot-at", ("r", "low")), Atom("robot-has", ("r", "red"))]
    problem = Problem.of(
        "column",
        floor,
        [*tiles, TypedObject("r", "robot"), TypedObject("red", "color")],
        init,
        [Literal(Atom("painted", ("middle", "red")))],
    )
    training = Training([problem])
    training.book.define(features_of(floor, [problem]).definitions)
    task = training.tasks[0]
    relation = training.book.vocabulary.number(Atom("open-beyond-up", ("?",)))
    found = task.space.derived(relation, task.space.initial)
    assert [task.names[one] for one in found] == ["high"]


def test_a_domain_with_its_own_next_keeps_it() -> None:
    """With as many terms as the built-in condition has, there can be only one of them."""
    roads = domain("transport")
    two = roads.predicates[0].parameters
    for parameters, moves in ((two, ["drive"]), (two + two, [])):
        own = Predicate("next", parameters)
        changed = dataclasses.replace(roads, predicates=(*roads.predicates, own))
        assert list(features_of(changed, [transport(3, random.Random(0))]).moves) == moves


def test_a_name_that_the_domain_has_is_not_taken() -> None:
    blocks = domain("blocksworld")
    own = Predicate("unsettled-on", ())
    changed = dataclasses.replace(blocks, predicates=(*blocks.predicates, own))
    assert list(features_of(changed, [blocksworld(4, random.Random(0))]).unsettled) == [
        "unsettled-on-2"
    ]


@pytest.mark.parametrize("name", ["delivery", "ferry", "forest", "gripper", "miconic", "spanner"])
def test_nothing_is_settled_where_there_are_no_chains(name: str) -> None:
    """Without types, a car at a location looks like a block on a block."""
    one = DOMAINS[name]
    assert not features_of(one.domain, one.problems("train", seed=0, count=3)).unsettled


def test_which_blocks_are_unsettled() -> None:
    """A tower a-b-c with c on the table; the goal wants b on a third block, and a where it is."""
    blocks = domain("blocksworld")
    atoms = ["on a b", "on b c", "ontable c", "clear a", "ontable d", "clear d", "handempty"]
    init = [Atom(text.split()[0], tuple(text.split()[1:])) for text in atoms]
    objects = [TypedObject(name) for name in "abcd"]
    goal = [Literal(Atom("on", ("a", "b"))), Literal(Atom("on", ("b", "d")))]
    task_problem = Problem.of("tower", blocks, objects, init, goal)
    training = Training([task_problem])
    training.book.define(features_of(blocks, [task_problem]).definitions)
    task = training.tasks[0]
    relation = training.book.vocabulary.number(Atom("unsettled-on", ("?",)))
    found = task.space.derived(relation, task.space.initial)
    assert sorted(task.names[one] for one in found) == ["a", "b"]


def test_problems_are_drawn_alike_every_time() -> None:
    for make in (blocksworld, transport):
        assert make(5, random.Random(1)) == make(5, random.Random(1))


def test_constants_are_named_in_rules() -> None:
    snack = domain("childsnack")
    action = GroundAction("move_tray", ("tray1", "table1", "kitchen"))
    at = Literal(Atom("at", ("tray1", "table1")))
    types = {"tray1": "tray", "table1": "place", "kitchen": "place", "c": "child"}
    goal = Atom("served", ("c",))
    rule = lift(action, [at], goal, types, snack, keep_constants=True)
    assert rule.arguments == ("?tray1", "?table1", "kitchen")
    assert [parameter.name for parameter in rule.parameters] == ["?c", "?tray1", "?table1"]
    check_policy(DecisionList("p", (rule,)), snack)
    assert lift(action, [at], goal, types, snack).arguments[2] == "?kitchen"
