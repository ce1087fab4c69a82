"""Random policies in the extended language: derived predicates, paths and `_`.

Derived predicates have levels. A clause reads its own level only through conditions that hold, so
that what is drawn is stratified and still as circular as can be.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pg3.pddl.model import EQUALS, Atom, Literal, Parameter, Predicate
from pg3.policy.derived import ANYTHING
from pg3.policy.model import Clause, DecisionList, Rule
from tests.strategies import (
    Scenario,
    Term,
    _all_well_typed,
    _draw_equalities,
    _draw_parameters,
    _draw_type_names,
    _may_fit,
    _terms,
    policies,
    problems,
    rarely,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Domain

MAX_DERIVED = 3


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


def _draw_literals(
    draw: st.DrawFn,
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
    found: dict[Atom, Literal] = {}
    for _ in range(count):
        choice = draw(st.integers(0, 3 if plain else 5))
        positive = choice < 3
        if choice == 5:
            atom = _draw_graph_atom(draw, domain, settled, terms)
            if atom is not None:
                found.setdefault(atom, Literal(atom, draw(st.booleans())))
            continue
        atoms = _all_well_typed(domain, readable if positive else settled, terms)
        if not atoms:
            continue
        atom = draw(st.sampled_from(draw(st.sampled_from(atoms))))
        if choice == 4 and atom.terms:
            places = draw(st.sets(st.integers(0, len(atom.terms) - 1), min_size=1))
            mixed = [ANYTHING if i in places else term for i, term in enumerate(atom.terms)]
            atom = Atom(atom.predicate, tuple(mixed))
        found.setdefault(atom, Literal(atom, positive))
    if not any(atom.predicate == EQUALS for atom in found):
        for literal in _draw_equalities(draw, terms):
            found.setdefault(literal.atom, literal)
    return tuple(found.values())


def _draw_clause(
    draw: st.DrawFn,
    domain: Domain,
    head: Predicate,
    readable: Sequence[Predicate],
    settled: Sequence[Predicate],
    plain: bool,
) -> Clause:
    variables = _draw_parameters(draw, domain.types, "w", 2)
    terms = _terms((*head.parameters, *variables), domain)
    conditions = _draw_literals(
        draw, domain, terms, readable, settled, draw(st.integers(0, 3)), plain=plain
    )
    goals: tuple[Literal, ...] = ()
    if not plain and rarely(draw, 3):
        drawn = _draw_literals(draw, domain, terms, domain.predicates, domain.predicates, 2)
        known = domain.predicate_index
        goals = tuple(literal for literal in drawn if literal.atom.predicate in known)
    return Clause(head.name, head.parameters, variables, conditions, goals)


@st.composite
def definitions(
    draw: st.DrawFn, domain: Domain, prefix: str = "d", *, plain: bool = False
) -> tuple[Clause, ...]:
    """Up to three derived predicates of one or two clauses each, plain ones as a domain's are."""
    heads: list[tuple[int, Predicate]] = []
    level = 0
    for i in range(draw(st.integers(1, MAX_DERIVED))):
        level += draw(st.integers(0, 1))
        arity = draw(st.sampled_from([1, 2, 2, 0, 3]))
        types = [_draw_type_names(draw, domain.types) for _ in range(arity)]
        head = Predicate(f"{prefix}{i}", tuple(Parameter(f"?v{j}", t) for j, t in enumerate(types)))
        heads.append((level, head))
    clauses: list[Clause] = []
    for own, head in heads:
        readable = [*domain.predicates, *(one for other, one in heads if other <= own)]
        settled = [*domain.predicates, *(one for other, one in heads if other < own)]
        clauses += [
            _draw_clause(draw, domain, head, readable, settled, plain)
            for _ in range(draw(st.integers(1, 2)))
        ]
    return tuple(clauses)


def _extended(draw: st.DrawFn, rule: Rule, domain: Domain, clauses: Sequence[Clause]) -> Rule:
    derived = {one.name: Predicate(one.name, one.parameters) for one in clauses}
    terms = _terms(rule.parameters, domain)
    known = list(derived.values())
    added = _draw_literals(
        draw, domain, terms, known, [*domain.predicates, *known], draw(st.integers(0, 2))
    )
    held = {literal.atom for literal in rule.preconditions}
    if any(atom.predicate == EQUALS for atom in held):
        added = tuple(literal for literal in added if literal.atom.predicate != EQUALS)
    new = tuple(literal for literal in added if literal.atom not in held)
    return dataclasses.replace(
        rule,
        preconditions=(*rule.preconditions, *new),
        goals=(*rule.goals, *_draw_unwanted(draw, rule, domain, terms)),
    )


def _draw_unwanted(
    draw: st.DrawFn, rule: Rule, domain: Domain, terms: Sequence[Term]
) -> tuple[Literal, ...]:
    """Rarely, a further condition with `_` on what the goal does not want."""
    if not rarely(draw, 4):
        return ()
    drawn = _draw_literals(draw, domain, terms, [], domain.predicates, 2)
    held = {literal.atom for literal in rule.goals}
    return tuple(
        literal
        for literal in drawn
        if literal.atom.predicate in domain.predicate_index and literal.atom not in held
    )


@st.composite
def extended_policies(draw: st.DrawFn, domain: Domain) -> DecisionList:
    """A random policy whose rules have further conditions, with what defines them."""
    clauses = draw(definitions(domain))
    plain = draw(policies(domain))
    rules = tuple(_extended(draw, rule, domain, clauses) for rule in plain.rules)
    return DecisionList(plain.name, rules, clauses)


@st.composite
def extended_scenarios(draw: st.DrawFn) -> Scenario:
    """A problem and a policy in the extended language."""
    problem = draw(problems())
    return Scenario(problem, draw(extended_policies(problem.domain)))
