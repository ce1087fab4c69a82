"""What is true of `linked` in every state, and of how an action changes it: axioms for the solver.

`linked E x y` says that edges of E lead from x to y in the state. Actions may change E, so that
`linked` is another relation after an action. docs/concepts/proofs.md shows that the axioms hold.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import (
    Formula,
    Term,
    conjunction,
    disjunction,
    equal,
    exists,
    forall,
    negate,
    state,
)
from pg3.analysis.prove.logic.z3_terms import BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.analysis.prove.logic.theory import Path, Theory
    from pg3.analysis.prove.logic.z3_terms import After, Expr, Translation


def linked(link: Path, one: Term, other: Term) -> Formula:
    """Edges lead from one object to the other, or both are one object."""
    return ("path", "linked", link.relation, (one, other))


def axioms_of_a_state(link: Path) -> Formula:
    """What is true in every state."""
    x, y, z = (Term(f"?{n}", link.kind) for n in "xyz")

    def edge(one: Term, other: Term) -> Formula:
        return state(link.relation, (one, other))

    def along(one: Term, other: Term) -> Formula:
        return linked(link, one, other)

    def rule(*parts: Formula, then: Formula) -> Formula:
        return forall((x, y, z), disjunction([*(negate(part) for part in parts), then]))

    return conjunction(
        [
            rule(then=along(x, x)),
            rule(edge(x, y), then=along(x, y)),
            rule(along(x, y), along(y, z), then=along(x, z)),
        ]
    )


def more_of_a_state(links: Iterable[Path]) -> Iterator[tuple[str, Formula]]:
    """What is also true in every state, as hypotheses by name.

    With all of them from the start, the solver makes one object after the other.
    """
    for link in links:
        x, y, z = (Term(f"?{n}", link.kind) for n in "xyz")
        there, same = linked(link, x, z), equal(x, z)

        def edge(one: Term, other: Term, name: str = link.relation) -> Formula:
            return state(name, (one, other))

        def rule(*parts: Formula, then: Formula, bound: Sequence[Term] = (x, y, z)) -> Formula:
            return forall(bound, disjunction([*(negate(part) for part in parts), then]))

        functional = rule(edge(x, y), edge(x, z), then=equal(y, z))
        beyond = rule(edge(x, y), there, then=disjunction([same, linked(link, y, z)]))
        injective = rule(edge(x, z), edge(y, z), then=equal(x, y))
        before = rule(edge(y, z), there, then=disjunction([same, linked(link, x, y)]))
        for name, formula in (
            ("first", rule(there, then=disjunction([same, exists([y], edge(x, y))]))),
            ("last", rule(there, then=disjunction([same, exists([y], edge(y, z))]))),
            ("onward", disjunction([negate(functional), beyond])),
            ("backward", disjunction([negate(injective), before])),
        ):
            yield f"link {link.relation} {link.kind} {name}", formula


def axioms_of_an_action(translation: Translation, link: Path, after: After) -> Iterator[Expr]:
    """What links an action can break and make."""
    words, z3 = translation.words, translation.z3
    kinds = (link.kind, link.kind)
    effects = after.changes(link.relation, kinds)
    added = [row for row, adds in effects if adds]

    def was(one: Expr, other: Expr) -> Expr:
        return BEFORE.linked(words, link.relation, kinds, [one, other])

    def now(one: Expr, other: Expr) -> Expr:
        return after.linked(words, link.relation, kinds, [one, other])

    def kept(x: Expr, y: Expr) -> Expr:
        broken = [z3.And(was(x, a), was(b, y)) for (a, b), adds in effects if not adds]
        return z3.Or(z3.Not(was(x, y)), now(x, y), *broken)

    def made(x: Expr, y: Expr) -> Expr:
        ways = [
            z3.And(was(x, first), was(last, y))
            for (first, _), (_, last) in itertools.product(added, repeat=2)
        ]
        return z3.Or(z3.Not(now(x, y)), was(x, y), *ways)

    yield translation.all_of(kinds, kept)
    yield translation.all_of(kinds, made)


def definitions(theory: Theory) -> Formula:
    """What the derived predicates that depend on themselves mean."""
    found = []
    for (name, _), (variable, formula) in sorted(theory.recursive.items()):
        atom = theory.recursive_atom(name, variable)
        found += [disjunction([negate(atom), formula]), disjunction([atom, negate(formula)])]
    variables = {variable: None for variable, _ in theory.recursive.values()}
    return conjunction(forall(variables, one) for one in found)


def lowest(
    theory: Theory, acyclic: Sequence[Path], acyclic_goals: Sequence[Path]
) -> Iterator[tuple[str, Formula]]:
    """Of the objects of which a recursive predicate is true, one leads to no other such object.

    It leads along a relation without circles; so this is induction along the relation.
    """
    for word, paths in (("state", acyclic), ("goal", acyclic_goals)):
        for path in paths:
            x, y = (Term(f"?{n}", path.kind) for n in "xy")
            for name in theory.recursive_of(path.kind):
                one, other = theory.recursive_atom(name, x), theory.recursive_atom(name, y)
                edge = (word, path.relation, (x, y))
                below = exists([y], conjunction([edge, other]))
                first = exists([x], conjunction([one, negate(below)]))
                relation = path.relation if word == "state" else f"goal {path.relation}"
                formula = disjunction([negate(exists([x], one)), first])
                yield f"lowest {relation} {path.kind} {name}", formula
