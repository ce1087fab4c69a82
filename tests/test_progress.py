"""What a long command says meanwhile, and that Ctrl-C and errors come through."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from rich.console import Console

from pg3 import progress as module
from pg3.progress import interruptible, is_live, plain_lines, progress, with_progress


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines as in a log, and often."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(module, "_INTERVAL", 0.05)


def wait_for(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Everything on stderr up to where the text appears."""
    said = ""
    deadline = time.monotonic() + 10
    while text not in said:
        assert time.monotonic() < deadline, said
        time.sleep(0.01)
        said += capsys.readouterr().err
    return said


def test_parts_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working", 3) as advance:
        wait_for("working 0/3, 0 s\n", capsys)
        advance()
        advance()
        said = wait_for("working 2/3, ", capsys)
    assert re.fullmatch(r"(working [012]/3, \d+ s\n?)*", said)
    assert capsys.readouterr().out == ""


def test_without_parts_there_is_a_label(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("reading"):
        wait_for("reading, 0 s\n", capsys)
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_short_work_is_silent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_INTERVAL", 5.0)
    started = time.monotonic()
    assert with_progress("working", lambda: 7) == 7
    assert time.monotonic() - started < 4
    assert capsys.readouterr() == ("", "")


def test_lines_end_with_the_work_also_on_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    before = threading.active_count()
    with pytest.raises(KeyError), plain_lines(lambda: "line"):
        wait_for("line\n", capsys)
        raise KeyError
    assert threading.active_count() == before


def test_which_consoles_are_live() -> None:
    assert not is_live(Console(file=io.StringIO()))
    assert is_live(Console(force_terminal=True, _environ={"TERM": "xterm"}))
    assert not is_live(Console(force_terminal=True, _environ={"TERM": "dumb"}))


def test_a_value_or_an_error_comes_from_the_other_thread() -> None:
    here = threading.get_ident()
    assert interruptible(threading.get_ident) != here

    def fail() -> None:
        raise LookupError("from the thread")

    with pytest.raises(LookupError, match="from the thread"):
        interruptible(fail)

    def leave() -> None:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        interruptible(leave)


def test_an_interrupt_does_not_wait_for_the_work() -> None:
    script = """
import os, threading
from pg3.progress import interruptible
def work():
    print("working", flush=True)
    threading.Event().wait()
try:
    interruptible(work)
except KeyboardInterrupt:
    os._exit(5)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 5
    process.stdout.close()
