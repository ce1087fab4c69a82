"""The strata of derived predicates: each may be computed once those before it are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Clause


def stratify(reads: Mapping[str, AbstractSet[str]]) -> list[tuple[str, ...]]:
    """Names in strata: each stratum reads only itself and strata before it.

    `reads` says which of the names each one reads. Members of a stratum depend on each other. Names
    that could come in any order keep that of the mapping.
    """
    names = list(reads)
    below = {name: reachable(name, reads) for name in names}
    found: list[tuple[str, ...]] = []
    done: set[str] = set()
    while len(done) < len(names):
        # Take the first name that reads only itself, its stratum and what is done.
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
    """What a name reads, directly or not; itself only if it is on a cycle."""
    found: set[str] = set()
    pending = [name]
    while pending:
        for other in reads[pending.pop()] - found:
            found.add(other)
            pending.append(other)
    return found


def stratify_axioms(axioms: Iterable[Clause]) -> list[tuple[str, ...]]:
    """The predicates that a domain's axioms define, in strata."""
    clauses = tuple(axioms)
    reads: dict[str, set[str]] = {clause.name: set() for clause in clauses}
    for clause in clauses:
        reads[clause.name] |= {atom.predicate for atom, _ in clause.conditions} & reads.keys()
    return stratify(reads)
