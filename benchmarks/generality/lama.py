"""Fast Downward's LAMA, from PyPI (`up-fast-downward`, the extra `campaign`)."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class Answer(NamedTuple):
    """The length of the best plan found, None if there is none, and the seconds it took."""

    steps: int | None
    seconds: float


class Lama:
    """LAMA with a limit of time: its first plan, or the best one that it finds until then."""

    def __init__(self, seconds: int, *, first: bool) -> None:
        package = importlib.util.find_spec("up_fast_downward")
        if package is None or package.origin is None:
            sys.exit("LAMA needs up-fast-downward: pip install pg3[campaign]")
        self._driver = Path(package.origin).parent / "downward" / "fast-downward.py"
        self._alias = "lama-first" if first else "lama"
        self._seconds = seconds

    def solve(self, domain: Path, problem: Path) -> Answer:
        """Ask about one problem; a plan's length is its number of actions."""
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            subprocess.run(
                [
                    sys.executable,
                    self._driver,
                    "--alias",
                    self._alias,
                    "--overall-time-limit",
                    f"{self._seconds}s",
                    domain.absolute(),
                    problem.absolute(),
                ],
                cwd=folder,
                capture_output=True,
                check=False,
            )
            seconds = time.perf_counter() - start
            lengths = [
                sum(line.startswith("(") for line in plan.read_text().splitlines())
                for plan in Path(folder).glob("sas_plan*")
            ]
        return Answer(min(lengths, default=None), seconds)
