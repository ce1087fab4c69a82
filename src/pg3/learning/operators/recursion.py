"""Recursive predicates: they follow a relation from object to object, which no conjunction can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.pddl.model import Domain, Predicate, Problem, TypeNames


def links_like_to_like(predicate: Predicate, domain: Domain) -> bool:
    """Whether a predicate is about two objects that may be of one type: a crate on a surface."""
    if predicate.arity != 2:
        return False
    one, other = predicate.parameters
    return may_meet(one.types, other.types, domain)


def makes_chains(name: str, problem: Problem) -> bool:
    """Whether some object is at both places of a predicate: types alone do not tell."""
    pairs = [
        a.terms for atoms in (problem.init, problem.goal) for a in atoms if a.predicate == name
    ]
    return not {x for x, _ in pairs}.isdisjoint(y for _, y in pairs)


def makes_circles(name: str, problem: Problem) -> bool:
    """Whether the relation leads from some object back to it, in the initial state."""
    following: dict[str, list[str]] = {}
    entries: dict[str, int] = {}
    for atom in problem.init:
        if atom.predicate == name:
            x, y = atom.terms
            following.setdefault(x, []).append(y)
            entries[y] = entries.get(y, 0) + 1
    pending = [x for x in following if x not in entries]
    while pending:
        for y in following.pop(pending.pop(), ()):
            entries[y] -= 1
            if entries[y] == 0:
                pending.append(y)
    return bool(following)


def unsettled(
    name: str, below: Predicate, goals: Sequence[Predicate], domain: Domain
) -> Iterator[Clause]:
    """An object is unsettled if a goal on it is open, or if it may have to make way.

    It may if it stands on an unsettled one, or on one that an open goal mentions.
    """
    types, types_below = (parameter.types for parameter in below.parameters)
    x, y = Parameter("?x", types), Parameter("?y", types_below)
    stands = Literal(Atom(below.name, ("?x", "?y")))
    for goal in goals:
        if goal.parameters and may_meet(goal.parameters[0].types, types, domain):
            others, atom = _on(goal, 0, "?x")
            yield Clause(name, (x,), others, (Literal(atom, False),), (Literal(atom),))
    yield Clause(name, (x,), (y,), (stands, Literal(Atom(name, ("?y",)))), ())
    for goal in goals:
        for place in range(1, goal.arity):
            if may_meet(goal.parameters[place].types, types_below, domain):
                others, atom = _on(goal, place, "?y")
                conditions = (stands, Literal(atom, False))
                yield Clause(name, (x,), (y, *others), conditions, (Literal(atom),))


def open_beyond(
    name: str, edges: Predicate, goals: Iterable[Predicate], domain: Domain
) -> Iterator[Clause]:
    """Goals are open beyond an object if one mentions an object that follows it, however far."""
    types, types_after = (parameter.types for parameter in edges.parameters)
    x, y = Parameter("?x", types), Parameter("?y", types_after)
    follows = Literal(Atom(edges.name, ("?x", "?y")))
    for goal in goals:
        for place in range(goal.arity):
            if may_meet(goal.parameters[place].types, types_after, domain):
                others, atom = _on(goal, place, "?y")
                conditions = (follows, Literal(atom, False))
                yield Clause(name, (x,), (y, *others), conditions, (Literal(atom),))
    yield Clause(name, (x,), (y,), (follows, Literal(Atom(name, ("?y",)))), ())


def _on(goal: Predicate, place: int, variable: str) -> tuple[tuple[Parameter, ...], Atom]:
    """A goal with a variable at one place, and others of their own at the rest."""
    others = tuple(
        Parameter(f"?z{i}" if goal.arity > 2 else "?z", parameter.types)
        for i, parameter in enumerate(goal.parameters)
        if i != place
    )
    terms = [parameter.name for parameter in others]
    return others, Atom(goal.name, (*terms[:place], variable, *terms[place:]))


def may_meet(types: TypeNames, others: TypeNames, domain: Domain) -> bool:
    """Whether some object may be of both."""
    return any(
        domain.is_a(below, others) for name in types for below in sorted(domain.subtypes[name])
    )
