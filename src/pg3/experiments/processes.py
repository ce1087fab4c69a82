"""A run in a process of its own: what it does to memory, and how it ends, is its own affair.

A run that crashes, is killed or goes over a limit becomes a result line with that reason; the
experiment goes on.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO, TYPE_CHECKING

from pg3.experiments.measurement import failed, over_memory, over_time, peak_megabytes
from pg3.experiments.result_line import ResultLine, Status
from pg3.storage.schema import Record, ShapeError, Text, parse_as

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pg3.experiments.runs import Run

# Without the folder the user is in: a file there may have the name of a module.
WORKER = (sys.executable, "-P", "-m", "pg3.experiments.worker")

# Learners look at the clock themselves; one that does not is ended so many seconds later.
GRACE = 5.0

# Bytes of stderr that are kept of a crashed run.
_KEPT_OUTPUT = 100_000

_STAGE = Record({"stage": Text()})


class RunProcess:
    """A run that is going on. Read from `output` when there is something, until it is `over`."""

    def __init__(
        self,
        run: Run,
        *,
        checkpoint: Path | None = None,
        worker: Sequence[str] = WORKER,
        grace: float = GRACE,
    ) -> None:
        self.run = run
        self.over = False
        self.error_output = ""
        self.started = time.monotonic()
        self._grace = grace
        self._stage, self._stage_started = "starting", self.started
        self._peak = 0.0
        self._output = bytearray()
        self._verdict: tuple[Status, str] | None = None
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                [*worker, *([] if checkpoint is None else [str(checkpoint)])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # Ctrl-C is meant for the experiment, which then ends its runs.
                start_new_session=True,
                # Runs share the processors, so none takes more than one.
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
        except OSError:
            self._errors.close()
            raise
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.output: IO[bytes] = self._process.stdout
        with contextlib.suppress(BrokenPipeError):  # It ended at once: `result` tells how.
            self._process.stdin.write(run.to_json().encode() + b"\n")
            self._process.stdin.flush()

    @property
    def stage(self) -> str:
        """What the run is at."""
        return self._stage

    @property
    def process_id(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def seconds(self) -> float:
        """How long the run has been going on."""
        return time.monotonic() - self.started

    def read(self) -> None:
        """Take in what there is to read; must not be called when there is nothing."""
        data = os.read(self.output.fileno(), 1 << 16)
        self._output += data
        if not data:
            self.over = True
        elif b"\n" in data:
            *lines, rest = bytes(self._output).split(b"\n")
            for line in lines:
                with contextlib.suppress(ShapeError):
                    self._enter(parse_as(_STAGE, line)["stage"])
            self._output = bytearray(lines[-1] + b"\n" + rest)

    def _enter(self, stage: str) -> None:
        if stage != self._stage:
            self._stage, self._stage_started = stage, time.monotonic()

    def enforce_limits(self) -> None:
        """End the process if it takes more than the run may: memory at any time, time to learn."""
        self._peak = max(self._peak, peak_megabytes(self._process.pid))
        memory, seconds = self.run.options.memory_limit, self.run.options.time_limit
        if self._verdict is not None:
            return
        if memory is not None and self._peak > memory:
            self._verdict = Status.MEMORY_LIMIT, over_memory(memory)
            self._process.kill()
        elif (
            seconds is not None
            and self._stage == "learning"
            and time.monotonic() - self._stage_started > seconds + self._grace
        ):
            self._verdict = Status.TIME_LIMIT, over_time(seconds)
            self._process.kill()

    def result(self) -> ResultLine:
        """The result of the run, when it is over."""
        line = self._answer()
        if line is not None:
            # It may still be tidying up; there is nothing to wait for.
            self._process.kill()
        seconds = self.seconds
        code: int | None
        try:
            code = self._process.wait(self._grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            code = None
        if line is None:
            self.error_output = self._read_errors()
            status, reason = self._verdict or (Status.CRASHED, self._why(code))
            line = failed(self.run, status, reason, seconds=seconds, megabytes=self._peak)
        self._close()
        return line

    def end(self) -> None:
        """Kill the process; there will be no result."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _answer(self) -> ResultLine | None:
        """The result line that the process gave, if it is one of this run."""
        last = bytes(self._output).strip().rpartition(b"\n")[2]
        try:
            line = ResultLine.from_json(last)
        except ShapeError:
            return None
        return line if line.run == self.run else None

    def _why(self, code: int | None) -> str:
        """Why there is no result; without a code the process had ended its answer and hung."""
        said = self.error_output.strip().rpartition("\n")[2].strip()
        if code is None:
            return said or f"gave no result and did not end while {self._stage}"
        if code >= 0:
            return said or f"ended with exit code {code} and without a result"
        try:
            name = f" ({signal.Signals(-code).name})"
        except ValueError:
            name = ""
        return f"killed by signal {-code}{name} while {self._stage}"

    def _read_errors(self) -> str:
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _KEPT_OUTPUT))
        return self._errors.read().decode("utf-8", "replace")

    def _close(self) -> None:
        self.output.close()
        self._errors.close()
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
