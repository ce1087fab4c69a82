"""A real cluster: a scheduler and three workers, each a process of its own, on loopback alone."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


class Cluster:
    """A scheduler and workers, to be killed at will."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._logs: dict[int, Path] = {}
        port = _free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        # Whatever becomes of this process, none of those outlives it for long.
        self.scheduler = self._start(
            "scheduler", "--port", str(port), "--idle-timeout", "60 minutes"
        )
        until(lambda: _listens(port))

    def add_workers(self, number: int = 1, **environment: str) -> None:
        """Start workers with one thread each, and wait until the scheduler knows them."""
        # Without a nanny: a worker that is killed stays dead.
        arguments = (self.address, "--nthreads", "1", "--no-nanny", "--death-timeout", "900")
        local = ("--local-directory", str(self.folder))
        new = [self._start("worker", *arguments, *local, **environment) for _ in range(number)]
        self.workers += new
        until(lambda: all(b"established connection" in self.log(worker) for worker in new))

    def log(self, process: subprocess.Popen[bytes]) -> bytes:
        """What a process has said so far."""
        return self._logs[process.pid].read_bytes()

    def _start(self, what: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        path = self.folder / f"{what}-{len(self._logs)}.log"
        with path.open("wb") as log:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments),
                    *("--host", "127.0.0.1", "--no-dashboard"),
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **environment},
            )
        self._logs[process.pid] = path
        return process

    def busy(self) -> list[subprocess.Popen[bytes]]:
        """The workers that have a run going on, in a process of its own."""
        return [w for w in self.workers if w.poll() is None and children(w.pid)]

    def stopped_run(self) -> tuple[subprocess.Popen[bytes], int]:
        """A worker, and the process of a run on it, which is stopped midway (SIGSTOP)."""

        def look() -> tuple[subprocess.Popen[bytes], int] | None:
            for worker in self.busy():
                for run in children(worker.pid):
                    with contextlib.suppress(OSError):
                        os.kill(run, signal.SIGSTOP)
                    if run in children(worker.pid):
                        return worker, run
            return None

        return until(look)

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill a worker, without warning."""
        worker.kill()
        worker.wait()

    def close(self) -> None:
        """End every process."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def children(process: int) -> list[int]:
    """The processes that a process has started and that are still there."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[1]) == process and fields[0] != "Z":
                found.append(int(status.parent.name))
    return found


def until(holds: Callable[[], T | None]) -> T:
    """Wait until something holds, and its value."""
    end = time.monotonic() + PATIENCE
    while not (value := holds()):
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)
    return value


def command(*arguments: object) -> Sequence[str]:
    """The command line of pg3."""
    return [sys.executable, "-P", "-m", "pg3", *map(str, arguments)]


def pg3(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command of pg3 to its end."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=PATIENCE
    )
