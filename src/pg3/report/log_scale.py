"""A logarithmic axis over whole decades."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# The ticks of more decades than this get a label only every second one.
_MANY = 4


@dataclass(frozen=True, slots=True)
class LogScale:
    """Maps values from 10^`low` to 10^`high` to positions from `left` to `right`."""

    low: int
    high: int
    left: float
    right: float

    @classmethod
    def around(cls, values: Iterable[float], left: float, right: float) -> LogScale:
        """The smallest scale of at least one decade that shows all positive values."""
        logarithms = [math.log10(value) for value in values if value > 0] or [0.0]
        # A value that is a power of ten up to rounding needs no decade more.
        low = math.floor(min(logarithms) + 1e-9)
        return cls(low, max(math.ceil(max(logarithms) - 1e-9), low + 1), left, right)

    def place(self, value: float) -> float:
        """Where a value stands; what is too small to show (0) stands at the left end."""
        part = (math.log10(value) - self.low) / (self.high - self.low) if value > 0 else 0.0
        return self.left + min(max(part, 0.0), 1.0) * (self.right - self.left)

    def ticks(self) -> list[tuple[int, bool]]:
        """The exponents of the decades, each with whether it gets a label."""
        step = 2 if self.high - self.low > _MANY else 1
        return [
            (exponent, (exponent - self.low) % step == 0)
            for exponent in range(self.low, self.high + 1)
        ]
