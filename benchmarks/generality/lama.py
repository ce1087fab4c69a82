"""Fast Downward's LAMA, from PyPI (`up-fast-downward`, the extra `campaign`)."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.generality.store import Result

# What it may take of the machine's memory.
MEMORY = "4G"

# How the driver ends if it, or what it started, is told to stop: that is no answer.
STOPPED = {code for number in (signal.SIGINT, signal.SIGTERM) for code in (-number, 256 - number)}


class Lama:
    """LAMA with a limit of CPU time: its first plan, or the best one that it finds until then."""

    def __init__(self, seconds: int, *, first: bool) -> None:
        package = importlib.util.find_spec("up_fast_downward")
        if package is None or package.origin is None:
            sys.exit("LAMA needs up-fast-downward: pip install pg3[campaign]")
        self._driver = Path(package.origin).parent / "downward" / "fast-downward.py"
        self._alias = "lama-first" if first else "lama"
        self._seconds = seconds

    def solve(self, domain: Path, problem: Path) -> Result:
        """Ask about one problem: the actions of the shortest plan or None, and CPU seconds."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(self._driver), "--alias", self._alias]
            command += ["--overall-time-limit", f"{self._seconds}s"]
            command += ["--overall-memory-limit", MEMORY]
            command += [str(domain.absolute()), str(problem.absolute())]
            with subprocess.Popen(
                command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as process:
                # With what its own processes have used: translator and search.
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode in STOPPED:
                raise KeyboardInterrupt
            lengths = [
                sum(line.startswith("(") for line in plan.read_text().splitlines())
                for plan in Path(folder).glob("sas_plan*")
            ]
        return {
            "steps": min(lengths, default=None),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        }
