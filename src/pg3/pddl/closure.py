"""What a domain's axioms say of a state, worked out from scratch: slow, and without the kernel.

For who looks at few states: the referee of plans, explanations, and who asks why something holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.strata import axiom_groups

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

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
        by_predicate: dict[str, list[Atom]] = {}
        for atom in known:
            by_predicate.setdefault(atom.predicate, []).append(atom)
        for group in self._groups:
            changed = True
            while changed:
                found = {head for one in group for head in one.heads(known, by_predicate)} - known
                changed = bool(found)
                known |= found
                for atom in found:
                    by_predicate.setdefault(atom.predicate, []).append(atom)
        return known

    def proofs(
        self, given: Iterable[Atom], possible: Collection[Atom]
    ) -> dict[Atom, tuple[Atom, ...]]:
        """What follows from given atoms, each with the positive conditions of a clause that says so.

        These are given or come earlier. What has to be false must not be among the possible atoms.
        Proofs are as short as can be, and the first in the order of the axioms and of `given`.
        """
        by_predicate: dict[str, list[Atom]] = {}
        for atom in given:
            by_predicate.setdefault(atom.predicate, []).append(atom)
        found: dict[Atom, tuple[Atom, ...]] = {}
        changed = True
        while changed:
            new: dict[Atom, tuple[Atom, ...]] = {}
            for group in self._groups:
                for one in group:
                    for head, body in one.steps(possible, by_predicate):
                        if head not in found:
                            new.setdefault(head, body)
            changed = bool(new)
            found |= new
            for atom in new:
                by_predicate.setdefault(atom.predicate, []).append(atom)
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

    def heads(self, known: set[Atom], by_predicate: Mapping[str, list[Atom]]) -> Iterator[Atom]:
        """What follows from the atoms by predicate; the other conditions are about the known."""
        names = [parameter.name for parameter in self.clause.parameters]
        for binding in self._bindings(known, by_predicate):
            yield Atom(self.clause.name, tuple(binding[name] for name in names))

    def steps(
        self, known: Collection[Atom], by_predicate: Mapping[str, list[Atom]]
    ) -> Iterator[tuple[Atom, tuple[Atom, ...]]]:
        """The same, each with the positive conditions from which it follows."""
        names = [parameter.name for parameter in self.clause.parameters]
        for binding in self._bindings(known, by_predicate):
            yield (
                Atom(self.clause.name, tuple(binding[name] for name in names)),
                tuple(Atom(p, tuple(binding.get(t, t) for t in terms)) for p, terms in self.joined),
            )

    def _bindings(
        self, known: Collection[Atom], by_predicate: Mapping[str, list[Atom]]
    ) -> Iterator[_Binding]:
        for binding in self._matches(0, {}, by_predicate):
            for full in self._completed(binding):
                if all(_holds(literal, full, known) for literal in self.checked):
                    yield full

    def _matches(
        self, place: int, binding: _Binding, by_predicate: Mapping[str, list[Atom]]
    ) -> Iterator[_Binding]:
        """The bindings of the variables in the positive conditions from a place on."""
        if place == len(self.joined):
            yield binding
            return
        pattern = self.joined[place]
        for atom in by_predicate.get(pattern.predicate, ()):
            found = self._unified(pattern, atom, binding)
            if found is not None:
                yield from self._matches(place + 1, found, by_predicate)

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
