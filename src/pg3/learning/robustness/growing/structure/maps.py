"""Maps: sorts of objects that static relations connect with themselves, and how they may grow.

Places joined by roads are a map; so are floors, the one above the other, and numbers, each with its
successor. A map that is a *line* in every given problem is one in a grown problem; so is a total
*order*. Objects move along the lines of places, which get longer, and so do lines on which each
thing has a place of its own. Lines of numbers do not: they are as long as in the
problem that is grown. Any other map that is *connected* in every given problem stays so.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import static_relations
from pg3.learning.operators.ways import pure_moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Domain

    Edges = list[tuple[str, str]]


class Relation(NamedTuple):
    """A static predicate with two places for objects of one map."""

    predicate: str
    start: int
    end: int


class Shape(StrEnum):
    """What a map is in all given problems."""

    LINE = "line"
    ORDER = "order"
    CONNECTED = "connected"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Map:
    """Sorts of objects with the static relations between them.

    `along` is the relation of a line or an order. `lengthens`: it is one of places, not of numbers.
    `two_way`: from each object one comes to each other one. `joined` are the predicates whose facts
    alone connect all objects that they mention, in each problem: roads, and paths beside them.
    `is_shared_out`: each thing that goals are about has an object of the line for itself.
    `has_first`, `has_last`: something is only ever said of the first or the last object of a line.
    `labels` are the places of predicates where each object is on one edge only, as a road is.
    """

    sorts: frozenset[Sort]
    relations: tuple[Relation, ...]
    shape: Shape
    along: Relation | None = None
    lengthens: bool = False
    two_way: bool = False
    joined: tuple[str, ...] = ()
    is_shared_out: bool = False
    has_first: bool = False
    has_last: bool = False
    labels: frozenset[tuple[str, int]] = frozenset()

    @property
    def is_line(self) -> bool:
        """Whether its objects are lined up."""
        return self.along is not None

    def vertices(self, source: Source) -> list[str]:
        """Its objects in a problem, constants included."""
        return [name for name, sort in source.sorts.items() if sort in self.sorts]

    def edges(self, source: Source, predicate: str | None = None) -> Edges:
        """The pairs of its objects that are related, by this predicate if one is given."""
        chosen = [r for r in self.relations if predicate in (None, r.predicate)]
        return source.edges(chosen)

    def most_neighbours(self, sources: Iterable[Source]) -> dict[Sort, int]:
        """How many neighbours an object has at most, by its sort: rooms are off one corridor."""
        most: dict[Sort, int] = {}
        for source in sources:
            neighbours = defaultdict(set)
            for one, two in self.edges(source):
                neighbours[one].add(two)
                neighbours[two].add(one)
            for name, others in neighbours.items():
                sort = source.sorts[name]
                most[sort] = max(most.get(sort, 0), len(others))
        return most

    def line(self, source: Source) -> list[str]:
        """Its objects in their order; empty if they are not lined up."""
        assert self.along is not None
        vertices, edges = self.vertices(source), source.edges([self.along])
        found = _line(vertices, edges) if self.shape is Shape.LINE else _order(vertices, edges)
        return found or []


def find_maps(sources: Sequence[Source]) -> tuple[Map, ...]:
    """The maps of the given problems."""
    domain = sources[0].domain
    relations = _relations(sources)
    moved = moved_along(domain)
    at = _sorts_at(sources)
    maps = []
    for members in _families(relations, at):
        sorts = frozenset(
            sort for r in members for place in r[1:] for sort in at[r.predicate, place]
        )
        family = Map(sorts, tuple(members), Shape.APART)
        if not any(family.edges(source) for source in sources):
            continue
        maps.append(_shaped(family, sources, moved, domain))
    return tuple(maps)


def _sorts_at(sources: Iterable[Source]) -> dict[tuple[str, int], set[Sort]]:
    """The sorts of the objects at each place of each static predicate."""
    found: dict[tuple[str, int], set[Sort]] = defaultdict(set)
    for source in sources:
        for predicate, terms in source.static:
            for place, term in enumerate(terms):
                found[predicate, place].add(source.sorts[term])
    return found


def _relations(sources: Sequence[Source]) -> list[Relation]:
    at = _sorts_at(sources)
    return [
        Relation(predicate.name, start, end)
        for predicate in sources[0].domain.predicates
        for start, end in combinations(range(predicate.arity), 2)
        if at.get((predicate.name, start), set()) & at.get((predicate.name, end), set())
    ]


def _families(
    relations: Iterable[Relation], at: dict[tuple[str, int], set[Sort]]
) -> list[list[Relation]]:
    """The relations grouped so that no sort is in two groups."""
    families: list[tuple[set[Sort], list[Relation]]] = []
    for relation in relations:
        sorts = at[relation.predicate, relation.start] | at[relation.predicate, relation.end]
        members = [relation]
        apart = []
        for others, group in families:
            if others & sorts:
                sorts |= others
                members = group + members
            else:
                apart.append((others, group))
        families = [*apart, (sorts, members)]
    return [members for _, members in families]


def moved_along(domain: Domain) -> set[str]:
    """The static predicates that an action moves something along and does nothing else."""
    found = set()
    for name, move in pure_moves(domain).items():
        action = domain.action(name)
        start, end = (action.parameters[i].name for i in (move.start, move.end))
        found |= {atom.predicate for atom in static_relations(action, start, end, domain)}
    return found


def _shaped(family: Map, sources: Sequence[Source], moved: set[str], domain: Domain) -> Map:
    """The map with its shape in all problems that have it."""
    having = [source for source in sources if family.vertices(source)]
    types = {
        source.types[name]
        for source in having
        for name in family.vertices(source)
        if name not in source.constants
    }
    if len(types) == 1 and all(_arity(r, domain) == 2 for r in family.relations):
        in_goals = {
            source.sorts[term]
            for source in having
            for atom in source.problem.goal
            for term in atom.terms
        }
        lengthens = bool(in_goals & family.sorts) or any(
            r.predicate in moved for r in family.relations
        )
        is_shared_out = not lengthens and _has_one_each(family, having, in_goals)
        for relation in family.relations:
            for shape, lined_up in ((Shape.LINE, _line), (Shape.ORDER, _order)):
                lines = [lined_up(family.vertices(s), s.edges([relation])) for s in having]
                if all(
                    line is not None and (shape is Shape.ORDER or _is_along(line, family.edges(s)))
                    for line, s in zip(lines, having, strict=True)
                ) and any(len(line or ()) > 1 for line in lines):
                    found = replace(
                        family,
                        shape=shape,
                        along=relation,
                        lengthens=lengthens or is_shared_out,
                        is_shared_out=is_shared_out,
                    )
                    first, last = _special_ends(found, having)
                    return replace(found, has_first=first, has_last=last)
    # Objects without edges are no part of the map; and one edge alone is always connected.
    if not all(_is_connected(family.edges(s)) for s in having) or not any(
        len({frozenset(edge) for edge in family.edges(s)}) > 1 for s in having
    ):
        return family
    two_way = all(_is_two_way(family.edges(s)) for s in having)
    joined = tuple(
        predicate
        for predicate in dict.fromkeys(relation.predicate for relation in family.relations)
        if all(_is_connected(family.edges(s, predicate)) for s in having)
    )
    return Map(
        family.sorts,
        family.relations,
        Shape.CONNECTED,
        two_way=two_way,
        joined=joined,
        labels=_labels(family, having),
    )


def _labels(family: Map, sources: Iterable[Source]) -> frozenset[tuple[str, int]]:
    """The places, besides the ends of edges, of objects that are on one edge only."""
    edges: dict[tuple[str, int], dict[tuple[int, str], set[frozenset[str]]]] = {}
    for number, source in enumerate(sources):
        for predicate, start, end in family.relations:
            for name, terms in source.static:
                for place, term in enumerate(terms) if name == predicate else ():
                    if place not in (start, end) and source.sorts[term] not in family.sorts:
                        ends = frozenset((terms[start], terms[end]))
                        seen = edges.setdefault((name, place), {})
                        seen.setdefault((number, term), set()).add(ends)
    return frozenset(
        place
        for place, seen in edges.items()
        if len(seen) > 1 and all(len(ends) == 1 for ends in seen.values())
    )


def _has_one_each(family: Map, sources: Iterable[Source], wanted: set[Sort]) -> bool:
    """Whether each wanted object has an object of the map for itself, by some static fact.

    Where there are more of the former, there are more of the latter.
    """
    shared: dict[tuple[str, int], bool] = {}
    for source in sources:
        of_map = set(family.vertices(source))
        seen: dict[tuple[str, int], set[str]] = defaultdict(set)
        for predicate, terms in source.static:
            for i, term in enumerate(terms) if len(terms) == 2 else ():
                other = terms[1 - i]
                if term in of_map and other not in of_map and source.sorts[other] in wanted:
                    key = predicate, i
                    shared[key] = shared.get(key, False) or term in seen[key]
                    seen[key].add(term)
    return not all(shared.values())


def _special_ends(map_: Map, sources: Iterable[Source]) -> tuple[bool, bool]:
    """Whether something is said only of the first object of a line, and only of the last."""
    said: dict[tuple[bool, str, int], set[int]] = defaultdict(set)
    for source in sources:
        line = map_.line(source)
        # Each end is one place, and all that is between is another.
        place_of = {name: min(i, 1) for i, name in enumerate(line[:-1])} | {line[-1]: 2}
        for is_goal, atoms in ((False, source.init), (True, source.problem.goal)):
            for predicate, terms in atoms if len(line) > 1 else ():
                if not all(term in place_of for term in terms):
                    for i, term in enumerate(terms):
                        if term in place_of:
                            said[is_goal, predicate, i].add(place_of[term])
    return {0} in said.values(), {2} in said.values()


def _is_connected(edges: Edges) -> bool:
    """Whether the edges connect all their ends."""
    ends = list(dict.fromkeys(end for edge in edges for end in edge))
    return _components(ends, edges) <= 1


def _arity(relation: Relation, domain: Domain) -> int:
    return domain.predicates[domain.predicate_index[relation.predicate]].arity


def _line(vertices: Sequence[str], edges: Edges) -> list[str] | None:
    """The vertices from the first to the last, if each edge goes from one to the next."""
    after = dict(edges)
    if len(after) != len(edges) or len(edges) != len(vertices) - 1:
        return None
    starts = set(vertices).difference(after.values())
    if len(starts) != 1:
        return None
    line = [starts.pop()]
    while line[-1] in after:
        line.append(after[line[-1]])
    return line if len(line) == len(vertices) else None


def _order(vertices: Sequence[str], edges: Edges) -> list[str] | None:
    """The vertices from the first to the last, if an edge goes from each to all after it."""
    number = len(vertices)
    later = dict.fromkeys(vertices, 0)
    for start, _ in set(edges):
        later[start] += 1
    line = sorted(vertices, key=lambda name: -later[name])
    place = {name: i for i, name in enumerate(line)}
    if any(later[name] != number - 1 - i for i, name in enumerate(line)):
        return None
    return line if all(place[start] < place[end] for start, end in edges) else None


def _is_along(line: Sequence[str], edges: Edges) -> bool:
    """Whether all edges are between neighbours."""
    neighbours = {frozenset(pair) for pair in pairwise(line)}
    return all(frozenset(edge) in neighbours for edge in edges)


def _components(vertices: Sequence[str], edges: Edges) -> int:
    root = {name: name for name in vertices}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    number = len(vertices)
    for start, end in edges:
        one, two = find(start), find(end)
        if one != two:
            root[one] = two
            number -= 1
    return number


def _is_two_way(edges: Edges) -> bool:
    """Whether one comes from the first vertex to all others, and back from all."""
    vertices = list(dict.fromkeys(end for edge in edges for end in edge))
    if not vertices:
        return True
    forwards, backwards = defaultdict(list), defaultdict(list)
    for start, end in edges:
        forwards[start].append(end)
        backwards[end].append(start)
    for after in (forwards, backwards):
        reached = {vertices[0]}
        pending = [vertices[0]]
        while pending:
            for name in after[pending.pop()]:
                if name not in reached:
                    reached.add(name)
                    pending.append(name)
        if len(reached) < len(vertices):
            return False
    return True
