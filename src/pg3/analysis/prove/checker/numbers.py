"""Counts and levels as SMT-LIB text, for the checker alone.

docs/concepts/proofs.md says why they hold.
"""

from __future__ import annotations

import hashlib
import itertools
from typing import TYPE_CHECKING, Any

from pg3.analysis.prove.checker.terms import (
    Effects,
    Refused,
    Terms,
    Typed,
    conjunction,
    disjunction,
    negation,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class CountedSet:
    """A set of tuples whose size is followed through an action."""

    def __init__(self, terms: Terms, value: Mapping[str, Any]) -> None:
        self._terms, self._value = terms, value
        self._names = [name for name, _ in value["variables"]]
        self._kinds = [kind for _, kind in value["variables"]]
        if len(set(self._names)) < len(self._names) or not set(self._kinds) <= terms.kinds.keys():
            raise Refused("the variables of a counted set")
        digest = hashlib.sha256(repr(value).encode()).hexdigest()[:16]
        self.size = terms.number(f"size {digest}")
        self._row = [Typed(f"n{i}", kind) for i, kind in enumerate(self._kinds)]

    def _contains(self, row: Sequence[Typed], effects: Effects | None = None) -> str:
        scope = dict(zip(self._names, row, strict=True))
        return self._terms.formula(self._value["formula"], scope, effects)

    def facts(self) -> list[str]:
        """The size is not negative, and not 0 if and only if there is a tuple."""
        some = self._terms.quantified("exists", self._row, self._contains(self._row))
        return [f"(>= {self.size} 0)", f"(= {some} (>= {self.size} 1))"]

    def _near(self, effects: Effects) -> list[tuple[Typed, ...]]:
        """The tuples of objects of the effects."""
        objects = list(dict.fromkeys(term for _, row, _ in effects for term in row))
        choices = [[one for one in objects if one.kind == kind] for kind in self._kinds]
        return list(itertools.product(*choices))

    def _differ(self, one: Sequence[Typed], others: Sequence[Sequence[Typed]]) -> str:
        """The tuple is none of the others."""
        same = self._terms.equal
        return conjunction(
            disjunction(negation(same(a, b)) for a, b in zip(one, other, strict=True))
            for other in others
        )

    def change(self, effects: Effects) -> str:
        """By how much the size changes by tuples of the effects' objects, each counted once."""
        rows, changes = self._near(effects), []
        for i, row in enumerate(rows):
            now, was = self._contains(row, effects), self._contains(row)
            new = self._differ(row, rows[:i])
            changes.append(f"(ite {new} (- (ite {now} 1 0) (ite {was} 1 0)) 0)")
        return f"(+ 0 0 {' '.join(changes)})"

    def changes_elsewhere(self, effects: Effects) -> str:
        """Some other tuple comes or goes."""
        now, was = self._contains(self._row, effects), self._contains(self._row)
        if now == was:
            return "false"
        other = self._differ(self._row, self._near(effects))
        moved = conjunction([other, f"(not (= {now} {was}))"])
        return self._terms.quantified("exists", self._row, moved)


class Level:
    """An owner's level on a chain, and the number of what it has."""

    def __init__(self, terms: Terms, value: Mapping[str, Any]) -> None:
        self._terms, self._value = terms, value
        level, content = value["level"], value["content"]
        self._owner = level[1 + value["level_owner"]]
        self._rung = level[2 - value["level_owner"]]
        self._thing = content[2 - value["content_owner"]]
        known = {p.name: p.arity for p in terms.domain.predicates}
        if content[1 + value["content_owner"]] != self._owner:
            raise Refused("a level and its content have different owners")
        if any(known.get(name) != 2 for name in (level[0], content[0], value["chain"])):
            raise Refused("a level is not of binary relations")
        if not {self._owner, self._rung, self._thing} <= terms.kinds.keys():
            raise Refused("a level is not of kinds")
        if value["chain"] in terms.domain.fluents:
            raise Refused("the chain of a level can change")

    def _related(
        self,
        relation: Sequence[str],
        owner_place: int,
        owner: Typed,
        other: Typed,
        effects: Effects | None,
    ) -> str:
        row = [owner, other] if owner_place == 0 else [other, owner]
        return self._terms.atom(relation[0], row, effects)

    def _at(self, owner: Typed, rung: Typed, effects: Effects | None = None) -> str:
        value = self._value
        return self._related(value["level"], value["level_owner"], owner, rung, effects)

    def _has(self, owner: Typed, thing: Typed, effects: Effects | None = None) -> str:
        value = self._value
        return self._related(value["content"], value["content_owner"], owner, thing, effects)

    def _up(self, rung: Typed) -> str:
        return self._terms.number(f"up {self._value['chain']}", rung)

    def _number(self, owner: Typed) -> str:
        value = self._value
        name = f"number {value['content'][0]} {value['content_owner']} {self._thing}"
        return self._terms.number(name, owner)

    def hypothesis(self) -> str:
        """What is true of steps up a chain and of numbers, and the inequality."""
        quantified = self._terms.quantified
        v, a, b, p = (
            Typed(name, kind)
            for name, kind in zip(
                "vabp", (self._owner, self._rung, self._rung, self._thing), strict=True
            )
        )
        chain = self._terms.atom(self._value["chain"], [a, b])
        some_above = quantified("exists", [b], chain)
        some_content = quantified("exists", [p], self._has(v, p))
        return conjunction(
            [
                quantified("forall", [a], f"(>= {self._up(a)} 0)"),
                quantified(
                    "forall",
                    [a, b],
                    disjunction([negation(chain), f"(= {self._up(a)} (+ {self._up(b)} 1))"]),
                ),
                quantified("forall", [a], f"(=> (>= {self._up(a)} 1) {some_above})"),
                quantified("forall", [v], f"(>= {self._number(v)} 0)"),
                quantified("forall", [v], f"(= (>= {self._number(v)} 1) {some_content})"),
                quantified(
                    "forall",
                    [v, a],
                    disjunction(
                        [negation(self._at(v, a)), f"(>= {self._up(a)} {self._number(v)})"]
                    ),
                ),
            ]
        )

    def broken(self, effects: Effects) -> str:
        """The inequality does not hold after effects."""
        terms, value = self._terms, self._value
        v, a = Typed("v", self._owner), Typed("a", self._rung)
        place = value["content_owner"]
        rows = [
            (row[place], row[1 - place])
            for predicate, row, _ in effects
            if predicate == value["content"][0]
            and (row[place].kind, row[1 - place].kind) == (self._owner, self._thing)
        ]
        changes = []
        for i, (who, what) in enumerate(rows):
            new = [
                disjunction([negation(terms.equal(who, w)), negation(terms.equal(what, x))])
                for w, x in rows[:i]
            ]
            counts = conjunction([terms.equal(v, who), *new])
            now, was = self._has(who, what, effects), self._has(who, what)
            changes.append(f"(ite {counts} (- (ite {now} 1 0) (ite {was} 1 0)) 0)")
        number = f"(+ 0 0 {self._number(v)} {' '.join(changes)})"
        holds = disjunction([negation(self._at(v, a, effects)), f"(>= {self._up(a)} {number})"])
        return negation(terms.quantified("forall", [v, a], holds))
