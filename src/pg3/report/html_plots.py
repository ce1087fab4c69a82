"""The plots on the page, with what one has to know to read them."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from pg3.report.candidate_plot import (
    candidate_counts,
    candidate_panel,
    candidate_scale,
    searchers,
)
from pg3.report.figures import NONE, whole
from pg3.report.html_parts import panels, plain_table, reading, section
from pg3.report.markup import Markup, tag
from pg3.report.plot_styles import Style, swatch
from pg3.report.success_plot import success_panel, time_scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.report.columns import Column
    from pg3.report.tables import Cell, Report


def success_section(report: Report, styles: dict[Column, Style]) -> Markup:
    """Success against time."""
    scale = time_scale(report)
    legend = tag(
        "ul",
        *(
            tag("li", swatch(style), tag("span", column.label), data_style=style.colour)
            for column, style in styles.items()
        ),
        class_="legend",
    )
    return section(
        "time",
        "Success against time",
        reading(
            "Mean test success of the best policy so far, over seconds of learning (testing left "
            "out), on a logarithmic scale that all panels share. A marker stands where the "
            "learning of the last seed ended; the thin line after it only leads to the name. The "
            "hollow diamond is the mean time to 90 % of the paper’s PG3."
        ),
        legend,
        panels((row.title, success_panel(row, scale, styles)) for row in report.rows),
    )


def candidate_section(report: Report, styles: dict[Column, Style]) -> Markup | None:
    """Candidates to the first solution; None if no method counts any."""
    columns = searchers(report)
    if not columns:
        return None
    scale = candidate_scale(report)
    text = (
        "How many candidate policies were scored until one was found that solves at least 90 % of "
        "the test problems, on a logarithmic scale. A dot is a seed, a larger one several seeds "
        "with the same number; the median is over the seeds that found one."
    )
    if any(column.method == "robust" for column in columns):
        text += (
            " Robust runs several searches and shows its final policy only, so its number is that "
            "of all its candidates."
        )
    return section(
        "candidates",
        "Candidates to the first solution",
        reading(text),
        panels((row.title, candidate_panel(row, columns, scale, styles)) for row in report.rows),
        _candidate_table(report, columns),
    )


def _candidate_table(report: Report, columns: Sequence[Column]) -> Markup:
    """The same as numbers, for those who cannot or would not read dots."""
    rows = [
        [row.title, *(_candidate_figures(row.cell(column)) for column in columns)]
        for row in report.rows
    ]
    caption = "Candidates to the first solution: median (least to most), seeds that found one"
    table = plain_table(caption, ["", *(column.label for column in columns)], rows)
    return tag("details", tag("summary", "The same as a table"), table)


def _candidate_figures(cell: Cell | None) -> str:
    if cell is None:
        return "not run"
    counts = candidate_counts(cell)
    if not counts:
        return f"{NONE}, 0 of {cell.count}"
    spread = "" if counts[0] == counts[-1] else f" ({whole(counts[0])} to {whole(counts[-1])})"
    return f"{whole(statistics.median(counts))}{spread}, {len(counts)} of {cell.count}"
