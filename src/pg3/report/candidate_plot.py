"""Candidates to the first solution, as SVG: a panel a domain, a line of dots a method."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from pg3.report.figures import NONE, named_seeds, whole
from pg3.report.log_scale import LogScale
from pg3.report.markup import Markup, tag
from pg3.report.plot_styles import WIDTH, Style, coordinate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.report.columns import Column
    from pg3.report.tables import Cell, Report, Row

_ROW_HEIGHT = 22.0
_DOTS_LEFT, _DOTS_RIGHT, _DOTS_TOP = 84.0, WIDTH - 96, 22.0


def searchers(report: Report) -> list[Column]:
    """The columns whose runs count candidates."""
    return [
        column
        for column in report.columns
        if any(
            line.candidates is not None
            for cell in report.cells
            if cell.column == column
            for line in cell.lines
        )
    ]


def candidate_scale(report: Report) -> LogScale:
    """The axis of candidates, the same in every panel."""
    counts = [float(n) for cell in report.cells for n in candidate_counts(cell)]
    return LogScale.around([1.0, *counts], _DOTS_LEFT, _DOTS_RIGHT)


def candidate_counts(cell: Cell) -> list[int]:
    """The candidates to the first solution, of the seeds that have one, in ascending order."""
    return sorted(s.candidates for s in cell.solutions if s.candidates is not None)


def candidate_panel(
    row: Row, columns: Sequence[Column], scale: LogScale, styles: dict[Column, Style]
) -> Markup:
    """The dots of one domain: a line a method, a dot for the seeds with the same count."""
    bottom = _DOTS_TOP + _ROW_HEIGHT * len(columns)
    parts = [
        tag("text", "median", class_="tick end", x=WIDTH - 44, y=_DOTS_TOP - 9),
        tag("text", "seeds", class_="tick end", x=WIDTH - 2, y=_DOTS_TOP - 9),
    ]
    for exponent, labelled in scale.ticks():
        x = coordinate(scale.place(10.0**exponent))
        parts.append(tag("line", class_="grid", x1=x, x2=x, y1=_DOTS_TOP, y2=bottom))
        if labelled:
            label = whole(10**exponent)
            parts.append(tag("text", label, class_="tick mid", x=x, y=coordinate(bottom + 15)))
    for i, column in enumerate(columns):
        y = _DOTS_TOP + _ROW_HEIGHT * (i + 0.5)
        parts.append(tag("text", column.short, class_="name", x=0, y=coordinate(y + 4)))
        parts.append(
            tag(
                "line",
                class_="grid",
                x1=_DOTS_LEFT,
                x2=_DOTS_RIGHT,
                y1=coordinate(y),
                y2=coordinate(y),
            )
        )
        parts.append(_dots(row.cell(column), y, scale, styles[column]))
    return tag(
        "svg",
        tag("title", f"{row.title}: candidates to the first solution, a dot for equal seeds"),
        *parts,
        viewBox=f"0 0 {WIDTH:g} {coordinate(bottom + 24)}",
        role="img",
    )


def _dots(cell: Cell | None, y: float, scale: LogScale, style: Style) -> Markup:
    if cell is None:
        return tag("text", "not run", class_="tick end", x=WIDTH - 2, y=coordinate(y + 4))
    counts = candidate_counts(cell)
    parts = []
    for count in sorted(set(counts)):
        same = tuple(s.seed for s in cell.solutions if s.candidates == count)
        words = f"{cell.column.label}, {named_seeds(same)}: {whole(count)} candidates"
        parts.append(
            tag(
                "circle",
                tag("title", words),
                class_="dot",
                cx=coordinate(scale.place(count)),
                cy=coordinate(y),
                # The area stands for the number of seeds.
                r=coordinate(3.2 * len(same) ** 0.5),
            )
        )
    median = whole(statistics.median(counts)) if counts else NONE
    text = y + 4
    parts.append(tag("text", median, class_="value end", x=WIDTH - 44, y=coordinate(text)))
    reached = f"{len(counts)}/{cell.count}"
    parts.append(tag("text", reached, class_="value end", x=WIDTH - 2, y=coordinate(text)))
    return tag("g", *parts, class_=f"line {style.colour}")
