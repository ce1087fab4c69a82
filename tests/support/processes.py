"""Python in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import REPOSITORY
from tests.support.waiting import PATIENCE


def run_python(
    code: str, *arguments: str, hash_seed: str | None = None
) -> subprocess.CompletedProcess[str]:
    """What the code prints and ends with, run in the repository, with any hash seed."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=REPOSITORY,
        env=os.environ | ({"PYTHONHASHSEED": hash_seed} if hash_seed else {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
