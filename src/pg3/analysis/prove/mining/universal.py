"""Candidates for invariants without existential quantifiers, that all sampled states satisfy.

At most one, exactly determined, mutex, implication, cover; of a relation between objects of one
kind whether it is symmetric, total, transitive, linear and so on; which objects lie ahead of which
along a static relation without circles; how many objects of a kind there are at most.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.prove.logic.formulas import (
    Formula,
    Term,
    disjunction,
    equal,
    forall,
    negate,
    predicates_in,
    variables_for,
)
from pg3.analysis.prove.logic.invariants import Invariant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.prove.logic.structures import Structure
    from pg3.analysis.prove.logic.theory import Path, Theory

# "At most three rooms" may be what a class means; "at most five" is an accident of small problems.
_MOST_OF_A_KIND = 3


class Relation(NamedTuple):
    """A relation of the state ("state"), of the goal ("goal") or of the negated goal ("avoid")."""

    word: str
    predicate: str
    kinds: tuple[str, ...]
    fixed: bool

    def of(self, terms: Sequence[Term]) -> Formula:
        """The atom."""
        return (self.word, self.predicate, tuple(terms))


def relations_of(theory: Theory) -> list[Relation]:
    """All relations that can hold of something, but those that make kinds."""
    found = []
    names = dict.fromkeys(p.name for p in theory.domain.predicates)
    names |= dict.fromkeys(sorted({s[0] for s in theory.signatures} - names.keys()))
    for name in names:
        if name in theory.marks:
            continue
        for word in ("state", "goal", "avoid"):
            fixed = word != "state" or name in theory.static
            signatures = theory.signatures_of(name, word)
            found += [Relation(word, name, kinds, fixed) for kinds in signatures]
    return found


def matchings(kinds: Sequence[str], targets: Sequence[Term]) -> Iterator[tuple[Term | None, ...]]:
    """For each place one of the targets of its kind or none, no target twice."""
    choices = [[None, *(t for t in targets if t.kind == kind)] for kind in kinds]
    for chosen in itertools.product(*choices):
        used = [term for term in chosen if term is not None]
        if len(set(used)) == len(used):
            yield chosen


def universal_invariants(
    theory: Theory, acyclic: Sequence[Path], states: Sequence[Structure]
) -> list[Invariant]:
    """The candidates that hold in all states, without repetition."""
    found: dict[Invariant, None] = {}
    for candidate in _candidates(theory, acyclic, states):
        if candidate not in found and all(candidate.holds(s) for s in states):
            found[candidate] = None
    return list(found)


def uninformative(theory: Theory, invariants: Sequence[Invariant]) -> frozenset[str]:
    """The static relations that hold of all objects, or of all pairs of different ones.

    Conditions on them say nothing that candidates need.
    """
    kinds: dict[str, set[str]] = {}
    for one in invariants:
        for name in predicates_in(one.formula):
            if name in theory.static and one.kind in ("all pairs", "irreflexive", "always"):
                kinds.setdefault(name, set()).add(one.kind)
    return frozenset(
        name
        for name, known in kinds.items()
        if len(theory.signatures_of(name)) == 1
        and ("always" in known or {"all pairs", "irreflexive"} <= known)
    )


def _candidates(
    theory: Theory, acyclic: Sequence[Path], states: Sequence[Structure]
) -> Iterator[Invariant]:
    relations = relations_of(theory)
    for relation in relations:
        yield from _of_one(relation)
        if len(relation.kinds) == 2 and len(set(relation.kinds)) == 1:
            yield from _of_a_graph(relation)
    for one, other in itertools.combinations_with_replacement(relations, 2):
        yield from _of_two(one, other)
    for path in theory.paths:
        terms = variables_for((*path.leading, path.kind, path.kind))
        reach = ("path", "reach", path.relation, terms)
        yield Invariant("connected", forall(terms, reach))
    plain = [path for path in theory.paths if not path.leading]
    for path in dict.fromkeys([*acyclic, *plain]):
        yield from _ahead(path, relations)
    for kind in theory.kinds:
        most = max(len(s.objects[kind]) for s in states)
        if most <= _MOST_OF_A_KIND:
            terms = variables_for([kind] * (most + 1))
            pairs = itertools.combinations(terms, 2)
            yield Invariant("few", forall(terms, disjunction(equal(a, b) for a, b in pairs)))


def _implication(kind: str, atoms: Sequence[Formula], *then: Formula) -> Invariant:
    """Where all atoms hold, one of the others does."""
    parts = [*(negate(atom) for atom in atoms), *then]
    terms = [t for atom in (*atoms, *then) for t in _terms(atom)]
    return Invariant(kind, forall(terms, disjunction(parts)))


def _terms(atom: Formula) -> tuple[Term, ...]:
    if atom[0] == "not":
        return _terms(atom[1])
    terms: tuple[Term, ...] = atom[1:] if atom[0] == "=" else atom[-1]
    return tuple(t for t in terms if t.is_variable)


def _of_one(relation: Relation) -> Iterator[Invariant]:
    kinds = relation.kinds
    xs = variables_for(kinds)
    for i, kind in enumerate(kinds):
        y = Term("?y", kind)
        ys = (*xs[:i], y, *xs[i + 1 :])
        pair = [relation.of(xs), relation.of(ys)]
        yield _implication("at most one", pair, equal(xs[i], y))
    if len(kinds) > 2:
        for i, j in itertools.permutations(range(len(kinds)), 2):
            fresh = variables_for(kinds, "y")
            ys = tuple(xs[k] if k == i else fresh[k] for k in range(len(kinds)))
            pair = [relation.of(xs), relation.of(ys)]
            yield _implication("determined", pair, equal(xs[j], ys[j]))
    if not relation.fixed and len(kinds) <= 2:
        yield Invariant("always", forall(xs, relation.of(xs)))
        yield Invariant("never", forall(xs, negate(relation.of(xs))))
    elif len(kinds) <= 1:
        yield Invariant("always", forall(xs, relation.of(xs)))


def _of_a_graph(relation: Relation) -> Iterator[Invariant]:
    x, y, z = variables_for([relation.kinds[0]] * 3)

    def edge(a: Term, b: Term) -> Formula:
        return relation.of((a, b))

    yield Invariant("irreflexive", forall([x], negate(edge(x, x))))
    yield Invariant("reflexive", forall([x], edge(x, x)))
    yield _implication("asymmetric", [edge(x, y), edge(y, x)])
    yield _implication("symmetric", [edge(x, y)], edge(y, x))
    yield _implication("total", [], equal(x, y), edge(x, y), edge(y, x))
    yield _implication("all pairs", [], equal(x, y), edge(x, y))
    if relation.fixed:
        yield _implication("transitive", [edge(x, y), edge(y, z)], edge(x, z))
        either = (equal(y, z), edge(y, z), edge(z, y))
        yield _implication("linear", [edge(x, y), edge(x, z)], *either)
        yield _implication("linear", [edge(y, x), edge(z, x)], *either)


def _of_two(one: Relation, other: Relation) -> Iterator[Invariant]:
    xs = variables_for(one.kinds)
    for chosen in matchings(other.kinds, xs):
        fresh = variables_for(other.kinds, "z")
        ys = tuple(term or fresh[i] for i, term in enumerate(chosen))
        shares = any(term is not None for term in chosen)
        a, b = one.of(xs), other.of(ys)
        if a == b:
            continue
        apart = not shares and one.kinds and other.kinds and one.fixed and other.fixed
        if (one != other or not shares) and not apart:
            yield _implication("mutex", [a, b])
        if one == other:
            continue
        if None not in chosen and (other.kinds or not other.fixed):
            yield _implication("implies", [a], b)
        if set(xs) <= set(ys) and (one.kinds or not one.fixed):
            yield _implication("implies", [b], a)
        if set(xs) == set(ys) and len(xs) <= 1:
            yield _implication("covers", [], a, b)


def _ahead(path: Path, relations: Sequence[Relation]) -> Iterator[Invariant]:
    """What lies ahead of what: if a(.., x) and b(.., y), then y can be reached from x."""
    places = [
        (relation, i)
        for relation in relations
        for i, kind in enumerate(relation.kinds)
        if kind == path.kind and relation.predicate != path.relation
    ]
    for (one, i), (other, j) in itertools.product(places, places):
        if one.fixed and other.fixed:
            continue
        xs, fresh = variables_for(one.kinds), variables_for(other.kinds, "y")
        targets = [x for k, x in enumerate(xs) if k != i]
        for chosen in matchings([k for n, k in enumerate(other.kinds) if n != j], targets):
            rest = iter(chosen)
            ys = tuple(v if n == j else next(rest) or v for n, v in enumerate(fresh))
            if one == other and xs == ys:
                continue
            reach = ("path", "reach", path.relation, (xs[i], ys[j]))
            yield _implication("ahead", [one.of(xs), other.of(ys)], reach)
