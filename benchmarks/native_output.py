"""Silence for rivals that print from C++."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def native_output_hidden() -> Iterator[None]:
    """Keep what C++ writes to the standard output away: pymimir lists every atom it grounds."""
    sys.stdout.flush()
    saved = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(saved, 1)
            os.close(saved)
