"""Stratified Datalog over a problem's objects, without the kernel: what clauses derive, and why.

The clauses are a domain's axioms, a policy's definitions, or both. This evaluator is for callers
that look at few states: plan validation, explanations, and the proofs behind triangle tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.policy.derived import (
    ANYTHING,
    GRAPH_ARITIES,
    REACH,
    is_anything,
    is_graph,
    stratify_definitions,
)
from pg3.semantics.numbers import comparison_atoms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Clause, Domain, Problem

Binding = dict[str, str]


@dataclass(frozen=True, slots=True)
class Condition:
    """A literal of a rule or a clause, and whether it is about the goal instead of the state."""

    literal: Literal
    of_goal: bool

    def ground(self, binding: Mapping[str, str]) -> Condition:
        """The condition on given objects."""
        return Condition(self.literal.substitute(binding), self.of_goal)


# The ground conditions of the clause that derives an atom.
Proof = tuple[Condition, ...]


def holds(literal: Literal, atoms: Collection[Atom]) -> bool:
    """Whether a ground literal is true where exactly these atoms are."""
    atom, positive = literal
    if atom.predicate == EQUALS:
        return (atom.terms[0] == atom.terms[1]) == positive
    return (atom in atoms) == positive


def satisfied(literal: Literal, atoms: Collection[Atom], domain: Domain) -> bool:
    """The same for a literal of a policy, which may be a condition on paths or contain `_`."""
    atom, positive = literal
    if is_graph(atom, domain):
        return _on_path(atom, atoms) == positive
    if any(is_anything(term, domain) for term in atom.terms):
        return any(_fits(atom, other) for other in atoms) == positive
    return holds(literal, atoms)


def edges_along(atom: Atom, atoms: Iterable[Atom]) -> list[tuple[str, str]]:
    """The edges of the graph that a ground condition on paths is about."""
    relation, leading = atom.terms[0], atom.terms[1 : -GRAPH_ARITIES[atom.predicate]]
    return [
        (a.terms[-2], a.terms[-1])
        for a in atoms
        if a.predicate == relation and a.terms[:-2] == leading
    ]


def _on_path(atom: Atom, atoms: Iterable[Atom]) -> bool:
    """Whether a condition on paths is true: by the distance of each object to the last one."""
    distance_of = {atom.terms[-1]: 0}
    edges = edges_along(atom, atoms)
    for distance in range(1, len(edges) + 1):
        further = [
            x for x, y in edges if distance_of.get(y) == distance - 1 and x not in distance_of
        ]
        if not further:
            break
        distance_of |= dict.fromkeys(further, distance)
    if atom.predicate == REACH:
        return atom.terms[-2] in distance_of
    start, hop = atom.terms[-3:-1]
    return (start, hop) in edges and distance_of.get(hop, -2) + 1 == distance_of.get(start)


def _fits(pattern: Atom, atom: Atom) -> bool:
    """Whether an atom is the pattern with some object for each `_`."""
    return atom.predicate == pattern.predicate and all(
        term in (ANYTHING, name) for term, name in zip(pattern.terms, atom.terms, strict=True)
    )


class Program:
    """Clauses, ready to be applied to the states of one problem.

    Atoms that compare numbers follow from a state as well: those of the domain, and others that are
    given.
    """

    def __init__(
        self, clauses: Iterable[Clause], problem: Problem, comparisons: Iterable[str] = ()
    ) -> None:
        clauses = tuple(clauses)
        self._problem = problem
        self._comparisons = tuple(dict.fromkeys((*problem.domain.comparisons, *comparisons)))
        self._groups = [
            [Matcher(clause, problem) for clause in clauses if clause.name in group]
            for group in stratify_definitions(clauses, problem.domain)
        ]
        self._goal = Index(problem.goal_atoms)

    def closed(self, state: AbstractSet[Atom]) -> AbstractSet[Atom]:
        """The state with all atoms that are derived from it."""
        compared = state | set(self.compared(state)) if self._comparisons else state
        return compared | self._derive(set(compared)).keys() if self._groups else compared

    def compared(self, state: Iterable[Atom]) -> Iterator[Atom]:
        """The atoms that follow from the numbers of a state."""
        return comparison_atoms(self._comparisons, self._problem, state)

    def derive(self, state: Iterable[Atom]) -> dict[Atom, Proof]:
        """All atoms that follow from a state, each with a proof.

        A proof rests on atoms of the state and on atoms that come earlier, so proofs never go round
        in circles. It is the first in the order of the clauses, then of the clause's objects.
        """
        known = set(state)
        known |= set(self.compared(known))
        return self._derive(known)

    def _derive(self, known: set[Atom]) -> dict[Atom, Proof]:
        """The same from a state with its comparisons, which gets what follows."""
        index = Index(known)
        proofs: dict[Atom, Proof] = {}
        for group in self._groups:
            changed = True
            while changed:
                changed = False
                for matcher in group:
                    found: dict[Atom, Binding] = {}
                    for binding in matcher.matches(known, index, self._goal):
                        head = matcher.head(binding)
                        if head in known:
                            continue
                        best = found.get(head)
                        if best is None or matcher.rank(binding) < matcher.rank(best):
                            found[head] = binding
                    proofs |= {head: matcher.proof(one) for head, one in found.items()}
                    known |= found.keys()
                    index.add(found)
                    changed = changed or bool(found)
        return proofs

    def proofs(
        self, given: Iterable[Atom], possible: Collection[Atom]
    ) -> dict[Atom, tuple[Atom, ...]]:
        """All atoms that follow from given atoms, each with the positive conditions of a clause.

        These conditions are given or come earlier. An atom that has to be false must not be
        possible. Proofs are as short as can be, and the first in the order of the clauses and of
        `given`.
        """
        index = Index(given)
        found: dict[Atom, tuple[Atom, ...]] = {}
        changed = True
        while changed:
            new: dict[Atom, tuple[Atom, ...]] = {}
            for group in self._groups:
                for matcher in group:
                    for binding in matcher.matches(possible, index, self._goal):
                        head = matcher.head(binding)
                        if head not in found and head not in new:
                            new[head] = matcher.support(binding)
            changed = bool(new)
            found |= new
            index.add(new)
        return found


class Index:
    """Atoms in the order in which they were added, by predicate and by argument."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self.atoms: dict[Atom, None] = {}
        self._all: dict[str, list[Atom]] = {}
        self._at: dict[tuple[str, int, str], list[Atom]] = {}
        self.add(atoms)

    def add(self, atoms: Iterable[Atom]) -> None:
        """Take in more atoms."""
        for atom in atoms:
            self.atoms[atom] = None
            self._all.setdefault(atom.predicate, []).append(atom)
            for place, name in enumerate(atom.terms):
                self._at.setdefault((atom.predicate, place, name), []).append(atom)

    def like(self, pattern: Atom, binding: Binding, variables: Collection[str]) -> Sequence[Atom]:
        """A superset of the atoms that fit a pattern: the fewest by one of its arguments."""
        found = self._all.get(pattern.predicate, [])
        for place, term in enumerate(pattern.terms):
            name = binding.get(term) if term in variables else term
            if name is not None:
                here = self._at.get((pattern.predicate, place, name), [])
                found = here if len(here) < len(found) else found
        return found


class Matcher:
    """A clause with the objects that its variables may stand for.

    Positive conditions on predicates are joined, in their order; then objects are tried for the
    variables that none of these names. The other conditions are checked as soon as their variables
    are bound.
    """

    def __init__(self, clause: Clause, problem: Problem) -> None:
        self.clause = clause
        self.domain = problem.domain
        self.conditions = [
            *(Condition(literal, False) for literal in clause.conditions),
            *(Condition(literal, True) for literal in clause.goals),
        ]
        self._number = {o.name: i for i, o in enumerate(problem.all_objects)}
        self._objects = {
            parameter.name: [
                o.name for o in problem.all_objects if self.domain.is_a(o.type, parameter.types)
            ]
            for parameter in (*clause.parameters, *clause.variables)
        }
        self._accepted = {name: frozenset(objects) for name, objects in self._objects.items()}
        self._joined = [condition for condition in self.conditions if self._is_joined(condition)]
        bound = {term for condition in self._joined for term in condition.literal.atom.terms}
        self._free = [name for name in self._objects if name not in bound]
        # For each number of free variables that are bound: what can be checked from then on.
        self._checks: list[list[Condition]] = [[] for _ in range(len(self._free) + 1)]
        for condition in self.conditions:
            if not self._is_joined(condition):
                terms = condition.literal.atom.terms
                places = [self._free.index(term) for term in terms if term in self._free]
                self._checks[max(places, default=-1) + 1].append(condition)

    def _is_joined(self, condition: Condition) -> bool:
        atom, positive = condition.literal
        return positive and atom.predicate != EQUALS and not is_graph(atom, self.domain)

    def head(self, binding: Binding) -> Atom:
        """What the clause derives."""
        return Atom(self.clause.name, tuple([binding[p.name] for p in self.clause.parameters]))

    def rank(self, binding: Binding) -> tuple[int, ...]:
        """Of two bindings with the same head, the one of the lower rank comes first."""
        return tuple([self._number[binding[v.name]] for v in self.clause.variables])

    def proof(self, binding: Binding) -> Proof:
        """The ground conditions."""
        return tuple([condition.ground(binding) for condition in self.conditions])

    def support(self, binding: Binding) -> tuple[Atom, ...]:
        """The positive conditions on predicates."""
        return tuple([one.literal.atom.substitute(binding) for one in self._joined])

    def matches(
        self,
        known: Collection[Atom],
        index: Index,
        goal: Index,
        given: Mapping[str, str] | None = None,
    ) -> Iterator[Binding]:
        """The bindings that satisfy the clause, with the `given` objects.

        Joined conditions are about the atoms of the index, other conditions about the known atoms.
        """
        for binding in self._join(0, dict(given or {}), index, goal):
            yield from self._complete(0, binding, known, goal.atoms)

    def _join(self, place: int, binding: Binding, index: Index, goal: Index) -> Iterator[Binding]:
        """The bindings of the variables in the joined conditions from a place on."""
        if place == len(self._joined):
            yield binding
            return
        pattern = self._joined[place].literal.atom
        atoms = goal if self._joined[place].of_goal else index
        for atom in atoms.like(pattern, binding, self._accepted):
            found = self._unified(pattern, atom, binding)
            if found is not None:
                yield from self._join(place + 1, found, index, goal)

    def _unified(self, pattern: Atom, atom: Atom, binding: Binding) -> Binding | None:
        found = dict(binding)
        for term, name in zip(pattern.terms, atom.terms, strict=True):
            if term not in self._accepted:
                if term != name:
                    return None
            elif found.setdefault(term, name) != name or name not in self._accepted[term]:
                return None
        return found

    def _complete(
        self, place: int, binding: Binding, known: Collection[Atom], goal: Collection[Atom]
    ) -> Iterator[Binding]:
        """The binding with objects for the free variables from a place on."""
        for condition in self._checks[place]:
            literal = condition.literal.substitute(binding)
            if not satisfied(literal, goal if condition.of_goal else known, self.domain):
                return
        if place == len(self._free):
            yield binding
            return
        name = self._free[place]
        for candidate in [binding[name]] if name in binding else self._objects[name]:
            yield from self._complete(place + 1, {**binding, name: candidate}, known, goal)
