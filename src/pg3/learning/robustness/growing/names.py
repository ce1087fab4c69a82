"""Names for the objects of a grown problem."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Names:
    """New names: that of the object which is copied, and a number if it is taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._copies: dict[str, int] = defaultdict(int)

    def new(self, name: str) -> str:
        """A name that is not taken; it is now."""
        new = name
        while new in self._taken:
            self._copies[name] += 1
            new = f"{name}-{self._copies[name]}"
        self._taken.add(new)
        return new
