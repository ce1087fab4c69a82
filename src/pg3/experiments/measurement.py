"""One run from beginning to end: its problems, the method, and the facts as a result line."""

from __future__ import annotations

import platform
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pg3
from pg3.experiments.methods.baselines import network, random_actions
from pg3.experiments.methods.fast_downward import plan_only
from pg3.experiments.methods.outcomes import Job, Outcome, Stage, success
from pg3.experiments.methods.searching import search
from pg3.experiments.methods.table import METHODS, Kind
from pg3.experiments.result_line import ResultLine, Status, Versions
from pg3.experiments.sources import source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.experiments.runs import Run

_METHODS: dict[Kind, Callable[[Job], Outcome]] = {
    Kind.PAPER: search,
    Kind.ROBUST: search,
    Kind.RANDOM: random_actions,
    Kind.NETWORK: network,
    Kind.PLANNER: plan_only,
}


def perform(
    run: Run, *, checkpoint: Path | None = None, stage: Stage = lambda _: None
) -> ResultLine:
    """Carry out a run, in this process. The same run has the same result, but for times and memory.

    Going over a limit of the run is a result, too. (Memory is looked at in the end; to stop a run
    in time is up to the process that started it.) Anything else that goes wrong is raised.
    """
    source = source_of(run)
    job = Job(
        run,
        source.domain(),
        source.train(),
        source.test(),
        source.horizon,
        checkpoint,
        stage,
    )
    outcome = _METHODS[METHODS[run.method]](job)
    train, test = len(job.train), len(job.test)
    line = _line(run, train, test, job.horizon, outcome, megabytes=peak_megabytes())
    limits = run.options
    if outcome.over_time and limits.time_limit is not None:
        return _without_success(line, Status.TIME_LIMIT, over_time(limits.time_limit))
    if limits.memory_limit is not None and line.peak_megabytes > limits.memory_limit:
        return _without_success(line, Status.MEMORY_LIMIT, over_memory(limits.memory_limit))
    return line


def failed(
    run: Run, status: Status, reason: str, *, seconds: float, megabytes: float
) -> ResultLine:
    """The line of a run of whose process nothing is left but how it ended."""
    source = source_of(run)
    train, test = source.numbers
    outcome = Outcome((None,) * test, learning_seconds=seconds)
    line = _line(run, train, test, source.horizon, outcome, megabytes=megabytes)
    return replace(line, status=status, reason=reason)


def _line(
    run: Run, train: int, test: int, horizon: int, outcome: Outcome, *, megabytes: float
) -> ResultLine:
    return ResultLine(
        domain=run.domain,
        method=run.method,
        seed=run.seed,
        options=run.options,
        versions=versions(run),
        date=now(),
        status=Status.DONE,
        reason=None,
        train=train,
        test=test,
        horizon=horizon,
        success=success(outcome.steps),
        steps=outcome.steps,
        learning_seconds=round(outcome.learning_seconds, 6),
        testing_seconds=round(outcome.testing_seconds, 6),
        candidates=outcome.candidates,
        expansions=outcome.expansions,
        stopped=outcome.stopped,
        training_solved=outcome.training_solved,
        peak_megabytes=megabytes,
        policy=outcome.policy,
        bests=outcome.bests,
    )


def over_time(limit: float) -> str:
    """The reason of a run that takes too long."""
    return f"learning took more than {limit:g} s"


def over_memory(limit: float) -> str:
    """The reason of a run that takes too much memory."""
    return f"more than {limit:g} MB of memory were needed"


def _without_success(line: ResultLine, status: Status, reason: str) -> ResultLine:
    steps = (None,) * line.test
    return replace(line, status=status, reason=reason, success=0.0, steps=steps, bests=())


# -- facts about the process -----------------------------------------------------------------------


def versions(run: Run) -> Versions:
    """What a run is made with in this process."""
    from importlib.metadata import version  # noqa: PLC0415 - slow, and `--help` needs none of it

    system = f"{platform.system()} {platform.machine()}"
    torch = version("torch") if METHODS[run.method] is Kind.NETWORK else None
    return Versions(pg3.__version__, platform.python_version(), system, torch)


def now() -> str:
    """The time, to the second, everywhere the same."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def peak_megabytes(process: int | str = "self") -> float:
    """The most memory that a process has had so far; 0 if it is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0
