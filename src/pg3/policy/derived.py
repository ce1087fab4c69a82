"""Derived predicates and graph conditions: what they are called, and what depends on what.

A policy may define predicates of its own by clauses (`Clause`), and every policy has two built-in
conditions on paths, whose first term is the name of a relation of two places instead of an object:
`(reach E x z)` and `(next E x y z)`. A domain that declares a predicate of such a name keeps it:
there the built-in condition does not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, Predicate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pg3.pddl.model import Atom, Domain, Literal
    from pg3.policy.model import Clause, DecisionList, Rule

REACH = "reach"
NEXT = "next"
GOAL = "goal"

# How many objects a graph condition speaks of, after the relation.
GRAPH_ARITIES = {REACH: 2, NEXT: 3}

# In a negated condition: no object at all makes the atom true.
ANYTHING = "_"


def is_graph(atom: Atom, domain: Domain) -> bool:
    """Whether the atom is a condition on paths and no predicate of the domain."""
    return atom.predicate in GRAPH_ARITIES and atom.predicate not in domain.predicate_index


def is_anything(term: str, domain: Domain) -> bool:
    """Whether a term is `_`, for any object, and no constant of that name."""
    return term == ANYTHING and all(one.name != ANYTHING for one in domain.constants)


def derived_predicates(definitions: Iterable[Clause]) -> dict[str, Predicate]:
    """What the clauses define, each predicate with the parameters of its first clause."""
    found: dict[str, Predicate] = {}
    for clause in definitions:
        found.setdefault(clause.name, Predicate(clause.name, clause.parameters))
    return found


def is_extended(policy: DecisionList, domain: Domain) -> bool:
    """Whether a policy uses more than the paper's language: definitions, paths or `_`."""
    return bool(policy.definitions) or any(
        is_graph(literal.atom, domain) or ANYTHING in literal.atom.terms
        for rule in policy.rules
        for literal in (*rule.preconditions, *rule.goals)
    )


class Dependency(NamedTuple):
    """A derived predicate that a clause reads, and where: the number of the condition.

    `through` is "not", "reach" or "next" where the whole relation must be known first, else "".
    """

    name: str
    condition: int
    through: str


def dependencies(clause: Clause, derived: Collection[str], domain: Domain) -> Iterator[Dependency]:
    """The derived predicates that the clause's conditions speak of."""
    for k, (atom, positive) in enumerate(clause.conditions):
        if is_graph(atom, domain):
            if atom.terms and atom.terms[0] in derived:
                yield Dependency(atom.terms[0], k, atom.predicate)
        elif atom.predicate in derived:
            yield Dependency(atom.predicate, k, "" if positive else "not")


def groups(definitions: Iterable[Clause], domain: Domain) -> list[tuple[str, ...]]:
    """The derived predicates so that each group reads only itself and groups before it.

    Members of a group depend on each other. Within what order is left open: that of definition.
    """
    clauses = tuple(definitions)
    names = list(dict.fromkeys(clause.name for clause in clauses))
    reads: dict[str, set[str]] = {name: set() for name in names}
    for clause in clauses:
        reads[clause.name] |= {d.name for d in dependencies(clause, reads, domain)}
    below = {name: _reachable(name, reads) for name in names}
    found: list[tuple[str, ...]] = []
    done: set[str] = set()
    while len(done) < len(names):
        # Everything that the first possible one reads is itself, its group, or done.
        for name in names:
            if name in done:
                continue
            group = {other for other in below[name] if name in below[other]} | {name}
            if below[name] <= done | group:
                found.append(tuple(member for member in names if member in group))
                done |= group
                break
    return found


def _reachable(name: str, reads: dict[str, set[str]]) -> set[str]:
    """What a predicate reads, directly or not; itself only if it is on a circle."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for other in reads[pending.pop()] - found:
            found.add(other)
            pending.append(other)
    return found


def needed_definitions(
    rules: Iterable[Rule], definitions: tuple[Clause, ...], domain: Domain
) -> tuple[Clause, ...]:
    """The clauses without which the rules would mean nothing, in their order."""
    derived = {clause.name for clause in definitions}
    reads: dict[str, set[str]] = {name: set() for name in derived}
    for clause in definitions:
        reads[clause.name] |= {d.name for d in dependencies(clause, derived, domain)}
    wanted: set[str] = set()
    for rule in rules:
        for literal in rule.preconditions:
            name = _named(literal, domain)
            if name in derived:
                wanted |= {name} | _reachable(name, reads)
    return tuple(clause for clause in definitions if clause.name in wanted)


def _named(literal: Literal, domain: Domain) -> str:
    """The relation that a condition speaks of: of a condition on paths, that of the edges."""
    atom = literal.atom
    if atom.predicate == EQUALS or not is_graph(atom, domain):
        return atom.predicate
    return atom.terms[0] if atom.terms else ""
