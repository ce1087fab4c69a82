"""Fast Downward's A* with h_add, from PyPI (`up-fast-downward`), as a process of its own."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

# Eager A* that evaluates every generated state, as ours does.
SEARCH = "astar(add())"
_EXPANDED = re.compile(r"Expanded (\d+) state\(s\)\.")
_SECONDS = re.compile(r"Search time: ([0-9.e+-]+)s")


class FastDownward:
    """One problem, translated once, to be searched any number of times."""

    def __init__(self, domain: Path, problem: Path, folder: Path) -> None:
        package = importlib.util.find_spec("up_fast_downward")
        assert package is not None and package.origin is not None
        self._driver = Path(package.origin).parent / "downward" / "fast-downward.py"
        self._folder = folder
        self._drive("--translate", str(domain), str(problem))

    def search(self) -> tuple[int, float]:
        """Expanded states and seconds of search, as it reports them."""
        output = self._drive("output.sas", "--search", SEARCH)
        expanded, seconds = _EXPANDED.search(output), _SECONDS.search(output)
        assert expanded is not None and seconds is not None, output
        return int(expanded[1]), float(seconds[1])

    def _drive(self, *arguments: str) -> str:
        command = [sys.executable, str(self._driver), *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=self._folder)
        return done.stdout
