"""Candidates for invariants about what is linked along relations that actions change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import (
    Term,
    conjunction,
    disjunction,
    exists,
    forall,
    negate,
    state,
)
from pg3.analysis.prove.logic.invariants import Invariant
from pg3.analysis.prove.logic.links import linked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.prove.logic.structures import Structure
    from pg3.analysis.prove.logic.theory import Path, Theory


def link_invariants(theory: Theory, states: Sequence[Structure]) -> list[Invariant]:
    """The candidates that hold in all states."""
    found = dict.fromkeys(one for link in theory.links for one in _candidates(theory, link))
    return [one for one in found if all(one.holds(state) for state in states)]


def _candidates(theory: Theory, link: Path) -> Iterator[Invariant]:
    """No circles; and what leads to each object with an edge: one with an edge, and at the end."""
    x, y, z, w = (Term(f"?{n}", link.kind) for n in "xyzw")
    circle = [state(link.relation, (x, y)), linked(link, y, x)]
    yield Invariant("no circle", forall((x, y), disjunction(negate(part) for part in circle)))
    for predicate in theory.domain.predicates:
        name = predicate.name
        if name not in theory.static and (link.kind,) in theory.signatures_of(name):
            parts = [linked(link, z, x), state(name, (z,)), state(link.relation, (z, w))]
            edge = state(link.relation, (x, y))
            top = exists([z, w], conjunction(parts))
            yield Invariant("linked", forall((x, y), disjunction([negate(edge), top])))
