"""Where work goes: executors as in `concurrent.futures`, one for each place of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future


class LostTaskError(Exception):
    """A task that was lost with its worker so often that it is not tried again."""


class Pool(Protocol):
    """Places of work, some or all of which may come and go.

    A place is a preference, not an order: work that is given to the same place again finds what
    was kept there, but if the place is busy for long or gone, the work is done elsewhere.
    """

    @property
    def places(self) -> int:
        """How many tasks can be worked on at the same time, at least 1."""
        ...

    def executor(self, place: int | None = None) -> Executor:
        """The executor of a place, from 0; of any if there is no preference."""
        ...

    def value(self, future: Future[str], timeout: float | None = None) -> str:
        """What a task came to; TimeoutError if that takes longer.

        LostTaskError if it was lost with several workers, Pg3Error if the pool itself is lost.
        """
        ...
