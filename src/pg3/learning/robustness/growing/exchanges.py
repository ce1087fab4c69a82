"""Exchanges goals between the parts of a grown problem.

In a union of problems what each part wants is in that part. So the objects at one place of the
goals of a predicate are exchanged, as far as what facts say of all such goals in the given problems
stays true: a bag goes to the plane that it is booked for, a letter to any address, and a part is
fitted where it is worn at first.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pg3.learning.robustness.growing.mutex_groups import MutexGroup
    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Atom

    # A goal's predicate with the sorts of its two objects.
    Kind = tuple[str, Sort, Sort]
    # How facts relate two objects: directly, or, if they are static, both to a third one.
    Link = tuple[str, ...]

# An object with more static facts is related to nearly everything.
_MOST_NEIGHBOURS = 50


class Links:
    """The facts about some objects of a problem, to look up how two are related."""

    def __init__(
        self, init: Iterable[Atom], fluents: Collection[str], objects: Collection[str]
    ) -> None:
        self._about: dict[str, list[tuple[str, int, int, str]]] = {name: [] for name in objects}
        self._at_first: dict[tuple[str, ...], set[Link]] = defaultdict(set)
        for predicate, terms in init if objects else ():
            if len(terms) < 2 or self._about.keys().isdisjoint(terms):
                continue
            if predicate in fluents:
                self._at_first[terms].add((predicate,))
                continue
            for i, j in combinations(range(len(terms)), 2):
                for one, two in ((i, j), (j, i)):
                    about = self._about.get(terms[one])
                    if about is not None and len(about) < _MOST_NEIGHBOURS:
                        about.append((predicate, one, two, terms[two]))

    def between(self, one: str, two: str) -> set[Link]:
        """How two objects are related."""
        links = set(self._at_first.get((one, two), ()))
        reached = defaultdict(list)
        for predicate, i, j, other in self._about[one]:
            if other == two:
                links.add((predicate, str(i), str(j)))
            reached[other].append((predicate, str(i), str(j)))
        for predicate, i, j, other in self._about[two]:
            for link in reached.get(other, ()):
                links.add((*link, predicate, str(i), str(j)))
        return links


class Exchanges:
    """The kinds of goals whose objects may be exchanged, and the links that all such goals have."""

    def __init__(self, sources: Sequence[Source], groups: Iterable[MutexGroup]) -> None:
        # Where something is one of many, it can be any: a letter is in one place at a time. Who
        # wants a picture wants it in a mode that some camera has.
        one_of_many = {
            part.predicate for group in groups for part in group.parts if part.parameters == (0,)
        }
        self._fluents = sources[0].domain.fluents
        self.arity = {predicate.name: predicate.arity for predicate in sources[0].domain.predicates}
        # The links that all goals of a kind have.
        self.links_of: dict[Kind, set[Link]] = {}
        links_of = self.links_of
        for source in sources:
            goal = [atom for atom in source.problem.goal if len(atom.terms) == 2]
            objects = {term for atom in goal for term in atom.terms}
            links = Links(source.init, self._fluents, objects)
            for atom in goal:
                kind = _kind(atom, source.sorts)
                found = links.between(*atom.terms)
                links_of[kind] = links_of[kind] & found if kind in links_of else found
        # The predicates of facts that are true at first of the objects of all goals of a kind.
        self.true_at_first = frozenset(
            link[0] for links in links_of.values() for link in links if len(link) == 1
        )
        self._links = {kind: links for kind, links in links_of.items() if kind[0] in one_of_many}

    def links(self, init: Iterable[Atom], objects: Collection[str]) -> Links:
        """How the facts of a problem relate these objects to others."""
        return Links(init, self._fluents, objects)

    def exchanged(
        self,
        goal: Sequence[Atom],
        init: Iterable[Atom],
        sorts: Mapping[str, Sort],
        generator: random.Random,
    ) -> list[Atom]:
        """The goals with the second objects of some exchanged."""
        result = list(goal)
        taken = set(result)
        of_kind: dict[Kind, list[int]] = {}
        for place, atom in enumerate(goal):
            if len(atom.terms) == 2 and all(term in sorts for term in atom.terms):
                kind = _kind(atom, sorts)
                # Goals within one sort may be an order, such as that of a tower.
                if kind in self._links and kind[1] != kind[2]:
                    of_kind.setdefault(kind, []).append(place)
        objects = {t for places in of_kind.values() for i in places for t in goal[i].terms}
        links = Links(init, self._fluents, objects)
        for kind, places in of_kind.items():
            wanted = self._links[kind]
            for place in places:
                other = generator.choice(places)
                (_, (x, y)), (_, (v, w)) = result[place], result[other]
                new = [result[place]._replace(terms=(x, w)), result[other]._replace(terms=(v, y))]
                if taken.isdisjoint(new) and all(
                    wanted <= links.between(*atom.terms) for atom in new
                ):
                    taken.difference_update((result[place], result[other]))
                    taken.update(new)
                    result[place], result[other] = new
        return result


def _kind(atom: Atom, sorts: Mapping[str, Sort]) -> Kind:
    one, two = atom.terms
    return atom.predicate, sorts[one], sorts[two]
