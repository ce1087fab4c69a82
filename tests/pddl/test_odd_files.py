"""PDDL as people write it: odd but legal, or illegal and often seen.

Each is read, perhaps with a warning, and solved; or refused with one message that says what it is.
"""

from __future__ import annotations

import warnings

import pytest

from pg3.errors import InputError, InputWarning
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import Limits, plan

TAKE = "(:action take :parameters (?x) :precondition (p ?x) :effect (not (p ?x)))"
PAY = """(:action take :parameters (?x) :precondition (and (p ?x) (> (f ?x) -1))
  :effect (and (not (p ?x)) (increase (g) (f ?x)) (increase (total-cost) (d ?x ?x))))"""
FUNCTIONS = "(:functions (f ?x) (g) (total-cost) - number (d ?x ?y) - number)"
VALUES = "(p a) (= (f a) 1) (= (g) 0.5) (= (d a a) 2) (= (total-cost) 0)"


def domain(action: str = TAKE, sections: str = "", predicates: str = "(p ?x)") -> str:
    return f"(define (domain d) {sections} (:predicates {predicates}) {action})"


def problem(
    init: str = "(p a)", goal: str = "(not (p a))", objects: str = "(:objects a b)", more: str = ""
) -> str:
    return f"(define (problem q) (:domain d) {objects} (:init {init}) (:goal {goal}) {more})"


def typed(action: str = "?x - t", types: str = "t u", predicate: str = "?x - t") -> str:
    """A domain with types."""
    return domain(
        TAKE.replace("(?x)", f"({action})"),
        f"(:requirements :typing) (:types {types})",
        f"(p {predicate})",
    )


OF_T = "(:objects a b - t)"
SWITCH = "(:action on {} :effect (q))"
OFF = problem("", "(q)", "")

READ = {
    "negative values": (domain(PAY, FUNCTIONS), problem(VALUES.replace("0.5", "-3"))),
    "costs by a function": (
        domain(PAY, FUNCTIONS),
        problem(VALUES, more="(:metric minimize (total-cost))"),
    ),
    "an unknown requirement": (domain(TAKE, "(:requirements :strips :foo)"), problem()),
    "either": (typed("?x - (either t u)", predicate="?x - (either t u)"), problem(objects=OF_T)),
    "upper case": (domain().upper(), problem().upper()),
    "comments": (
        "; c\n(define ; c\n (domain d);c\n(:predicates;x\n(p ?x;y)\n));\n" + TAKE + ")\n; end",
        problem(),
    ),
    "tabs and CRLF": (domain().replace(" ", "\t\r\n"), problem().replace(" ", "\r\n\t")),
    "a byte order mark": ("\ufeff" + domain(), "\ufeff" + problem()),
    "an empty goal": (domain(), problem(goal="()")),
    "an empty conjunction": (domain(), problem(goal="(and)")),
    "no parameters": (domain(SWITCH.format(":parameters ()"), "", "(q)"), OFF),
    "parameters left out": (domain(SWITCH.format(":precondition ()"), "", "(q)"), OFF),
    "precondition first": (
        domain("(:action take :precondition (p ?x) :parameters (?x) :effect (not (p ?x)))"),
        problem(),
    ),
    "a predicate named as a type": (
        domain(
            "(:action take :parameters (?t - t) :precondition (t ?t) :effect (not (t ?t)))",
            "(:requirements :typing) (:types t)",
            "(t ?t - t)",
        ),
        problem("(t a)", "(not (t a))", "(:objects a - t)"),
    ),
    "numbers as names": (domain(), problem("(p 1) (p 3d)", "(not (p 1))", "(:objects 1 3d)")),
    "nested conjunctions": (
        domain(TAKE.replace("(p ?x) :", "(and (and) (and (and (p ?x)))) :")),
        problem(goal="(and (and (and (not (p a)))))"),
    ),
    "nothing among effects": (
        domain(TAKE.replace("(not (p ?x))", "(and (not (p ?x)) ())")),
        problem(),
    ),
    "words of numbers as predicates": (
        domain(
            "(:action increase :parameters (?x) :precondition (assign ?x)"
            " :effect (and (not (assign ?x)) (increase ?x) (decrease (f) 1)))",
            "(:functions (f))",
            "(assign ?x) (increase ?x)",
        ),
        problem("(assign a) (= (f) 1)", "(and (increase a) (< (f) 1))"),
    ),
    "no objects": (domain(SWITCH.format(""), "", "(q)"), OFF),
    "a negated fact": (domain(), problem("(p a) (not (p b))")),
    "functions with and without a type": (domain(PAY, FUNCTIONS), problem(VALUES)),
}

WARNED = {
    "a metric of numbers": (
        domain(PAY, FUNCTIONS),
        problem(VALUES, more="(:metric minimize (+ (total-cost) (* 2 (g))))"),
        "a metric other than 'minimize (total-cost)' is ignored",
    ),
    "maximization": (
        domain(PAY, FUNCTIONS),
        problem(VALUES, more="(:metric maximize (g))"),
        "a metric other than 'minimize (total-cost)' is ignored",
    ),
    "total time": (
        domain(),
        problem(more="(:metric minimize (total-time))"),
        "a metric other than 'minimize (total-cost)' is ignored",
    ),
    "no space before a dash": (
        typed("?x- t"),
        problem(objects=OF_T),
        "there is no space before '-'",
    ),
    "no space after a dash": (typed("?x -t"), problem(objects=OF_T), "there is no space after '-'"),
    "object below object": (
        typed(types="object t - object"),
        problem(objects=OF_T),
        "'object' is declared below 'object'",
    ),
    "an object that is a constant": (
        domain(TAKE, "(:constants a)"),
        problem(),
        "object 'a' is a constant of the domain already",
    ),
    "facts joined by 'and'": (
        domain(),
        problem("(and (p a) (and (not (p b))))"),
        "facts of :init are joined by 'and'",
    ),
    "a total cost that the domain does not have": (
        domain(),
        problem("(p a) (= (total-cost) 0)", more="(:metric minimize (total-cost))"),
        "'total-cost' is not declared: every action costs 1 (and 1 more of these); write: "
        "(:functions (total-cost) - number)",
    ),
    "costs that are no whole numbers": (
        domain(PAY.replace(" (> (f ?x) -1)", "").replace("(increase (g) (f ?x))", ""), FUNCTIONS),
        problem("(p a) (= (d a a) 0.25) (= (d b b) 2.5) (= (f a) 0.5)"),
        "costs are whole numbers: others are rounded (and 1 more of these); write: 1",
    ),
    "equality declared": (
        domain(
            "(:action take :parameters (?x ?y) :precondition (and (p ?x) (not (= ?x ?y)))"
            " :effect (not (p ?x)))",
            predicates="(= ?x ?y) (p ?x)",
        ),
        problem(),
        "'=' needs no declaration",
    ),
    "an empty 'or'": (
        domain(TAKE + TAKE.replace("take", "never").replace("(p ?x) :e", "(or) :e")),
        problem(),
        "an empty 'or' never holds",
    ),
    "length": (domain(), problem(more="(:length (:serial 3))"), "':length' is ignored"),
    "a missing parenthesis": (domain()[:-1], problem(), "missing ')' at the end"),
}

REFUSED = {
    "constraints": (domain(), problem(more="(:constraints (sometime (p a)))"), ":constraints"),
    "preferences": (domain(), problem(goal="(preference x (p a))"), "preferences"),
    "an object declared twice": (domain(), problem(objects="(:objects a b a)"), "declared twice"),
    "a variable as a type": (typed(types="?t"), problem(), "unexpected '?t'"),
    "timeless facts": (domain(TAKE, "(:timeless (p a))"), problem(), ":timeless"),
    "durations": (
        domain("(:durative-action a :parameters () :duration (= ?duration 3))"),
        problem(),
        "durative actions",
    ),
    "timed facts": (domain(), problem("(p a) (at 5 (p b))"), "timed initial literals"),
    "object fluents": (domain(TAKE, "(:functions (f ?x) - object)"), problem(), "object fluents"),
    "a number as no program prints it": (
        domain(PAY, FUNCTIONS),
        problem("(= (g) 1e)"),
        "unexpected '1e'",
    ),
    "a number beyond all": (domain(PAY, FUNCTIONS), problem("(= (g) 1e99)"), "numbers beyond"),
    "an undefined value": (
        domain(PAY, FUNCTIONS),
        problem("(= (g) undefined)"),
        "unexpected 'undefined'",
    ),
    "products": (
        domain(PAY.replace("(f ?x) -1", "(* (f ?x) (g)) 1"), FUNCTIONS),
        problem(),
        "a product of functions",
    ),
    "a sum of sixty functions": (
        domain(
            PAY.replace("(f ?x) -1", "(+ " + " ".join(f"(h{i})" for i in range(60)) + ") 1"),
            FUNCTIONS[:-1] + " ".join(f"(h{i})" for i in range(60)) + ")",
        ),
        problem(),
        "a comparison of so many functions",
    ),
    "observing": (
        domain("(:action look :parameters (?x) :observe (p ?x))"),
        problem(),
        "actions that observe",
    ),
    "tasks": (domain(), problem(more="(:htn :tasks (take a))"), "hierarchical planning"),
    "two definitions": (domain() + problem(), problem(), "a second '(define ...)'"),
    "chance": (
        domain(TAKE.replace("(not (p ?x))", "(oneof (not (p ?x)) (p ?x))")),
        problem(),
        "effects by chance",
    ),
    "costs that are no whole numbers and are compared": (
        domain(PAY.replace("(> (f ?x)", "(> (d ?x ?x)"), FUNCTIONS),
        problem(VALUES.replace("(d a a) 2", "(d a a) 2.5")),
        "fractional costs that are compared, too",
    ),
    "old axioms": (domain(TAKE, "(:axiom :vars (?x) :implies (p ?x))"), problem(), ":axiom"),
}


@pytest.mark.parametrize("name", READ)
def test_read(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        found = parse_problem(READ[name][1], parse_domain(READ[name][0]))
    assert plan(found, limits=Limits(expansions=100)).solved


@pytest.mark.parametrize("name", WARNED)
def test_read_with_a_warning(name: str) -> None:
    of, text, message = WARNED[name]
    with pytest.warns(InputWarning) as caught:
        found = parse_problem(text, parse_domain(of))
    assert [message in str(one.message) for one in caught] == [True]
    assert plan(found, limits=Limits(expansions=100)).solved


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    of, text, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        parse_problem(text, parse_domain(of))
    assert message in caught.value.message
