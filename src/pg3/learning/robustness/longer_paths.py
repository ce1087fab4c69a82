"""Problems with longer ways, made from the training problems.

In a small problem every place is a few steps from every other, so that a policy may know each way
by heart: "the goal is next to me", "next to what is next to me". It passes all tests of that size.
To stretch a problem is to put new places into some of its edges: all that was said of the edge is
said of its parts, and what was said of each of its ends is said of the new places.
Whoever finds ways does so here too.

Edges are what actions move along (`operators.moves`). Where other actions ask for them too, they
are more than ways: who paints the tile next to him needs it to be next to him. Where every two
steps can also be done in one, as between the floors of a lift, they are no map. In both cases
nothing is stretched.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import pure_moves
from pg3.pddl.model import Atom, Literal, Problem, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.pddl.model import Domain

    # The edges that get new places, each with the places from the one end to the other.
    Chains = Mapping[tuple[str, str], Sequence[str]]

# One edge in so many gets new places, at least one edge, and as many as this at most.
_SHARE = 3
_PLACES = 3


class _Edges(NamedTuple):
    """A static predicate with the places of the two ends of an edge among its terms."""

    predicate: str
    start: int
    end: int


class Stretching:
    """Stretches problems of one domain, if the given ones have maps: false if they have none."""

    def __init__(self, domain: Domain, problems: Sequence[Problem]) -> None:
        self._fluents = domain.fluents
        moves = pure_moves(domain)
        elsewhere = {
            condition.atom.predicate
            for action in domain.actions
            if action.name not in moves
            for condition in action.precondition
        }
        elsewhere |= {c.atom.predicate for clause in domain.axioms for c in clause.conditions}
        edges: dict[str, set[_Edges]] = {}
        self._free: set[str] = set()
        spoilt = set()
        for name, move in moves.items():
            action = domain.actions[domain.action_index[name]]
            start, end = (action.parameters[i].name for i in (move.start, move.end))
            for (predicate, terms), positive in action.precondition:
                if positive and predicate not in domain.fluents and {start, end} <= set(terms):
                    edge = _Edges(predicate, terms.index(start), terms.index(end))
                    edges.setdefault(move.moved, set()).add(edge)
                    if predicate in elsewhere:
                        spoilt.add(move.moved)
                if positive and predicate in domain.fluents and terms == (end,):
                    self._free.add(predicate)
        self._edges = [
            edge
            for moved, along in sorted(edges.items())
            if moved not in spoilt and any(_is_map(_pairs(problem, along)) for problem in problems)
            for edge in sorted(along)
        ]

    def __bool__(self) -> bool:
        return bool(self._edges)

    def stretch(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with new places in some edges, its objects in any order."""
        types = {o.name: o.type for o in problem.objects}
        pairs = _pairs(problem, self._edges)
        taken = {o.name for o in problem.all_objects}
        # Constants are named in the domain, and between places of two types there is none of one.
        edges = sorted(
            {
                (min(pair), max(pair))
                for pair in pairs
                if len({*pair} & types.keys()) == 2 and len({types[name] for name in pair}) == 1
            }
        )
        chains: dict[tuple[str, str], list[str]] = {}
        for one, two in generator.sample(edges, min(len(edges), 1 + len(edges) // _SHARE)):
            new = []
            for number in range(generator.randint(1, _PLACES)):
                name = f"{one}-{two}-{number}"
                while name in taken:
                    name += "-"
                taken.add(name)
                types[name] = types[two]
                new.append(name)
            chains[one, two] = [one, *new, two]
            chains[two, one] = [two, *reversed(new), one]
        objects = [TypedObject(name, type_) for name, type_ in types.items()]
        generator.shuffle(objects)
        places = {name for pair in pairs for name in pair}
        return Problem.of(
            problem.name,
            problem.domain,
            objects,
            [*self._divided(problem.init, chains), *self._said(problem.init, chains, places)],
            [
                *(Literal(atom) for atom in problem.goal),
                *(Literal(atom, False) for atom in problem.negative_goal),
            ],
            function_values={
                part: value
                for atom, value in problem.function_values.items()
                for part in (*_parts(atom, chains), *_of_new(atom, chains, places))
            },
        )

    def _divided(self, init: Iterable[Atom], chains: Chains) -> Iterator[Atom]:
        """What is true at first, said of the parts of edges where it was said of edges."""
        for atom in init:
            if atom.predicate in self._fluents:
                yield atom
            else:
                yield from _parts(atom, chains)

    def _said(self, init: Iterable[Atom], chains: Chains, places: set[str]) -> Iterator[Atom]:
        """What is said of the new places: all that is said of both ends, and that they are free."""
        static = dict.fromkeys(atom for atom in init if atom.predicate not in self._fluents)
        about: dict[str, list[Atom]] = {}
        for atom in static:
            mentioned = places.intersection(atom.terms)
            if len(mentioned) == 1:
                about.setdefault(mentioned.pop(), []).append(atom)
        for (one, two), (_, *new, _) in chains.items():
            if one < two:
                alike = [a for a in about.get(two, ()) if _with(a, {two: one}) in static]
                for name in new:
                    yield from (_with(atom, {two: name}) for atom in alike)
                    yield from (Atom(predicate, (name,)) for predicate in sorted(self._free))


def _of_new(atom: Atom, chains: Chains, places: set[str]) -> list[Atom]:
    """What is said of one place, said of the new places before it."""
    mentioned = places.intersection(atom.terms)
    if len(mentioned) != 1:
        return []
    (place,) = mentioned
    return [
        _with(atom, {place: name})
        for (one, two), (_, *new, _) in chains.items()
        if one < two == place
        for name in new
    ]


def _parts(atom: Atom, chains: Chains) -> list[Atom]:
    """The atom, or what it says of an edge said of the edge's parts."""
    for one, two in permutations(dict.fromkeys(atom.terms), 2):
        if (one, two) in chains:
            return [_with(atom, {one: x, two: y}) for x, y in pairwise(chains[one, two])]
    return [atom]


def _with(atom: Atom, name_of: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([name_of.get(term, term) for term in atom.terms]))


def _pairs(problem: Problem, edges: Iterable[_Edges]) -> set[tuple[str, str]]:
    """The ends of a problem's edges."""
    return {
        (terms[edge.start], terms[edge.end])
        for predicate, terms in problem.init
        for edge in edges
        if edge.predicate == predicate
    }


def _is_map(pairs: set[tuple[str, str]]) -> bool:
    """Whether some place is two steps away and not one."""
    after: dict[str, set[str]] = {}
    for one, two in pairs:
        after.setdefault(one, set()).add(two)
    return any(
        not after.get(hop, set()) <= near | {start} for start, near in after.items() for hop in near
    )
