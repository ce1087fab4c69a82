"""The competition's quality score of the plans in the results, where a planner is among them.

The reference of a test problem is the fewest steps that any of the methods takes on it.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from pg3.analysis.references import quality
from pg3.experiments.methods.fast_downward import CONFIGURATIONS
from pg3.report.figures import NONE, fraction

if TYPE_CHECKING:
    from pg3.report.tables import Cell, Report

# A test problem: its domain, the seed, its number.
_Key = tuple[str, int, int]


def quality_rows(report: Report) -> list[list[str]]:
    """For each domain its name and the score in each column; nothing if no planner was run.

    The score is the mean over all test problems: best steps divided by steps, 0 if not solved.
    """
    if not any(column.method in CONFIGURATIONS for column in report.columns):
        return []
    best: dict[_Key, int] = {}
    for line in report.lines:
        for number, steps in enumerate(line.steps):
            key = line.domain, line.seed, number
            if steps is not None:
                best[key] = min(steps, best.get(key, steps))

    def score(cell: Cell | None) -> str:
        if cell is None:
            return NONE
        scores = [
            0.0 if steps is None else quality(steps, best[line.domain, line.seed, number])
            for line in cell.lines
            for number, steps in enumerate(line.steps)
        ]
        return fraction(statistics.fmean(scores))

    return [[row.title, *map(score, row.cells)] for row in report.rows]
