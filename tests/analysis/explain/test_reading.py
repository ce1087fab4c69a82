"""Rules in English: what the words are made of, and how the six example policies read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pg3.analysis.explain import read_policy_aloud, read_rule
from pg3.analysis.explain.english import (
    Clause,
    about_nothing,
    about_one,
    indefinite,
    listing,
    words_of,
)
from pg3.analysis.explain.reading import names_of, say, say_action
from pg3.domains import DOMAINS as ALL
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal
from pg3.policy import DecisionList, parse_policy, read_policy

POLICIES = Path(__file__).parents[3] / "examples" / "policies"


def example(name: str) -> DecisionList:
    return read_policy(POLICIES / f"{name}.policy", DOMAINS[name].domain)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("at-ferry", "at ferry"),
        ("pickup_spanner", "pick up spanner"),
        ("ishomebase", "is homebase"),
        ("island", "island"),
        ("ontrail", "ontrail"),
        ("infectious", "infectious"),
        ("wantspaper", "wants paper"),
        ("destin", "destination"),
        ("loc12", "location"),
        ("---", "---"),
    ],
)
def test_words(name: str, words: str) -> None:
    assert " ".join(words_of(name, {"paper", "loc"})) == words


def test_clauses() -> None:
    clause = Clause("the car", "is", "at the location")
    assert clause.negated("yet") == "the car is not yet at the location"
    assert clause.wanted() == "the car to be at the location"
    assert Clause("x", "carries", "y").negated() == "x does not carry y"
    assert Clause("x", "has", "y").wanted() == "x to have y"
    assert str(about_nothing(["empty", "ferry"])) == "the ferry is empty"
    assert str(about_nothing(["game", "over"])) == "“game over” holds"
    assert str(about_one(["lift", "at"], "f1")) == "the lift is at f1"
    assert str(about_one(["boarded"], "p1")) == "p1 is boarded"
    hands = about_one(["hands", "free"], "ann", "nurse")
    assert hands.negated() == "the hands of ann are not free"
    assert str(about_one(["stays", "open"], "d1")) == "d1 stays open"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert indefinite("airport") == "an airport"


def test_the_ferry_policy_reads_as_one_would_say_it() -> None:
    assert read_policy_aloud(example("ferry"), DOMAINS["ferry"].domain) == (
        "1. Debark a car at the location where the goal wants it.\n"
        "2. Sail from the current location to the location where the goal wants a car, "
        "if the car is on.\n"
        "3. Board a car at a location, if the car is not yet at the location where the goal wants "
        "it.\n"
        "4. Sail from the current location to the next location, if a car is at the next location, "
        "the ferry is empty and the car is not yet at the location where the goal wants it."
    )


@pytest.mark.parametrize(
    ("name", "rule", "reading"),
    [
        (
            "forest",
            1,
            "Climb from the current location to the next location, if the agent is at the current "
            "location, an ontrail leads from the current location to the next location and the "
            "next location is hill.",
        ),
        (
            "spanner",
            1,
            "A man picks up a spanner at a location, if the spanner is at the location, the man is "
            "at the location and the spanner is useable.",
        ),
        (
            "delivery",
            0,
            "Deliver a paper at a customer location, if the agent is at the customer location, "
            "the agent is carrying the paper, the customer location is not yet satisfied and the "
            "goal wants the customer location to be satisfied.",
        ),
        (
            "miconic",
            0,
            "Depart a passenger at a floor, if the passenger is boarded, the destination of the "
            "passenger is the floor, the lift is at the floor and the goal wants the passenger "
            "to be served.",
        ),
        (
            "gripper",
            1,
            "Pick a ball with a gripper at a room, if the ball is at the room, the robby is at the "
            "room, the gripper is free and the ball is not yet at the room where the goal wants "
            "it.",
        ),
    ],
)
def test_how_rules_read(name: str, rule: int, reading: str) -> None:
    assert read_rule(example(name).rules[rule], DOMAINS[name].domain) == reading


@pytest.mark.parametrize("name", list(DOMAINS))
def test_every_parameter_has_a_name_of_its_own(name: str) -> None:
    domain = DOMAINS[name].domain
    for rule in example(name).rules:
        names = names_of(rule, domain)
        assert list(names) == [p.name for p in rule.parameters]
        assert len(set(names.values())) == len(names)
        assert "?" not in read_rule(rule, domain)


def test_names_from_nowhere() -> None:
    """Names that tell nothing, constants, negated goals, rules without conditions or parameters."""
    domain = parse_domain(
        """(define (domain odd)
          (:constants k)
          (:predicates (p ?x ?y ?z) (q) (r ?x ?y) (holding ?x))
          (:action a :parameters (?x ?y) :precondition (q) :effect (and (r ?x ?y) (not (q))))
          (:action b :parameters () :effect (q)))"""
    )
    policy = parse_policy(
        """(define (policy odd)
          (:rule one :parameters (?x ?y ?z ?unused)
            :preconditions (and (p ?x ?y k) (not (= ?x ?y)) (not (q)) (holding ?z))
            :goals (and (r ?x ?y) (not (q))) :action (a ?x ?y))
          (:rule two :action (b)))""",
        domain,
    )
    first, second = (read_rule(rule, domain) for rule in policy.rules)
    assert second == "B."
    assert "k" in first
    assert "the first object is not the second object" in first
    assert "“q” does not hold" in first
    assert "the goal does not ask for “q” to hold" in first
    assert "there is" in first
    assert read_policy_aloud(DecisionList("none", ()), domain).startswith("Do nothing")


HOTEL = parse_domain("""
(define (domain hotel) (:types maid card area - object room hall - area)
  (:predicates (maid-at ?m - maid ?a - area) (next-to ?a ?b - area) (door-locked ?r - room)
    (opens ?c - card ?r - room) (has-card ?m - maid ?c - card) (bed-made ?r - room)
    (inspected ?r - room) (room-clean ?r - room) (linen-store ?h - hall) (not-used ?r - room))
  (:action go :parameters (?m - maid ?from ?to - area)
    :precondition (and (maid-at ?m ?from) (next-to ?from ?to))
    :effect (and (maid-at ?m ?to) (not (maid-at ?m ?from))))
  (:action unlock :parameters (?m - maid ?r - room ?c - card ?h - hall)
    :precondition (and (maid-at ?m ?h) (next-to ?h ?r) (has-card ?m ?c) (opens ?c ?r))
    :effect (not (door-locked ?r)))
  (:action make-bed :parameters (?m - maid ?r - room)
    :precondition (and (maid-at ?m ?r) (not (bed-made ?r))) :effect (bed-made ?r))
  (:action carry-away :parameters (?m - maid ?h - hall)
    :precondition (and (maid-at ?m ?h) (linen-store ?h)) :effect (not (linen-store ?h)))
  (:action inspect :parameters (?m - maid ?r - room)
    :precondition (and (maid-at ?m ?r) (bed-made ?r)) :effect (inspected ?r)))
""")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("go anna hall r1", "anna goes from hall to r1"),
        ("unlock anna r1 c1 hall", "anna unlocks r1 with c1 at hall"),
        ("make-bed anna r1", "anna makes the bed at r1"),
        ("carry-away anna hall", "anna carries away at hall"),
        ("inspect anna r1", "anna inspects r1"),
    ],
)
def test_who_does_it_where_that_is_certain(action: str, words: str) -> None:
    name, *objects = action.split()
    assert say_action(name, tuple(objects), HOTEL, {}) == words


@pytest.mark.parametrize(
    ("atom", "words"),
    [
        ("door-locked r1", "the door of r1 is locked"),
        ("bed-made r1", "the bed of r1 is made"),
        ("room-clean r1", "r1 is clean"),
        ("not-used r1", "r1 is not used"),
        ("linen-store hall", "hall is “linen store”"),
        ("has-card anna c1", "anna has c1"),
        ("next-to hall r1", "hall is next to r1"),
        ("reach way hall r1", "r1 is within reach of hall along “way”"),
    ],
)
def test_states_of_parts_and_what_is_not_certain(atom: str, words: str) -> None:
    name, *objects = atom.split()
    nouns = {"r1": "room", "hall": "hall", "anna": "maid", "c1": "card"}
    assert say(Literal(Atom(name, tuple(objects))), HOTEL, nouns) == words


ARCHIVE = parse_domain("""
(define (domain archive) (:types can driver truck place slot - object)
  (:predicates (in-chamber ?c - can) (on-cart ?c - can) (in-use ?c - can) (on-foot) (light-on)
    (driving ?c - can) (moving ?c - can) (spare-on ?t - truck) (in-office ?d - driver)
    (crane-holds ?c - can) (at ?t - truck ?p - place) (crew ?d - driver ?t - truck)
    (lies ?c - can ?p - place) (belongs-to ?c - can ?d - driver))
  (:action take-from-chamber :parameters (?c - can)
    :precondition (in-chamber ?c) :effect (and (on-cart ?c) (not (in-chamber ?c))))
  (:action get-in-at-yard :parameters (?c - can) :precondition (on-foot) :effect (driving ?c))
  (:action start-shift :parameters (?d - driver ?t - truck)
    :precondition (in-office ?d) :effect (and (crew ?d ?t) (not (in-office ?d)))))
""")


@pytest.mark.parametrize(
    ("atom", "words"),
    [
        ("in-chamber can1", "can1 is in the chamber"),
        ("on-cart can1", "can1 is on the cart"),
        ("in-use can1", "can1 is in use"),
        ("on-foot", "“on foot” holds"),
        ("light-on", "the light is on"),
        ("driving can1", "“driving” holds for can1"),
        ("moving can1", "can1 is moving"),
        ("spare-on truck1", "“spare on” holds for truck1"),
        ("crane-holds can1", "the crane holds can1"),
        ("lies can1 yard", "“lies” links can1 to yard"),
        ("belongs-to can1 driver1", "can1 belongs to driver1"),
    ],
)
def test_a_place_in_the_name(atom: str, words: str) -> None:
    name, *objects = atom.split()
    nouns = {"can1": "can", "truck1": "truck"}
    assert say(Literal(Atom(name, tuple(objects))), ARCHIVE, nouns) == words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("take-from-chamber can1", "take can1 from the chamber"),
        ("get-in-at-yard can1", "get in can1 at the yard"),
        ("start-shift driver1 truck1", "start shift with driver1 and truck1"),
    ],
)
def test_what_is_in_a_place_of_the_name_is_no_place(action: str, words: str) -> None:
    name, *objects = action.split()
    assert say_action(name, tuple(objects), ARCHIVE, {}) == words


def test_nobody_in_particular_does_it() -> None:
    """No kind of thing takes part in every action, and what is clear does not move."""
    for name, action, words in (
        ("ferry", "board c l", "board c at l"),
        ("blocksworld", "stack a b", "stack a on b"),
        ("delivery", "move a b", "move from a to b"),
    ):
        domain = ALL[name].domain
        which, *objects = action.split()
        assert say_action(which, tuple(objects), domain, {}) == words


@pytest.mark.parametrize(
    ("atom", "words"),
    [
        ("visible w1 w2", "w2 is visible from w1"),
        ("visible-from o w1", "o is visible from w1"),
        ("equipped-for-imaging r", "r is equipped for imaging"),
    ],
)
def test_adjectives(atom: str, words: str) -> None:
    name, *objects = atom.split()
    domain = parse_domain("""(define (domain d) (:predicates (visible ?from ?to)
      (visible-from ?o ?w) (equipped-for-imaging ?r)))""")
    assert say(Literal(Atom(name, tuple(objects))), domain, {"o": "objective", "r": "rover"}) == (
        words
    )


def test_a_name_with_an_object_has_no_second_one() -> None:
    rovers = ALL["rovers"].domain
    assert say_action("take_image", tuple("rwocm"), rovers, {}).startswith(
        "r takes the image with "
    )


def test_what_is_within_reach_of_itself_is_not_told() -> None:
    policy = parse_policy(
        """(define (policy p) (:rule r :parameters (?m - maid ?r - room)
          :preconditions (and (maid-at ?m ?r) (bed-made ?r) (reach next-to ?r ?r))
          :action (inspect ?m ?r)))""",
        HOTEL,
    )
    assert read_rule(policy.rules[0], HOTEL) == (
        "A maid inspects a room, if the maid is at the room and the bed of the room is made."
    )
