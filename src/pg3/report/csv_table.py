"""The figures of Tables 1 and 2 as CSV, in long form: a line for each method in each domain."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pg3.report.tables import Cell, Report

_FIELDS = (
    "domain",
    "method",
    "variant",
    "n",
    "failed",
    "eval_mean",
    "eval_sd",
    "time_mean",
    "time_sd",
    "reached_90",
    "paper_eval_mean",
    "paper_eval_sd",
    "paper_time_mean",
    "paper_time_sd",
)


def render_csv(report: Report) -> str:
    """A head line and the figures; what there is no figure for is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    for cell in report.cells:
        writer.writerow(_row(cell))
    return text.getvalue()


def _row(cell: Cell) -> list[str]:
    paper = cell.paper
    facts = [
        _harmless(cell.domain),
        _harmless(cell.column.method),
        _harmless(cell.column.variant),
        str(cell.count),
        str(cell.failed),
        _number(cell.success.mean),
        _number(cell.success.deviation),
        _number(cell.time_mean),
        _number(cell.time_deviation),
        str(len(cell.solutions)),
    ]
    if paper is None:
        return [*facts, "", "", "", ""]
    theirs = (paper.success, paper.success_deviation, paper.time, paper.time_deviation)
    return [*facts, *map(_number, theirs)]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _harmless(text: str) -> str:
    """The text such that no spreadsheet takes it for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
