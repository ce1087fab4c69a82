"""The documentation site, built as `make docs` builds it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.pages import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def build_site(folder: Path) -> Path:
    """The site in this folder; a warning of Sphinx fails the test."""
    outcome = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-E", "-q", "docs", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    return folder
