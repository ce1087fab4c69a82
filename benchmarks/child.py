"""A command in a process of its own, under limits: what it said and what it used."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# The hard limits lie above those that pg3 keeps by itself, so that only a broken limit is cut off.
SLACK = 1.5
SLACK_SECONDS = 30
# pg3 asks for as much as the largest file that it reads, and uses what the file needs.
SLACK_MEGABYTES = 512

# By Ctrl-C or SIGTERM: as pg3 ends by itself, or before it could.
_STOPPED = (128 + signal.SIGINT, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM)

PG3 = (sys.executable, "-m", "pg3")


class Child(NamedTuple):
    """How a command ended, its last words on stderr, and what its one process used."""

    code: int
    said: str
    seconds: float
    cpu_seconds: float
    megabytes: int

    @property
    def killed(self) -> str | None:
        """The signal that ended it, if one did."""
        return signal.Signals(-self.code).name if self.code < 0 else None


def run(command: Sequence[str], cpu_seconds: float, megabytes: float | None = None) -> Child:
    """Run a command with hard limits above these; the clock ends what sleeps for ever.

    Raises KeyboardInterrupt if someone stopped it: what it had by then is no result.
    """
    start = time.perf_counter()
    with tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)
        most = round(SLACK * cpu_seconds) + SLACK_SECONDS
        _limit(process.pid, resource.RLIMIT_CPU, most)
        if megabytes is not None:
            _limit(
                process.pid,
                resource.RLIMIT_DATA,
                (round(SLACK * megabytes) + SLACK_MEGABYTES) << 20,
            )
        # A machine with much other work gives a process a part of its time only.
        timer = threading.Timer(10 * most, process.kill)
        timer.daemon = True
        timer.start()
        try:
            # Not by the module: only this call tells what the one process has used.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode in _STOPPED:
            raise KeyboardInterrupt
        stderr.seek(0)
        said = stderr.read().decode(errors="replace").strip()
    return Child(
        process.returncode,
        said,
        round(time.perf_counter() - start, 2),
        round(usage.ru_utime + usage.ru_stime, 2),
        round(usage.ru_maxrss / 1024),
    )


def _limit(pid: int, which: int, most: int) -> None:
    resource.prlimit(pid, which, (most, most))
