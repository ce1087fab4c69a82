"""What a learning run may use, and how its parts learn that it is used up."""

from __future__ import annotations

from typing import TypeVar

from pg3 import _native
from pg3.learning.checkpoint.journal import Journal

_Answer = TypeVar("_Answer")

_MEGABYTE = 1024 * 1024

TIME, MEMORY = "time limit", "memory limit"


class LimitReached(Exception):  # noqa: N818
    """The run has used up its time or memory; `reason` says which.

    It leaves the learner's parts from whatever depth; `learn` makes a value of it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def reason_of(error: LimitReached | MemoryError) -> str:
    """Which limit was reached; that of the system is one, too."""
    return error.reason if isinstance(error, LimitReached) else MEMORY


class Budget:
    """The seconds and megabytes of a run, None where there is no limit, and its journal.

    Time is that of the journal's clock. Memory is that of the whole process, as the system counts
    it: what a cluster or a kernel out of memory would kill the process for. Both are looked at in
    the kernel's loops, which take `limits`, and between its calls.

    A limit that was reached once stays reached, even if memory has been freed since: a call that it
    cut short has no result, so the run cannot go on as it would have without the limit, and its
    journal ends there.
    """

    def __init__(
        self,
        seconds: float | None = None,
        megabytes: float | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.seconds = seconds
        self.megabytes = megabytes
        self.journal = Journal() if journal is None else journal
        # The limit that some part of the run has met.
        self.met: str | None = None

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The seconds left and the megabytes of the process, as the kernel takes them.

        None while results are recalled: what is done again then was done within the limits before.
        """
        if self.journal.is_replaying:
            return None, None
        left = None if self.seconds is None else max(0.0, self.seconds - self.journal.elapsed)
        return left, self.megabytes

    @property
    def reached(self) -> str | None:
        """The limit that is reached, if one is; none while results are only recalled."""
        if self.met is not None:
            return self.met
        if self.journal.is_replaying:
            return None
        if self.seconds is not None and self.journal.elapsed >= self.seconds:
            return self.note(TIME)
        if self.megabytes is not None and _native.resident_bytes() > self.megabytes * _MEGABYTE:
            return self.note(MEMORY)
        return None

    def note(self, status: str) -> str:
        """Remember a status if it is a limit; the status."""
        if status in (TIME, MEMORY) and self.met is None:
            self.met = str(status)
            self.journal.close()
        return status

    def check(self) -> None:
        """Raise LimitReached if a limit is."""
        reason = self.reached
        if reason is not None:
            raise LimitReached(reason)

    def checked(self, status: str) -> str:
        """The status of a call of the kernel; LimitReached if it says that."""
        if self.note(status) in (TIME, MEMORY):
            raise LimitReached(status)
        return status

    def answered(self, answer: _Answer | str) -> _Answer:
        """The answer of a call of the kernel; LimitReached if it is the name of a limit."""
        if isinstance(answer, str):
            self.note(answer)
            raise LimitReached(answer)
        return answer
