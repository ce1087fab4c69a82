"""The figures of the report as values; the renderers decide how they look.

A cell is a method in a domain, over its seeds. A run that failed counts as a success of 0 and finds
no solution. A *solution* is the first best policy that solves at least 90 % of the test problems;
its time is learning time alone.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.report.columns import Column, columns_of
from pg3.report.paper import DOMAINS, PAPER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pg3.experiments.results import ResultLine, Versions
    from pg3.report.paper import PaperCell

# The part of the test problems that a solution solves, as in the paper; a little less, as a success
# in a file may have been rounded.
SOLUTION = 0.9
_ENOUGH = SOLUTION - 1e-6

# Seconds, megabytes or candidates: thirty million years, say.
_IMPOSSIBLE = 1e15


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean and deviation (of a sample; None for a single figure) of `count` figures."""

    mean: float
    deviation: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Solution:
    """When a run found its first solution; `candidates` is None where none are counted."""

    seed: int
    seconds: float
    candidates: int | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A method in a domain. `time` is over the runs with a solution, None if there is none."""

    domain: str
    column: Column
    lines: tuple[ResultLine, ...]
    success: Summary
    time: Summary | None
    solutions: tuple[Solution, ...]
    paper: PaperCell | None

    @property
    def time_mean(self) -> float | None:
        """The mean time to a solution; None if there is none."""
        return None if self.time is None else self.time.mean

    @property
    def time_deviation(self) -> float | None:
        """The deviation of that time; None if there is at most one."""
        return None if self.time is None else self.time.deviation

    @property
    def count(self) -> int:
        """How many runs the cell is about."""
        return len(self.lines)

    @property
    def failed(self) -> int:
        """How many of them did not come to their end."""
        return sum(not line.done for line in self.lines)


@dataclass(frozen=True, slots=True)
class Row:
    """A domain: a cell for each column, None where nothing was run."""

    domain: str
    cells: tuple[Cell | None, ...]

    @property
    def title(self) -> str:
        """The domain's name for people."""
        return self.domain.capitalize() if self.domain in DOMAINS else self.domain

    def cell(self, column: Column) -> Cell | None:
        """The cell of a column."""
        return next((cell for cell in self.cells if cell and cell.column == column), None)


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that did not come to its end."""

    row: Row
    column: Column
    line: ResultLine


@dataclass(frozen=True, slots=True)
class Report:
    """All that the report says. `date` is that of the newest result.

    `seeds` is how many seeds the best filled cell has: others that have fewer say so.
    """

    lines: tuple[ResultLine, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]
    date: str
    versions: tuple[tuple[Versions, int], ...]
    seeds: int

    @property
    def in_paper(self) -> bool:
        """Whether the paper has a figure for something here."""
        return any(cell.paper is not None for cell in self.cells)

    @property
    def has_deviations(self) -> bool:
        """Whether something was run with several seeds."""
        return self.seeds > 1

    @property
    def cells(self) -> list[Cell]:
        """Every cell in which something was run, row by row."""
        return [cell for row in self.rows for cell in row.cells if cell is not None]

    def column_cells(self, column: Column) -> list[Cell]:
        """The cells of a column in which something was run."""
        return [cell for cell in self.cells if cell.column == column]

    def column_seeds(self, column: Column) -> int:
        """How many seeds the best filled cell of a column has."""
        return max(cell.count for cell in self.column_cells(column))


def compute(lines: Sequence[ResultLine]) -> Report:
    """The report of some results, at least one. Their order does not matter.

    Pg3Error if one has a figure that no run can have.
    """
    lines = sorted(map(_visible, lines), key=_order)
    for line in lines:
        _require_possible(line)
    _require_one_folder(lines)
    columns = columns_of(lines)
    rows = tuple(_row(domain, columns) for domain in _domains(lines))
    cells = [(row, cell) for row in rows for cell in row.cells if cell is not None]
    return Report(
        lines=tuple(lines),
        columns=tuple(columns),
        rows=rows,
        failures=tuple(
            Failure(row, cell.column, line)
            for row, cell in cells
            for line in cell.lines
            if not line.done
        ),
        date=max(line.date for line in lines),
        versions=_count_versions(lines),
        seeds=max(cell.count for _, cell in cells),
    )


def _require_possible(line: ResultLine) -> None:
    """Raise Pg3Error for a figure with which no mean could be computed."""
    figures = [line.learning_seconds, line.testing_seconds, line.peak_megabytes]
    figures += [best.seconds for best in line.bests]
    figures += [best.candidate or 0 for best in line.bests]
    if max(figures) > _IMPOSSIBLE:
        raise Pg3Error(f"{line.run}: it has a time, memory or count that no run can have")


def _require_one_folder(lines: Iterable[ResultLine]) -> None:
    """Raise Pg3Error where domains of one name come from two folders: a cell is about one."""
    folders: dict[str, str | None] = {}
    for line in lines:
        first = folders.setdefault(line.domain, line.options.data)
        if first != line.options.data:
            raise Pg3Error(
                f"{line.domain}: results from two folders of this name, {first} and "
                f"{line.options.data}: keep them in two folders of results"
            )


def _row(domain: str, columns: Mapping[Column, Sequence[ResultLine]]) -> Row:
    cells: list[Cell | None] = []
    for column, members in columns.items():
        lines = tuple(line for line in members if line.domain == domain)
        cells.append(_cell(domain, column, lines) if lines else None)
    return Row(domain, tuple(cells))


def _cell(domain: str, column: Column, lines: tuple[ResultLine, ...]) -> Cell:
    solutions = tuple(filter(None, map(_solution, lines)))
    return Cell(
        domain=domain,
        column=column,
        lines=lines,
        success=summary([line.success for line in lines]),
        time=summary([solution.seconds for solution in solutions]) if solutions else None,
        solutions=solutions,
        paper=PAPER.get((domain, column.method)),
    )


def summary(figures: Sequence[float]) -> Summary:
    """Mean and deviation of at least one figure."""
    deviation = statistics.stdev(figures) if len(figures) > 1 else None
    return Summary(statistics.fmean(figures), deviation, len(figures))


def _solution(line: ResultLine) -> Solution | None:
    good = [best for best in line.bests if best.success >= _ENOUGH]
    if not good:
        return None
    first = min(good, key=lambda best: best.seconds)
    return Solution(line.seed, first.seconds, first.candidate)


def _domains(lines: Iterable[ResultLine]) -> list[str]:
    return sorted({line.domain for line in lines}, key=_domain_rank)


def _domain_rank(domain: str) -> tuple[int, str]:
    """The paper's domains in its order, then others by name."""
    return (DOMAINS.index(domain) if domain in DOMAINS else len(DOMAINS), domain)


def _order(line: ResultLine) -> tuple[str, str, int, str]:
    return line.domain, line.method, line.seed, line.run.to_json()


def _count_versions(lines: Iterable[ResultLine]) -> tuple[tuple[Versions, int], ...]:
    """What the runs were made with, the most common first."""
    counts: dict[Versions, int] = {}
    for line in lines:
        counts[line.versions] = counts.get(line.versions, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))))


def _visible(line: ResultLine) -> ResultLine:
    """The result with every text such that all of it can be seen, and written to a file."""
    operators, accumulate = line.options.operators, line.options.accumulate
    return replace(
        line,
        domain=visible(line.domain),
        method=visible(line.method),
        reason=None if line.reason is None else visible(line.reason),
        stopped=None if line.stopped is None else visible(line.stopped),
        policy=None if line.policy is None else visible(line.policy, lines=True),
        options=replace(
            line.options,
            preset=None if line.options.preset is None else visible(line.options.preset),
            operators=None if operators is None else tuple(map(visible, operators)),
            accumulate=None if accumulate is None else visible(accumulate),
        ),
        versions=replace(
            line.versions,
            pg3=visible(line.versions.pg3),
            python=visible(line.versions.python),
            platform=visible(line.versions.platform),
            torch=None if line.versions.torch is None else visible(line.versions.torch),
        ),
    )


def visible(text: str, *, lines: bool = False) -> str:
    r"""The text with control and format characters and half characters written as \u202e and such.

    A file must not be able to reorder what a reader sees, nor break a line of a table; with `lines`
    line ends are kept and tabs become spaces.
    """
    if lines:
        text = text.replace("\r\n", "\n").expandtabs(4)
    return "".join(
        character
        if character.isprintable() or (lines and character == "\n")
        else character.encode("unicode_escape").decode()
        for character in text
    )
