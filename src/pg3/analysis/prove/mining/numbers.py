"""Candidates for counts and levels, and which static relations have no circles."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import (
    Term,
    conjunction,
    exists,
    negate,
    replace_terms,
    state,
    text_of,
    variables_for,
)
from pg3.analysis.prove.logic.invariants import Count, CountedSet, Level
from pg3.analysis.prove.logic.theory import Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pg3.analysis.prove.logic.structures import Structure
    from pg3.analysis.prove.logic.theory import Theory
    from pg3.analysis.prove.mining.samples import Samples

# Ingredients, what is made of them and what was made already: sums of more sets were never needed.
_MOST_SETS = 3
# Sums that are tried against one set, those of few sets first.
_SUMS = 12


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


def acyclic_goals(theory: Theory, states: Sequence[Structure]) -> list[Path]:
    """The binary relations between objects of one kind whose goals never lead in a circle."""
    return [
        Path(predicate, (), kinds[0])
        for predicate, *kinds in sorted(theory.given.goal)
        if len(kinds) == 2
        and theory.signatures_of(predicate, "goal") == [(kinds[0], kinds[0])]
        and not any(has_circle(list(s.rows("goal", predicate))) for s in states)
    ]


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


def counts(theory: Theory, samples: Samples) -> list[Count]:
    """Sums of sets against one set: the sum is never smaller, and no step brings it nearer.

    The second is what makes a sum worth trying: two numbers that only happen to differ are many. A
    sum of which a part is enough is left out.
    """
    seen = {s: _observed(s, samples) for s in _sets(theory)}
    columns = dict.fromkeys(zip(*seen.values(), strict=True))
    by_vector: dict[tuple[tuple[Term, ...], tuple[int, ...]], CountedSet] = {}
    for one, vector in zip(seen, zip(*columns, strict=True), strict=True):
        if any(vector):
            # Of sets that were always equally large, the one that is simplest to say.
            known = by_vector.setdefault((one.variables, vector), one)
            by_vector[one.variables, vector] = min(known, one, key=_length)
    vectors = {one: vector for (_, vector), one in by_vector.items()}
    found = []
    for fewer, least in vectors.items():
        kinds = {v.kind for v in fewer.variables}
        # Within one kind, conditions on its objects say it better.
        others = {s: v for s, v in vectors.items() if not kinds & {t.kind for t in s.variables}}
        sums = sorted(_sums(least, others), key=lambda sets: (len(sets), *map(_length, sets)))
        found += [Count(sets, fewer) for sets in sums[:_SUMS]]
    return found


def _length(one: CountedSet) -> tuple[int, str]:
    text = text_of(one.formula)
    return len(text), text


def _observed(one: CountedSet, samples: Samples) -> list[int]:
    """The set's size in each state, and by how much each step changes it."""
    sizes = [one.size(state) for state in samples.states]
    return sizes + [one.size(step.after) - one.size(step.before) for step in samples.steps]


def _sums(
    least: Sequence[int], vectors: Mapping[CountedSet, Sequence[int]]
) -> set[tuple[CountedSet, ...]]:
    """The smallest groups of sets whose vectors together are nowhere below `least`."""
    found: set[tuple[CountedSet, ...]] = set()
    order = {s: i for i, s in enumerate(vectors)}

    def extend(group: tuple[CountedSet, ...], missing: list[int]) -> None:
        place = next((i for i, number in enumerate(missing) if number > 0), None)
        if place is None:
            found.add(tuple(sorted(group, key=order.__getitem__)))
        elif len(group) < _MOST_SETS:
            for one, vector in vectors.items():
                if vector[place] > 0 and one not in group:
                    left = [m - v for m, v in zip(missing, vector, strict=True)]
                    extend((*group, one), left)

    extend((), list(least))
    return {g for g in found if not any(set(other) < set(g) for other in found)}


def _sets(theory: Theory) -> Iterator[CountedSet]:
    """Facts of a signature, goals of it that are open, and the objects that stand in such.

    Sets of objects also with a condition on the object, or without.
    """
    signatures = [
        (p.name, kinds)
        for p in theory.domain.predicates
        if p.name not in theory.marks
        for kinds in theory.signatures_of(p.name)
    ]
    for name, kinds in signatures:
        if not kinds or name in theory.static:
            continue
        terms = variables_for(kinds)
        fact = state(name, terms)
        plain = [fact]
        if kinds in theory.signatures_of(name, "goal"):
            plain.append(conjunction([("goal", name, terms), negate(fact)]))
        if len(terms) > 1:
            yield from (CountedSet(terms, one) for one in plain)
        for term, formula in itertools.product(terms, plain):
            one = Term("?x1", term.kind)
            rest = {t: Term(f"?y{i}", t.kind) for i, t in enumerate(terms) if t != term}
            body = exists(rest.values(), replace_terms(formula, {**rest, term: one}))
            yield CountedSet((one,), body)
            for mark, others in signatures:
                condition = state(mark, (one,))
                if others == (term.kind,) and mark != name:
                    yield CountedSet((one,), conjunction([body, condition]))
                    yield CountedSet((one,), conjunction([body, negate(condition)]))


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
