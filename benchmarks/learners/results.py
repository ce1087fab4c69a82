"""Results in a file of JSON lines, so that a run can be stopped and gone on with."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.generality.store import Result


class Results:
    """A file of results, to which a line is added for each."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._lock = threading.Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._known = [json.loads(line) for line in lines]

    def find(self, key: Result) -> Result | None:
        """The last result with this key."""
        return next((r for r in reversed(self._known) if key.items() <= r.items()), None)

    def add(self, result: Result) -> None:
        """Append a result, as a whole."""
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
