"""A given problem as the grower reads it: the sort of every object, static and other facts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Atom, Problem


class Source:
    """A problem to take parts from."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.domain = problem.domain
        # Opposites follow from the rest.
        opposites = {opposite for _, opposite in problem.domain.opposites}
        self.init = tuple(a for a in problem.init if a.predicate not in opposites)
        self.types = {o.name: o.type for o in problem.all_objects}
        self.constants = frozenset(o.name for o in problem.domain.constants)
        self._edges: dict[tuple[tuple[str, int, int], ...], list[tuple[str, str]]] = {}

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
    def mentioned(self) -> frozenset[str]:
        """The objects that some fact or goal is about; the others tell nothing about their sort."""
        goals = (literal.atom for literal in self.problem.goal_literals)
        return frozenset(term for atom in (*self.init, *goals) for term in atom.terms)

    @cached_property
    def about(self) -> dict[str, list[Atom]]:
        """The static facts about each object, in their order."""
        found: dict[str, list[Atom]] = {name: [] for name in self.types}
        for atom in self.static:
            for term in dict.fromkeys(atom.terms):
                found[term].append(atom)
        return found

    def edges(self, relations: Sequence[tuple[str, int, int]]) -> list[tuple[str, str]]:
        """The different objects at two places of static facts: predicate, first and second place.

        The caller must not change them: they are looked up once.
        """
        key = tuple(relations)
        if key not in self._edges:
            places: dict[str, list[tuple[int, int]]] = {}
            for predicate, start, end in key:
                places.setdefault(predicate, []).append((start, end))
            self._edges[key] = [
                (terms[start], terms[end])
                for predicate, terms in self.static
                for start, end in places.get(predicate, ())
                if terms[start] != terms[end]
            ]
        return self._edges[key]

    @cached_property
    def of_sort(self) -> dict[Sort, list[str]]:
        """The objects of each sort, in their order; no constants."""
        found: dict[Sort, list[str]] = {}
        for o in self.problem.objects:
            found.setdefault(self.sorts[o.name], []).append(o.name)
        return found
