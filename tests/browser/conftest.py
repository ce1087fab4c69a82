"""A real browser: Debian's Chromium, driven by Playwright. `make test-browser` installs both."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

# Milliseconds after which something will never happen, however busy the machine is.
PATIENCE = 600_000

_ADVICE = "run these tests with: make test-browser"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window. If it is missing, the tests fail: they are here to be run."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail(f"Chromium is not installed; {_ADVICE}", pytrace=False)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail(f"Playwright is not installed; {_ADVICE}", pytrace=False)
    with sync_playwright() as playwright:
        # Builds run as root in containers, where Chromium's own sandbox is not to be had.
        running = playwright.chromium.launch(
            executable_path=Path(chromium), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield running
        running.close()
