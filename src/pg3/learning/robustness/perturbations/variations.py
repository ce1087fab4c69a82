"""Variations: training problems with more objects, other links between objects, or other goals.

A few small problems do not show every case. A policy that runs in circles as soon as there is more
to do may pass them all. A variation is one of them with

- twins: more objects, each with the facts and goals of another one,
- relinked facts: other static relations between objects of different sorts (who starts on which
  floor),
- other goals: goals for other objects of the same sort, and with twins perhaps fewer of them.

What the given problems have in common stays. Sorts that a static relation connects with themselves
are *places*: roads or floors are a map. If all problems have the same number of objects of a sort
(one robot), so has a variation.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.robustness.perturbations.permutations import exchanged, shuffled, sorts_of
from pg3.pddl.model import Atom, Literal, TypedObject
from pg3.pddl.numbers import is_value

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence

    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Domain, Problem

# The chance of a link, or of a goal, to stay where some go: to be there or not is as likely.
_KEPT = 0.5


class Variations:
    """Makes variations of problems of one domain; what they have in common is looked up once.

    `states` are further states of the problems. Two facts that are never true together in any state
    are not together in a variation with twins, as far as pairs of facts tell.
    """

    def __init__(self, problems: Sequence[Problem], states: Iterable[Iterable[Atom]] = ()) -> None:
        self._domain = problems[0].domain
        outlines = [_outline(problem) for problem in problems]
        # By identity: to compare problems takes as long as to make an outline.
        self._outlines = {id(p): (p, o) for p, o in zip(problems, outlines, strict=True)}
        self._places = {sort for outline in outlines for sort in outline.places}
        counts = [Counter(outline.sorts.values()) for outline in outlines]
        self._fixed = {sort for sort in set().union(*counts) if len({c[sort] for c in counts}) == 1}
        self._single = _single_places(self._domain, [*(p.init for p in problems), *states])

    def vary(
        self,
        problem: Problem,
        generator: random.Random,
        *,
        relink: bool = True,
        twins: int = 0,
        fewer_goals: bool = False,
    ) -> Problem:
        """A variation of a problem with other goals and its objects in another order.

        With `relink` it has other static relations, too. Each object that can have twins has so
        many; `fewer_goals` drops goals of a problem that got twins.
        """
        varied = self._with_twins(problem, copies=twins) if twins else problem
        has_twins = varied is not problem
        outline = self._outline(varied)
        if relink:
            varied = _relinked(varied, outline, self._single, generator)
        varied = self._with_other_goals(varied, outline.sorts, generator)
        if fewer_goals and has_twins:
            varied = self._with_fewer_goals(varied, generator)
        return shuffled(varied, generator)

    def _with_twins(self, problem: Problem, *, copies: int) -> Problem:
        """The problem with so many twins of every object that can have one.

        The problem itself if no goal is about an object that can.
        """
        doubled = self._can_have_twins(problem)
        if not any(doubled.intersection(atom.terms) for atom in problem.goal):
            return problem
        types = dict(problem.objects)
        names = {o.name for o in problem.all_objects}
        twins: list[dict[str, str]] = []
        for number in range(1, copies + 1):
            twins.append({name: _new_name(name, number, names) for name in sorted(doubled)})
            names.update(twins[-1].values())

        def with_copies(atoms: Sequence[Atom]) -> list[Atom]:
            copied = [
                atom.substitute(twin)
                for twin in twins
                for atom in atoms
                if not twin.keys().isdisjoint(atom.terms)
            ]
            return [*atoms, *copied]

        return problem.replace(
            objects=[
                *problem.objects,
                *(TypedObject(new, types[old]) for twin in twins for old, new in twin.items()),
            ],
            init=with_copies(problem.init),
            goal=_with_goal(problem, with_copies(problem.goal)),
            function_values={
                Atom(name, tuple(chosen)): value
                for (name, terms), value in problem.function_values.items()
                for chosen in product(
                    *([t, *(twin[t] for twin in twins if t in twin)] for t in terms)
                )
            },
        )

    def _with_other_goals(
        self, problem: Problem, sorts: Mapping[str, Sort], generator: random.Random
    ) -> Problem:
        """The problem with its goals exchanged among objects of one sort, places excepted."""
        moving = {name: sort for name, sort in sorts.items() if sort not in self._places}
        name_of = exchanged(moving, generator)
        goal = [atom.substitute(name_of) for atom in problem.goal]
        return problem.replace(goal=_with_goal(problem, goal))

    def _with_fewer_goals(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem without some of its goals: where everything has a goal, no policy asks."""
        goal = [atom for atom in problem.goal if generator.random() < _KEPT] or problem.goal[:1]
        return problem.replace(goal=_with_goal(problem, goal))

    def _outline(self, problem: Problem) -> _Outline:
        known = self._outlines.get(id(problem))
        return _outline(problem) if known is None else known[1]

    def _can_have_twins(self, problem: Problem) -> set[str]:
        """The objects that are neither places nor of a fixed number, nor alone in some role.

        An object is alone if a fact that is true of one object at a time is true of it. With a twin
        of another object of that fact there may be two.
        """
        fixed = self._places | self._fixed
        sorts = self._outline(problem).sorts
        twins = {name for name, sort in sorts.items() if sort not in fixed}
        alone = [
            (terms[place], {*terms[:place], *terms[place + 1 :]})
            for predicate, terms in (*problem.init, *problem.goal)
            for place in self._single.get(predicate, ())
        ]
        while True:
            out = {term for term, others in alone if term in twins and not others & twins}
            if not out:
                return twins
            twins -= out


class _Outline(NamedTuple):
    """The sorts of a problem's objects, and how static relations connect these.

    `places` are the sorts of which two objects are in one static fact, or could be by their
    declared types: a road leads from place to place. `links` are the static predicates that always
    connect objects of different sorts.
    """

    sorts: Mapping[str, Sort]
    places: frozenset[Sort]
    links: frozenset[str]


def _outline(problem: Problem) -> _Outline:
    fluents, sorts = problem.domain.fluents, sorts_of(problem)
    roads = _roads(problem.domain)
    places: set[Sort] = set()
    links: dict[str, bool] = {}
    for predicate, terms in problem.init:
        if len(terms) > 1 and predicate not in fluents:
            known = [sorts[term] for term in terms if term in sorts]
            if len(set(known)) < len(known):
                places.update(sort for sort, number in Counter(known).items() if number > 1)
            for one, other in roads.get(predicate, ()):
                places.update(sorts[t] for t in (terms[one], terms[other]) if t in sorts)
            apart = len(known) == len(set(known)) == len(terms) and predicate not in roads
            links[predicate] = links.get(predicate, True) and apart
    return _Outline(
        sorts,
        frozenset(places),
        frozenset(predicate for predicate, apart in links.items() if apart),
    )


def _roads(domain: Domain) -> dict[str, list[tuple[int, int]]]:
    """The predicates with two places that are declared for the same objects, and these."""
    found: dict[str, list[tuple[int, int]]] = {}
    for predicate in domain.predicates:
        for one, other in combinations(range(predicate.arity), 2):
            if predicate.parameters[one].types == predicate.parameters[other].types:
                found.setdefault(predicate.name, []).append((one, other))
    return found


def _relinked(
    problem: Problem,
    outline: _Outline,
    single: Mapping[str, tuple[int, ...]],
    generator: random.Random,
) -> Problem:
    """The problem with other static relations between objects of different sorts.

    Where objects can have many links some are left out. In small problems everything is linked with
    everything, which hides what to do where it is not.
    """
    name_of = {link: exchanged(outline.sorts, generator) for link in sorted(outline.links)}
    if not name_of:
        return problem
    thinned = {link for link in name_of if not single.get(link)}
    init = []
    for atom in problem.init:
        if atom.predicate not in name_of:
            init.append(atom)
        elif atom.predicate not in thinned or generator.random() < _KEPT:
            init.append(atom.substitute(name_of[atom.predicate]))
    return problem.replace(init=init)


def _single_places(domain: Domain, states: Iterable[Iterable[Atom]]) -> dict[str, tuple[int, ...]]:
    """For each predicate the argument places that the other arguments determine in every state.

    Predicates that are true in none of the states are left out.
    """
    single = {predicate.name: set(range(predicate.arity)) for predicate in domain.predicates}
    known = set[str]()
    for state in states:
        seen: set[tuple[str, int, tuple[str, ...]]] = set()
        for predicate, terms in state:
            if is_value(predicate):
                continue
            known.add(predicate)
            for place in tuple(single[predicate]):
                rest = (predicate, place, (*terms[:place], *terms[place + 1 :]))
                if rest in seen:
                    single[predicate].discard(place)
                seen.add(rest)
    return {name: tuple(sorted(places)) for name, places in single.items() if name in known}


def _with_goal(problem: Problem, goal: Iterable[Atom]) -> list[Literal]:
    """Other atoms to be true; the negative goals stay."""
    return [
        *(Literal(atom) for atom in goal),
        *(literal for literal in problem.goal_literals if not literal.positive),
    ]


def _new_name(name: str, number: int, taken: set[str]) -> str:
    new = f"{name}-{number}"
    while new in taken:
        new += "-"
    return new
