"""Pure moves: what an action may ask of the place that it goes to, and what it may leave there."""

from __future__ import annotations

import pytest

from pg3.learning.operators.moves import pure_moves, ways
from pg3.pddl import Domain, parse_domain
from pg3.pddl.model import Atom, Literal


def rooms(condition: str = "", effect: str = "", other: str = "") -> Domain:
    return parse_domain(f"""
(define (domain rooms) (:requirements :strips :typing :negative-preconditions) (:types room)
  (:predicates (at ?x - room) (door ?x ?y - room) (lit ?x - room) (locked ?x - room)
               (seen ?x - room))
  (:action go :parameters (?x ?y - room)
    :precondition (and (at ?x) (door ?x ?y) {condition})
    :effect (and (at ?y) (not (at ?x)) {effect}))
  (:action lock :parameters (?x - room) :precondition (at ?x) :effect (locked ?x))
  {other})
""")


def test_the_relation_itself_where_nothing_else_is_asked() -> None:
    assert pure_moves(rooms())["go"].edges == "door"
    assert not ways(pure_moves(rooms()), rooms())


@pytest.mark.parametrize(
    ("condition", "positive"), [("(locked ?y)", True), ("(not (locked ?y))", False)]
)
def test_a_way_of_its_own_where_the_end_must_be_free(condition: str, positive: bool) -> None:
    domain = rooms(condition)
    assert pure_moves(domain)["go"].edges == "way-at"
    (clause,) = ways(pure_moves(domain), domain)["way-at"]
    assert Literal(Atom("locked", ("?y",)), positive) in clause.conditions


def test_a_mark_that_is_in_nobodys_way() -> None:
    assert pure_moves(rooms(effect="(seen ?y)"))["go"].edges == "door"


@pytest.mark.parametrize(
    "other",
    [
        "(:action forget :parameters (?x - room) :precondition (at ?x) :effect (not (seen ?x)))",
        "(:action rest :parameters (?x - room) :precondition (not (seen ?x)) :effect (lit ?x))",
    ],
)
def test_a_mark_that_is_taken_away_or_in_the_way_is_more_than_a_move(other: str) -> None:
    assert "go" not in pure_moves(rooms(effect="(seen ?y)", other=other))


def test_a_way_of_its_own_where_the_action_takes_fewer_types_than_the_relation() -> None:
    domain = parse_domain("""
(define (domain cities) (:requirements :typing) (:types place car - object city village - place)
  (:predicates (at ?c - car ?p - place) (road ?a ?b - place))
  (:action drive :parameters (?c - car ?a ?b - city)
    :precondition (and (at ?c ?a) (road ?a ?b)) :effect (and (at ?c ?b) (not (at ?c ?a)))))
""")
    move = pure_moves(domain)["drive"]
    assert move.edges == "way-at"
    (clause,) = ways(pure_moves(domain), domain)["way-at"]
    assert [parameter.types for parameter in clause.parameters] == [("city",), ("city",)]
