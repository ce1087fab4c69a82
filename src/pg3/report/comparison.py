"""Our figures next to the paper's, as the tables show them: better, worse or equal, by how much.

What is compared are the figures as shown: a difference that rounding hides is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from pg3.report.figures import NONE, factor, fraction, paper_seconds, seconds, signed

if TYPE_CHECKING:
    from pg3.report.tables import Cell, Report, Row


class Verdict(Enum):
    """What a difference means; the value is its mark.

    A larger deviation is neither good nor bad: a method that always fails has none at all.
    """

    BETTER = "▲"
    WORSE = "▼"
    EQUAL = "="
    MORE = "↑"
    LESS = "↓"


@dataclass(frozen=True, slots=True)
class Difference:
    """A verdict, its size as a short text ("+0.20", "38×", "" if equal), and both in words."""

    verdict: Verdict
    size: str
    words: str

    def __str__(self) -> str:
        return f"{self.verdict.value} {self.size}".rstrip()


_EQUAL = Difference(Verdict.EQUAL, "", "as in the paper")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A cell next to the paper's, figure by figure; None where one of the two has no figure."""

    success: Difference
    time: Difference
    success_deviation: Difference | None
    time_deviation: Difference | None


def compare(cell: Cell) -> Comparison | None:
    """How a cell differs from the paper's; None if the paper has no such cell."""
    paper = cell.paper
    if paper is None:
        return None
    success, time_deviation = cell.success, cell.time_deviation
    solved, time = (
        _compare_success(success.mean, paper.success),
        _compare_time(cell.time_mean, paper.time),
    )
    if solved.verdict is Verdict.WORSE and time.verdict is Verdict.BETTER:
        # To solve less sooner is nothing to be proud of.
        time = Difference(Verdict.LESS, time.size, "sooner than in the paper, but it solves less")
    return Comparison(
        success=solved,
        time=time,
        success_deviation=(
            None
            if success.deviation is None
            else _compare_spread(success.deviation, paper.success_deviation)
        ),
        time_deviation=(
            None
            if time_deviation is None or paper.time_deviation is None
            else _compare_time_spread(time_deviation, paper.time_deviation)
        ),
    )


def _compare_success(ours: float, paper: float) -> Difference:
    size = _shown_difference(ours, paper)
    if not size:
        return _EQUAL
    better = ours > paper
    return Difference(
        Verdict.BETTER if better else Verdict.WORSE,
        size,
        "better than in the paper" if better else "worse than in the paper",
    )


def _compare_time(ours: float | None, paper: float | None) -> Difference:
    if ours is None and paper is None:
        return _EQUAL
    if ours is None:
        return Difference(Verdict.WORSE, "none", "never found, unlike in the paper")
    if paper is None:
        return Difference(Verdict.BETTER, "found", "never found in the paper")
    faster = ours < paper
    size = factor(_ratio(ours, paper))
    if size == "1.0×":
        return _EQUAL
    return Difference(
        Verdict.BETTER if faster else Verdict.WORSE,
        size,
        "faster than in the paper" if faster else "slower than in the paper",
    )


def _compare_spread(ours: float, paper: float) -> Difference:
    size = _shown_difference(ours, paper)
    if not size:
        return _EQUAL
    return _spread(ours > paper, size)


def _compare_time_spread(ours: float, paper: float) -> Difference:
    size = factor(_ratio(ours, paper))
    return _EQUAL if size == "1.0×" else _spread(ours > paper, size)


def _spread(more: bool, size: str) -> Difference:
    words = "more spread than in the paper" if more else "less spread than in the paper"
    return Difference(Verdict.MORE if more else Verdict.LESS, size, words)


def _shown_difference(ours: float, paper: float) -> str:
    """The difference of two fractions as they are shown; "" if there is none."""
    shown = fraction(ours)
    difference = float(shown) - paper
    decimals = len(shown) - shown.index(".") - 1
    text = signed(difference, decimals)
    return "" if float(text[1:]) == 0 else text


# No clock that times a run is finer than this; it also stands in for 0.
_SHORTEST = 1e-6


def _ratio(ours: float, paper: float) -> float:
    """How many times the larger is as large as the smaller."""
    ours, paper = max(ours, _SHORTEST), max(paper, _SHORTEST)
    return max(ours / paper, paper / ours)


# -- Tables 1 and 2 --------------------------------------------------------------------------------

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell of Table 1 or 2: Eval and Time as shown, ours and the paper's if it has them.

    `best` says whether no method has a better Eval in the domain. Notes are empty where there is
    nothing to say: how many seeds stand behind a cell, how many failed, how many reached a time.
    """

    cell: Cell
    ours: Pair
    paper: Pair | None
    differences: tuple[Difference | None, Difference | None]
    best: bool = False
    seeds: str = ""
    failed: str = ""
    reached: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A domain in Table 1 or 2: an entry for each column, None where nothing was run."""

    title: str
    entries: tuple[Entry | None, ...]

    @property
    def in_paper(self) -> bool:
        """Whether the paper has a figure for some entry."""
        return any(entry is not None and entry.paper is not None for entry in self.entries)


def means(report: Report) -> list[Line]:
    """Table 1: the mean success and the mean time to a solution."""
    return [
        Line(
            row.title,
            tuple(None if cell is None else _mean(cell, row, report) for cell in row.cells),
        )
        for row in report.rows
    ]


def _mean(cell: Cell, row: Row, report: Report) -> Entry:
    compared, paper, most = compare(cell), cell.paper, report.column_seeds(cell.column)
    best = max(other.success.mean for other in row.cells if other is not None)
    reached = 0 if cell.time is None else cell.time.count
    return Entry(
        cell,
        (fraction(cell.success.mean), _seconds(cell.time_mean)),
        None if paper is None else (fraction(paper.success), paper_seconds(paper.time)),
        (None, None) if compared is None else (compared.success, compared.time),
        best=cell.success.mean == best > 0,
        seeds=f"{cell.count} of {most} seeds" if cell.count < most else "",
        failed=f"{cell.failed} failed" if cell.failed else "",
        reached=f"{reached} of {cell.count}" if 0 < reached < cell.count else "",
    )


def deviations(report: Report) -> list[Line]:
    """Table 2: the standard deviations of the same figures."""
    return [
        Line(row.title, tuple(None if cell is None else _deviation(cell) for cell in row.cells))
        for row in report.rows
    ]


def _deviation(cell: Cell) -> Entry:
    compared, paper, success = compare(cell), cell.paper, cell.success.deviation
    return Entry(
        cell,
        (NONE if success is None else fraction(success), _seconds(cell.time_deviation)),
        None
        if paper is None
        else (fraction(paper.success_deviation), paper_seconds(paper.time_deviation)),
        (None, None) if compared is None else (compared.success_deviation, compared.time_deviation),
    )


def _seconds(value: float | None) -> str:
    return NONE if value is None else seconds(value)
