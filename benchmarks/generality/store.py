"""Results on disk: one JSON line a file, written as a whole, so that a run can be made in parts.

A result has a `key`, all that it depends on; one with another key is not used again but made
anew. The rest is the facts, and a stamp that says when and by which version they were found.
"""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import pg3
from benchmarks.generality.cases import REPOSITORY, fingerprint
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Result = dict[str, Any]


class Store:
    """Results in a folder, by part of the work and name.

    `kept` is a file of results that do not depend on this project's code, as found elsewhere; it
    is looked at where the folder has none.
    """

    def __init__(self, folder: Path, kept: Path) -> None:
        self._folder = folder
        self._kept = kept
        self._elsewhere: dict[tuple[str, str], Result] = {}
        if kept.exists():
            for line in kept.read_text(encoding="utf-8").splitlines():
                result = json.loads(line)
                self._elsewhere[result["part"], result["name"]] = result

    def get(self, part: str, name: str) -> Result | None:
        """The result of this part and name, whatever its key; None if there is none."""
        path = self._path(part, name)
        if path.exists():
            found: Result = json.loads(path.read_text(encoding="utf-8"))
            return found
        return self._elsewhere.get((part, name))

    def has(self, part: str, name: str, key: Result) -> bool:
        """Whether there is a result with this key."""
        found = self.get(part, name)
        return found is not None and found["key"] == key

    def make(self, part: str, name: str, key: Result, find: Callable[[], Result]) -> Result:
        """Find a result and write it, in the place of what is there."""
        result = {"part": part, "name": name, "key": key, **stamp(), **find()}
        path = self._path(part, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(result) + "\n")
        return result

    def keep(self, results: list[Result]) -> None:
        """Write results to the file that is looked at elsewhere, in the place of those there."""
        merged = self._elsewhere | {(result["part"], result["name"]): result for result in results}
        lines = [json.dumps(merged[which]) for which in sorted(merged)]
        write_atomically(self._kept, "".join(f"{line}\n" for line in lines))

    def _path(self, part: str, name: str) -> Path:
        return self._folder / part / f"{name}.json"


@cache
def stamp() -> Result:
    """When, and by which version."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "version": f"{pg3.__version__} {described}".strip(),
    }


@cache
def code() -> str:
    """What tells apart versions of the code that learns and runs policies."""
    return fingerprint(
        *sorted((REPOSITORY / "src").rglob("*.py")),
        *sorted((REPOSITORY / "native").rglob("*.[ch]pp")),
    )
