"""What is written reads back as the same value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pg3.pddl import (
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
    parse_domain,
    parse_problem,
    write_domain,
    write_problem,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3.pddl.model import TypeNames

NAMES = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,3}", fullmatch=True)


def names(start: str, most: int) -> st.SearchStrategy[list[str]]:
    """Distinct names; `start` keeps the kinds of names apart."""
    return st.lists(NAMES, max_size=most, unique=True).map(lambda some: [start + n for n in some])


@st.composite
def parameters(draw: st.DrawFn, types: Sequence[str]) -> tuple[Parameter, ...]:
    kinds = st.lists(st.sampled_from(types), min_size=1, max_size=2, unique=True).map(tuple)
    return tuple(Parameter(name, draw(kinds)) for name in draw(names("?", 3)))


@st.composite
def literals(
    draw: st.DrawFn, domain: Domain, terms: Mapping[str, TypeNames], *, ground: bool = False
) -> tuple[Literal, ...]:
    """Some literals over these terms, each at most once."""
    found: dict[Literal, None] = {}
    for _ in range(draw(st.integers(0, 4))):
        predicate = draw(st.sampled_from(domain.predicates)) if domain.predicates else None
        positive = draw(st.booleans())
        if predicate is None:
            if not ground and terms:
                pair = (draw(st.sampled_from(sorted(terms))), draw(st.sampled_from(sorted(terms))))
                found[Literal(Atom("=", pair), positive)] = None
            continue
        atom = draw(atoms(domain, predicate, terms))
        if atom:
            found[Literal(atom, positive)] = None
    return tuple(found)


@st.composite
def atoms(
    draw: st.DrawFn, domain: Domain, symbol: Predicate, terms: Mapping[str, TypeNames]
) -> Atom | None:
    """The symbol with terms that surely fit, or None if there are none."""
    arguments = []
    for parameter in symbol.parameters:
        fitting = [
            term
            for term, types in sorted(terms.items())
            if all(domain.is_a(name, parameter.types) for name in types)
        ]
        if not fitting:
            return None
        arguments.append(draw(st.sampled_from(fitting)))
    return Atom(symbol.name, tuple(arguments))


@st.composite
def actions(draw: st.DrawFn, domain: Domain, name: str) -> Action:
    own = draw(parameters([type_.name for type_ in domain.types]))
    terms = {constant.name: (constant.type,) for constant in domain.constants} | dict(own)
    cost: int | Atom | None = draw(st.none() | st.integers(0, 99)) if domain.has_costs else None
    if domain.has_costs and draw(st.booleans()):
        cost = draw(atoms(domain, domain.functions[1], terms)) or cost
    effects = [one for one in draw(literals(domain, terms)) if one.atom.predicate != "="]
    return Action(name, own, draw(literals(domain, terms)), tuple(effects), cost)


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    types = [Type("object", ())]
    for name in draw(names("t", 4)):
        above = st.lists(st.sampled_from([t.name for t in types]), min_size=1, max_size=2)
        types.append(Type(name, tuple(dict.fromkeys(draw(above)))))
    # A type may be declared before those above it.
    types[1:] = draw(st.permutations(types[1:]))
    type_names = [type_.name for type_ in types]
    constants = [TypedObject(n, draw(st.sampled_from(type_names))) for n in draw(names("k", 3))]
    predicates = [Predicate(n, draw(parameters(type_names))) for n in draw(names("p", 3))]
    functions = []
    if draw(st.booleans()):
        functions = [Predicate("total-cost", ()), Predicate("f", draw(parameters(type_names)))]
    requirements = draw(st.lists(st.sampled_from([":strips", ":typing", ":x"]), unique=True))
    if len(types) > 1 and requirements and ":typing" not in requirements:
        requirements.append(":typing")  # it would be read with a warning
    domain = Domain(
        draw(NAMES),
        tuple(types),
        tuple(constants),
        tuple(predicates),
        (),
        tuple(functions),
        tuple(requirements),
    )
    found = tuple([draw(actions(domain, name)) for name in draw(names("a", 3))])
    return Domain(
        domain.name,
        domain.types,
        domain.constants,
        domain.predicates,
        found,
        domain.functions,
        domain.requirements,
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    domain = draw(domains())
    kinds = st.sampled_from([type_.name for type_ in domain.types])
    objects = [TypedObject(name, draw(kinds)) for name in draw(names("o", 5))]
    terms: dict[str, TypeNames] = {o.name: (o.type,) for o in (*domain.constants, *objects)}
    init = [one.atom for one in draw(literals(domain, terms, ground=True))]
    goal = draw(literals(domain, terms, ground=True))
    values = {}
    if domain.has_costs:
        atom = draw(atoms(domain, domain.functions[1], terms))
        if atom:
            values[atom] = draw(st.integers(0, 2**31 - 1))
    return Problem.of(draw(NAMES), domain, objects, init, goal, function_values=values)


@given(domains())
def test_domains(domain: Domain) -> None:
    text = write_domain(domain)
    assert parse_domain(text) == domain
    assert parse_domain(text.upper()) == domain


@given(problems())
def test_problems(problem: Problem) -> None:
    text = write_problem(problem)
    assert parse_problem(text, problem.domain) == problem
    assert parse_problem(text.upper(), problem.domain) == problem


def test_layout() -> None:
    text = """\
(define (domain ferry)
  (:requirements :strips :typing)
  (:types
    car location - object)
  (:constants
    dock - location)
  (:predicates
    (at ?c - car ?l - location)
    (at-ferry ?l - location)
    (marked ?x))
  (:functions
    (total-cost) - number)
  (:action sail
    :parameters (?from - location ?to - (either location car))
    :precondition (and (at-ferry ?from) (not (= ?from ?to)))
    :effect (and (at-ferry ?to) (not (at-ferry ?from)) (increase (total-cost) 1)))
  (:action wait
    :parameters ()
    :precondition (and)
    :effect (and)))
"""
    domain = parse_domain(text)
    assert write_domain(domain) == text
    problem = """\
(define (problem small)
  (:domain ferry)
  (:objects
    c1 c2 - car
    l1 - location
    thing - object)
  (:init
    (= (total-cost) 0)
    (at c1 dock)
    (at-ferry dock))
  (:goal (and
    (at c1 l1)
    (not (at-ferry dock))))
  (:metric minimize (total-cost)))
"""
    assert write_problem(parse_problem(problem, domain)) == problem


def test_long_lines_are_broken() -> None:
    objects = [TypedObject(f"object-number-{i}") for i in range(200)]
    domain = Domain("d", (Type("object", ()),), (), (Predicate("p", (Parameter("?x"),)),), ())
    problem = Problem.of("p", domain, objects, [], [])
    text = write_problem(problem)
    assert max(map(len, text.split("\n"))) <= 106
    assert parse_problem(text, domain) == problem
    action = Action("a", (), tuple(Literal(Atom("q" * 9 + str(i))) for i in range(20)), ())
    wide = Domain(
        "d",
        (Type("object", ()),),
        (),
        tuple(Predicate(one.atom.predicate, ()) for one in action.precondition),
        (action,),
    )
    text = write_domain(wide)
    assert max(map(len, text.split("\n"))) <= 106
    assert parse_domain(text) == wide
