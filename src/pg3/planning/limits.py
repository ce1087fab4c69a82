"""What a search or an execution may use."""

from __future__ import annotations

from dataclasses import dataclass

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
            if not value >= 0:
                raise ValueError(f"{name} must not be negative, got {value}")
            if value > BEYOND_REACH:
                object.__setattr__(self, name, None)
