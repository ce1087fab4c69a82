"""Grown problems that begin otherwise: what is chance in an initial state is drawn anew.

A few small problems show few combinations: the one weighed parcel stands at a depot, the lift waits
where the nurse is, nearly all rovers are equipped for everything. As far as given problems tell, it
is chance

- *where* a thing is: the argument of a fact that the others determine, as in `(in ?nurse ?room)`,
- *which*, and how many, objects of a sort have a *mark*: a fact that actions change and that no
  mutex group ties to others, as in `(weighed ?parcel)`, and which pairs of a static relation have
  one: `(blocked ?a ?b)` where there is a `(street ?a ?b)`,
- *how frequent* the sorts of a type are, which marks make that never change: `(equipped ?rover)`.

What is drawn anew keeps the mined facts true.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.sources import Source
from pg3.pddl.model import Atom

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Problem

    # A mutex group with its parameters.
    Instance = tuple[int, tuple[str, ...]]

# The chance of each predicate, and of each type, to be drawn anew: to be or not is as likely.
_REDRAWN = 0.5


PAIR = 2


def _partly_marked(mark: str, sources: Sequence[Source]) -> set[Sort]:
    """The sorts of which some objects have a mark and some have not."""
    having: dict[bool, set[Sort]] = {True: set(), False: set()}
    for source in sources:
        marked = {atom.terms[0] for atom in source.init if atom.predicate == mark}
        for name, sort in source.sorts.items():
            having[name in marked].add(sort)
    return having[True] & having[False]


def _relation_below(mark: str, sources: Sequence[Source]) -> str | None:
    """The static relation that holds wherever a mark does, in all problems, if there is one."""
    domain = sources[0].domain
    for predicate in domain.predicates:
        if predicate.arity != PAIR or predicate.name in domain.changing:
            continue
        pairs = [
            {a.terms for a in source.init if a.predicate == mark}
            - {a.terms for a in source.init if a.predicate == predicate.name}
            for source in sources
        ]
        if not any(pairs) and any(a.predicate == mark for source in sources for a in source.init):
            return predicate.name
    return None


class Redrawing:
    """Draws anew what is chance; the problems it is mined from are given once.

    Facts of `tied` predicates stay: goals depend on them.
    """

    def __init__(self, sources: Sequence[Source], mined: Mined, tied: frozenset[str]) -> None:
        domain = sources[0].domain
        self._mined = mined
        fluents = domain.fluents - domain.derived
        # The sorts of which some objects have a mark and some have not.
        self._marks = {
            predicate.name: _partly_marked(predicate.name, sources)
            for predicate in domain.predicates
            if predicate.arity == 1
            and predicate.name in fluents
            and predicate.name not in mined.parts_of
            and predicate.name not in mined.once
        }
        self._marked_pairs = {
            predicate.name: relation
            for predicate in domain.predicates
            if predicate.arity == PAIR
            and predicate.name in fluents
            and predicate.name not in mined.parts_of
            and predicate.name not in tied
            and (relation := _relation_below(predicate.name, sources)) is not None
        }
        # For each place that is determined by the others, the sorts that stand there beside which.
        self._seen: dict[tuple[str, int], dict[tuple[Sort, ...], set[Sort]]] = {}
        for predicate in domain.predicates:
            for place in range(predicate.arity):
                rest = tuple(i for i in range(predicate.arity) if i != place)
                groups = mined.parts_of.get(predicate.name, ())
                if predicate.name not in tied and any(places == rest for _, places in groups):
                    self._seen[predicate.name, place] = defaultdict(set)
        for source in sources:
            for atom in source.init:
                sorts = [source.sorts[term] for term in atom.terms]
                for place, sort in enumerate(sorts):
                    seen = self._seen.get((atom.predicate, place))
                    if seen is not None:
                        seen[(*sorts[:place], *sorts[place + 1 :])].add(sort)
        self._sorts: dict[str, list[Sort]] = {}
        for sort in dict.fromkeys(sort for source in sources for sort in source.of_sort):
            if sort not in mined.fixed and mined.map_of(sort) is None:
                self._sorts.setdefault(sort[0], []).append(sort)

    def redrawn(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem with another initial state."""
        grown = Source(problem)
        init = self._with_other_sorts(list(grown.init), grown, generator)
        init = self._with_other_marks(init, grown, generator)
        init = self._with_other_marked_pairs(init, generator)
        init = self._with_other_places(init, grown, generator)
        return problem.replace(init=init)

    def _with_other_sorts(
        self, init: list[Atom], grown: Source, generator: random.Random
    ) -> list[Atom]:
        said: dict[str, set[tuple[str, int]]] = defaultdict(set)
        for predicate, terms in init:
            for place, term in enumerate(terms):
                said[term].add((predicate, place))
        gone: set[Atom] = set()
        new: list[Atom] = []
        for type_, sorts in self._sorts.items():
            if len(sorts) < 2 or generator.random() >= _REDRAWN:
                continue
            for name in [o.name for o in grown.problem.objects if o.type == type_]:
                sort, other = grown.sorts[name], generator.choice(sorts)
                marks = {(mark, 0) for mark in other[1:]}
                if sort in sorts and self._mined.always[other] <= said[name] | marks:
                    gone |= {Atom(mark, (name,)) for mark in sort[1:]}
                    new += [Atom(mark, (name,)) for mark in other[1:]]
        return [*(atom for atom in init if atom not in gone), *new]

    def _with_other_marks(
        self, init: list[Atom], grown: Source, generator: random.Random
    ) -> list[Atom]:
        for mark, sorts in self._marks.items():
            if generator.random() >= _REDRAWN:
                continue
            share = generator.random()
            names = [name for name, sort in grown.sorts.items() if sort in sorts]
            marked = {name for name in names if generator.random() < share}
            known = set(names)
            init = [atom for atom in init if atom.predicate != mark or atom.terms[0] not in known]
            init += [Atom(mark, (name,)) for name in names if name in marked]
        return init

    def _with_other_marked_pairs(self, init: list[Atom], generator: random.Random) -> list[Atom]:
        for mark, relation in self._marked_pairs.items():
            if generator.random() >= _REDRAWN:
                continue
            share = generator.random()
            there = dict.fromkeys(atom.terms for atom in init if atom.predicate == relation)
            marked = {atom.terms for atom in init if atom.predicate == mark}
            # A street is blocked in both directions or in one, as before.
            both_ways = any(pair[::-1] in marked for pair in marked)
            new: dict[tuple[str, ...], None] = {}
            for pair in there:
                if generator.random() < share and pair not in new:
                    new[pair] = None
                    if both_ways and pair[::-1] in there:
                        new[pair[::-1]] = None
            init = [atom for atom in init if atom.predicate != mark]
            init += [Atom(mark, pair) for pair in new]
        return init

    def _with_other_places(
        self, init: list[Atom], grown: Source, generator: random.Random
    ) -> list[Atom]:
        chosen = [key for key in self._seen if generator.random() < _REDRAWN]
        of_sort: dict[Sort, list[str]] = {}
        for name, sort in grown.sorts.items():
            of_sort.setdefault(sort, []).append(name)
        taken = {instance for atom in init for instance in self._mined.instances(atom)}
        drawn = []
        for atom in init:
            for predicate, place in chosen:
                if predicate != atom.predicate:
                    continue
                others = self._others(atom, place, grown, of_sort)
                if not others:
                    continue
                new = Atom(
                    predicate,
                    (*atom.terms[:place], generator.choice(others), *atom.terms[place + 1 :]),
                )
                left, met = set(self._instances(atom)), set(self._instances(new))
                if not self._are_needed(left - met, grown) and not taken & (met - left):
                    taken = (taken - left) | met
                    atom = new  # noqa: PLW2901
            drawn.append(atom)
        return drawn

    def _others(
        self, atom: Atom, place: int, grown: Source, of_sort: dict[Sort, list[str]]
    ) -> list[str]:
        """What may stand at a place of an atom, as given problems have it."""
        rest = tuple([grown.sorts[t] for i, t in enumerate(atom.terms) if i != place])
        # Things on things of their sort make stacks: what is drawn anew could hang in the air.
        sorts = sorted(self._seen[atom.predicate, place].get(rest, set()) - set(rest))
        return [name for sort in sorts for name in of_sort.get(sort, ())]

    def _instances(self, atom: Atom) -> Iterator[Instance]:
        return self._mined.instances(atom)

    def _are_needed(self, instances: set[Instance], grown: Source) -> bool:
        """Whether some object must have an atom of one of these groups."""
        return any(
            len(names) == 1 and grown.sorts[names[0]] in self._mined.exact[number]
            for number, names in instances
        )
