"""Tables 1 and 2 in HTML: for each domain our figures, the paper's, and the differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.report.comparison import Comparison, Difference, compare
from pg3.report.figures import NONE, fraction, paper_seconds, seconds
from pg3.report.html_parts import scrolling
from pg3.report.markup import Markup, join, tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pg3.report.tables import Cell, Report, Row


def means_table(report: Report) -> Markup:
    """Table 1: the mean success and the mean time to a solution."""
    best = {row.domain: _best(row) for row in report.rows}

    def ours(cell: Cell) -> Markup:
        mean = cell.success.mean
        success = tag(
            "td",
            tag("b", fraction(mean)) if mean == best[cell.domain] > 0 else fraction(mean),
            _seed_note(cell, report),
            class_="first tint",
            style=f"--s:{mean:.3g}",
        )
        return join([success, tag("td", _time(cell), _reached_note(cell))])

    def paper(cell: Cell) -> Markup:
        assert cell.paper is not None
        return _pair(fraction(cell.paper.success), paper_seconds(cell.paper.time))

    def difference(comparison: Comparison) -> Markup:
        return join([_difference(comparison.success, "first"), _difference(comparison.time, None)])

    caption = "Table 1. Means: test success of the final policy (Eval), seconds to 90 % (Time)"
    return _table(report, "table-1", caption, ours, paper, difference)


def deviations_table(report: Report) -> Markup:
    """Table 2: the standard deviations of the same figures."""

    def ours(cell: Cell) -> Markup:
        success, time = cell.success.deviation, cell.time_deviation
        return _pair(
            NONE if success is None else fraction(success), NONE if time is None else seconds(time)
        )

    def paper(cell: Cell) -> Markup:
        assert cell.paper is not None
        return _pair(
            fraction(cell.paper.success_deviation), paper_seconds(cell.paper.time_deviation)
        )

    def difference(comparison: Comparison) -> Markup:
        return join(
            [
                _difference(comparison.success_deviation, "first"),
                _difference(comparison.time_deviation, None),
            ]
        )

    caption = "Table 2. Standard deviations of the figures of Table 1"
    return _table(report, "table-2", caption, ours, paper, difference)


def _table(
    report: Report,
    name: str,
    caption: str,
    ours: Callable[[Cell], Markup],
    paper: Callable[[Cell], Markup],
    difference: Callable[[Comparison], Markup],
) -> Markup:
    bodies = []
    for row in report.rows:
        title = tag("th", row.title, scope="row", class_="domain")
        lines = [tag("tr", title, *(_or_gap(cell, ours) for cell in row.cells), class_="ours")]
        if any(cell is not None and cell.paper is not None for cell in row.cells):
            head = tag("th", "paper", scope="row")
            cells = (_or_blank(cell, paper) for cell in row.cells)
            lines.append(tag("tr", head, *cells, class_="paper"))
            head = tag("th", "difference", scope="row")
            cells = (
                _or_blank(cell, lambda cell: _compared(cell, difference)) for cell in row.cells
            )
            lines.append(tag("tr", head, *cells, class_="difference"))
        bodies.append(tag("tbody", *lines))
    table = tag(
        "table",
        tag("caption", tag("span", caption)),
        _head(report),
        *bodies,
        class_="figures",
        id=name,
    )
    return scrolling(table, caption)


def _head(report: Report) -> Markup:
    methods, figures = [tag("td", rowspan=2)], []
    for column in report.columns:
        count = report.column_seeds(column)
        notes = [column.variant] if column.variant else []
        if count < report.seeds:
            notes.append(f"n = {count}")
        if not column.in_paper:
            notes.append("not in the paper")
        methods.append(
            tag(
                "th",
                column.name,
                *(tag("small", note) for note in notes),
                scope="colgroup",
                colspan=2,
            )
        )
        figures += [tag("th", "Eval", scope="col", class_="first"), tag("th", "Time", scope="col")]
    return tag("thead", tag("tr", *methods), tag("tr", *figures, class_="kinds"))


def _or_gap(cell: Cell | None, render: Callable[[Cell], Markup]) -> Markup:
    if cell is None:
        return tag("td", "not run", colspan=2, class_="first gap")
    return render(cell)


def _or_blank(cell: Cell | None, render: Callable[[Cell], Markup]) -> Markup:
    """The paper's side of a cell; empty where there is no counterpart."""
    if cell is None or cell.paper is None:
        return join([tag("td", class_="first"), tag("td")])
    return render(cell)


def _compared(cell: Cell, render: Callable[[Comparison], Markup]) -> Markup:
    comparison = compare(cell)
    assert comparison is not None
    return render(comparison)


def _pair(success: str, time: str) -> Markup:
    return join([tag("td", success, class_="first"), tag("td", time)])


def _difference(difference: Difference | None, place: str | None) -> Markup:
    if difference is None:
        return tag("td", NONE, class_=place)
    kind = difference.verdict.name.lower()
    return tag(
        "td",
        tag("span", difference.verdict.value, aria_hidden="true", class_="mark"),
        f" {difference.size}" if difference.size else None,
        tag("span", f" {difference.words}", class_="spoken"),
        class_=f"{place} {kind}" if place else kind,
    )


def _time(cell: Cell) -> str:
    return NONE if cell.time_mean is None else seconds(cell.time_mean)


def _seed_note(cell: Cell, report: Report) -> Markup | None:
    """How many seeds stand behind a cell, where its column has more; and how many failed."""
    notes = []
    most = report.column_seeds(cell.column)
    if cell.count < most:
        notes.append(f"{cell.count} of {most} seeds")
    if cell.failed:
        notes.append(f"{cell.failed} failed")
    return _notes(notes)


def _reached_note(cell: Cell) -> Markup | None:
    """How many seeds the time is about, if not all."""
    if cell.time is None or cell.time.count == cell.count:
        return None
    return _notes([f"{cell.time.count} of {cell.count}"])


def _notes(notes: Iterable[str]) -> Markup:
    return join(tag("small", note) for note in notes)


def _best(row: Row) -> float:
    return max(cell.success.mean for cell in row.cells if cell is not None)
