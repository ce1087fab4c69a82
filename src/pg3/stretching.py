"""Problems with longer ways, made from the training problems.

In a small problem every place is a few steps from every other, so that a policy may know each way
by heart: "the goal is next to me", "next to what is next to me". It passes all tests of that size.
To stretch a problem is to put new places into some of its edges: all that was said of the edge is
said of its parts, and what was said of each of its ends is said of the new places.
Whoever finds ways does so here too.

Edges are what some action moves along (`operators.moves`). Where every two steps can also be done
in one, as between the floors of a lift, the relation is no map, and nothing is stretched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.operators.moves import pure_moves
from pg3.pddl.model import Atom, Literal, Problem, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Domain

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
        edges: set[_Edges] = set()
        self._free: set[str] = set()
        for name, move in pure_moves(domain).items():
            action = domain.actions[domain.action_index[name]]
            start, end = (action.parameters[i].name for i in (move.start, move.end))
            for (predicate, terms), positive in action.precondition:
                if positive and predicate not in domain.fluents and {start, end} <= set(terms):
                    edges.add(_Edges(predicate, terms.index(start), terms.index(end)))
                if positive and predicate in domain.fluents and terms == (end,):
                    self._free.add(predicate)
        by_name: dict[str, list[_Edges]] = {}
        for edge in sorted(edges):
            by_name.setdefault(edge.predicate, []).append(edge)
        self._edges = [
            edge
            for named in by_name.values()
            if any(_is_map(_pairs(problem, named)) for problem in problems)
            for edge in named
        ]

    def __bool__(self) -> bool:
        return bool(self._edges)

    def stretch(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with new places in some edges, its objects in any order."""
        types = {o.name: o.type for o in problem.objects}
        pairs = _pairs(problem, self._edges)
        ways = sorted({(min(one, two), max(one, two)) for one, two in pairs if one != two})
        ways = [(one, two) for one, two in ways if one in types and two in types]
        chosen = generator.sample(ways, min(len(ways), 1 + len(ways) // _SHARE))
        init, values = list(problem.init), dict(problem.function_values)
        places = {name for pair in pairs for name in pair}
        for start, two in chosen:
            one = start
            for _ in range(generator.randint(1, _PLACES)):
                middle = f"{one}-{two}"
                while middle in types:
                    middle += "-"
                types[middle] = types[two]
                init = self._divided(init, one, two, middle, places - {two})
                values = {
                    new: value
                    for atom, value in values.items()
                    for new in _halves(atom, one, two, middle)
                }
                places.add(middle)
                one = middle
        objects = [TypedObject(name, type_) for name, type_ in types.items()]
        generator.shuffle(objects)
        return Problem.of(
            problem.name,
            problem.domain,
            objects,
            init,
            [
                *(Literal(atom) for atom in problem.goal),
                *(Literal(atom, False) for atom in problem.negative_goal),
            ],
            function_values=values,
        )

    def _divided(
        self, atoms: Iterable[Atom], one: str, two: str, middle: str, places: set[str]
    ) -> list[Atom]:
        """What is said with a new place between two others."""
        said = dict.fromkeys(atoms)
        found = dict.fromkeys(Atom(predicate, (middle,)) for predicate in sorted(self._free))
        for atom in said:
            if atom.predicate in self._fluents:
                found[atom] = None
                continue
            found |= dict.fromkeys(_halves(atom, one, two, middle))
            alike = two in atom.terms and _with(atom, two, one) in said
            if alike and places.isdisjoint(atom.terms):
                found[_with(atom, two, middle)] = None
        return list(found)


def _halves(atom: Atom, one: str, two: str, middle: str) -> list[Atom]:
    """The atom, or both halves of what it says of an edge."""
    if one in atom.terms and two in atom.terms:
        return [_with(atom, one, middle), _with(atom, two, middle)]
    return [atom]


def _with(atom: Atom, old: str, new: str) -> Atom:
    return Atom(atom.predicate, tuple([new if term == old else term for term in atom.terms]))


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
