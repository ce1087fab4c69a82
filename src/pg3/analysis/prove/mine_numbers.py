"""Candidates for counts and levels, and which static relations have no circles."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.analysis.prove.formulas import conjunction, negate, state, variables_for
from pg3.analysis.prove.invariants import Count, CountedSet, Level
from pg3.analysis.prove.theory import Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.prove.structures import Structure
    from pg3.analysis.prove.theory import Theory

# A proof uses one or two; the limit keeps a domain with many predicates from a flood.
_COUNTS = 60


def acyclic_relations(theory: Theory, states: Sequence[Structure]) -> list[Path]:
    """The static binary relations between objects of one kind that never lead in a circle."""
    found = []
    for predicate in theory.domain.predicates:
        if predicate.arity != 2 or predicate.name not in theory.static:
            continue
        signatures = theory.signatures_of(predicate.name)
        if len(signatures) == 1 and len(set(signatures[0])) == 1:
            edges = (list(s.rows("state", predicate.name)) for s in states)
            if not any(map(has_circle, edges)):
                found.append(Path(predicate.name, (), signatures[0][0]))
    return found


def has_circle(edges: Sequence[tuple[str, ...]]) -> bool:
    """Whether a path along the edges comes back to where it began."""
    into: dict[str, int] = {}
    out: dict[str, list[str]] = {}
    for start, end in edges:
        out.setdefault(start, []).append(end)
        into[end] = into.get(end, 0) + 1
        into.setdefault(start, 0)
    ready = [node for node, number in into.items() if number == 0]
    for node in ready:
        for end in out.get(node, []):
            into[end] -= 1
            if into[end] == 0:
                ready.append(end)
    return len(ready) < len(into)


def counts(theory: Theory, states: Sequence[Structure]) -> list[Count]:
    """The counts that hold in all states: one or two sets against one."""
    sets = [s for s in _sets(theory) if any(s.size(state) for state in states)]
    values = {s: [s.size(state) for state in states] for s in sets}
    found: list[Count] = []
    for fewer in sets:
        if len(set(values[fewer])) == 1:
            continue
        others = [s for s in sets if s != fewer]
        alone = [m for m in others if _covers([values[m]], values[fewer])]
        found += [Count((more,), fewer) for more in alone]
        for pair in itertools.combinations(others, 2):
            if not set(pair) & set(alone) and _covers([values[m] for m in pair], values[fewer]):
                found.append(Count(pair, fewer))
    return found[:_COUNTS]


def _covers(more: Sequence[list[int]], fewer: list[int]) -> bool:
    sums = (sum(column) for column in zip(*more, strict=True))
    return all(total >= least for total, least in zip(sums, fewer, strict=True))


def _sets(theory: Theory) -> Iterator[CountedSet]:
    """The facts of a signature, the goals of it that are open, both also under a static mark."""
    marks = [
        (p.name, kinds[0])
        for p in theory.domain.predicates
        if p.arity == 1 and p.name in theory.static and p.name not in theory.marks
        for kinds in theory.signatures_of(p.name)
    ]
    for predicate in theory.domain.predicates:
        if predicate.name in theory.static:
            continue
        for kinds in theory.signatures_of(predicate.name):
            if not kinds:
                continue
            terms = variables_for(kinds)
            fact = state(predicate.name, terms)
            plain = [fact]
            if kinds in theory.signatures_of(predicate.name, "goal"):
                plain.append(conjunction([("goal", predicate.name, terms), negate(fact)]))
            yield from (CountedSet(terms, one) for one in plain)
            if len(kinds) == 1:
                for mark, kind in marks:
                    if kind == kinds[0]:
                        condition = state(mark, terms)
                        yield from (
                            CountedSet(terms, conjunction([one, condition])) for one in plain
                        )


def levels(theory: Theory, acyclic: Sequence[Path], states: Sequence[Structure]) -> list[Level]:
    """The levels that hold in all states."""
    fluents = [
        (p.name, kinds)
        for p in theory.domain.predicates
        if p.name not in theory.static
        for kinds in theory.signatures_of(p.name)
        if len(kinds) == 2
    ]
    found = []
    for chain in acyclic:
        for (level, kinds), (content, others) in itertools.permutations(fluents, 2):
            for owner, place in itertools.product((0, 1), repeat=2):
                if kinds[1 - owner] != chain.kind or others[place] != kinds[owner]:
                    continue
                candidate = Level(
                    level,
                    (kinds[0], kinds[1]),
                    owner,
                    content,
                    (others[0], others[1]),
                    place,
                    chain.relation,
                )
                if all(candidate.holds(s) for s in states):
                    found.append(candidate)
    return found
