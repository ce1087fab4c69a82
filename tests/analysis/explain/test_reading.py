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
from pg3.analysis.explain.reading import names_of
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.pddl import parse_domain
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
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert indefinite("airport") == "an airport"


def test_the_ferry_policy_reads_as_one_would_say_it() -> None:
    assert read_policy_aloud(example("ferry"), DOMAINS["ferry"].domain) == (
        "Debark a car at the location where the goal wants it; "
        "otherwise sail from the current location to the location where the goal wants a car, "
        "if the car is on; "
        "otherwise board a car at a location, if the car is not yet at the location where the "
        "goal wants it; "
        "otherwise sail from the current location to the next location, if a car is at the next "
        "location, the ferry is empty and the car is not yet at the location where the goal "
        "wants it."
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
            "Pick up a spanner with a man at a location, if the spanner is at the location, the "
            "man is at the location and the spanner is useable.",
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
