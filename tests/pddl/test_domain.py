from __future__ import annotations

import pytest

from pg3.errors import PddlError, UnsupportedError
from pg3.pddl import Action, Atom, Literal, Parameter, Predicate, Type, TypedObject, parse_domain


def literal(predicate: str, *terms: str, positive: bool = True) -> Literal:
    return Literal(Atom(predicate, terms), positive)


def action(body: str) -> Action:
    """The one action of a small domain, with the given keys."""
    domain = parse_domain(f"""
      (define (domain d)
        (:types car place)
        (:constants base - place)
        (:predicates (at ?c - car ?p - place) (open) (near ?p ?q - place))
        (:functions (total-cost) (toll ?p - place) - number)
        (:action go {body}))""")
    return domain.actions[0]


def test_declarations() -> None:
    domain = parse_domain("""
      ; Case does not matter, nor does the order of the sections.
      (DEFINE (Domain Harbour)
        (:Predicates (AT ?s - (either Ship truck) ?b - berth) (free ?b ?c - berth ?x))
        (:constants Q1 - berth nothing)
        (:types ship berth - object tug - ship hybrid - (either ship truck) truck)
        (:functions (total-cost) - number (fee ?b - berth))
        (:requirements :TYPING :no-such-thing))""")
    assert domain.name == "harbour"
    assert domain.requirements == (":typing", ":no-such-thing")
    assert domain.types == (
        Type("object", ()),
        Type("ship", ("object",)),
        Type("berth", ("object",)),
        Type("tug", ("ship",)),
        Type("hybrid", ("ship", "truck")),
        Type("truck", ("object",)),
    )
    assert domain.constants == (TypedObject("q1", "berth"), TypedObject("nothing", "object"))
    berth = ("berth",)
    assert domain.predicates == (
        Predicate("at", (Parameter("?s", ("ship", "truck")), Parameter("?b", berth))),
        Predicate("free", (Parameter("?b", berth), Parameter("?c", berth), Parameter("?x"))),
    )
    assert domain.functions == (
        Predicate("total-cost", ()),
        Predicate("fee", (Parameter("?b", berth),)),
    )
    assert domain.has_costs
    assert domain.subtypes["truck"] == {"truck", "hybrid"}


def test_the_smallest_domain() -> None:
    domain = parse_domain("(define (domain d))")
    assert domain.types == (Type("object", ()),)
    assert not (domain.actions or domain.predicates or domain.constants)
    assert not domain.has_costs


def test_object_may_be_declared() -> None:
    domain = parse_domain("(define (domain d) (:types car - object object))")
    assert domain.types == (Type("object", ()), Type("car", ("object",)))


def test_an_action_in_any_order() -> None:
    one = action(
        ":effect (and (at ?c ?q) (not (at ?c ?p)))"
        ":precondition (and (at ?c ?p) (and (near ?p ?q) (not (open))) (not (= ?p ?q)))"
        ":parameters (?c - car ?p ?q - place)"
    )
    place = ("place",)
    assert one == Action(
        "go",
        (Parameter("?c", ("car",)), Parameter("?p", place), Parameter("?q", place)),
        (
            literal("at", "?c", "?p"),
            literal("near", "?p", "?q"),
            literal("open", positive=False),
            literal("=", "?p", "?q", positive=False),
        ),
        (literal("at", "?c", "?q"), literal("at", "?c", "?p", positive=False)),
    )


@pytest.mark.parametrize("nothing", ["", ":precondition ()", ":precondition (and)"])
def test_empty_preconditions(nothing: str) -> None:
    assert action(nothing) == Action("go", (), (), ())


@pytest.mark.parametrize("nothing", ["", ":effect ()", ":effect (and)", ":effect (and (and))"])
def test_empty_effects(nothing: str) -> None:
    assert action(nothing).effects == ()


def test_single_literals_and_repetitions() -> None:
    assert action(":precondition (not (open))").precondition == (literal("open", positive=False),)
    assert action(":precondition (and (open) (open))").precondition == (literal("open"),)
    assert action(":effect (open)").effects == (literal("open"),)


def test_double_negation() -> None:
    twice = action(":precondition (not (not (open)))")
    assert twice.precondition == (literal("open"),)
    thrice = action(":precondition (not (not (not (open))))")
    assert thrice.precondition == (literal("open", positive=False),)
    with pytest.raises(PddlError, match="'not' cannot stand here"):
        action(":effect (not (not (open)))")


def test_an_action_may_add_and_delete_the_same() -> None:
    both = action(":effect (and (open) (not (open)))")
    assert both.effects == (literal("open"), literal("open", positive=False))


def test_contradictory_preconditions_are_allowed() -> None:
    assert len(action(":precondition (and (open) (not (open)))").precondition) == 2


def test_constants_as_terms() -> None:
    one = action(":parameters (?c - car) :precondition (and (at ?c base) (= base base))")
    assert one.precondition == (literal("at", "?c", "base"), literal("=", "base", "base"))


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("(increase (total-cost) 3)", 3),
        ("(increase (total-cost) 3.0)", 3),
        ("(increase (total-cost) 0)", 0),
        ("(increase (total-cost) (toll base))", Atom("toll", ("base",))),
        ("(and (open) (increase (total-cost) 2147483647))", 2147483647),
        ("(open)", None),
    ],
)
def test_costs(text: str, cost: int | Atom | None) -> None:
    assert action(f":effect {text}").cost == cost


def test_a_variable_of_a_wider_type_is_accepted() -> None:
    # Some object could be both; one that is not simply never satisfies the atom.
    assert action(":parameters (?x) :precondition (at ?x base)").precondition
    assert action(":parameters (?x - (either car place)) :precondition (at ?x base)").precondition
    with pytest.raises(PddlError, match="'\\?x' is of type 'place', but argument 1 of 'at'"):
        action(":parameters (?x - place) :precondition (at ?x base)")


def test_types_that_share_a_subtype_fit() -> None:
    text = """(define (domain d) (:types amphibian - (either car boat) car boat)
      (:predicates (afloat ?b - boat))
      (:action a :parameters (?c - car) :precondition (afloat ?c)))"""
    assert parse_domain(text).actions[0].precondition


def test_a_constant_of_a_wider_type_is_refused() -> None:
    text = """(define (domain d) (:types car) (:constants thing)
      (:predicates (parked ?c - car))
      (:action a :precondition (parked thing)))"""
    with pytest.raises(PddlError, match="'thing' is of type 'object', but argument 1"):
        parse_domain(text)


def test_later_operators_may_be_predicates() -> None:
    text = "(define (domain d) (:predicates {}) (:action a :precondition (within base)))"
    with pytest.raises(UnsupportedError, match="not supported: trajectory constraints"):
        parse_domain(text.format(""))
    parse_domain("(define (domain d) (:predicates (within)) (:action a :effect (within)))")


def test_deep_nesting_is_read_without_recursion() -> None:
    depth = 50_000
    deep = "(and " * depth + "(not " * depth + "(open)" + ")" * (2 * depth)
    assert action(f":precondition {deep}").precondition == (literal("open"),)


def test_bytes_and_names_of_texts() -> None:
    with pytest.raises(PddlError, match=r"^mine:1:9: "):
        parse_domain(b"(define oops)", name="mine")


def test_what_is_derived_from_static_predicates_does_not_change() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (p ?x) (s ?x) (always ?x) (often ?x) (then ?x))
        (:derived (always ?x) (s ?x)) (:derived (often ?x) (and (always ?x) (then ?x)))
        (:derived (then ?x) (not (p ?x)))
        (:action a :parameters (?x) :precondition (often ?x) :effect (p ?x)))"""
    )
    assert domain.fluents == {"p", "always", "often", "then"}
    assert domain.changing == {"p", "often", "then"}
