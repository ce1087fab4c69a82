"""What a search or an execution may use."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from pg3.errors import ArgumentError

# Larger limits than this, in any unit, do not fit the kernel's numbers and mean nothing.
BEYOND_REACH = 2**40


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may use; None is no limit. Reaching one ends it with that status.

    `megabytes` counts what the kernel keeps for this search, not the whole process.
    """

    expansions: int | None = None
    seconds: float | None = None
    megabytes: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no limit at all; take what no search can reach as "no limit"."""
        for name in ("expansions", "seconds", "megabytes"):
            value = getattr(self, name)
            if value is None:
                continue
            is_number = isinstance(value, Real) and not isinstance(value, bool)
            if not is_number or not value >= 0:
                raise ArgumentError(name, "a number from 0", value)
            if value > BEYOND_REACH:
                object.__setattr__(self, name, None)


def as_limits(limits: Limits) -> Limits:
    """The limits; ArgumentError if they are no such thing."""
    if not isinstance(limits, Limits):
        raise ArgumentError("limits", "a value such as pg3.Limits(seconds=60)", limits)
    return limits
