"""What a long command says meanwhile."""

from __future__ import annotations

import io
import re
import threading

import pytest
from rich.console import Console

from pg3.cli.output import progress as module
from pg3.cli.output.progress import is_live, plain_lines, progress, with_progress
from tests.support.waiting import PATIENCE, wait_until


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines as in a log, and often."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "_INTERVAL", 0.05)


def wait_for(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Everything on stderr up to where the text appears."""
    said = ""

    def there() -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return text in said

    wait_until(there)
    return said


def test_parts_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working", 3) as advance:
        wait_for("working 0/3, ", capsys)
        advance()
        advance()
        said = wait_for("working 2/3, ", capsys)
    assert re.fullmatch(r"\n?(working [012]/3, \d+ s\n?)*", said)
    assert capsys.readouterr().out == ""


def test_without_parts_there_is_a_label(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("reading"):
        wait_for("reading, ", capsys)
    assert capsys.readouterr().out == ""


def test_short_work_is_silent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_INTERVAL", PATIENCE)
    assert with_progress("working", lambda: 7) == 7
    assert capsys.readouterr() == ("", "")


def test_lines_end_with_the_work_also_on_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    before = threading.enumerate()
    with pytest.raises(KeyError), plain_lines(lambda: "line"):
        wait_for("line\n", capsys)
        raise KeyError
    assert set(threading.enumerate()) <= set(before)


def test_which_consoles_are_live() -> None:
    assert not is_live(Console(file=io.StringIO()))
    assert is_live(Console(force_terminal=True, _environ={"TERM": "xterm"}))
    assert not is_live(Console(force_terminal=True, _environ={"TERM": "dumb"}))
