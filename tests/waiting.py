"""Waiting for events: what a test waits for decides, never how long it takes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Seconds after which a test gives up, as a protection from hanging: on a machine that is busy with
# other things an event may take minutes.
PATIENCE = 900.0


def wait_until(condition: Callable[[], object], what: str = "it does not happen") -> None:
    """Wait until the condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def wait_for_lines(file: Path, number: int) -> None:
    """Wait until a file has so many lines."""
    wait_until(
        lambda: file.exists() and file.read_bytes().count(b"\n") >= number,
        f"{file.name} does not grow",
    )
