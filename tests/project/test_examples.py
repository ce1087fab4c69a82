"""Hypothesis tries the same examples whatever was loaded before."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(not settings().derandomize, reason="this profile tries new ones each time")
def test_examples_do_not_depend_on_what_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _examples()
    module = ModuleType("one_more")
    path = tmp_path / "one_more.py"  # its folder must not be called "test"
    path.write_text("WORDS = ('one more', 'and another')\n", encoding="utf-8")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "one_more", module)
    assert _examples() == before


def _examples() -> list[str]:
    found: list[str] = []

    @seed(0)
    @settings(max_examples=200)
    @given(st.text())
    def collect(text: str) -> None:
        found.append(text)

    collect()
    return found
