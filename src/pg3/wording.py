"""How messages put things."""

from __future__ import annotations


def count(number: int, noun: str) -> str:
    """The number with the noun: "1 step", "2 steps"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
