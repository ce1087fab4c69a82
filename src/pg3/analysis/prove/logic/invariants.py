"""What can be said of every problem of a class and of every state on the policy's way.

Three forms: a closed formula; a *count*, `#A + #B >= #C` of sets of tuples; and a *level*: an
object's level on a static chain has at least as many levels above it as there are tuples with the
object in a relation (room left in a vehicle and packages in it).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import (
    Formula,
    Term,
    polarities,
    predicates_in,
    text_of,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from pg3.analysis.prove.logic.structures import Structure
    from pg3.analysis.prove.logic.theory import Case


@dataclass(frozen=True)
class Invariant:
    """A closed formula; `kind` names its pattern, for words and for the order of trials."""

    kind: str
    formula: Formula
    text: str = field(compare=False, default="")

    def __post_init__(self) -> None:
        """Keep the text: it orders candidates."""
        object.__setattr__(self, "text", text_of(self.formula))

    def holds(self, structure: Structure) -> bool:
        """Whether it is true."""
        return structure.satisfies(self.formula)

    def is_affected(self, case: Case) -> bool:
        """Whether the case's action may make it false: by an addition below a negation, say."""
        signs = polarities(self.formula)
        return any((e.predicate, not e.positive) in signs for e in case.effects)

    def to_json(self) -> dict[str, Any]:
        """The invariant as the certificate has it."""
        return {"form": "formula", "kind": self.kind, "formula": to_json(self.formula)}


@dataclass(frozen=True)
class CountedSet:
    """The tuples of objects that satisfy a formula.

    Every fluent atom of the formula has all of the variables, so that an action changes the set by
    the tuples of its effects only.
    """

    variables: tuple[Term, ...]
    formula: Formula

    def size(self, structure: Structure) -> int:
        """How many tuples there are."""
        return len(structure.extension(self.variables, self.formula) or ())

    def to_json(self) -> dict[str, Any]:
        """The set as the certificate has it."""
        return {"variables": [list(v) for v in self.variables], "formula": to_json(self.formula)}


@dataclass(frozen=True)
class Count:
    """The sets `more` together have at least as many tuples as `fewer`."""

    more: tuple[CountedSet, ...]
    fewer: CountedSet
    kind: str = "count"

    @property
    def text(self) -> str:
        """The inequality."""
        more = " + ".join(f"#{text_of(one.formula)}" for one in self.more)
        return f"{more} >= #{text_of(self.fewer.formula)}"

    @property
    def sets(self) -> tuple[CountedSet, ...]:
        """All sets that it counts."""
        return (*self.more, self.fewer)

    def holds(self, structure: Structure) -> bool:
        """Whether it is true."""
        return sum(s.size(structure) for s in self.more) >= self.fewer.size(structure)

    def is_affected(self, case: Case) -> bool:
        """Whether the case's action may change one of the sets."""
        counted = frozenset[str]().union(*(predicates_in(s.formula) for s in self.sets))
        return any(e.predicate in counted for e in case.effects)

    def to_json(self) -> dict[str, Any]:
        """The count as the certificate has it."""
        more = [one.to_json() for one in self.more]
        return {"form": "count", "more": more, "fewer": self.fewer.to_json()}


@dataclass(frozen=True)
class Level:
    """For each owner v of a level q: chain steps up from q >= tuples of `content` with v.

    `level` relates owners and levels, `content` owners and what they have; the place of the owner
    is 0 or 1. `chain` leads from a level to the next one up: at most one, and never in a circle.
    """

    level: str
    level_kinds: tuple[str, str]
    level_owner: int
    content: str
    content_kinds: tuple[str, str]
    content_owner: int
    chain: str
    kind: str = "level"

    @property
    def text(self) -> str:
        """The inequality."""
        return f"levels of {self.chain} above ({self.level}) >= #({self.content}), for each"

    def holds(self, structure: Structure) -> bool:
        """Whether it is true, and the chain a chain."""
        above = self._above(structure)
        if above is None:
            return False
        contents = self._rows(structure, self.content, self.content_kinds)
        number = Counter(row[self.content_owner] for row in contents)
        for row in self._rows(structure, self.level, self.level_kinds):
            owner, level = row[self.level_owner], row[1 - self.level_owner]
            steps = 0
            while steps < number[owner] and level in above:
                level, steps = above[level], steps + 1
            if steps < number[owner]:
                return False
        return True

    @staticmethod
    def _rows(
        structure: Structure, predicate: str, kinds: tuple[str, str]
    ) -> Iterable[tuple[str, ...]]:
        for row in structure.rows("state", predicate):
            if tuple(structure.kind_of[name] for name in row) == kinds:
                yield row

    def _above(self, structure: Structure) -> dict[str, str] | None:
        """The level above each level; None if there are two, or a circle."""
        kind = self.level_kinds[1 - self.level_owner]
        above: dict[str, str] = {}
        for low, high in self._rows(structure, self.chain, (kind, kind)):
            if above.setdefault(low, high) != high:
                return None
        done: set[str] = set()
        for start in above:
            way: dict[str, None] = {}
            at: str | None = start
            while at is not None and at not in done:
                if at in way:
                    return None
                way[at] = None
                at = above.get(at)
            done.update(way)
        return above

    def is_affected(self, case: Case) -> bool:
        """Whether the case's action may change a level or a content."""
        return any(e.predicate in (self.level, self.content) for e in case.effects)

    def to_json(self) -> dict[str, Any]:
        """The level as the certificate has it."""
        return {
            "form": "level",
            "level": [self.level, *self.level_kinds],
            "level_owner": self.level_owner,
            "content": [self.content, *self.content_kinds],
            "content_owner": self.content_owner,
            "chain": self.chain,
        }


AnyInvariant = Invariant | Count | Level
