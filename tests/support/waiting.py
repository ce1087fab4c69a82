"""Waiting for events: what a test waits for decides, never how long it takes."""

from __future__ import annotations

import os
import re
import select
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


def read_until(descriptor: int, pattern: str | None = None) -> str:
    """What comes from a terminal or a pipe up to where the pattern is there; else, to the end."""
    data = b""
    while pattern is None or not re.search(pattern, data.decode(errors="replace"), re.DOTALL):
        assert select.select([descriptor], [], [], PATIENCE)[0], data
        try:
            more = os.read(descriptor, 1 << 16)
        except OSError:  # how a terminal says that the other side has gone
            more = b""
        if not more:
            assert pattern is None, data
            break
        data += more
    return data.decode(errors="replace")
