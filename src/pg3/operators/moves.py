"""Actions that do nothing but move something one step along an edge.

An action is a *pure move* if all that it does is to take away an atom and to add the same one with
another object in one place, and if a static relation holds between the two. Where no two can be in
one place, it may also take what says so of the one and give it to the other: the place that is left
is free, the place that is entered was.

Mostly the edges are just the static relation. Where places must be free, or where several actions
go in different directions, they are a relation of its own, defined by a clause for each action: one
can go from x to y if the relation holds and y is free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.pddl.model import Action, Domain, TypeNames
    from pg3.plans import GroundAction


class Move(NamedTuple):
    """A pure move.

    `moved` is the predicate whose atom goes from one end to the other, at its place `place`.
    `start` and `end` are the ends' places among the action's parameters, `conditions` what of the
    action's precondition makes the edge, over the names of its parameters. `edges` is the relation.
    """

    edges: str
    start: int
    end: int
    moved: str
    place: int
    conditions: tuple[Literal, ...]

    def edge(self, action: Action, done: GroundAction) -> set[Literal]:
        """What had to be true of the ends for the move."""
        binding = {p.name: o for p, o in zip(action.parameters, done.objects, strict=True)}
        return {
            Literal(Atom(atom.predicate, tuple([binding.get(t, t) for t in atom.terms])), positive)
            for atom, positive in self.conditions
        }


def pure_moves(domain: Domain) -> dict[str, Move]:
    """The pure moves by the names of their actions; edges of their own are called way-PREDICATE."""
    found = {
        action.name: move
        for action in domain.actions
        if (move := _pure_move(action, domain)) is not None
    }
    bound = {(move.moved, move.place) for move in found.values() if not move.edges}

    def way(move: Move) -> str:
        name = f"way-{move.moved}"
        while name in domain.predicate_index:
            name += "-2"
        return name

    return {
        name: move._replace(edges=way(move)) if (move.moved, move.place) in bound else move
        for name, move in found.items()
    }


def ways(moves: dict[str, Move], domain: Domain) -> dict[str, tuple[Clause, ...]]:
    """The clauses of the relations that are no predicates of the domain."""
    found: dict[str, tuple[Clause, ...]] = {}
    for name, move in moves.items():
        if move.edges not in domain.predicate_index:
            action = domain.actions[domain.action_index[name]]
            clause = _clause(move, action, edge_types(move, domain))
            if clause not in found.get(move.edges, ()):
                found[move.edges] = (*found.get(move.edges, ()), clause)
    return found


def edge_types(move: Move, domain: Domain) -> tuple[TypeNames, TypeNames]:
    """What the ends of a move's edges are."""
    if move.edges in domain.predicate_index:
        one, other = domain.predicates[domain.predicate_index[move.edges]].parameters
        return one.types, other.types
    predicate = domain.predicates[domain.predicate_index[move.moved]]
    types = predicate.parameters[move.place].types
    return types, types


def _clause(move: Move, action: Action, types: tuple[TypeNames, TypeNames]) -> Clause:
    names = {action.parameters[move.start].name: "?x", action.parameters[move.end].name: "?y"}
    return Clause(
        move.edges,
        (Parameter("?x", types[0]), Parameter("?y", types[1])),
        (),
        tuple(
            Literal(Atom(atom.predicate, tuple(names.get(t, t) for t in atom.terms)), positive)
            for atom, positive in move.conditions
        ),
        (),
    )


def _pure_move(action: Action, domain: Domain) -> Move | None:
    """The move with its relation, or "" for a relation of its own."""
    names = [parameter.name for parameter in action.parameters]
    for moved, place, (start, end), rest in _shifts(action):
        if start not in names or end not in names:
            continue
        edges = [
            literal
            for literal in action.precondition
            if literal.positive
            and literal.atom.predicate in domain.predicate_index
            and literal.atom.predicate not in domain.changing
            and literal.atom.terms in ((start, end), (end, start))
        ]
        if not edges:
            continue
        ends = names.index(start), names.index(end)
        forward = [edge for edge in edges if edge.atom.terms == (start, end)]
        if not rest and forward:
            return Move(forward[0].atom.predicate, *ends, moved, place, (forward[0],))
        if not rest or _is_swap(rest, start, end):
            free = [c for c in action.precondition if c.atom.terms == (end,)]
            return Move("", *ends, moved, place, (*edges, *free))
    return None


def _shifts(
    action: Action,
) -> Iterator[tuple[str, int, tuple[str, str], tuple[Literal, ...]]]:
    """Which predicates an action gives another object in one place, and its other effects."""
    for come in action.effects:
        for gone in action.effects:
            if gone.positive or not come.positive or gone.atom.predicate != come.atom.predicate:
                continue
            pairs = list(zip(gone.atom.terms, come.atom.terms, strict=True))
            places = [i for i, (one, other) in enumerate(pairs) if one != other]
            if len(places) == 1:
                rest = tuple(e for e in action.effects if e not in (gone, come))
                yield come.atom.predicate, places[0], pairs[places[0]], rest


def _is_swap(rest: tuple[Literal, ...], start: str, end: str) -> bool:
    """Whether effects take something from the end and give it to the start."""
    predicates = {effect.atom.predicate for effect in rest}
    return len(predicates) == 1 and {(e.atom.terms, e.positive) for e in rest} == {
        ((start,), True),
        ((end,), False),
    }
