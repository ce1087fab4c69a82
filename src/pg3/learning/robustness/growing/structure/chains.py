"""Longer chains, where a static relation makes several: the storeys of houses, the steps of jobs.

A link is replaced by two, with a new object between them. It is a copy of one of its neighbours,
with copies of what belongs to that one alone, as the walls of a storey do: what each object of the
chain has, and nothing else of the chain shares. A fact of the copy that breaks a mined one is left
out: a house has one top storey.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.draft import Draft
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.maps import Shape, moved_along
from pg3.pddl.model import Atom, Literal, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.pddl.model import Problem

# The chance of a chain to get longer, and by how many objects at most: longer than any in training,
# and the problems stay small.
_LENGTHENED, _MOST = 0.5, 3


class Chains:
    """Lengthens chains of problems of one domain; false if the given problems have none."""

    def __init__(self, sources: Sequence[Source], mined: Mined) -> None:
        self._mined = mined
        moves = moved_along(sources[0].domain)
        self._relations = [
            relation.predicate
            for map_ in mined.maps
            if map_.shape is Shape.APART
            for relation in map_.relations
            if mined.single.get(relation.predicate) == (0, 1)
            and mined.arity[relation.predicate] == 2
            and relation.predicate not in moves
            and all(_are_chains(source, relation.predicate) for source in sources)
        ]

    def __bool__(self) -> bool:
        return bool(self._relations)

    def lengthened(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with some of its chains longer."""
        for predicate in self._relations:
            for chain in _chains(Source(problem), predicate):
                longer = generator.random() < _LENGTHENED
                for _ in range(generator.randint(1, _MOST) if longer else 0):
                    place = generator.randrange(1, len(chain))
                    problem, new = self._with_another(problem, predicate, chain, place, generator)
                    chain[place:place] = new
        return problem

    def _with_another(
        self,
        problem: Problem,
        predicate: str,
        chain: Sequence[str],
        place: int,
        generator: random.Random,
    ) -> tuple[Problem, list[str]]:
        """The problem with a new object of a chain at a place, and that one; none if it cannot be.

        It is a copy of one of its two neighbours.
        """
        source, link = Source(problem), (chain[place - 1], chain[place])
        models = [name for name in link if name not in source.constants]
        if not models:
            return problem, []
        model = generator.choice(models)
        copied = {model, *self._belongings(model, chain, source)}
        draft = Draft(self._mined, source.types)
        old = Atom(predicate, link)
        for atom in source.init:
            if atom != old:
                draft.init.add(atom)
        name_of = {name: draft.names.new(name) for name in source.types if name in copied}
        one, two = link
        facts = [Atom(predicate, (one, name_of[model])), Atom(predicate, (name_of[model], two))]
        facts += [
            atom
            for atom in _copies(source.init, name_of)
            if atom.predicate != predicate and draft.init.admits(atom)
        ]
        for atom in facts:
            draft.init.add(atom)
        sorts = {name_of[name]: source.sorts[name] for name in name_of}
        lacking, more = draft.lacking(sorts, facts, sorts)
        if lacking:
            return problem, []
        goals = list(problem.goal_literals)
        for atom in problem.goal:
            draft.goal.add(atom)
        goals += [
            Literal(atom) for atom in _copies(problem.goal, name_of) if draft.goal.admits(atom)
        ]
        longer = problem.replace(
            objects=[
                *problem.objects,
                *(TypedObject(new, source.types[name]) for name, new in name_of.items()),
            ],
            init=[*draft.init.atoms, *more],
            goal=goals,
            function_values={
                **problem.function_values,
                **{
                    atom.substitute(name_of): value
                    for atom, value in problem.function_values.items()
                    if not name_of.keys().isdisjoint(atom.terms)
                },
            },
        )
        return longer, [name_of[model]]

    def _belongings(self, model: str, chain: Sequence[str], source: Source) -> set[str]:
        """What belongs to one object of a chain, and as much to each other one."""
        owned: dict[tuple[str, int, int], dict[str, set[str]]] = {}
        for name in chain:
            for predicate, terms in source.about[name]:
                for place in self._mined.single.get(predicate, ()):
                    for other, term in enumerate(terms):
                        if terms[place] == name and other != place and term not in chain:
                            key = predicate, place, other
                            owned.setdefault(key, {}).setdefault(term, set()).add(name)
        return {
            term
            for owners in owned.values()
            if set().union(*owners.values()) == {*chain}
            for term, names in owners.items()
            if names == {model} and term not in source.constants
        }


def _copies(atoms: Iterable[Atom], name_of: Mapping[str, str]) -> Iterator[Atom]:
    """The atoms about objects that are copied, about the copies."""
    for atom in atoms:
        if not name_of.keys().isdisjoint(atom.terms):
            yield atom.substitute(name_of)


def _chains(source: Source, predicate: str) -> Iterator[list[str]]:
    """The chains that a relation makes; those in circles are left out."""
    links = (atom for atom in source.static if atom.predicate == predicate)
    after = {atom.terms[0]: atom.terms[1] for atom in links}
    for start in [name for name in after if name not in after.values()]:
        chain = [start]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        yield chain


def _are_chains(source: Source, predicate: str) -> bool:
    """Whether none of the facts of a relation is in a circle."""
    number = sum(1 for atom in source.static if atom.predicate == predicate)
    return number == sum(len(chain) - 1 for chain in _chains(source, predicate))
