"""What the pages on unified-planning, export, doctor and editing show does run."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from unified_planning.shortcuts import get_environment

from pg3.doctor.checks import CHECKS
from tests.test_cli import Run, pg3

__all__ = ["pg3"]

ROOT = Path(__file__).parents[1]
PAGES = ("unified-planning.md", "export.md", "doctor.md", "editing.md")


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_snippets(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    get_environment().credits_stream = None
    for code in blocks(page, "python"):
        exec(compile(code, page, "exec"), {})


@pytest.mark.parametrize("page", PAGES)
def test_commands(page: str, pg3: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for session in blocks(page, "console"):
        for line in session.splitlines():
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "pg3"
            assert pg3(*arguments).code == 0, line


def test_every_finding_is_on_the_page() -> None:
    page = (ROOT / "docs" / "doctor.md").read_text(encoding="utf-8")
    source = (ROOT / "src" / "pg3" / "doctor" / "checks.py").read_text(encoding="utf-8")
    names = re.findall(r'Finding\(\s*"([a-z-]+)"', source)
    assert len(names) > len(CHECKS)
    assert [name for name in names if f"`{name}`" not in page] == []
