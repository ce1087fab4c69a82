"""A given problem as the grower reads it: the sort of every object, static and other facts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pg3.learning.robustness.permutations import Sort
    from pg3.pddl.model import Atom, Problem


class Source:
    """A problem to take parts from."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.domain = problem.domain
        self.init = tuple(problem.init)
        self.types = {o.name: o.type for o in problem.all_objects}
        self.constants = frozenset(o.name for o in problem.domain.constants)

    @cached_property
    def sorts(self) -> dict[str, Sort]:
        """The sort of each object and each constant: its type and its static unary predicates."""
        satisfied: dict[str, list[str]] = {name: [] for name in self.types}
        for predicate, terms in self.static:
            if len(terms) == 1:
                satisfied[terms[0]].append(predicate)
        return {name: (self.types[name], *sorted(set(found))) for name, found in satisfied.items()}

    @cached_property
    def static(self) -> tuple[Atom, ...]:
        """The facts that no action changes."""
        fluents = self.domain.fluents
        return tuple(atom for atom in self.init if atom.predicate not in fluents)

    @cached_property
    def of_sort(self) -> dict[Sort, list[str]]:
        """The objects of each sort, in their order; no constants."""
        found: dict[Sort, list[str]] = {}
        for o in self.problem.objects:
            found.setdefault(self.sorts[o.name], []).append(o.name)
        return found
