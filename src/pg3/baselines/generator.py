"""Random numbers that are the same on every machine and in every version of Python."""

from __future__ import annotations

_MASK = 2**64 - 1


class Generator:
    """SplitMix64.

    The kernel has the same one (native/ground/generator.hpp), so that either can take the
    other's place.
    """

    def __init__(self, seed: int) -> None:
        self._state = _mix(_mix(seed & _MASK))

    def next(self) -> int:
        """The next 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        return _mix(self._state)

    def below(self, bound: int) -> int:
        """A number from 0 up to but not including `bound`, each equally likely."""
        # Draws from the incomplete last round are dropped: they would favour small numbers.
        dropped = 2**64 % bound
        drawn = self.next()
        while drawn > _MASK - dropped:
            drawn = self.next()
        return drawn % bound

    def unit(self) -> float:
        """A number from 0 up to but not including 1, exact in 32-bit floats."""
        return (self.next() >> 40) * 2.0**-24


def _mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)
