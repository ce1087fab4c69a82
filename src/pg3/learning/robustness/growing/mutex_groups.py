"""Mutex groups: sets of atoms of which at most one is true in every reachable state.

A lifted group has parameters and parts, one for each of its predicates. `{(at ?b *), (held ?b)}`
with the parameter `?b` says: each ball is in at most one place or held, and not both. One place of
a part may be *counted* (`*`): any object may stand there.

The synthesis is that of Helmert (2009, "Concise finite-domain representations for PDDL planning
tasks", section 5). A candidate is refuted by an action that makes an atom of it true and no other
one false; another part, which the action makes false, may balance that. What it finds holds in all
reachable states, as the given initial states do not violate it.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.pddl.model import Action, Atom, Domain

# The most candidates that are looked at. Fifteen actions make some hundred; a limit is there as the
# number of refinements can be exponential.
_CANDIDATES = 1000

_VARIABLE = "?"


class Part(NamedTuple):
    """The atoms of one predicate in a group: the places of the group's parameters in them."""

    predicate: str
    parameters: tuple[int, ...]


class MutexGroup(NamedTuple):
    """At most one atom that these parts cover is true for each choice of the parameters."""

    parts: tuple[Part, ...]

    @property
    def arity(self) -> int:
        """The number of parameters."""
        return len(self.parts[0].parameters)

    def instance(self, atom: Atom) -> tuple[str, ...] | None:
        """The parameters for which the group covers an atom; None if it does not."""
        for predicate, places in self.parts:
            if predicate == atom.predicate:
                return tuple([atom.terms[place] for place in places])
        return None

    def weights(self, atoms: Iterable[Atom]) -> Counter[tuple[str, ...]]:
        """How many of the atoms are covered, for each choice of the parameters."""
        return Counter(found for atom in atoms if (found := self.instance(atom)) is not None)


def mutex_groups(domain: Domain, states: Iterable[Iterable[Atom]]) -> tuple[MutexGroup, ...]:
    """The groups of a domain that none of the states violates, in a fixed order."""
    fluents = domain.fluents - domain.derived
    known = [[atom for atom in state if atom.predicate in fluents] for state in states]
    candidates = [
        MutexGroup(
            (Part(predicate.name, tuple(p for p in range(predicate.arity) if p != counted)),)
        )
        for predicate in domain.predicates
        if predicate.name in fluents
        for counted in range(-1, predicate.arity)
    ]
    seen = set(candidates)
    found = []
    for candidate in candidates:  # grows
        if any(weight > 1 for state in known for weight in candidate.weights(state).values()):
            continue
        balanced = True
        for action in domain.actions:
            refinements = _refinements(candidate, action, domain)
            if refinements is not None:
                balanced = False
                new = [other for other in refinements if other not in seen]
                if len(seen) < _CANDIDATES:
                    seen.update(new)
                    candidates += new
                break
        if balanced and _says_something(candidate, domain):
            found.append(candidate)
    return tuple(found)


def _says_something(group: MutexGroup, domain: Domain) -> bool:
    """Whether there are several atoms, of which actions make some true.

    Where none is ever made true, that few are true is a matter of the initial states.
    """
    predicate = domain.predicates[domain.predicate_index[group.parts[0].predicate]]
    several = len(group.parts) > 1 or group.arity < predicate.arity
    return several and any(
        positive and group.instance(atom) is not None
        for action in domain.actions
        for atom, positive in action.possible_effects
    )


def _refinements(group: MutexGroup, action: Action, domain: Domain) -> list[MutexGroup] | None:
    """None if the action keeps the group; else larger groups that it may keep.

    One with conditional effects that add to the group is not looked at any closer.
    """
    if any(
        positive and group.instance(atom) is not None
        for effect in action.conditional
        for atom, positive in effect.effects
    ):
        return []
    needed = {atom for atom, positive in action.precondition if positive}
    deleted = [atom for atom, positive in action.effects if not positive and atom in needed]
    added = [
        (atom, instance)
        for atom, positive in action.effects
        if positive
        and (instance := group.instance(atom)) is not None
        and (atom not in needed or atom in deleted)
    ]
    for (atom, one), (other, two) in combinations(added, 2):
        if _may_be_equal(one, two, action, domain):
            same = dict(zip(one, two, strict=True))
            if atom.substitute(same) == other.substitute(same):
                # If they are, the two are one atom.
                continue
            # If they are, the action needs two atoms of the group: that cannot be.
            both = tuple([same.get(term, term) for term in one])
            if group.weights({atom.substitute(same) for atom in needed})[both] < 2:
                return []
    for atom, instance in added:
        if not any(other != atom and group.instance(other) == instance for other in deleted):
            predicates = {part.predicate for part in group.parts}
            return [
                MutexGroup(tuple(sorted((*group.parts, part))))
                for other in deleted
                if other.predicate not in predicates
                for part in _parts(other, instance)
            ]
    return None


def _parts(atom: Atom, instance: Sequence[str]) -> Iterator[Part]:
    """The parts that cover an atom for the given parameters and count at most one place."""
    if not len(instance) <= len(atom.terms) <= len(instance) + 1:
        return
    places = [[i for i, term in enumerate(atom.terms) if term == wanted] for wanted in instance]
    for chosen in product(*places):
        if len(set(chosen)) == len(chosen):
            yield Part(atom.predicate, chosen)


def _may_be_equal(one: Sequence[str], two: Sequence[str], action: Action, domain: Domain) -> bool:
    """Whether the terms of an action can stand for the same objects."""
    types = {parameter.name: parameter.types for parameter in action.parameters}
    different = {
        frozenset(atom.terms)
        for atom, positive in action.precondition
        if atom.predicate == EQUALS and not positive
    }

    def may_be(x: str, y: str) -> bool:
        if x == y:
            return True
        if frozenset((x, y)) in different:
            return False
        if not (x.startswith(_VARIABLE) or y.startswith(_VARIABLE)):
            return False
        if not (x.startswith(_VARIABLE) and y.startswith(_VARIABLE)):
            return True
        return any(
            domain.is_a(subtype, types[y]) for name in types[x] for subtype in domain.subtypes[name]
        )

    return all(may_be(x, y) for x, y in zip(one, two, strict=True))
