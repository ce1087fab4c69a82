"""What the plots share: the look of each method, and the size of a panel.

A method has the same colour, dashes and marker everywhere, so that colour is never needed to tell
methods apart. Colours and fonts are in page.css.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.report.markup import Markup, tag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.report.columns import Column

# Panels are drawn in the size in which a phone shows them.
WIDTH = 384.0

# Markers around the origin, about 8 wide, in the order in which styles are given out.
_MARKERS = (
    "M4 0A4 4 0 1 1 -4 0A4 4 0 1 1 4 0Z",
    "M-3.4 -3.4H3.4V3.4H-3.4Z",
    "M0 -4.4L4.2 3.2H-4.2Z",
    "M0 -4.8L4.2 0L0 4.8L-4.2 0Z",
    "M0 4.4L4.2 -3.2H-4.2Z",
    "M-1.4 -4.2H1.4V-1.4H4.2V1.4H1.4V4.2H-1.4V1.4H-4.2V-1.4H-1.4Z",
    "M-4 -2L-2 -4L0 -2L2 -4L4 -2L2 0L4 2L2 4L0 2L-2 4L-4 2L-2 0Z",
    "M0 -5L1.4 -1.6L4.9 -1.6L2.1 .7L3.1 4.2L0 2.1L-3.1 4.2L-2.1 .7L-4.9 -1.6L-1.4 -1.6Z",
    "M-4.4 0L-1.5 -4H1.5L4.4 0L1.5 4H-1.5Z",
    "M-4.6 -2H4.6V2H-4.6Z",
)
_DASHES = (None, "7 3", "2 3", "9 3 2 3", "5 2", "3 2", "1 3", None, "8 2 1 2 1 2", "12 4")

# Methods keep their style when others are missing; further columns take what is left over.
_STYLES = {
    "pg3": 0,
    "policy-evaluation": 1,
    "plan-comparison": 2,
    "combo": 3,
    "goal-count": 4,
    "gnn": 5,
    "random": 6,
    "robust": 7,
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a column looks in all plots: the class that gives the colour, dashes and marker."""

    colour: str
    dashes: str | None
    marker: str


def styles_of(columns: Sequence[Column]) -> dict[Column, Style]:
    """A style for each column; with more than ten columns some are used again."""
    free = [i for i in range(len(_MARKERS)) if i not in _STYLES.values()]
    taken: set[int] = set()
    styles: dict[Column, Style] = {}
    for column in columns:
        number = _STYLES.get(column.method)
        if number is None or number in taken:
            number = free.pop(0) if free else len(styles) % len(_MARKERS)
        taken.add(number)
        styles[column] = Style(f"m{number}", _DASHES[number], _MARKERS[number])
    return styles


def swatch(style: Style) -> Markup:
    """A short piece of a column's line, for a legend."""
    return tag(
        "svg",
        tag("path", class_=f"curve {style.colour}", d="M1 7H33", stroke_dasharray=style.dashes),
        marker(style, 17, 7),
        viewBox="0 0 34 14",
        width=34,
        height=14,
        aria_hidden="true",
    )


def marker(style: Style, x: float, y: float) -> Markup:
    """A column's marker at a place."""
    return tag(
        "path",
        class_=f"marker {style.colour}",
        d=style.marker,
        transform=f"translate({coordinate(x)} {coordinate(y)})",
    )


def coordinate(value: float) -> str:
    """A coordinate, short."""
    return f"{round(value, 1):g}"
