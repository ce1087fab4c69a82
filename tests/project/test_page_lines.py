"""Pages of documentation are read in editors and in diffs, too: their lines have an end."""

from __future__ import annotations

import pytest

from tests.support.pages import PAGES, ROOT

COLUMNS = 125

# The list of all pages has one line for each; pages of results have lines that programs wrote.
LONG = ("docs/index.md", "docs/results/")


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith(LONG)])
def test_lines_of_prose_are_short(page: str) -> None:
    """All but code, tables and pictures, which cannot be wrapped."""
    is_code = False
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), start=1):
        is_code ^= line.lstrip().startswith("```")
        if not is_code and not line.startswith(("|", "![")):
            assert len(line) <= COLUMNS, f"{page}:{number}"
