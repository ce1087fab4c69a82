"""Robust learning that is stopped anywhere goes on to the same end."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from benchmarks.workplace import WORKPLACE

from pg3.errors import Pg3Error
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.learner import learn
from pg3.learning.result import LearningResult

if TYPE_CHECKING:
    from collections.abc import Sequence

# Domains from working life, with constants and subtypes, and how many of their problems: so few
# that learning is short, and so many that it takes more than one round.
CASES = {"hospital": 4, "library": 5, "baggage": 2}
PARTS = 5

Run = tuple[list[object], list[object], list[tuple[str, object]]]


def learned(name: str, past: Sequence[Entry] = ()) -> Run:
    """The result but for its time, each candidate, and the new entries of the journal."""
    source = WORKPLACE[name]
    lines: list[str] = []
    seen: list[object] = []
    result = learn(
        source.domain,
        source.problems("train", seed=0)[: CASES[name]],
        journal=Journal(past, lines.append),
        observe=lambda method, c, _: seen.append((method, c.number, c.policy, c.evaluation.score)),
    )
    facts = [getattr(result, field) for field in LearningResult.__slots__ if field != "seconds"]
    return facts, seen, [Entry.parse(line)[1:] for line in lines]


@cache
def whole(name: str) -> Run:
    return learned(name)


def stamped(entries: Sequence[tuple[str, object]]) -> list[Entry]:
    """The entries with times."""
    return [Entry(float(i), kind, value) for i, (kind, value) in enumerate(entries)]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        *(("library", part) for part in (1, 3, 5)),
        ("baggage", 2),
        *(
            pytest.param(name, part, marks=pytest.mark.thorough)
            for name, parts in (
                ("library", (2, 4)),
                ("baggage", (4,)),
                ("hospital", (1, 2, 3, 4, 5)),
            )
            for part in parts
        ),
    ],
)
def test_a_run_that_was_stopped_ends_as_one_that_was_not(name: str, part: int) -> None:
    facts, seen, entries = whole(name)
    length = len(entries) * part // PARTS
    again, seen_again, rest = learned(name, stamped(entries[:length]))
    assert again == facts
    assert seen_again == seen
    assert entries[:length] + rest == entries


def test_a_run_that_was_stopped_twice() -> None:
    name = "library"
    facts, _, entries = whole(name)
    first, second = len(entries) // 3, len(entries) * 2 // 3
    _, _, rest = learned(name, stamped(entries[:first]))
    assert learned(name, stamped((entries[:first] + rest)[:second]))[0] == facts


def test_each_kind_of_entry_is_where_it_is_due() -> None:
    """A journal without one of its entries is refused, wherever the next one is of another kind."""
    name = "library"
    _, _, entries = whole(name)
    kinds = [kind for kind, _ in entries]
    places = {kind: kinds.index(kind) for kind in kinds}
    for kind, place in places.items():
        if place + 1 < len(kinds) and kinds[place + 1] != kind:
            past = stamped(entries[:place] + entries[place + 1 : place + 2])
            with pytest.raises(Pg3Error, match=f"where '{kind}' is due"):
                learned(name, past)


def test_there_is_more_than_one_round() -> None:
    for name in ("library", "baggage"):
        assert [kind for kind, _ in whole(name)[2]].count("verdict") > 1
