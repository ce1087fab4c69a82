"""Grown problems with few objects of some sorts: much work, and few hands to do it.

A union of problems has many of everything. Where there are many vehicles, one of them stands where
it is needed, and a policy that cannot fetch a vehicle passes. How many of a sort there are for how
many of another, nobody knows; so some sorts are left with as many objects as a given problem has.
Only sorts without goals, whose objects no static fact ties to others: these have their place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.sources import Source

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.permutations import Sort
    from pg3.pddl.model import Atom, Problem

# The chance of a sort to be thinned: to be or not is as likely.
_THINNED = 0.5


class Thinning:
    """Leaves out objects as far as the mined facts stay true."""

    def __init__(self, sources: Sequence[Source], mined: Mined) -> None:
        self._sources = sources
        self._mined = mined
        with_goals = {
            source.sorts[term]
            for source in sources
            for literal in source.problem.goal_literals
            for term in literal.atom.terms
        }
        tied = {
            source.sorts[term]
            for source in sources
            for atom in source.static
            if len(atom.terms) > 1
            for term in atom.terms
        }
        sorts = dict.fromkeys(sort for source in sources for sort in source.of_sort)
        self._sorts: list[Sort] = [sort for sort in sorts if sort not in with_goals | tied]

    def thinned(self, problem: Problem, generator: random.Random) -> Problem:
        """The problem without some of its objects."""
        grown = Source(problem)
        facts_of: dict[str, list[Atom]] = defaultdict(list)
        said: Counter[tuple[str, str, int]] = Counter()
        for atom in grown.init:
            for place, term in enumerate(atom.terms):
                said[term, atom.predicate, place] += 1
            for term in dict.fromkeys(atom.terms):
                facts_of[term].append(atom)
        gone: set[str] = set()
        for sort in self._sorts:
            names = list(grown.of_sort.get(sort, ()))
            model = generator.choice(self._sources)
            most = max(1, len(model.of_sort.get(sort, ())))
            if generator.random() >= _THINNED:
                continue
            generator.shuffle(names)
            left = len(names)
            for name in names:
                if left <= most:
                    break
                facts = [atom for atom in facts_of[name] if gone.isdisjoint(atom.terms)]
                if self._is_needed(name, facts, said, grown):
                    continue
                gone.add(name)
                left -= 1
                for atom in facts:
                    for place, term in enumerate(atom.terms):
                        said[term, atom.predicate, place] -= 1
        if not gone:
            return problem
        return problem.replace(
            objects=[o for o in problem.objects if o.name not in gone],
            init=[atom for atom in problem.init if gone.isdisjoint(atom.terms)],
            function_values={
                atom: value
                for atom, value in problem.function_values.items()
                if gone.isdisjoint(atom.terms)
            },
        )

    def _is_needed(
        self,
        name: str,
        facts: Sequence[Atom],
        said: Counter[tuple[str, str, int]],
        grown: Source,
    ) -> bool:
        """Whether another object loses a fact that all of its sort have."""
        mined = self._mined
        for atom in facts:
            for place, term in enumerate(atom.terms):
                always = mined.always.get(grown.sorts[term], ())
                if (
                    term != name
                    and (atom.predicate, place) in always
                    and said[term, atom.predicate, place] <= 1
                ):
                    return True
            for number, instance in mined.instances(atom):
                if (
                    len(instance) == 1
                    and instance[0] != name
                    and grown.sorts[instance[0]] in mined.exact[number]
                ):
                    return True
        return False
