"""An experiment: many runs, several at a time, and their lines in a folder.

What is in the folder already is not done again, so an experiment that was stopped, by whatever
means, goes on when it is started anew. A run depends on nothing but itself, so neither the number
of jobs nor the order in which runs end has a part in their lines.
"""

from __future__ import annotations

import hashlib
import selectors
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error, file_error, system_reason
from pg3.experiments.methods.table import METHODS, Kind
from pg3.experiments.processes import GRACE, WORKER, RunProcess
from pg3.experiments.remote_runs import RemoteRuns
from pg3.experiments.results import ResultFile
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.backends.pool import Pool
    from pg3.experiments.remote_runs import RemoteRun
    from pg3.experiments.result_line import ResultLine
    from pg3.experiments.runs import Run

# Seconds between looks at the clock, at memory, and at whether to stop.
_LOOK = 0.1

CHECKPOINTS = "checkpoints"
CRASHES = "crashes"


class Experiment:
    """Runs, those of them that are done, that wait and that are going on.

    Opens the results in the folder, which has to be `locked`. With `retry`, runs that failed are to
    be done again.
    """

    def __init__(self, folder: str | Path, runs: Sequence[Run], *, retry: bool = False) -> None:
        self.folder = Path(folder)
        self.file = ResultFile(folder)
        self.runs = runs
        wanted = set(runs)
        found = [line for line in self.file.lines if line.run in wanted]
        self.others = len(self.file.lines) - len(found)
        self.lines = {line.run: line for line in found if line.done or not retry}
        self.found = len(self.lines)
        self.waiting = deque(run for run in runs if run not in self.lines)
        self.running: Sequence[RunProcess | RemoteRun] = []
        self.jobs = 1
        for line in found:
            if line.run not in self.lines:
                # It may be what made the run fail.
                self._checkpoint(line.run).unlink(missing_ok=True)

    @property
    def failures(self) -> list[ResultLine]:
        """The lines of runs that did not come to their end."""
        return [self.lines[run] for run in self.runs if run in self.lines and not self._done(run)]

    def _done(self, run: Run) -> bool:
        return self.lines[run].done

    def perform(
        self,
        *,
        jobs: int = 1,
        stopping: Callable[[], bool] = lambda: False,
        tell: Callable[[ResultLine], None] = lambda _: None,
        worker: Sequence[str] = WORKER,
        grace: float = GRACE,
    ) -> bool:
        """Do what is waiting, `jobs` runs at a time; whether all is done now.

        `tell` hears of each run that has ended. When `stopping()` is true, or on an error, the
        runs that are going on are ended, without lines. Pg3Error if a line cannot be written.
        """
        self.jobs = jobs
        self.running = running = list[RunProcess]()
        with selectors.DefaultSelector() as selector:
            try:
                while (self.waiting or running) and not stopping():
                    while self.waiting and len(running) < jobs:
                        process = self._start(self.waiting.popleft(), worker, grace)
                        running.append(process)
                        selector.register(process.output, selectors.EVENT_READ, process)
                    for key, _ in selector.select(_LOOK):
                        process = key.data
                        process.read()
                        if process.over:
                            selector.unregister(process.output)
                            line = process.result()
                            running.remove(process)
                            self._finish(line, process.error_output, tell)
                    for process in running:
                        process.enforce_limits()
            finally:
                for process in running:
                    process.end()
                running.clear()
        return len(self.lines) == len(self.runs)

    def perform_on(
        self,
        pool: Pool,
        *,
        stopping: Callable[[], bool] = lambda: False,
        tell: Callable[[ResultLine], None] = lambda _: None,
    ) -> bool:
        """Do what is waiting on the workers of a cluster; otherwise as `perform`.

        A run that is lost with its worker is done again elsewhere. Pg3Error if the cluster itself
        is lost; what was finished until then has its line.
        """
        with RemoteRuns(pool, self.waiting) as remote:
            while remote.left and not stopping():
                self.jobs = pool.places
                # They are begun in this order, so these should be the ones that are going on.
                self.running = begun = remote.left[: self.jobs]
                self.waiting = deque(run.run for run in remote.left[self.jobs :])
                for run in begun:
                    run.begin()
                for line, error_output in remote.finished(_LOOK):
                    self._finish(line, error_output, tell)
        self.running = []
        return len(self.lines) == len(self.runs)

    def _start(self, run: Run, worker: Sequence[str], grace: float) -> RunProcess:
        checkpoint = None
        if METHODS[run.method] is Kind.NETWORK:
            checkpoint = self._checkpoint(run)
            self._make_folder(CHECKPOINTS)
        try:
            return RunProcess(run, checkpoint=checkpoint, worker=worker, grace=grace)
        except OSError as error:
            raise Pg3Error(f"cannot start a process for {run}: {system_reason(error)}") from None

    def _checkpoint(self, run: Run) -> Path:
        return self.folder / CHECKPOINTS / f"{file_name(run)}.json"

    def _finish(
        self, line: ResultLine, error_output: str, tell: Callable[[ResultLine], None]
    ) -> None:
        if error_output.strip():
            self._make_folder(CRASHES)
            path = self.folder / CRASHES / f"{file_name(line.run)}.txt"
            write_atomically(path, error_output)
        self.file.add(line)
        self.lines[line.run] = line
        tell(line)

    def _make_folder(self, name: str) -> None:
        try:
            # Not its parents: if the folder of the results is gone, that is an error.
            (self.folder / name).mkdir(exist_ok=True)
        except OSError as error:
            raise file_error(self.folder / name, "write", error) from None


def file_name(run: Run) -> str:
    """A name for files of this run alone, the same every time."""
    code = hashlib.sha256(run.to_json().encode()).hexdigest()[:8]
    # The domain of a folder is called FOLDER/NAME.
    domain = run.domain.replace("/", "-")
    return f"{domain}-{run.method}-{run.seed}-{code}"
