"""Mined facts: what all given problems of a domain have in common, and a grown one must have, too.

What is mined:

- *fixed* sorts, and *fixed types*: all problems have equally many objects of them (the one robot,
  the two hands), for a type perhaps of different sorts;
- *resources* (`resources`): sorts of which a few objects serve many goals, and *possible* ones;
- *maps* (`maps`): lines, total orders, connected graphs;
- *mutex groups* (`mutex_groups`), and the sorts of whose objects exactly one atom of a group is
  true: each package is in exactly one place or in a vehicle;
- *single* places of static predicates: what the other arguments determine (each room is on one
  floor);
- *always*: what is said of every object of a sort (each box is bound for some dock);
- *once*: predicates of which every problem has exactly one fact, or exactly one goal;
- *single paths*: static predicates whose facts are one path in each problem (a marked trail);
- *complete* relations: every object of one sort with every one of another (all distances);
- *links*: static relations between objects of two sorts, each of which may have several (who can
  do what), and how frequent they are.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from pg3.learning.dependencies import dependencies
from pg3.learning.robustness.growing.mutex_groups import mutex_groups
from pg3.learning.robustness.growing.resources import find_resources, is_shown
from pg3.learning.robustness.growing.structure.maps import Shape, find_maps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.learning.dependencies import Dependencies
    from pg3.learning.robustness.growing.mutex_groups import MutexGroup
    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.growing.structure.maps import Map
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Atom

    # A predicate or function with the sorts of its arguments.
    Signature = tuple[str, tuple[Sort, ...]]

# A relation is called complete if some problem has so many objects of each sort: among two nearly
# everything is complete.
_WITNESSES = 3


class Mined:
    """What the given problems have in common; `states` are further reachable states of them."""

    def __init__(self, sources: Sequence[Source], states: Iterable[Iterable[Atom]] = ()) -> None:
        domain = sources[0].domain
        self.arity = {predicate.name: predicate.arity for predicate in domain.predicates}
        self.maps = find_maps(sources)
        self.most_neighbours = {
            map_: map_.most_neighbours(sources)
            for map_ in self.maps
            if map_.shape is Shape.CONNECTED
        }
        self.fixed = _fixed(sources, self.maps)
        self.fixed_types = _fixed_types(sources, self.fixed)
        self.single = dependencies(domain, (source.static for source in sources))
        self.possible_resources = find_resources(sources, self.maps, self.fixed, self.single)
        self.resources = frozenset(s for s in self.possible_resources if is_shown(s, sources))
        self.groups = mutex_groups(domain, [*(source.init for source in sources), *states])
        self.exact = [_exact_sorts(group, sources) for group in self.groups]
        self.fillers = [_fillers(group, sources) for group in self.groups]
        self.always = _always(sources)
        self.once = _once([source.init for source in sources], sources)
        self.once_goal = _once([tuple(source.problem.goal) for source in sources], sources)
        self.single_paths = _single_paths(self.maps, self.single, sources)
        self.complete = _complete(
            [[atom for atom in source.static if len(atom.terms) > 1] for source in sources],
            sources,
            witnesses=_WITNESSES,
        )
        self.complete_functions = _complete(
            [[a for a in source.problem.function_values if len(a.terms) > 1] for source in sources],
            sources,
            # Without a value an action has no cost: rather too many of them than too few.
            witnesses=1,
        )
        self.links = _links(sources, self.single, self.maps)
        self.parts_of: dict[str, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for number, group in enumerate(self.groups):
            for predicate, places in group.parts:
                self.parts_of[predicate].append((number, places))

    def instances(self, atom: Atom) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The mutex groups that an atom is in: their numbers and parameters."""
        for number, places in self.parts_of.get(atom.predicate, ()):
            yield number, tuple([atom.terms[place] for place in places])

    def map_of(self, sort: Sort) -> Map | None:
        """The map of a sort."""
        return next((map_ for map_ in self.maps if sort in map_.sorts), None)


def _fixed(sources: Sequence[Source], maps: Sequence[Map]) -> frozenset[Sort]:
    """The sorts with equally many objects in all problems.

    If all sorts are (there may be only one problem), only those with one object and no goal.
    """
    counts = [{sort: len(names) for sort, names in source.of_sort.items()} for source in sources]
    sorts = list(dict.fromkeys(chain.from_iterable(counts)))
    fixed = [sort for sort in sorts if len({count.get(sort, 0) for count in counts}) == 1]
    if len(fixed) == len(sorts):
        with_goals = {
            source.sorts[term]
            for source in sources
            for literal in source.problem.goal_literals
            for term in literal.atom.terms
        }
        numbers = {
            sort for map_ in maps if map_.is_line and not map_.lengthens for sort in map_.sorts
        }
        fixed = [
            sort
            for sort in sorts
            if sort in numbers or (counts[0][sort] == 1 and sort not in with_goals)
        ]
    return frozenset(fixed)


def _fixed_types(sources: Sequence[Source], fixed: frozenset[Sort]) -> frozenset[str]:
    """The types with equally many objects in all problems, unless all types are."""
    counts = [Counter(o.type for o in source.problem.objects) for source in sources]
    types = dict.fromkeys(name for count in counts for name in count)
    found = [name for name in types if len({count[name] for count in counts}) == 1]
    if len(found) == len(types):
        return frozenset()
    whole = {sort[0] for source in sources for sort in source.of_sort if sort not in fixed}
    return frozenset(name for name in found if name in whole)


def _exact_sorts(group: MutexGroup, sources: Sequence[Source]) -> frozenset[Sort]:
    """The sorts of whose objects exactly one atom of the group is true in each initial state."""
    if group.arity != 1:
        return frozenset()
    lacking: set[Sort] = set()
    seen: set[Sort] = set()
    for source in sources:
        weights = group.weights(source.init)
        for sort, names in source.of_sort.items():
            seen.add(sort)
            if any(weights[name,] != 1 for name in names if name in source.mentioned):
                lacking.add(sort)
    return frozenset(seen - lacking)


def _fillers(group: MutexGroup, sources: Sequence[Source]) -> dict[Sort, str]:
    """For each sort a predicate of the group that is true of some object of it alone.

    An object of which nothing else of the group is true may have that: a free place, say.
    """
    alone = {part.predicate for part in group.parts if part.parameters == (0,)}
    found: dict[Sort, str] = {}
    for source in sources:
        for predicate, terms in source.init if group.arity == 1 else ():
            if len(terms) == 1 and predicate in alone:
                found.setdefault(source.sorts[terms[0]], predicate)
    return found


def _always(sources: Sequence[Source]) -> dict[Sort, frozenset[tuple[str, int]]]:
    """The predicates, with a place, that each object of a sort has facts of."""
    found: dict[Sort, set[tuple[str, int]]] = {}
    for source in sources:
        about: dict[str, set[tuple[str, int]]] = {name: set() for name in source.types}
        for predicate, terms in source.init:
            for place, term in enumerate(terms):
                about[term].add((predicate, place))
        for sort, names in source.of_sort.items():
            for name in (name for name in names if name in source.mentioned):
                found[sort] = found[sort] & about[name] if sort in found else about[name]
    sorts = dict.fromkeys(sort for source in sources for sort in source.of_sort)
    return {sort: frozenset(found.get(sort, ())) for sort in sorts}


def _once(facts: Sequence[Sequence[Atom]], sources: Sequence[Source]) -> frozenset[str]:
    """The predicates with exactly one of the facts in each problem, if problems differ in size."""
    if len({len(source.types) for source in sources}) == 1:
        return frozenset()
    counts = [Counter(atom.predicate for atom in some) for some in facts]
    return frozenset(name for name in counts[0] if all(count[name] == 1 for count in counts))


def _single_paths(
    maps: Sequence[Map], single: Dependencies, sources: Sequence[Source]
) -> frozenset[str]:
    """The predicates on connected maps whose facts are one path in each problem."""
    found = set()
    for map_ in maps:
        for predicate, _, _ in map_.relations if map_.shape is Shape.CONNECTED else ():
            facts = [[a.terms for a in s.static if a.predicate == predicate] for s in sources]
            if (
                single.get(predicate) == (0, 1)
                and all(len(terms) == 2 for some in facts for terms in some)
                and all(_ends(some) <= 1 for some in facts)
            ):
                found.add(predicate)
    return frozenset(found)


def _ends(pairs: Sequence[tuple[str, ...]]) -> int:
    """How many paths the pairs make, if each object has at most one before and after it."""
    return len({start for start, _ in pairs} - {end for _, end in pairs})


def _links(
    sources: Sequence[Source], single: Dependencies, maps: Sequence[Map]
) -> dict[Signature, float]:
    """The share of pairs that are linked, for each two sorts that some static relation links."""
    of_maps = {relation.predicate for map_ in maps for relation in map_.relations}
    counts: Counter[Signature] = Counter()
    for source in sources:
        for name, terms in source.static:
            if len(terms) == 2 and name not in single and name not in of_maps:
                one, two = (source.sorts[term] for term in terms)
                if one != two and source.constants.isdisjoint(terms):
                    counts[name, (one, two)] += 1
    return {
        signature: number / sum(_choices(signature[1], source) for source in sources)
        for signature, number in sorted(counts.items())
    }


def _complete(
    atoms: Sequence[Sequence[Atom]], sources: Sequence[Source], *, witnesses: int
) -> tuple[Signature, ...]:
    """The signatures of which each problem has all facts with different objects.

    Of each sort whose number varies some problem must have so many `witnesses`.
    """
    signatures: dict[Signature, None] = {}
    counts: list[Counter[Signature]] = []
    for some, source in zip(atoms, sources, strict=True):
        count: Counter[Signature] = Counter()
        for name, terms in some:
            if len(set(terms)) == len(terms):
                count[name, tuple([source.sorts[term] for term in terms])] += 1
        counts.append(count)
        signatures |= dict.fromkeys(count)

    def is_witnessed(sort: Sort) -> bool:
        numbers = [_number(sort, source) for source in sources]
        return len(set(numbers)) == 1 or max(numbers) >= witnesses

    return tuple(
        signature
        for signature in signatures
        if all(map(is_witnessed, signature[1]))
        and all(
            count[signature] == _choices(signature[1], source)
            for count, source in zip(counts, sources, strict=True)
        )
    )


def _choices(sorts: Sequence[Sort], source: Source) -> int:
    """In how many ways different objects have these sorts."""
    return math.prod(
        math.perm(_number(sort, source), times) for sort, times in Counter(sorts).items()
    )


def _number(sort: Sort, source: Source) -> int:
    return sum(1 for other in source.sorts.values() if other == sort)
