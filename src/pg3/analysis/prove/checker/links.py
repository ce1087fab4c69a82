"""What is true of `linked` in every state: axioms, also about how an action changes it.

`linked E x y` says that edges of E lead from x to y in the state; E may be changed by actions.
docs/concepts/proofs.md shows that the axioms hold in every graph.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.analysis.prove.checker.terms import (
    Refused,
    Typed,
    conjunction,
    disjunction,
    negation,
    symbol,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.prove.checker.terms import Effects, Terms


def link_axioms(terms: Terms, texts: Sequence[str], effects: Effects | None) -> list[str]:
    """What is true of the links and derived predicates that the texts speak of.

    `effects` are those of the action, where the texts speak of the state after it.
    """

    def spoken_of(head: str, *kinds: str) -> list[Effects | None]:
        """The states of which the texts say this: None is the one before the action."""
        joined = "\n".join([*texts, *found])
        both: list[tuple[str, Effects | None]] = [("", None), ("after ", effects)]
        return [state for word, state in both if symbol(f"{word}{head}", *kinds) in joined]

    found: list[str] = []
    for name, kind in itertools.product(terms.recursive, terms.kinds):
        states = spoken_of(f"derived {name}", kind)
        found += [terms.definition(name, kind, state) for state in states]
    for relation, kind in itertools.product(terms.domain.predicate_index, terms.kinds):
        states = spoken_of(f"linked {relation}", kind, kind)
        link = Link(terms, relation, kind)
        if effects is not None and effects in states:
            states = [None, effects]
            found += link.of_an_action(effects)
        found += [axiom for state in states for axiom in link.of_a_state(state)]
    return found


class Link:
    """A relation between objects of a kind, whose edges link objects."""

    def __init__(self, terms: Terms, relation: str, kind: str) -> None:
        self._terms, self._relation = terms, relation
        self._kind = kind
        self._x, self._y, self._z = (Typed(letter, kind) for letter in "xyz")

    def _linked(self, one: Typed, other: Typed, effects: Effects | None = None) -> str:
        return self._terms.linked(self._relation, [one, other], effects)

    def _all(self, *parts: str, then: str) -> str:
        bound = [self._x, self._y, self._z]
        return self._terms.quantified("forall", bound, disjunction([*map(negation, parts), then]))

    def of_a_state(self, effects: Effects | None) -> Iterator[str]:
        """What is true in the state, or in the state after effects."""
        x, y, z = self._x, self._y, self._z

        def linked(one: Typed, other: Typed) -> str:
            return self._linked(one, other, effects)

        def edge(one: Typed, other: Typed) -> str:
            return self._terms.atom(self._relation, [one, other], effects)

        yield self._all(then=linked(x, x))
        yield self._all(edge(x, y), then=linked(x, y))
        yield self._all(linked(x, y), linked(y, z), then=linked(x, z))

    def more_of_a_state(self, name: str, effects: Effects | None) -> str:
        """What is also true in the state, or in the state after effects, by name."""
        x, y, z = self._x, self._y, self._z
        terms = self._terms

        def edge(one: Typed, other: Typed) -> str:
            return terms.atom(self._relation, [one, other], effects)

        there, same = self._linked(x, z, effects), terms.equal(x, z)
        if name == "first":
            some = terms.quantified("exists", [y], edge(x, y))
            return self._all(there, then=disjunction([same, some]))
        if name == "last":
            some = terms.quantified("exists", [y], edge(y, z))
            return self._all(there, then=disjunction([same, some]))
        if name == "onward":
            functional = self._all(edge(x, y), edge(x, z), then=terms.equal(y, z))
            beyond = disjunction([same, self._linked(y, z, effects)])
            return disjunction([negation(functional), self._all(edge(x, y), there, then=beyond)])
        if name == "backward":
            injective = self._all(edge(x, z), edge(y, z), then=terms.equal(x, y))
            before = disjunction([same, self._linked(x, y, effects)])
            return disjunction([negation(injective), self._all(edge(y, z), there, then=before)])
        raise Refused(f"'{name}' is no axiom about links")

    def of_an_action(self, effects: Effects) -> Iterator[str]:
        """What links an action can break and make."""
        x, y = self._x, self._y
        edges = [
            (row, adds)
            for name, row, adds in effects
            if name == self._relation and all(term.kind == self._kind for term in row)
        ]
        was, now = self._linked(x, y), self._linked(x, y, effects)
        broken = [
            conjunction([self._linked(x, a), self._linked(b, y)])
            for (a, b), adds in edges
            if not adds
        ]
        added = [row for row, adds in edges if adds]
        made = [
            conjunction([self._linked(x, first), self._linked(last, y)])
            for (first, _), (_, last) in itertools.product(added, repeat=2)
        ]
        yield self._all(was, then=disjunction([now, *broken]))
        yield self._all(now, then=disjunction([was, *made]))
