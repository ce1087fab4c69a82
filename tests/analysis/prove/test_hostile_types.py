"""More attempts to have something false proved: types, either, subtypes, several maps, formulas.

As in test_hostile.py, whatever is proved is carried out on random members of its class.
"""

from __future__ import annotations

import pytest

from pg3.errors import Pg3Error
from tests.analysis.prove.test_hostile import answer

pytest.importorskip("z3")

FLEET = """(:requirements :strips :typing) (:types truck plane - vehicle vehicle place)
  (:predicates (at ?v - vehicle ?p - place))
  (:action drive :parameters (?t - truck ?a ?b - place) :precondition (at ?t ?a)
   :effect (and (not (at ?t ?a)) (at ?t ?b)))"""
DRIVE = """(:rule drive :parameters (?t - {type} ?a ?b - place)
  :preconditions (and (at ?t ?a) (not (at ?t ?b))) :goals (and (at ?t ?b))
  :action (drive ?t ?a ?b))"""


def fleet(goal: str) -> str:
    return f"""(:objects t - truck p - plane x y - place) (:init (at t x) (at p y))
      (:goal (and {goal}))"""


def test_a_goal_of_another_subtype_is_not_in_the_class() -> None:
    """No action moves planes, so a class with goals of planes has unsolvable problems."""
    result = answer(FLEET, DRIVE.format(type="truck"), fleet("(at t y)"))
    assert result.proved
    assert any(line == "every goal is of the form (at truck place)" for line in result.words)
    reached = fleet("(at t y) (at p y)")
    both = answer(FLEET, DRIVE.format(type="truck"), fleet("(at t y)"), reached)
    # A goal of a plane is only in the class if it holds from the start.
    assert not both.proved or any("plane" in line and "goal" in line for line in both.words[2:])
    assert not answer(FLEET, DRIVE.format(type="truck"), fleet("(at t y) (at p x)")).proved


def test_a_parameter_of_a_wider_type_than_the_action_takes_is_no_policy() -> None:
    with pytest.raises(Pg3Error, match="must be of type 'truck'"):
        answer(FLEET, DRIVE.format(type="vehicle"), fleet("(at t y)"))


EITHER = """(:requirements :strips :typing) (:types cat dog fish)
  (:predicates (fed ?x - (either cat dog fish)))
  (:action feed :parameters (?x - (either cat dog)) :precondition () :effect (fed ?x))"""
FEED = """(:rule feed :parameters (?x - (either cat dog)) :preconditions (and (not (fed ?x)))
  :goals (and (fed ?x)) :action (feed ?x))"""


def test_either_types_are_cases() -> None:
    pets = "(:objects c - cat d - dog f - fish) (:init) (:goal (and (fed c) {}))"
    answer(EITHER, FEED, pets.format("(fed d)"))
    assert not answer(EITHER, FEED, pets.format("(fed d)"), pets.format("(fed f)")).proved


CONDITIONS = """(:requirements :adl) (:predicates (done ?x) (block ?x ?y))
  (:action mark :parameters (?x) :precondition {} :effect (done ?x))"""
MARK = """(:rule mark :parameters (?x) :preconditions (and (not (done ?x)))
  :goals (and (done ?x)) :action (mark ?x))"""


@pytest.mark.parametrize(
    "condition",
    [
        "(forall (?y) (not (block ?x ?y)))",
        "(exists (?y) (block ?y ?x))",
        "(or (not (block ?x ?x)) (done ?x))",
        "(not (exists (?y) (and (block ?x ?y) (done ?y))))",
        "(imply (block ?x ?x) (done ?x))",
    ],
)
def test_preconditions_that_are_no_conjunctions_are_open(condition: str) -> None:
    result = answer(
        CONDITIONS.format(condition),
        MARK,
        "(:objects a b c) (:init (block a b)) (:goal (done b))",
    )
    assert not result.proved


MAPS = """(:requirements :strips :typing) (:types map node)
  (:predicates (edge ?m - map ?x ?y - node) (at ?x - node))
  (:action go :parameters (?m - map ?x ?y - node) :precondition (and (at ?x) (edge ?m ?x ?y))
   :effect (and (not (at ?x)) (at ?y)))"""
GO = """(:rule go :parameters ({}) :preconditions (and (at ?x) (next edge ?m ?x ?y ?z))
  :goals (and (at ?z)) :action (go ?m ?x ?y))"""
TWO_MAPS = """(:objects m1 m2 - map a b c - node)
  (:init (edge m1 a b) (edge m1 b a) (edge m1 b c) (edge m1 c a)
         (edge m2 b a) (edge m2 a c) (edge m2 c b) (at a)) (:goal (at c))"""
ONE_MAP = """(:objects m1 - map a b c - node)
  (:init (edge m1 a b) (edge m1 b a) (edge m1 b c) (edge m1 c b) (at a)) (:goal (at c))"""


def test_ways_on_several_maps_need_the_map_first() -> None:
    """If the map is chosen after the node, each step may be along another one, for ever."""
    assert answer(MAPS, GO.format("?m - map ?z ?x ?y - node"), TWO_MAPS, ONE_MAP).proved
    assert not answer(MAPS, GO.format("?z ?x ?y - node ?m - map"), TWO_MAPS, ONE_MAP).proved
    # With one map in each given problem the class must say so, or there is no proof.
    single = answer(MAPS, GO.format("?z ?x ?y - node ?m - map"), ONE_MAP)
    assert not single.proved or any("at most 1 map" in line for line in single.words)


EQUAL = """(:requirements :strips :typing :equality) (:types place)
  (:predicates (at ?p - place) (seen ?p - place))
  (:action look :parameters (?p ?q - place)
   :precondition (and (at ?p) (not (= ?p ?q)))
   :effect (and (seen ?q) (not (at ?p)) (at ?q)))"""


def test_a_single_object_has_no_other() -> None:
    """Where there is one place, the action is never possible and its goal out of reach."""
    policy = """(:rule look :parameters (?q ?p - place) :preconditions (and (at ?p) (not (seen ?q))
      {}) :goals (and (seen ?q)) :action (look ?p ?q))"""
    two = "(:objects a b - place) (:init (at a)) (:goal (seen b))"
    other = "(:objects a b c - place) (:init (at a)) (:goal (and (seen b) (seen c)))"
    here = "(:objects a b - place) (:init (at a)) (:goal (and (seen a) (seen b)))"
    answer(EQUAL, policy.format(""), two, other)
    answer(EQUAL, policy.format("(not (= ?p ?q))"), two, other)
    answer(EQUAL, policy.format("(not (= ?p ?q))"), two, other, here)
    alone = "(:objects a - place) (:init (at a)) (:goal (seen a))"
    assert not answer(EQUAL, policy.format("(not (= ?p ?q))"), two, alone).proved


SWITCH = """(:requirements :strips :typing :negative-preconditions) (:types lamp)
  (:predicates (on ?l - lamp) (linked ?a ?b - lamp))
  (:action swap :parameters (?a ?b - lamp) :precondition (and (linked ?a ?b))
   :effect (and (on ?a) (not (on ?b))))"""


def test_one_object_for_two_parameters_adds_and_deletes_one_atom() -> None:
    """(swap a a) switches a on; (swap a b) switches b off, which may be a goal, too."""
    policy = """(:rule swap :parameters (?a ?b - lamp) :preconditions (and (not (on ?a))
      (linked ?a ?b)) :goals (and (on ?a)) :action (swap ?a ?b))"""
    itself = """(:objects a b - lamp) (:init (linked a a) (linked b b))
      (:goal (and (on a) (on b)))"""
    one = "(:objects a b - lamp) (:init (linked a a) (linked a b) (linked b b)) (:goal (on a))"
    answer(SWITCH, policy, itself)
    answer(SWITCH, policy, itself, one)
    crossed = """(:objects a b - lamp) (:init (linked a b) (linked b a)) (:goal (on a))"""
    result = answer(SWITCH, policy, crossed, one)
    # With two goals that undo each other the policy goes round in circles.
    assert not result.proved or any("at most one lamp with the goal" in w for w in result.words)


def test_a_static_goal_that_no_action_reaches() -> None:
    policy = """(:rule swap :parameters (?a - lamp) :preconditions (and (not (on ?a))
      (linked ?a ?a)) :goals (and (on ?a)) :action (swap ?a ?a))"""
    holds = "(:objects a - lamp) (:init (linked a a)) (:goal (and (on a) (linked a a)))"
    answer(SWITCH, policy, holds)
    never = "(:objects a b - lamp) (:init (linked a a)) (:goal (and (on a) (linked a b)))"
    assert not answer(SWITCH, policy, holds, never).proved


def test_rules_that_only_act_for_ever_together() -> None:
    """Each rule alone makes a set smaller that the other one makes larger."""
    domain = """(:requirements :strips :negative-preconditions) (:predicates (p) (q) (won))
      (:action to-q :parameters () :precondition (p) :effect (and (not (p)) (q)))
      (:action to-p :parameters () :precondition (q) :effect (and (not (q)) (p)))
      (:action win :parameters () :precondition (and (p) (q)) :effect (won))"""
    policy = """
      (:rule win :parameters () :preconditions (and (p) (q)) :action (win))
      (:rule to-q :parameters () :preconditions (and (p)) :action (to-q))
      (:rule to-p :parameters () :preconditions (and (q)) :action (to-p))"""
    rich = "(:init (p) (q)) (:goal (won))"
    answer(domain, policy, rich)
    assert not answer(domain, policy, rich, "(:init (p)) (:goal (won))").proved
