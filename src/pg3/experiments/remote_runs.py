"""Runs on the workers of a cluster.

A worker starts a process for each run, as an experiment on one machine does (`processes`), and
sends back its line. Here, one line a run is taken, however often the run had to be tried.
"""

from __future__ import annotations

import queue
import selectors
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from pg3.backends.pool import LostTaskError
from pg3.backends.tasks import answered, answering, request, still_wanted
from pg3.errors import system_reason
from pg3.experiments.measurement import failed
from pg3.experiments.processes import RunProcess
from pg3.experiments.result_line import ResultLine, Status
from pg3.experiments.runs import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from pg3.backends.pool import Pool

# Seconds between looks at limits, and at whether anybody waits for the result.
_LOOK = 0.1


class RemoteRun:
    """A run that is on the cluster: it waits there or is going on."""

    stage = "on the cluster"

    def __init__(self, run: Run) -> None:
        self.run = run
        self._started: float | None = None

    def begin(self) -> None:
        """Note that it should be going on now, if that is new."""
        if self._started is None:
            self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it should have been going on."""
        return 0.0 if self._started is None else time.monotonic() - self._started


class RemoteRuns:
    """Runs that are sent to a pool, all at once, so that the cluster can see how much there is.

    A context manager: on leaving it, what is not finished is given up.
    """

    def __init__(self, pool: Pool, runs: Iterable[Run]) -> None:
        self.left: list[RemoteRun] = []
        self._pool = pool
        self._futures: dict[RemoteRun, Future[str]] = {}
        self._over: queue.SimpleQueue[RemoteRun] = queue.SimpleQueue()
        executor = pool.executor()
        for run in runs:
            remote = RemoteRun(run)
            future = executor.submit(perform_message, request(run=run.to_json()))
            self.left.append(remote)
            self._futures[remote] = future
            future.add_done_callback(partial(self._note, remote))

    def __enter__(self) -> RemoteRuns:
        return self

    def __exit__(self, *_: object) -> None:
        for future in self._futures.values():
            future.cancel()

    def finished(self, seconds: float) -> Iterator[tuple[ResultLine, str]]:
        """The line of the next run that ends within some seconds, and what it wrote to stderr."""
        try:
            remote = self._over.get(timeout=seconds)
        except queue.Empty:
            return
        line, error_output = self._result(remote, self._futures.pop(remote))
        self.left.remove(remote)
        yield line, error_output

    def _note(self, remote: RemoteRun, _: object) -> None:
        self._over.put(remote)

    def _result(self, remote: RemoteRun, future: Future[str]) -> tuple[ResultLine, str]:
        try:
            answer = answered(self._pool.value(future))
        except LostTaskError as error:
            reason = str(error)
            line = failed(remote.run, Status.CRASHED, reason, seconds=remote.seconds, megabytes=0.0)
            return line, ""
        line = ResultLine.from_json(answer["line"])
        assert line.run == remote.run
        return line, answer["error output"]


def perform_message(message: str) -> str:
    """Carry out the run that a message asks for, on a worker."""
    return answering(message, _perform)


def _perform(fields: dict[str, Any]) -> dict[str, Any]:
    run = Run.from_json(fields["run"])
    started, wanted = time.monotonic(), still_wanted()
    try:
        process = RunProcess(run)
    except OSError as error:
        reason = f"cannot start a process: {system_reason(error)}"
        seconds = time.monotonic() - started
        line = failed(run, Status.CRASHED, reason, seconds=seconds, megabytes=0.0)
        return {"line": line.to_json(), "error output": ""}
    with selectors.DefaultSelector() as selector:
        selector.register(process.output, selectors.EVENT_READ)
        while not process.over:
            if selector.select(_LOOK):
                process.read()
            process.enforce_limits()
            if not wanted():
                process.end()
                return {}
    return {"line": process.result().to_json(), "error output": process.error_output}
