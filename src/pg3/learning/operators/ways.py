"""The relations that pure moves go along, and the clauses that define them.

Mostly the edges of a move are just the static relation. The relation may have arguments before the
two ends, which say in which graph: who can go from here to there. Where the action has further
conditions on the ends, where places must be free, or where several actions share a way, the edges
are a relation of their own. A clause for each action defines it: one can go from x to y if the
relations hold and y is free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.operators.moves import is_plain, kind_of, moves_of
from pg3.learning.operators.shared_ways import with_shared_ways
from pg3.pddl.model import EQUALS, Atom, Literal, Parameter
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from pg3.learning.operators.moves import Move
    from pg3.pddl.model import Domain, TypeNames


def pure_moves(domain: Domain) -> dict[str, Move]:
    """The pure moves by the names of their actions; edges of their own are called way-PREDICATE."""
    found = moves_of(domain)
    found |= with_shared_ways(found, domain)
    # Those of one kind share a way, and those of kinds whose clauses are the same.
    clauses: dict[tuple[object, ...], set[Clause]] = {}
    for name, move in found.items():
        if not move.edges:
            clause = _clause(name, move, domain)
            clauses.setdefault(kind_of(name, move, domain), set()).add(clause)
    taken, names = set(domain.predicate_index), dict[frozenset[Clause], str]()
    for kind, some in clauses.items():
        if frozenset(some) not in names:
            name = f"way-{kind[0]}"
            while name in taken:
                name += "-2"
            taken.add(name)
            names[frozenset(some)] = name
    return {
        name: move._replace(edges=names[frozenset(clauses[kind])])
        if (kind := kind_of(name, move, domain)) in clauses
        else move
        for name, move in found.items()
    }


def ways(moves: dict[str, Move], domain: Domain) -> dict[str, tuple[Clause, ...]]:
    """The clauses of the relations that are no predicates of the domain."""
    found: dict[str, tuple[Clause, ...]] = {}
    for name, move in moves.items():
        if move.edges not in domain.predicate_index:
            clause = _clause(name, move, domain)
            if clause not in found.get(move.edges, ()):
                found[move.edges] = (*found.get(move.edges, ()), clause)
    return found


def roads(moves: dict[str, Move], domain: Domain) -> dict[str, Move]:
    """The moves along their edges without what changes: a street may be closed, but it is there.

    Edges of their own are called road-PREDICATE.
    """
    found, taken = dict(moves), set(domain.predicate_index)
    for edges in dict.fromkeys(m.edges for m in moves.values() if not _is_fixed(m, domain)):
        names = [name for name, move in moves.items() if move.edges == edges]
        own = f"road-{moves[names[0]].moved}"
        while own in taken:
            own += "-2"
        taken.add(own)
        for name in names:
            move = moves[name]
            fixed = tuple(c for c in move.conditions if c.atom.predicate not in domain.changing)
            action = domain.action(name)
            is_alone = len(names) == 1 and is_plain(fixed, move, action, domain)
            road = fixed[0].atom.predicate if is_alone else own
            found[name] = move._replace(edges=road, conditions=fixed)
    return found


def _is_fixed(move: Move, domain: Domain) -> bool:
    return all(c.atom.predicate not in domain.changing for c in move.conditions)


def edge_types(name: str, move: Move, domain: Domain) -> tuple[TypeNames, ...]:
    """What stands in the places of the relation of an action's move; the last two are the ends."""
    if move.edges in domain.predicate_index:
        relation = domain.predicates[domain.predicate_index[move.edges]]
        return tuple(parameter.types for parameter in relation.parameters)
    if move.types:
        return move.types
    parameters = domain.actions[domain.action_index[name]].parameters
    return tuple(parameters[i].types for i in (*move.leading, move.start, move.end))


def _clause(name: str, move: Move, domain: Domain) -> Clause:
    """The clause of a way for an action; variables of its own say whom and what it is for."""
    action, types = domain.action(name), edge_types(name, move, domain)
    given = [action.parameters[i] for i in (*move.leading, move.start, move.end)]
    own = [*(f"?by{i}" if i else "?by" for i in range(len(move.leading))), "?x", "?y"]
    names = dict(zip((parameter.name for parameter in given), own, strict=True))
    labels = [action.parameters[i] for i in move.labels]
    names |= {label.name: f"?via{i}" if i else "?via" for i, label in enumerate(labels)}
    narrower = [
        parameter
        for parameter, accepted in zip(given, types, strict=True)
        if not all(domain.is_a(one, parameter.types) for one in accepted)
        and not _is_implied(parameter, move, domain)
    ]
    of_type = {p.name: Parameter(f"{names[p.name]}-own", p.types) for p in narrower}
    return Clause(
        move.edges,
        tuple(Parameter(name, accepted) for name, accepted in zip(own, types, strict=True)),
        (
            *(Parameter(names[label.name], label.types) for label in labels),
            *of_type.values(),
        ),
        (
            *(Literal(Atom(EQUALS, (names[name], p.name))) for name, p in of_type.items()),
            *(condition.substitute(names) for condition in move.conditions),
        ),
        (),
    )


def _is_implied(parameter: Parameter, move: Move, domain: Domain) -> bool:
    """Whether a condition of a move is true only of what its parameter can be."""
    return any(
        term == parameter.name and all(domain.is_a(one, parameter.types) for one in place.types)
        for atom, positive in move.conditions
        if positive and atom.predicate in domain.predicate_index
        for term, place in zip(
            atom.terms,
            domain.predicates[domain.predicate_index[atom.predicate]].parameters,
            strict=True,
        )
    )
