"""What a domain's axioms say of a state, worked out from scratch: slow, and without the kernel.

For who looks at few states: the referee of plans, explanations, and who asks why something holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.strata import axiom_groups

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pg3.pddl.model import Clause, Problem

_Binding = dict[str, str]


class Axioms:
    """The axioms of a problem's domain, ready to be applied to its states."""

    def __init__(self, problem: Problem) -> None:
        domain = problem.domain
        self._groups = [
            [_Derivation(clause, problem) for clause in domain.axioms if clause.name in group]
            for group in axiom_groups(domain.axioms)
        ]

    def closed(self, state: Iterable[Atom]) -> set[Atom]:
        """The atoms of a state with all that are derived from them, group by group."""
        known = set(state)
        index = _Index(known)
        for group in self._groups:
            changed = True
            while changed:
                found = {head for one in group for head, _ in one.steps(known, index)} - known
                changed = bool(found)
                known |= found
                index.add(found)
        return known

    def proofs(
        self, given: Iterable[Atom], possible: Collection[Atom]
    ) -> dict[Atom, tuple[Atom, ...]]:
        """What follows from given atoms, with the positive conditions of a clause that says so.

        These are given or come earlier. What has to be false must not be among the possible atoms.
        Proofs are as short as can be, and the first in the order of the axioms and of `given`.
        """
        index = _Index(given)
        found: dict[Atom, tuple[Atom, ...]] = {}
        changed = True
        while changed:
            new: dict[Atom, tuple[Atom, ...]] = {}
            for group in self._groups:
                for one in group:
                    for head, body in one.steps(possible, index):
                        if head not in found:
                            new.setdefault(head, body)
            changed = bool(new)
            found |= new
            index.add(new)
        return found


class _Index:
    """Atoms in the order in which they came, by predicate and by what stands at each place."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self._all: dict[str, list[Atom]] = {}
        self._at: dict[tuple[str, int, str], list[Atom]] = {}
        self.add(atoms)

    def add(self, atoms: Iterable[Atom]) -> None:
        for atom in atoms:
            self._all.setdefault(atom.predicate, []).append(atom)
            for place, name in enumerate(atom.terms):
                self._at.setdefault((atom.predicate, place, name), []).append(atom)

    def like(self, pattern: Atom, binding: _Binding, variables: Collection[str]) -> Sequence[Atom]:
        """All atoms that fit a pattern, and perhaps others: the fewest for one of its places."""
        found = self._all.get(pattern.predicate, [])
        for place, term in enumerate(pattern.terms):
            name = binding.get(term) if term in variables else term
            if name is not None:
                here = self._at.get((pattern.predicate, place, name), [])
                found = here if len(here) < len(found) else found
        return found


class _Derivation:
    """A clause with the objects that its variables may stand for."""

    def __init__(self, clause: Clause, problem: Problem) -> None:
        self.clause = clause
        domain = problem.domain
        self.objects = {
            parameter.name: [
                o.name for o in problem.all_objects if domain.is_a(o.type, parameter.types)
            ]
            for parameter in (*clause.parameters, *clause.variables)
        }
        self.accepted = {name: frozenset(objects) for name, objects in self.objects.items()}
        self.joined = [
            atom for atom, positive in clause.conditions if positive and atom.predicate != EQUALS
        ]
        self.checked = [
            literal
            for literal in clause.conditions
            if not literal.positive or literal.atom.predicate == EQUALS
        ]

    def steps(
        self, known: Collection[Atom], index: _Index
    ) -> Iterator[tuple[Atom, tuple[Atom, ...]]]:
        """What follows from the atoms of an index, with the positive conditions that say so.

        The other conditions are about the known atoms.
        """
        names = [parameter.name for parameter in self.clause.parameters]
        for binding in self._matches(0, {}, index):
            for full in self._completed(binding):
                if all(_holds(literal, full, known) for literal in self.checked):
                    yield (
                        Atom(self.clause.name, tuple([full[name] for name in names])),
                        tuple(
                            Atom(predicate, tuple([full.get(t, t) for t in terms]))
                            for predicate, terms in self.joined
                        ),
                    )

    def _matches(self, place: int, binding: _Binding, index: _Index) -> Iterator[_Binding]:
        """The bindings of the variables in the positive conditions from a place on."""
        if place == len(self.joined):
            yield binding
            return
        pattern = self.joined[place]
        for atom in index.like(pattern, binding, self.accepted):
            found = self._unified(pattern, atom, binding)
            if found is not None:
                yield from self._matches(place + 1, found, index)

    def _unified(self, pattern: Atom, atom: Atom, binding: _Binding) -> _Binding | None:
        found = dict(binding)
        for term, name in zip(pattern.terms, atom.terms, strict=True):
            if term not in self.accepted:
                if term != name:
                    return None
            elif found.setdefault(term, name) != name or name not in self.accepted[term]:
                return None
        return found

    def _completed(self, binding: _Binding) -> Iterator[_Binding]:
        """Any objects for the variables that no positive condition names."""
        missing = next((name for name in self.objects if name not in binding), None)
        if missing is None:
            yield binding
            return
        for name in self.objects[missing]:
            yield from self._completed({**binding, missing: name})


def _holds(literal: Literal, binding: _Binding, known: Collection[Atom]) -> bool:
    predicate, terms = literal.atom
    ground = tuple(binding.get(term, term) for term in terms)
    true = ground[0] == ground[1] if predicate == EQUALS else Atom(predicate, ground) in known
    return true == literal.positive
