"""Random conditions that are well typed, and derived predicates made of them.

Derived predicates, of a domain or of a policy, have levels. A clause reads its own level only
through conditions that hold, so that what is drawn is stratified and still as circular as can be.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from pg3.pddl.model import EQUALS, Atom, Literal, Parameter, Predicate
from pg3.pddl.negative_goals import unwanted_name
from pg3.policy.derived import ANYTHING
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Domain, Type, TypedObject, TypeNames
    from tests.support.random_problems import Features

MAX_DERIVED = 3


class Term(NamedTuple):
    """A variable or a name, with the types that what it stands for may have."""

    name: str
    types: TypeNames


def rarely(draw: st.DrawFn, one_in: int = 4) -> bool:
    """True once in so many draws; False is the simpler choice."""
    return draw(st.integers(0, one_in - 1)) == one_in - 1


def terms_of(parameters: Iterable[Parameter], domain: Domain) -> list[Term]:
    return [Term(one.name, one.types) for one in parameters] + named_terms(domain.constants)


def named_terms(objects: Iterable[TypedObject]) -> list[Term]:
    return [Term(one.name, (one.type,)) for one in objects]


def fits(domain: Domain, term: Term, expected: TypeNames) -> bool:
    """Whether everything that the term can stand for is of the expected types."""
    return all(domain.is_a(name, expected) for name in term.types)


def _may_fit(domain: Domain, term: Term, expected: TypeNames) -> bool:
    """Whether the term may be an argument: for a variable a type in common is enough."""
    below = [domain.subtypes[name] for name in term.types]
    accepted = frozenset().union(*below) if term.name.startswith("?") else frozenset(term.types)
    return any(domain.is_a(name, expected) for name in accepted)


def _well_typed(domain: Domain, predicate: Predicate, terms: Sequence[Term]) -> list[Atom]:
    choices = [
        [term.name for term in terms if _may_fit(domain, term, parameter.types)]
        for parameter in predicate.parameters
    ]
    return [Atom(predicate.name, chosen) for chosen in itertools.product(*choices)]


def all_well_typed(
    domain: Domain, predicates: Iterable[Predicate], terms: Sequence[Term]
) -> list[list[Atom]]:
    """The atoms over the terms, a list a predicate, predicates without any left out."""
    found = (_well_typed(domain, predicate, terms) for predicate in predicates)
    return [atoms for atoms in found if atoms]


def draw_literals(
    draw: st.DrawFn,
    atoms: list[list[Atom]],
    max_size: int,
    min_size: int = 0,
    *,
    contradictory: bool = False,
    negative: bool = True,
) -> list[Literal]:
    """Different literals; with `contradictory` an atom may occur with both signs."""
    found: dict[Atom, Literal] = {}
    both: list[Literal] = []
    for _ in range(draw(st.integers(min_size, max_size)) if atoms else 0):
        atom = draw(st.sampled_from(draw(st.sampled_from(atoms))))
        literal = Literal(atom, not negative or not rarely(draw, 3))
        if atom not in found:
            found[atom] = literal
        elif contradictory and found[atom] != literal and literal not in both:
            both.append(literal)
    return list(found.values()) + both


def draw_equalities(draw: st.DrawFn, features: Features, terms: Sequence[Term]) -> list[Literal]:
    pairs = list(itertools.combinations([term.name for term in terms], 2))
    if not features.equality or not pairs or not rarely(draw, 4):
        return []
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=2, unique=True))
    return [Literal(Atom(EQUALS, pair), draw(st.booleans())) for pair in chosen]


def draw_type_names(draw: st.DrawFn, features: Features, types: Sequence[Type]) -> TypeNames:
    if features.either and rarely(draw, 6) and len(types) > 2:
        below = [one.name for one in types[1:]]
        return tuple(draw(st.lists(st.sampled_from(below), min_size=2, max_size=2, unique=True)))
    return (draw(st.sampled_from(types)).name,)


def draw_parameters(
    draw: st.DrawFn, features: Features, types: Sequence[Type], prefix: str, max_size: int
) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(f"?{prefix}{i}", draw_type_names(draw, features, types))
        for i in range(draw(st.integers(0, max_size)))
    )


def draw_predicate(
    draw: st.DrawFn, features: Features, types: Sequence[Type], name: str, letter: str, arity: int
) -> Predicate:
    kinds = [draw_type_names(draw, features, types) for _ in range(arity)]
    return Predicate(name, tuple(Parameter(f"?{letter}{j}", t) for j, t in enumerate(kinds)))


def heads_of(clauses: Iterable[Clause]) -> list[Predicate]:
    return list({one.name: Predicate(one.name, one.parameters) for one in clauses}.values())


def _draw_graph_atom(
    draw: st.DrawFn, domain: Domain, edges: Sequence[Predicate], terms: Sequence[Term]
) -> Atom | None:
    pairs = [one for one in edges if one.arity >= 2]
    if not pairs:
        return None
    along = draw(st.sampled_from(pairs))
    places = [parameter.types for parameter in along.parameters]
    name = draw(st.sampled_from(["reach", "next"]))
    wanted = places if name == "reach" else [*places, places[-1]]
    chosen = [along.name]
    for types in wanted:
        fitting = [term.name for term in terms if _may_fit(domain, term, types)]
        if not fitting:
            return None
        chosen.append(draw(st.sampled_from(fitting)))
    return Atom(name, tuple(chosen))


def draw_conditions(
    draw: st.DrawFn,
    features: Features,
    domain: Domain,
    terms: Sequence[Term],
    readable: Sequence[Predicate],
    settled: Sequence[Predicate],
    count: int,
    *,
    plain: bool = False,
) -> tuple[Literal, ...]:
    """Conditions on readable predicates; negated and along paths on settled ones only.

    If they are to be plain, there are no paths and no `_`.
    """
    most = (3 if features.negative else 2) if plain else 5
    found: dict[Atom, Literal] = {}
    for _ in range(count):
        choice = draw(st.integers(0, most))
        positive = choice < 3
        if choice == 5:
            atom = _draw_graph_atom(draw, domain, settled, terms)
            if atom is not None:
                found.setdefault(atom, Literal(atom, draw(st.booleans())))
            continue
        atoms = all_well_typed(domain, readable if positive else settled, terms)
        if not atoms:
            continue
        atom = draw(st.sampled_from(draw(st.sampled_from(atoms))))
        if choice == 4 and atom.terms:
            places = draw(st.sets(st.integers(0, len(atom.terms) - 1), min_size=1))
            mixed = [ANYTHING if i in places else term for i, term in enumerate(atom.terms)]
            atom = Atom(atom.predicate, tuple(mixed))
        found.setdefault(atom, Literal(atom, positive))
    if not any(atom.predicate == EQUALS for atom in found):
        for literal in draw_equalities(draw, features, terms):
            found.setdefault(literal.atom, literal)
    return tuple(found.values())


def draw_unwanted(
    draw: st.DrawFn, features: Features, domain: Domain, goals: Sequence[Literal]
) -> list[Literal]:
    """Conditions on the goal, of which some ask what it wants false."""
    found: dict[Atom, Literal] = {}
    for (name, terms), positive in goals:
        known = name in {predicate.name for predicate in domain.declared}
        if features.negative and known and rarely(draw, 3):
            name = unwanted_name(name, len(terms))  # noqa: PLW2901
        found.setdefault(Atom(name, terms), Literal(Atom(name, terms), positive))
    return list(found.values())


def draw_goal_conditions(
    draw: st.DrawFn,
    features: Features,
    domain: Domain,
    terms: Sequence[Term],
    readable: Sequence[Predicate],
) -> list[Literal]:
    """Conditions on the goal: the domain's predicates only."""
    predicates = domain.predicates
    drawn = draw_conditions(draw, features, domain, terms, readable, predicates, 2)
    known = [one for one in drawn if one.atom.predicate in domain.predicate_index]
    return draw_unwanted(draw, features, domain, known)


def draw_definitions(
    draw: st.DrawFn, features: Features, domain: Domain, prefix: str, *, plain: bool = False
) -> tuple[Clause, ...]:
    """Up to three derived predicates of one or two clauses each, plain ones as a domain's are."""
    heads: list[tuple[int, Predicate]] = []
    level = 0
    for i in range(draw(st.integers(1, MAX_DERIVED))):
        level += draw(st.integers(0, 1))
        arity = draw(st.sampled_from([1, 2, 2, 0, 3]))
        head = draw_predicate(draw, features, domain.types, f"{prefix}{i}", "v", arity)
        heads.append((level, head))
    clauses: list[Clause] = []
    for own, head in heads:
        readable = [*domain.predicates, *(one for other, one in heads if other <= own)]
        settled = [*domain.predicates, *(one for other, one in heads if other < own)]
        for _ in range(draw(st.integers(1, 2))):
            variables = draw_parameters(draw, features, domain.types, "w", 2)
            terms = terms_of((*head.parameters, *variables), domain)
            count = draw(st.integers(0, 3))
            conditions = draw_conditions(
                draw, features, domain, terms, readable, settled, count, plain=plain
            )
            goals: list[Literal] = []
            if not plain and rarely(draw, 3):
                goals = draw_goal_conditions(draw, features, domain, terms, domain.predicates)
            clauses.append(Clause(head.name, head.parameters, variables, conditions, tuple(goals)))
    return tuple(clauses)
