"""In which order derived predicates can be worked out: those that a predicate reads come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Clause


def ordered_groups(reads: Mapping[str, AbstractSet[str]]) -> list[tuple[str, ...]]:
    """Names so that each group reads only itself and groups before it.

    `reads` says which of the names each one reads. Members of a group depend on each other. In what
    is left open, the order of the mapping.
    """
    names = list(reads)
    below = {name: reachable(name, reads) for name in names}
    found: list[tuple[str, ...]] = []
    done: set[str] = set()
    while len(done) < len(names):
        # Everything that the first possible one reads is itself, its group, or done.
        for name in names:
            if name in done:
                continue
            group = {other for other in below[name] if name in below[other]} | {name}
            if below[name] <= done | group:
                found.append(tuple(member for member in names if member in group))
                done |= group
                break
    return found


def reachable(name: str, reads: Mapping[str, AbstractSet[str]]) -> set[str]:
    """What a name reads, directly or not; itself only if it is on a circle."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for other in reads[pending.pop()] - found:
            found.add(other)
            pending.append(other)
    return found


def axiom_groups(axioms: Iterable[Clause]) -> list[tuple[str, ...]]:
    """The predicates that a domain's axioms define, in an order to work them out in."""
    clauses = tuple(axioms)
    reads: dict[str, set[str]] = {clause.name: set() for clause in clauses}
    for clause in clauses:
        reads[clause.name] |= {atom.predicate for atom, _ in clause.conditions} & reads.keys()
    return ordered_groups(reads)
