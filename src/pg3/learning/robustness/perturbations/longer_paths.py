"""Longer paths: problems with subdivided edges, made from the training problems.

In a small problem every place is a few steps from every other. A policy may know each path by
heart ("the goal is next to me", "next to what is next to me") and pass all tests of that size. To
subdivide an edge is to put new places into it. The static facts about the edge then hold for its
parts, and so do its gates, if they are closed; the static facts that its two ends share hold for
the new places. If the edge has a label, a door or a road that is an object, each part has one. A
policy that finds paths does so here, too.

Edges are the static relations that actions move along (`operators.moves`). They stay as they are if
other actions have conditions on them: whoever paints the tile next to him needs it next to him. Not
so if what these do is to open or close gates.
They also stay if every two steps can be done in one, as between the floors of a lift: that is no
map.
"""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import static_relations
from pg3.learning.operators.ways import pure_moves
from pg3.pddl.model import Atom, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.pddl.model import Problem

    # The subdivided edges, in both directions, each with its places from the one end to the other.
    Chains = Mapping[tuple[str, str], Sequence[str]]

    # The labels of parts, by their ends, in place of the labels of their edges.
    Labels = Mapping[frozenset[str], Mapping[str, str]]

# At least one edge and about 1 in 3 get new places, each at most 3: paths get longer than any in
# training, and the problems stay small.
_SHARE = 3
_PLACES = 3


class _Edges(NamedTuple):
    """A static predicate with the places of the two ends of an edge among its terms."""

    predicate: str
    start: int
    end: int


class LongerPaths:
    """Subdivides edges of problems of one domain; false if the given problems have no maps."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        domain = problems[0].domain
        self._fluents = domain.fluents
        moves = pure_moves(domain)
        self._gates = {
            condition.atom.predicate
            for move in moves.values()
            for condition in move.conditions
            if condition.atom.predicate in domain.fluents and len({*condition.atom.terms}) > 1
        }
        # Those of labels are like them.
        of_labels = {
            condition.atom.predicate
            for name, move in moves.items()
            for condition in move.conditions
            if condition.atom.predicate in domain.fluents
            and {*condition.atom.terms}
            <= {domain.action(name).parameters[i].name for i in move.labels}
        }
        elsewhere = {
            condition.atom.predicate
            for action in domain.actions
            if action.name not in moves
            and (self._gates | of_labels).isdisjoint(
                effect.atom.predicate for effect in action.possible_effects
            )
            for condition in action.precondition
        }
        elsewhere |= {c.atom.predicate for clause in domain.axioms for c in clause.conditions}
        edges: dict[str, set[_Edges]] = {}
        self._labels: set[tuple[str, int]] = set()
        # The predicates that say of a place that something can move there.
        self._free: set[str] = set()
        used_elsewhere = set()
        for name, move in moves.items():
            action = domain.actions[domain.action_index[name]]
            start, end = (action.parameters[i].name for i in (move.start, move.end))
            for predicate, terms in static_relations(action, start, end, domain):
                if predicate not in domain.fluents:
                    edge = _Edges(predicate, terms.index(start), terms.index(end))
                    edges.setdefault(move.moved, set()).add(edge)
                    names = {action.parameters[i].name for i in move.labels}
                    self._labels |= {(predicate, i) for i, t in enumerate(terms) if t in names}
                    if predicate in elsewhere:
                        used_elsewhere.add(move.moved)
            self._free |= {
                predicate
                for (predicate, terms), positive in move.conditions
                if positive and predicate in domain.fluents and terms == (end,)
            }
        self._edges = [
            edge
            for moved, along in sorted(edges.items())
            if moved not in used_elsewhere
            and any(_is_map(_pairs(problem, along)) for problem in problems)
            for edge in sorted(along)
        ]
        # The types of places that edges lead from and to: of such there may be more.
        self._between = {
            types[one]
            for problem in problems
            for types in (dict(problem.objects),)
            for one, two in _pairs(problem, self._edges)
            if one in types and types[one] == types.get(two)
        }

    def __bool__(self) -> bool:
        return bool(self._edges)

    def subdivided(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with new places in some edges, its objects in another order."""
        types = {o.name: o.type for o in problem.objects}
        pairs = _pairs(problem, self._edges)
        taken = {o.name for o in problem.all_objects}
        # The type of new places is that of one end.
        kinds = {
            (min(pair), max(pair)): types[name]
            for pair in sorted(pairs)
            for name in pair
            if types.get(name) in self._between
        }
        edges = sorted(kinds)
        chains: dict[tuple[str, str], list[str]] = {}
        for one, two in generator.sample(edges, min(len(edges), 1 + len(edges) // _SHARE)):
            new = []
            for number in range(generator.randint(1, _PLACES)):
                name = _new_name(f"{one}-{two}-{number}", taken)
                types[name] = kinds[one, two]
                new.append(name)
            chains[one, two] = [one, *new, two]
            chains[two, one] = [two, *reversed(new), one]
        places = {name for pair in pairs for name in pair}
        labels = self._new_labels(problem.init, chains, types, taken)
        objects = [TypedObject(name, type_) for name, type_ in types.items()]
        generator.shuffle(objects)
        return problem.replace(
            objects=objects,
            init=[
                *self._divided(problem.init, chains, labels),
                *self._about_new_places(problem.init, chains, places),
                *_about_labels(problem.init, labels, places),
            ],
            function_values={
                part: value
                for atom, value in problem.function_values.items()
                for part in (*_parts(atom, chains, labels), *_values_of_new(atom, chains, places))
            },
        )

    def _new_labels(
        self, init: Iterable[Atom], chains: Chains, types: dict[str, str], taken: set[str]
    ) -> dict[frozenset[str], dict[str, str]]:
        """The labels of all parts but the first of each subdivided edge; their types are added."""
        found: dict[frozenset[str], dict[str, str]] = {}
        for predicate, terms in init:
            for one, two in permutations(dict.fromkeys(terms), 2):
                if one > two or (one, two) not in chains:
                    continue
                old = [
                    t for i, t in enumerate(terms) if (predicate, i) in self._labels and t in types
                ]
                for part in list(pairwise(chains[one, two]))[1:]:
                    known = found.setdefault(frozenset(part), {})
                    for label in old:
                        if label not in known:
                            known[label] = _new_name(f"{label}-{part[0]}", taken)
                            types[known[label]] = types[label]
        return found

    def _divided(self, init: Iterable[Atom], chains: Chains, labels: Labels) -> Iterator[Atom]:
        """The initial facts; static ones about an edge hold for its parts instead."""
        for atom in init:
            if atom.predicate in self._fluents - self._gates:
                yield atom
            else:
                yield from _parts(atom, chains, labels)

    def _about_new_places(
        self, init: Iterable[Atom], chains: Chains, places: set[str]
    ) -> Iterator[Atom]:
        """Facts about the new places: the static ones that both ends share; that they are free."""
        static = dict.fromkeys(atom for atom in init if atom.predicate not in self._fluents)
        about: dict[str, list[Atom]] = {}
        for atom in static:
            mentioned = places.intersection(atom.terms)
            if len(mentioned) == 1:
                about.setdefault(mentioned.pop(), []).append(atom)
        for (one, two), (_, *new, _) in chains.items():
            if one < two:
                shared = [a for a in about.get(two, ()) if a.substitute({two: one}) in static]
                for name in new:
                    yield from (atom.substitute({two: name}) for atom in shared)
                    yield from (Atom(predicate, (name,)) for predicate in sorted(self._free))


def _values_of_new(atom: Atom, chains: Chains, places: set[str]) -> list[Atom]:
    """A function of one place, as a function of the new places before it."""
    mentioned = places.intersection(atom.terms)
    if len(mentioned) != 1:
        return []
    (place,) = mentioned
    return [
        atom.substitute({place: name})
        for (one, two), (_, *new, _) in chains.items()
        if one < two == place
        for name in new
    ]


def _parts(atom: Atom, chains: Chains, labels: Labels) -> list[Atom]:
    """The atom itself; one about a subdivided edge becomes one about each of its parts."""
    for one, two in permutations(dict.fromkeys(atom.terms), 2):
        if (one, two) in chains:
            return [
                atom.substitute({one: x, two: y, **labels.get(frozenset((x, y)), {})})
                for x, y in pairwise(chains[one, two])
            ]
    return [atom]


def _about_labels(init: Iterable[Atom], labels: Labels, places: set[str]) -> Iterator[Atom]:
    """What is said of labels, apart from places, of the new labels."""
    of_old: dict[str, list[str]] = {}
    for names in labels.values():
        for old, new in names.items():
            of_old.setdefault(old, []).append(new)
    for atom in init:
        if places.isdisjoint(atom.terms):
            for old in dict.fromkeys(atom.terms):
                yield from (atom.substitute({old: new}) for new in of_old.get(old, ()))


def _new_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "-"
    taken.add(name)
    return name


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
