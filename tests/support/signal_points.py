"""Signals at named points of a command: they come from within the process, so time has no part."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from tests.support.waiting import PATIENCE

# Each point: WHEN FUNCTION WHAT [CALL], with WHEN before or after a call of the function (this call
# or every one), and WHAT
#   send    send the signal and go on
#   handled  send the signal and go on when the process has done what it does about it
#   stay    send the signal and never go on: the process has to end meanwhile
#   block   never go on, without a signal
#   pause   make a file of the name FUNCTION in the current folder; go on when somebody removes it
DRIVER = """
import importlib, itertools, os, sys, threading, time
number, points, *arguments = sys.argv[1:]
import pg3.cli.output.progress, pg3.storage.signals
pg3.cli.output.progress._INTERVAL = 1e9  # no line comes because a machine is slow
handled, real_handle = threading.Event(), pg3.storage.signals._handle
def handle(code):
    real_handle(code)
    handled.set()
pg3.storage.signals._handle = handle
def wrap(when, name, what, call=None):
    module, _, path = name.partition(":")
    owner = importlib.import_module(module)
    *parts, last = path.split(".")
    for part in parts:
        owner = getattr(owner, part)
    real, calls = getattr(owner, last), itertools.count(1)
    def act():
        if call is not None and next(calls) != int(call):
            return
        if what == "pause":
            open(name, "w").close()
            while os.path.exists(name):
                time.sleep(0.01)
        elif what != "block":
            os.kill(os.getpid(), int(number))
        if what == "handled":
            handled.wait()
        if what in ("stay", "block"):
            threading.Event().wait()
    def wrapped(*a, **o):
        if when == "before":
            act()
        value = real(*a, **o)
        if when == "after":
            act()
        return value
    setattr(owner, last, wrapped)
for point in points.split(";"):
    wrap(*point.split())
sys.argv = ["pg3", *arguments]
from pg3.__main__ import main
main()
"""


def driven(number: int, points: str, *arguments: object) -> list[str]:
    """The command line of pg3 that gets a signal at points."""
    return [sys.executable, "-c", DRIVER, str(int(number)), points, *map(str, arguments)]


class Ended:
    """How a process ended to which a signal was sent at points."""

    def __init__(self, number: int, points: str, *arguments: object, **options: Any) -> None:
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.run(
            driven(number, points, *arguments),
            text=True,
            check=False,
            timeout=PATIENCE,
            **options,
        )
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr
