"""What a learning run has worked out so far, so that it can go on after it was stopped.

Learning is deterministic, so its state needs no picture: a run that is resumed does everything
again in the same order, but takes what was costly the first time (scores, plans, verdicts) from
the journal. What is cheap is worked out again, and where the journal ends the run simply goes on.

An entry is a line of JSON: the seconds since the start, what it is about, and a value. Whoever
recalls a value says what it must be like (`schema`): a journal may be a stranger's.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pg3.errors import Pg3Error, printable
from pg3.storage.schema import Anything, Flag, Number, ShapeError, Text, TupleOf, parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.storage.schema import Shape

T = TypeVar("T")

_BEGIN, _END = "begin", "end"
_ENTRY = TupleOf((Number(), Text(), Anything()))


class Entry(NamedTuple):
    """One result: when it was there, what it is about, and what it is (never None)."""

    seconds: float
    kind: str
    value: Any

    @classmethod
    def of(cls, value: Any) -> Entry:
        """The entry of a line's value; ShapeError if it is none."""
        return cls(*_ENTRY.check(value))

    @classmethod
    def parse(cls, line: str | bytes) -> Entry:
        """The entry of a line; ValueError if it is no JSON, ShapeError if it is no entry."""
        return cls.of(parse_json(line))


class Journal:
    """Past results in order, a place for new ones, and the clock of the run.

    `recall` what comes next; None says that nothing is known, and what is then worked out is to be
    `record`ed. What does not fit is a Pg3Error that begins with the journal's `name`. Without
    `write` nothing is kept: a journal for runs that need none. The clock goes on where the past
    ends; while results are recalled it shows when they came.

    A section, from `begin` to `end`, is passed over as a whole once its end is known.
    """

    def __init__(
        self,
        past: Sequence[Entry] = (),
        write: Callable[[str], None] | None = None,
        name: str = "journal",
    ) -> None:
        self._name = name
        self._past = past
        self._next = 0
        self._write = write
        self._origin = time.perf_counter()
        self._ends = self._section_ends()

    @property
    def is_kept(self) -> bool:
        """Whether what is recorded goes anywhere."""
        return self._write is not None

    @property
    def is_replaying(self) -> bool:
        """Whether there is something to recall."""
        return self._next < len(self._past)

    @property
    def total(self) -> float:
        """The seconds of the past."""
        return self._past[-1].seconds if self._past else 0.0

    @property
    def elapsed(self) -> float:
        """The seconds that the run has taken, without those while it was stopped."""
        if self.is_replaying:
            return self._past[self._next - 1].seconds if self._next else 0.0
        return time.perf_counter() - self._origin

    def recall(self, kind: str, shape: Shape) -> Any | None:
        """The next result, which must be of this kind and shape; None if there is none yet."""
        if not self.is_replaying:
            return None
        value = self._checked(self._next, kind, shape)
        self._advance(self._next + 1)
        return value

    def record(self, kind: str, value: Any) -> None:
        """Keep a result that nothing was known of."""
        assert not self.is_replaying
        if self._write is not None:
            self._write(json.dumps([round(self.elapsed, 3), kind, value], separators=(",", ":")))

    def once(
        self,
        kind: str,
        shape: Shape,
        compute: Callable[[], T],
        *,
        store: Callable[[T], Any] = lambda value: value,
        restore: Callable[[Any], T] = lambda value: value,
    ) -> T:
        """The next result if it is known, which must be of this kind and shape; else compute it.

        `store` gives what is kept of a result, as JSON values; `restore` makes the result of them,
        which has lists for tuples. If `compute` raises (a limit is reached), nothing is kept.
        """
        known = self.recall(kind, shape)
        if known is not None:
            return restore(known)
        value = compute()
        if self.is_kept:
            self.record(kind, store(value))
        return value

    def close(self) -> None:
        """Keep nothing more: what a run does once a limit is reached is not on its way."""
        self._write = None

    def begin(self, kind: str, shape: Shape) -> Any | None:
        """Begin a section; the value that it ended with, if it did, and it is then over."""
        at = self._next
        if self.recall(f"{_BEGIN} {kind}", Flag()) is None:
            self.record(f"{_BEGIN} {kind}", True)
        end = self._ends.get(at)
        if end is None:
            return None
        value = self._checked(end, f"{_END} {kind}", shape)
        self._advance(end + 1)
        return value

    def end(self, kind: str, value: Any) -> None:
        """End a section with a value that stands for all that it did."""
        self.record(f"{_END} {kind}", value)

    def _checked(self, place: int, kind: str, shape: Shape) -> Any:
        entry = self._past[place]
        if entry.kind != kind:
            raise self._misfit(place, f"'{printable(entry.kind)[:40]}' where '{kind}' is due")
        try:
            return shape.check(entry.value)
        except ShapeError as error:
            raise self._misfit(place, f"'{kind}': {error}") from None

    def _misfit(self, place: int, fault: str) -> Pg3Error:
        return Pg3Error(f"{self._name}: line {place + 1}: the journal does not fit: {fault}")

    def _advance(self, to: int) -> None:
        self._next = to
        if not self.is_replaying:
            self._origin = time.perf_counter() - self._past[-1].seconds

    def _section_ends(self) -> dict[int, int]:
        """For the beginning of each finished section the place of its end."""
        ends, open_ = {}, list[int]()
        for place, entry in enumerate(self._past):
            if entry.kind.startswith(f"{_BEGIN} "):
                open_.append(place)
            elif entry.kind.startswith(f"{_END} "):
                if not open_:
                    raise self._misfit(place, "a section ends that has not begun")
                ends[open_.pop()] = place
        return ends
