"""Derived predicates and graph conditions: what they are called, and what depends on what.

A policy may define predicates of its own by clauses (`Clause`), and every policy has two built-in
conditions on paths, whose first term is the name of a relation instead of an object:
`(reach E x z)` and `(next E x y z)`. The last two places of the relation are an edge. If it has
places before them, objects for these come first, as in `(next can-drive ?truck ?x ?y ?z)`: they say
in which graph. A domain that declares a predicate of such a name keeps it: with as many terms as
that has, the word means the domain's predicate, and with more of them it is still the built-in
condition (many domains say by `(next ?x ?y)` which number follows which).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, Predicate
from pg3.pddl.numbers import is_comparison
from pg3.pddl.strata import reachable, stratify

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pg3.pddl.model import Atom, Domain, Literal
    from pg3.policy.model import Clause, DecisionList, Rule

REACH = "reach"
NEXT = "next"
GOAL = "goal"

# The number of objects in a condition on paths, after the relation and what names the graph.
GRAPH_ARITIES = {REACH: 2, NEXT: 3}

# In a negated condition: there is no object that makes the atom true.
ANYTHING = "_"


def is_graph(atom: Atom, domain: Domain) -> bool:
    """Whether the atom is a condition on paths and no predicate of the domain."""
    if atom.predicate not in GRAPH_ARITIES:
        return False
    if atom.predicate not in domain.predicate_index:
        return True
    declared = domain.predicates[domain.predicate_index[atom.predicate]].arity
    # Other numbers of terms are mistakes, and the message about the domain's predicate says more.
    return declared != len(atom.terms) > GRAPH_ARITIES[atom.predicate] and not atom.terms[
        0
    ].startswith("?")


def is_anything(term: str, domain: Domain) -> bool:
    """Whether a term is `_`, for any object, and no constant of that name."""
    return term == ANYTHING and all(one.name != ANYTHING for one in domain.constants)


def derived_predicates(definitions: Iterable[Clause]) -> dict[str, Predicate]:
    """What the clauses define, each predicate with the parameters of its first clause."""
    found: dict[str, Predicate] = {}
    for clause in definitions:
        found.setdefault(clause.name, Predicate(clause.name, clause.parameters))
    return found


def comparisons_in(policy: DecisionList) -> tuple[str, ...]:
    """The predicates of the policy's conditions that compare numbers."""
    conditions = (
        *(literal for rule in policy.rules for literal in rule.preconditions),
        *(literal for clause in policy.definitions for literal in clause.conditions),
    )
    names = dict.fromkeys(atom.predicate for atom, _ in conditions)
    return tuple(name for name in names if is_comparison(name))


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
    """The derived predicates that the clause's conditions are about."""
    for k, (atom, positive) in enumerate(clause.conditions):
        if is_graph(atom, domain):
            if atom.terms and atom.terms[0] in derived:
                yield Dependency(atom.terms[0], k, atom.predicate)
        elif atom.predicate in derived:
            yield Dependency(atom.predicate, k, "" if positive else "not")


def stratify_definitions(definitions: Iterable[Clause], domain: Domain) -> list[tuple[str, ...]]:
    """The derived predicates in strata: each reads only itself and strata before it.

    Members of a stratum depend on each other. Those that could come in any order keep that of the
    definitions.
    """
    clauses = tuple(definitions)
    reads: dict[str, set[str]] = {clause.name: set() for clause in clauses}
    for clause in clauses:
        reads[clause.name] |= {d.name for d in dependencies(clause, reads, domain)}
    return stratify(reads)


def needed_definitions(
    rules: Iterable[Rule], definitions: tuple[Clause, ...], domain: Domain
) -> tuple[Clause, ...]:
    """The clauses that the rules need, directly or not, in their order."""
    derived = {clause.name for clause in definitions}
    reads: dict[str, set[str]] = {name: set() for name in derived}
    for clause in definitions:
        reads[clause.name] |= {d.name for d in dependencies(clause, derived, domain)}
    wanted: set[str] = set()
    for rule in rules:
        for literal in rule.preconditions:
            name = _named(literal, domain)
            if name in derived:
                wanted |= {name} | reachable(name, reads)
    return tuple(clause for clause in definitions if clause.name in wanted)


def _named(literal: Literal, domain: Domain) -> str:
    """The relation that a condition is about; of a condition on paths, that of its edges."""
    atom = literal.atom
    if atom.predicate == EQUALS or not is_graph(atom, domain):
        return atom.predicate
    return atom.terms[0] if atom.terms else ""
