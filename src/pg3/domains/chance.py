"""Random choices that are the same on every machine and with every version of Python."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")


class Chance:
    """A seeded source of choices.

    Python promises the same numbers for the same seed in all versions only for `random.random()`,
    so every choice is made from that.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random

    def below(self, bound: int) -> int:
        """One of 0, ..., bound - 1, each as likely."""
        return int(self._random() * bound)

    def between(self, low: int, high: int) -> int:
        """One of low, ..., high, each as likely."""
        return low + self.below(high - low + 1)

    def choose(self, options: Sequence[T]) -> T:
        """One of the options, each as likely."""
        return options[self.below(len(options))]

    # The name that `random.Random` has for it.
    choice = choose

    def choose_other(self, options: Sequence[T], taken: T) -> T:
        """One of the options but `taken`, which is among them once; the others as likely."""
        i = self.below(len(options) - 1)
        # The last option stands in for the one that is taken.
        return options[i] if options[i] != taken else options[-1]

    def sample(self, options: Iterable[T], number: int) -> list[T]:
        """So many different options, in random order."""
        pool = list(options)
        for i in range(number):
            j = self.between(i, len(pool) - 1)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:number]

    def shuffle(self, items: list[T]) -> None:
        """Put the items in random order."""
        items[:] = self.sample(items, len(items))
