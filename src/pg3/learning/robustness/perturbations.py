"""Further problems, made from the training problems alone.

A few small problems do not show every case, and a policy that goes round in circles as soon as
there is more to do may pass them all. A variation is one of them with

- more objects, each the twin of another: all that is said of it and asked of it,
- another relation between objects of different kinds: who starts on which floor,
- goals for other objects of the same kind, or, with twins, for fewer of them.

What makes it look like the others is taken from these. Objects are of one *sort* if they have the
same type and the same is always said of each alone. Sorts that a static relation connects with
themselves are *places*: roads or floors are a map, which stays as it is. So does the number of
objects of a sort that is the same in all problems: if there is always one robot, there is one.
That a variation can be solved is not said; a planner or a policy has to find out.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Atom, Literal, Problem, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from pg3.pddl.model import Domain

# The part of many links that stays.
_KEPT = 0.5

# The type, and the static predicates of one place that hold.
Sort = tuple[str, ...]


def sorts_of(problem: Problem) -> dict[str, Sort]:
    """The sort of each object that is no constant."""
    said: dict[str, list[str]] = {o.name: [] for o in problem.objects}
    for predicate, terms in problem.init:
        if len(terms) == 1 and predicate not in problem.domain.fluents and terms[0] in said:
            said[terms[0]].append(predicate)
    return {name: (type_, *sorted(said[name])) for name, type_ in problem.objects}


class Variations:
    """Makes variations of problems of one domain; what they have in common is looked up once.

    `states` are further states of the problems: two facts that are never true together in any
    state are not together in a variation with more objects, as far as that can be told from pairs.
    """

    def __init__(self, problems: Sequence[Problem], states: Iterable[Iterable[Atom]] = ()) -> None:
        self._domain = problems[0].domain
        # By identity: to compare whole problems takes long.
        self._problems = problems
        self._outlines = {id(problem): _outline(problem) for problem in problems}
        outlines = self._outlines.values()
        self._places = {sort for outline in outlines for sort in outline.places}
        counts = [Counter(outline.sorts.values()) for outline in outlines]
        self._fixed = {sort for sort in set().union(*counts) if len({c[sort] for c in counts}) == 1}
        self._single = _single_places(self._domain, [*(o.init for o in outlines), *states])

    def vary(
        self,
        problem: Problem,
        generator: random.Random,
        *,
        links: bool = True,
        twins: int = 0,
        fewer: bool = False,
    ) -> Problem:
        """A variation of one of the problems, its objects listed in any order.

        The goals are for other objects; where asked for, static relations between sorts are
        others, too, each object that can have twins has so many, and if there are, fewer goals.
        """
        outline = self._outlines[id(problem)]
        if twins:
            outline = self._multiplied(outline, twins)
        init = self._with_other_links(outline, generator) if links else outline.init
        moving = {n: sort for n, sort in outline.sorts.items() if sort not in self._places}
        goal = _renamed(outline.goal, _exchanged(moving, generator))
        if fewer and outline is not self._outlines[id(problem)]:
            goal = [atom for atom in goal if generator.random() < _KEPT] or goal[:1]
        objects = list(outline.objects)
        generator.shuffle(objects)
        return Problem.of(
            problem.name,
            problem.domain,
            objects,
            init,
            [
                *(Literal(atom) for atom in goal),
                *(Literal(atom, False) for atom in problem.negative_goal),
            ],
            function_values=outline.function_values,
        )

    def _multiplied(self, outline: _Outline, copies: int) -> _Outline:
        """The same with so many twins of every object that can have one.

        None have if no goal is about one.
        """
        doubled = self._can_have_twins(outline)
        if not any(doubled.intersection(atom.terms) for atom in outline.goal):
            return outline
        names = set(outline.sorts).union(o.name for o in self._domain.constants)
        twins: list[dict[str, str]] = []
        for number in range(1, copies + 1):
            twins.append({name: _new_name(name, number, names) for name in sorted(doubled)})
            names.update(twins[-1].values())
        types = dict(outline.objects)
        return outline._replace(
            objects=[
                *outline.objects,
                *(TypedObject(new, types[old]) for twin in twins for old, new in twin.items()),
            ],
            init=[*outline.init, *(a for twin in twins for a in _of_twins(outline.init, twin))],
            goal=[*outline.goal, *(a for twin in twins for a in _of_twins(outline.goal, twin))],
            sorts=outline.sorts
            | {new: outline.sorts[old] for twin in twins for old, new in twin.items()},
            function_values={
                Atom(name, tuple(chosen)): value
                for (name, terms), value in outline.function_values.items()
                for chosen in product(
                    *([t, *(twin[t] for twin in twins if t in twin)] for t in terms)
                )
            },
        )

    def _with_other_links(self, outline: _Outline, generator: random.Random) -> list[Atom]:
        """What is true at first, with other static relations between objects of different sorts.

        Where objects can have many links some are left out: in small problems much is linked with
        all there is, which hides what to do where it is not.
        """
        exchanged = {link: _exchanged(outline.sorts, generator) for link in sorted(outline.links)}
        thinned = {link for link in exchanged if not self._single.get(link)}
        init = []
        for atom in outline.init:
            name_of = exchanged.get(atom.predicate)
            if name_of is None:
                init.append(atom)
            elif atom.predicate not in thinned or generator.random() < _KEPT:
                init.append(Atom(atom.predicate, tuple([name_of[term] for term in atom.terms])))
        return init

    def _can_have_twins(self, outline: _Outline) -> set[str]:
        """The objects that are neither places nor of a fixed number, nor alone in some role.

        An object is alone if a fact that is true of one object at a time is true of it. But with
        a twin of another object in the fact there may be two.
        """
        kept = self._places | self._fixed
        twins = {name for name, sort in outline.sorts.items() if sort not in kept}
        alone = [
            (terms[place], {*terms[:place], *terms[place + 1 :]})
            for predicate, terms in (*outline.init, *outline.goal)
            for place in self._single.get(predicate, ())
        ]
        while True:
            out = {term for term, others in alone if term in twins and not others & twins}
            if not out:
                return twins
            twins -= out


class _Outline(NamedTuple):
    """A problem taken apart.

    `places` are the sorts of which two objects are in one static fact, `links` the static
    predicates that always connect objects of different sorts.
    """

    objects: Sequence[TypedObject]
    init: Sequence[Atom]
    goal: Sequence[Atom]
    sorts: dict[str, Sort]
    places: frozenset[Sort]
    links: frozenset[str]
    function_values: dict[Atom, int]


def _outline(problem: Problem) -> _Outline:
    init, fluents, sorts = tuple(problem.init), problem.domain.fluents, sorts_of(problem)
    places: set[Sort] = set()
    links: dict[str, bool] = {}
    for predicate, terms in init:
        if len(terms) > 1 and predicate not in fluents:
            known = [sorts[term] for term in terms if term in sorts]
            places.update(sort for sort, number in Counter(known).items() if number > 1)
            apart = len(known) == len(set(known)) == len(terms)
            links[predicate] = links.get(predicate, True) and apart
    return _Outline(
        problem.objects,
        init,
        tuple(problem.goal),
        sorts,
        frozenset(places),
        frozenset(predicate for predicate, apart in links.items() if apart),
        problem.function_values,
    )


def _single_places(domain: Domain, states: Iterable[Iterable[Atom]]) -> dict[str, tuple[int, ...]]:
    """For each predicate the places where, the rest being the same, one object stands at most.

    Of what is true in none of the states nothing is known.
    """
    single = {predicate.name: set(range(predicate.arity)) for predicate in domain.predicates}
    known = set[str]()
    for state in states:
        seen: set[tuple[str, int, tuple[str, ...]]] = set()
        for predicate, terms in state:
            known.add(predicate)
            for place in tuple(single[predicate]):
                rest = (predicate, place, (*terms[:place], *terms[place + 1 :]))
                if rest in seen:
                    single[predicate].discard(place)
                seen.add(rest)
    return {name: tuple(sorted(places)) for name, places in single.items() if name in known}


def _exchanged(sorts: Mapping[str, Sort], generator: random.Random) -> dict[str, str]:
    """Names exchanged among the objects of each sort."""
    of_sort: dict[Sort, list[str]] = {}
    for name, sort in sorts.items():
        of_sort.setdefault(sort, []).append(name)
    name_of: dict[str, str] = {}
    for names in of_sort.values():
        name_of |= zip(names, generator.sample(names, len(names)), strict=True)
    return name_of


def _renamed(atoms: Iterable[Atom], name_of: Mapping[str, str]) -> list[Atom]:
    return [Atom(p, tuple([name_of.get(term, term) for term in terms])) for p, terms in atoms]


def _of_twins(atoms: Iterable[Atom], twin: Mapping[str, str]) -> list[Atom]:
    """What is said of the twins; what is said of others is said already."""
    return _renamed((atom for atom in atoms if not twin.keys().isdisjoint(atom.terms)), twin)


def _new_name(name: str, number: int, taken: set[str]) -> str:
    new = f"{name}-{number}"
    while new in taken:
        new += "-"
    return new
