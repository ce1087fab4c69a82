"""How the report writes numbers; the same in every format."""

from __future__ import annotations

import math

# What stands where there is no number.
NONE = "–"
MINUS = "\N{MINUS SIGN}"


def fraction(value: float) -> str:
    """A success between 0 and 1 with two decimals; "1.00" and "0.00" mean exactly all and none.

    What would only round to these gets a third decimal, rounded away from them.
    """
    text = f"{value:.2f}"
    if text == "1.00" and value < 1:
        return f"{math.floor(value * 1000) / 1000:.3f}"
    if text == "0.00" and value > 0:
        return f"{math.ceil(value * 1000) / 1000:.3f}"
    return text


def seconds(value: float) -> str:
    """Seconds without a unit: one decimal as in the paper, below 1 two significant digits."""
    if value >= 1:
        return f"{value:.1f}"
    if value < 0.0001:
        return "0.0" if value == 0 else "<0.0001"
    # Rounded first: 0.996 is 1.0, not 1.00.
    rounded = float(f"{value:.2g}")
    if rounded >= 1:
        return f"{rounded:.1f}"
    return f"{rounded:.{1 - math.floor(math.log10(rounded))}f}"


def paper_seconds(value: float | None) -> str:
    """Seconds as the paper prints them."""
    return NONE if value is None else f"{value:.1f}"


def factor(value: float) -> str:
    """How many times as much, of a value from 1 up: "1.3×", "38×", "2,400×"."""
    if value < 9.95:
        return f"{value:.1f}×"
    if value < 999.5:
        return f"{value:.0f}×"
    return f"{float(f'{value:.2g}'):,.0f}×"


def whole(value: float) -> str:
    """A number that counts something, with commas: "2,500"; a median may end in .5."""
    return f"{int(value):,}" if value == int(value) else f"{value:,.1f}"


def signed(value: float, decimals: int) -> str:
    """A difference that is not 0, with its sign."""
    return f"{'+' if value > 0 else MINUS}{abs(value):.{decimals}f}"


def named_seeds(numbers: tuple[int, ...]) -> str:
    """Seeds in ascending order with the noun: "seed 3", "seeds 0–4, 7"."""
    return f"seed{'' if len(numbers) == 1 else 's'} {seeds(numbers)}"


def seeds(numbers: tuple[int, ...]) -> str:
    """Seeds in ascending order, runs of them shortened: "0–4, 7, 9"."""
    parts: list[str] = []
    start = 0
    for i, number in enumerate(numbers):
        if i + 1 < len(numbers) and numbers[i + 1] == number + 1:
            continue
        first = numbers[start]
        if number - first >= 2:
            parts.append(f"{first}–{number}")
        else:
            parts += [str(one) for one in numbers[start : i + 1]]
        start = i + 1
    return ", ".join(parts)


def duration(value: float) -> str:
    """A span of time in words of two parts: "1 h 12 min", "3 min 20 s", "0.8 s"."""
    if value < 60:
        return f"{seconds(value)} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if minutes else f"{hours:,} h"
