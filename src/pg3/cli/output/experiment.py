"""What is shown of an experiment while it runs: what is done, what is going on, how long to go.

Live on a terminal, else a plain line at times. All goes to stderr.
"""

from __future__ import annotations

import time
from statistics import fmean
from typing import TYPE_CHECKING

from pg3.cli.output.progress import live_or_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from rich.console import RenderableType
    from rich.progress_bar import ProgressBar

    from pg3.experiments.experiment import Experiment
    from pg3.experiments.result_line import ResultLine
    from pg3.experiments.runs import Run

# Drawings a second.
_RATE = 2

# Seconds that a run takes beside learning and testing: its process has to start.
_OVERHEAD = 0.5


class Watch:
    """The standing of an experiment in words."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.started = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has been going on."""
        return time.monotonic() - self.started

    def line(self) -> str:
        """Where the experiment stands, in one line."""
        experiment = self.experiment
        done, running = len(experiment.lines), len(experiment.running)
        parts = [f"{done}/{len(experiment.runs)} runs finished", f"{running} running"]
        if failures := len(experiment.failures):
            parts.append(f"{failures} failed")
        parts.append(f"{duration(self.seconds)} so far")
        left = self.seconds_left()
        if left is not None:
            parts.append(f"about {duration(left)} left")
        return ", ".join(parts)

    def running(self) -> list[str]:
        """The runs that are going on, a line each."""
        return [
            f"{process.run}: {process.stage}, {duration(process.seconds)}"
            for process in list(self.experiment.running)
        ]

    def seconds_left(self) -> float | None:
        """A guess from the runs that are done, at best from those of the same method and domain."""
        lines = list(self.experiment.lines.values())
        if not lines:
            return None
        known: dict[tuple[str, ...], list[float]] = {}
        for line in lines:
            for key in _alike(line):
                seconds = line.learning_seconds + line.testing_seconds + _OVERHEAD
                known.setdefault(key, []).append(seconds)
        means = {key: fmean(seconds) for key, seconds in known.items()}

        def expected(run: Run) -> float:
            return next(means[key] for key in _alike(run) if key in means)

        total = sum(expected(run) for run in list(self.experiment.waiting))
        # A run that takes longer than others did is taken to need as much longer again.
        going_on = [
            abs(expected(process.run) - process.seconds)
            for process in list(self.experiment.running)
        ]
        return max((total + sum(going_on)) / self.experiment.jobs, max(going_on, default=0.0))


def _alike(run: Run | ResultLine) -> list[tuple[str, ...]]:
    """What to compare a run with, the most alike first; the last holds for all."""
    return [(run.method, run.domain), (run.method,), ()]


def duration(seconds: float) -> str:
    """A time as one would say it: "40 s", "12 min", "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def shown(watch: Watch) -> AbstractContextManager[None]:
    """Show where an experiment stands as long as the block runs."""

    def drawing() -> Callable[[], RenderableType]:
        from rich.progress_bar import ProgressBar  # noqa: PLC0415

        bar = ProgressBar(total=len(watch.experiment.runs), width=40)
        return lambda: _drawing(watch, bar)

    return live_or_lines(watch.line, drawing, _RATE)


def _drawing(watch: Watch, bar: ProgressBar) -> RenderableType:
    from rich.console import Group  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    bar.update(len(watch.experiment.lines))
    head = Text(watch.line(), style="bold", no_wrap=True, overflow="ellipsis")
    runs = [
        Text(f"  {line}", style="cyan", no_wrap=True, overflow="ellipsis")
        for line in watch.running()
    ]
    return Group(head, bar, *runs)
