"""Tables 1 and 2 in Markdown: a line for our figures, one for the paper's, one to compare."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pg3.report.comparison import compare
from pg3.report.figures import NONE, fraction, paper_seconds, seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.report.comparison import Comparison, Difference
    from pg3.report.paper import PaperCell
    from pg3.report.tables import Cell, Report, Row

_MEANS = """\
Each cell has Eval, the part of the test problems that the final policy solves, and Time, the
seconds of learning until a policy is found that solves at least 90 % of them (over the seeds that
find one, in parentheses if not all do). ▲ better than in the paper, ▼ worse, = as printed there."""

_DEVIATIONS = """\
Sample standard deviations over seeds, as in the paper. ↑ more spread than in the paper, ↓ less."""


def render_markdown(report: Report) -> str:
    """Both tables, with what failed before them."""
    parts = ["# The paper's experiments, run again", _facts(report)]
    if report.failures:
        lines = [
            f"- {_escape(failure.row.title)}, {_escape(failure.column.label)}, "
            f"seed {failure.line.seed}: {failure.line.status}: {_escape(failure.line.reason or '')}"
            for failure in report.failures
        ]
        parts += ["## Failures, which count as 0", "\n".join(lines)]
    parts += ["## Table 1: means", _MEANS, _table(report, _means, _paper_means, _compare_means)]
    parts += [
        "## Table 2: standard deviations",
        _DEVIATIONS,
        _table(report, _deviations, _paper_deviations, _compare_deviations),
    ]
    return "\n\n".join(parts) + "\n"


def _facts(report: Report) -> str:
    versions = ", ".join(sorted({_escape(versions.pg3) for versions, _ in report.versions}))
    return f"{report.date[:10]}, pg3 {versions}, {len(report.lines)} runs, {report.seeds} seeds."


def _table(
    report: Report,
    ours: Callable[[Cell, Report], str],
    paper: Callable[[PaperCell], str],
    difference: Callable[[Comparison], str],
) -> str:
    rows = [_head(report), ["---"] * (1 + len(report.columns))]
    for row in report.rows:
        figures = ["not run" if cell is None else ours(cell, report) for cell in row.cells]
        rows.append([f"**{_escape(row.title)}**", *figures])
        if any(cell is not None and cell.paper is not None for cell in row.cells):
            rows.append(["paper", *_paper_side(row, paper)])
            rows.append(["difference", *_differences(row, difference)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _head(report: Report) -> list[str]:
    head = [""]
    for column in report.columns:
        count = report.column_seeds(column)
        few = f" (n = {count})" if count < report.seeds else ""
        head.append(_escape(column.label) + few)
    return head


def _paper_side(row: Row, render: Callable[[PaperCell], str]) -> list[str]:
    return ["" if cell is None or cell.paper is None else render(cell.paper) for cell in row.cells]


def _differences(row: Row, render: Callable[[Comparison], str]) -> list[str]:
    comparisons = [None if cell is None else compare(cell) for cell in row.cells]
    return ["" if comparison is None else render(comparison) for comparison in comparisons]


def _means(cell: Cell, report: Report) -> str:
    text = f"{fraction(cell.success.mean)} · {_seconds(cell.time_mean)}"
    if cell.time is not None and cell.time.count < cell.count:
        text += f" ({cell.time.count} of {cell.count})"
    most = report.column_seeds(cell.column)
    return text if cell.count == most else f"{text}, {cell.count} of {most} seeds"


def _paper_means(cell: PaperCell) -> str:
    return f"{fraction(cell.success)} · {_paper_seconds(cell.time)}"


def _compare_means(comparison: Comparison) -> str:
    return f"{comparison.success} · {comparison.time}"


def _deviations(cell: Cell, report: Report) -> str:
    success = cell.success.deviation
    text = NONE if success is None else fraction(success)
    return f"{text} · {_seconds(cell.time_deviation)}"


def _paper_deviations(cell: PaperCell) -> str:
    return f"{fraction(cell.success_deviation)} · {_paper_seconds(cell.time_deviation)}"


def _compare_deviations(comparison: Comparison) -> str:
    return f"{_mark(comparison.success_deviation)} · {_mark(comparison.time_deviation)}"


def _mark(difference: Difference | None) -> str:
    return NONE if difference is None else str(difference)


def _seconds(value: float | None) -> str:
    return NONE if value is None else f"{seconds(value)} s"


def _paper_seconds(value: float | None) -> str:
    return NONE if value is None else f"{paper_seconds(value)} s"


def _escape(text: str) -> str:
    """The text such that Markdown shows it as it is, also in a table."""
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", text)
