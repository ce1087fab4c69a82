"""Success against time: the mean test success of the best policy so far, as learning goes on."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.experiments.results import ResultLine
    from pg3.report.tables import Cell


@dataclass(frozen=True, slots=True)
class Curve:
    """A step curve: from each point's seconds on, the mean success is that point's.

    Before the first point it is 0. `end` is when the last seed's learning ended, `final` the mean
    success of the final policies. A method that learns nothing has no points, and its `final` holds
    at all times.
    """

    points: tuple[tuple[float, float], ...]
    end: float
    final: float


def curve_of(cell: Cell) -> Curve:
    """The curve of a cell. A run that failed counts as 0 throughout."""
    changes = sorted(
        (seconds, seed, success)
        for seed, line in enumerate(cell.lines)
        for seconds, success in _changes(line)
    )
    current = [0.0] * len(cell.lines)
    means: dict[float, float] = {}
    for seconds, seed, success in changes:
        current[seed] = success
        means[seconds] = statistics.fmean(current)
    end = max(line.learning_seconds for line in cell.lines)
    return Curve(tuple(_steps(means.items())), end, cell.success.mean)


def _changes(line: ResultLine) -> list[tuple[float, float]]:
    """The times at which a run's test success became known, with its value from there on."""
    changes = sorted((best.seconds, best.success) for best in line.bests)
    if changes and changes[-1][1] != line.success:
        # The last best may be older than the policy that learning ended with.
        changes.append((max(line.learning_seconds, changes[-1][0]), line.success))
    return changes


def _steps(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points without those that change nothing, but with the first."""
    steps: list[tuple[float, float]] = []
    for seconds, value in points:
        if not steps or steps[-1][1] != value:
            steps.append((seconds, value))
    return steps
