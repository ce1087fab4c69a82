"""Pure moves: what an action may ask of the place that it goes to, and what it may leave there."""

from __future__ import annotations

import pytest

from pg3 import learn
from pg3.learning.operators.moves import static_edges
from pg3.learning.operators.ways import pure_moves, ways
from pg3.pddl import Domain, parse_domain, parse_problem, write_domain
from pg3.pddl.model import Atom, Literal
from pg3.planning import execute
from pg3.policy import DecisionList, check_policy, parse_policy


def rooms(condition: str = "", effect: str = "", other: str = "", fact: str = "") -> Domain:
    return parse_domain(f"""
(define (domain rooms) (:requirements :strips :typing :negative-preconditions) (:types room)
  (:predicates (at ?x - room) (door ?x ?y - room) (lit ?x - room) (locked ?x - room)
               (seen ?x - room) {fact})
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


@pytest.mark.parametrize(
    ("condition", "effect", "is_move"),
    [
        ("", "(not (dark))", True),
        ("", "(dark)", True),
        ("(dark)", "(dark)", True),
        # Then it cannot go on from there.
        ("(dark)", "(not (dark))", False),
        ("(not (dark))", "(dark)", False),
    ],
)
def test_side_effects_that_do_not_keep_it_from_going_on(
    condition: str, effect: str, is_move: bool
) -> None:
    other = "(:action dim :parameters () :precondition (not (dark)) :effect (dark))"
    other += "(:action light :parameters () :precondition (dark) :effect (not (dark)))"
    domain = rooms(condition, effect, other, "(dark)")
    assert ("go" in pure_moves(domain)) == is_move
    if is_move:
        assert [str(side) for side in pure_moves(domain)["go"].sides] == [effect]


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


def links(relation: str, condition: str, parameters: str = "") -> Domain:
    """Vehicles that drive along roads, which are objects."""
    return parse_domain(f"""
(define (domain links) (:types place road vehicle)
  (:predicates (at ?v - vehicle ?p - place) {relation} (clear ?r - road))
  (:action drive :parameters (?v - vehicle ?r - road ?a ?b - place {parameters})
    :precondition (and (at ?v ?a) {condition}) :effect (and (at ?v ?b) (not (at ?v ?a))))
  (:action salt :parameters (?r - road) :effect (clear ?r)))
""")


@pytest.mark.parametrize(
    ("relation", "condition"),
    [
        ("(joins ?r - road ?a ?b - place)", "(joins ?r ?a ?b)"),
        ("(from ?r - road ?a - place) (to ?r - road ?b - place)", "(from ?r ?a) (to ?r ?b)"),
    ],
)
def test_a_road_that_is_an_object_is_a_label(relation: str, condition: str) -> None:
    domain = links(relation, f"{condition} (clear ?r)")
    move = pure_moves(domain)["drive"]
    assert (move.edges, move.leading, move.labels) == ("way-at", (), (1,))
    (clause,) = ways({"drive": move}, domain)["way-at"]
    assert [variable.name for variable in clause.variables] == ["?via"]
    assert Literal(Atom("clear", ("?via",))) in clause.conditions
    text = f"""(define (problem p) (:domain links) (:objects a b - place r - road v - vehicle)
      (:init (at v a) {condition.replace("?", "")}) (:goal (at v b)))"""
    edges = static_edges(move, domain.action("drive"), parse_problem(text, domain))
    assert list(edges) == [("a", "b")]


def test_edges_ask_for_all_that_is_static_at_once() -> None:
    relation = "(place-of-work ?p - place) (far ?a ?b - place)"
    domain = links(relation, "(place-of-work ?b) (far ?a ?b) (place-of-work ?a)")
    text = """(define (problem p) (:domain links) (:objects a b c - place v - vehicle)
      (:init (at v a) (place-of-work a) (place-of-work b) (far a b) (far b a) (far a c) (far c c))
      (:goal (at v b)))"""
    move = pure_moves(domain)["drive"]
    edges = static_edges(move, domain.action("drive"), parse_problem(text, domain))
    assert sorted(edges) == [("a", "b"), ("b", "a")]


def test_who_may_take_which_road() -> None:
    relation = "(joins ?r - road ?a ?b - place) (may ?v - vehicle ?r - road)"
    move = pure_moves(links(relation, "(joins ?r ?a ?b) (may ?v ?r)"))["drive"]
    assert (move.edges, move.leading, move.labels) == ("way-at", (0,), (1,))


def test_what_a_changing_fact_ties_to_the_mover_is_no_label() -> None:
    relation = "(joins ?r - road ?a ?b - place) (pass ?v - vehicle ?r - road)"
    domain = links(relation, "(joins ?r ?a ?b) (pass ?v ?r)")
    buy = parse_domain(
        write_domain(domain)[:-2]
        + "(:action buy :parameters (?v - vehicle ?r - road) :effect (pass ?v ?r)))"
    )
    assert pure_moves(buy)["drive"].labels == ()


def test_two_who_carry_something_go_together() -> None:
    domain = parse_domain("""
(define (domain movers) (:types room mover)
  (:predicates (in ?m - mover ?r - room) (door ?a ?b - room) (lit ?r - room))
  (:action carry :parameters (?m ?n - mover ?a ?b - room)
    :precondition (and (in ?m ?a) (in ?n ?a) (door ?a ?b))
    :effect (and (in ?m ?b) (in ?n ?b) (not (in ?m ?a)) (not (in ?n ?a))))
  (:action swap :parameters (?m ?n - mover ?a ?b - room)
    :precondition (and (in ?m ?a) (in ?n ?b) (door ?a ?b))
    :effect (and (in ?m ?b) (in ?n ?a) (not (in ?m ?a)) (not (in ?n ?b)))))
""")
    assert {name: move.edges for name, move in pure_moves(domain).items()} == {"carry": "door"}


def test_moves_with_the_same_edges_share_a_way() -> None:
    """Who walks alone and who walks a dog go through the same doors."""
    domain = parse_domain("""
(define (domain walks) (:types room - object person dog - object)
  (:predicates (in ?x - object ?r - room) (door ?a ?b - room) (shut ?a ?b - room))
  (:action walk :parameters (?p - person ?a ?b - room)
    :precondition (and (in ?p ?a) (door ?a ?b) (not (shut ?a ?b)))
    :effect (and (in ?p ?b) (not (in ?p ?a))))
  (:action lead :parameters (?p - person ?d - dog ?a ?b - room)
    :precondition (and (in ?p ?a) (in ?d ?a) (door ?a ?b) (not (shut ?a ?b)))
    :effect (and (in ?p ?b) (in ?d ?b) (not (in ?p ?a)) (not (in ?d ?a))))
  (:action open :parameters (?a ?b - room) :effect (not (shut ?a ?b))))
""")
    assert {move.edges for move in pure_moves(domain).values()} == {"way-in"}


# Trucks keep to the roads, which may be barred; whoever is light also takes the tracks.
FOREST = """
(define (domain forest) (:requirements :strips :typing :negative-preconditions)
  (:types vehicle place boat - object truck jeep - vehicle)
  (:predicates (at ?v - {mover} ?x - place) (road ?x ?y - place) (track ?x ?y - place)
               (barred ?x ?y - place) (light ?v - vehicle) (river ?x ?y - place))
  (:action drive :parameters (?v - vehicle ?x ?y - place)
    :precondition (and (at ?v ?x) (road ?x ?y) (not (barred ?x ?y)))
    :effect (and (at ?v ?y) (not (at ?v ?x))))
  (:action cross :parameters (?w - {light} ?a ?b - place)
    :precondition (and (at ?w ?a) (track ?a ?b) {condition})
    :effect (and (at ?w ?b) (not (at ?w ?a))))
  (:action bar :parameters (?x ?y - place) :effect (barred ?x ?y)))
"""


class TestWhoGoesWhere:
    """Actions that differ in who moves share a way that says who it is for."""

    @pytest.mark.parametrize(
        ("light", "condition"), [("jeep", ""), ("vehicle", "(light ?w)"), ("jeep", "(light ?w)")]
    )
    def test_they_share_a_way(self, light: str, condition: str) -> None:
        domain = parse_domain(FOREST.format(mover="object", light=light, condition=condition))
        moves = pure_moves(domain)
        assert {(name, move.edges, move.leading) for name, move in moves.items()} == {
            ("drive", "way-at", (0,)),
            ("cross", "way-at", (0,)),
        }
        clauses = ways(moves, domain)["way-at"]
        assert [tuple(p.name for p in c.parameters) for c in clauses] == [("?by", "?x", "?y")] * 2
        assert {p.types for c in clauses for p in c.parameters} == {("vehicle",), ("place",)}
        check_policy(DecisionList("forest", (), clauses), domain)

    def test_the_way_is_for_whom_the_action_is_for(self) -> None:
        domain = parse_domain(FOREST.format(mover="object", light="jeep", condition=""))
        problem = parse_problem(
            """(define (problem p) (:domain forest)
              (:objects t - truck j - jeep a b c - place)
              (:init (at t a) (at j a) (road a b) (track b c)) (:goal (and (at j c) (at t b))))""",
            domain,
        )
        policy = parse_policy(
            "(define (policy p)"
            + "".join(
                f"(:rule {action} :parameters (?v - {mover} ?x ?y ?z - place)"
                f" :preconditions (and (at ?v ?x) ({edge} ?x ?y) (next way-at ?v ?x ?y ?z))"
                f" :goals (at ?v ?z) :action ({action} ?v ?x ?y))"
                for action, mover, edge in (
                    ("drive", "vehicle", "road"),
                    ("cross", "jeep", "track"),
                )
            )
            + "(:derived (way-at ?by - vehicle ?x ?y - place)"
            " (and (road ?x ?y) (not (barred ?x ?y))))"
            "(:derived (way-at ?by - vehicle ?x ?y - place)"
            " (exists (?by-own - jeep) (and (= ?by ?by-own) (track ?x ?y)))))",
            domain,
        )
        assert set(policy.definitions) == {*ways(pure_moves(domain), domain)["way-at"]}
        assert execute(problem, policy).solved
        assert learn(domain, [problem]).solved

    def test_those_who_never_meet_do_not(self) -> None:
        text = FOREST.format(mover="object", light="boat", condition="").replace(
            "(light ?v - vehicle)", "(light ?v - object)"
        )
        moves = pure_moves(parse_domain(text))
        assert moves["cross"].edges == "track"
        assert moves["drive"].leading == ()


JOURNEYS = """
(define (domain journeys)
  (:predicates (walker ?p) (bird ?p) (ticket ?p) (safe ?x) (may ?p ?x)
               (at ?p ?x) (path ?x ?y) (air ?x ?y) (rail ?x ?y) (ferry ?x ?y))
  (:action walk :parameters (?p ?x ?y) :precondition (and (walker ?p) (at ?p ?x) (path ?x ?y))
    :effect (and (at ?p ?y) (not (at ?p ?x))))
  (:action fly :parameters (?p ?x ?y) :precondition (and (bird ?p) (at ?p ?x) (air ?x ?y))
    :effect (and (at ?p ?y) (not (at ?p ?x))))
  (:action ride :parameters (?p ?x ?y)
    :precondition (and (ticket ?p) (at ?p ?x) (rail ?x ?y) (safe ?y))
    :effect (and (at ?p ?y) (not (at ?p ?x))))
  (:action buy :parameters (?p) :precondition (walker ?p) :effect (ticket ?p)){})
"""


def test_who_needs_more_has_a_way_apart_in_a_domain_without_types() -> None:
    domain = parse_domain(
        JOURNEYS.format("""
  (:action sail :parameters (?p ?x ?y)
    :precondition (and (ticket ?p) (at ?p ?x) (ferry ?x ?y) (may ?p ?y))
    :effect (and (at ?p ?y) (not (at ?p ?x))))""")
    )
    moves = pure_moves(domain)
    assert moves["walk"].edges == moves["fly"].edges
    assert moves["ride"].edges == moves["sail"].edges != moves["walk"].edges
    for clauses in ways(moves, domain).values():
        assert len({len(clause.parameters) for clause in clauses}) == 1


def test_a_way_with_who_moves_and_one_without_are_two_in_a_domain_without_types() -> None:
    domain = parse_domain(JOURNEYS.format(""))
    moves = pure_moves(domain)
    assert moves["walk"].edges == moves["fly"].edges != moves["ride"].edges
    for clauses in ways(moves, domain).values():
        assert len({len(clause.parameters) for clause in clauses}) == 1
