"""Ctrl-C and SIGTERM in the command line: a separate thread handles them.

So no exception interrupts code midway. When a signal arrives, the thread does what the command has
asked for (by default it says "interrupted"), removes temporary files, and ends the process. The
command's own thread is left alone. A command that has its result calls `finish`; signals are
ignored from then on.

Only `pg3.__main__` listens. Elsewhere (in a notebook, say) no handler is installed, and the
functions of this module do nothing.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import signal
import sys
import threading
import traceback

# As in `typing`, whose import would take longer than everything else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn, TextIO

# The exit code of each signal, as shells have it.
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
_BUG = 70

# Held by the thread that ends the process. Code that holds it is not interrupted, so it must be
# short.
steady = threading.RLock()

_listening = False
_clearing: list[Callable[[], None]] = []


def _interrupted(code: int) -> int | None:
    print("interrupted", file=sys.stderr)
    return code


_action: Callable[[int], int | None] = _interrupted


def listen() -> None:
    """Handle both signals from now on, except one that the process ignores (nohup)."""
    global _listening  # noqa: PLW0603 - as signals are: one for the process
    open_streams()
    pipe, to_pipe = os.pipe()
    os.set_blocking(to_pipe, False)
    try:
        threading.Thread(target=_handle_all, args=(pipe,), daemon=True).start()
    except RuntimeError:
        return  # The system has no thread for us: signals do what they do to any Python program.
    _listening = True
    # The system's handler writes the signal's number there, whatever Python is doing.
    signal.set_wakeup_fd(to_pipe, warn_on_full_buffer=False)
    for number in CODES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _do_nothing)


def open_streams() -> None:
    """Open those of stdin, stdout and stderr on nothing that were closed before the start.

    Otherwise files opened later would get their numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115


def on_signal(action: Callable[[int], int | None]) -> None:
    """Call this from now on when a signal comes, with the exit code of the signal.

    It returns the code to end with, or None if the command goes on and ends itself. It runs in
    another thread than the command, with `steady` held.
    """
    global _action  # noqa: PLW0603
    if _listening:
        _action = action


@contextlib.contextmanager
def clearing(clear: Callable[[], None]) -> Iterator[None]:
    """Call `clear` if the process is ended by a signal within this block."""
    _clearing.append(clear)
    try:
        yield
    finally:
        _clearing.remove(clear)


def finish() -> None:
    """Ignore signals from now on: the command has its result, or is at its end.

    If a signal came first, this does not return.
    """
    if _listening:
        steady.acquire()
        for number in CODES:
            signal.signal(number, signal.SIG_IGN)


def end(code: int) -> NoReturn:
    """Exit now: a normal exit would wait for running threads."""
    with contextlib.suppress(Exception):
        # Where nobody reads, the command may be waiting in the middle of a line.
        if select.select((), (sys.stdout,), (), 0)[1]:
            sys.stdout.flush()
    for clear in reversed(_clearing.copy()):
        with contextlib.suppress(Exception):
            clear()
    with contextlib.suppress(Exception):
        sys.stderr.flush()
    os._exit(code)


def _do_nothing(_number: int, _frame: object) -> None:
    """The handler in Python, without which there would be none in the system."""


def _handle_all(pipe: int) -> None:
    while True:
        for number in os.read(pipe, 64):
            if number in CODES:
                with steady:
                    _handle(CODES[signal.Signals(number)])


class _NonBlocking(io.TextIOBase):
    """A stream that drops text instead of waiting for a reader or a lock.

    The command's own thread may hang in the middle of a message that nobody reads.
    """

    encoding = "utf-8"

    def __init__(self, stream: TextIO) -> None:
        self._number = stream.fileno()

    def write(self, text: str) -> int:
        """Write what is taken at once."""
        data = text.encode(errors="backslashreplace")
        while data and select.select((), (self._number,), (), 0)[1]:
            # A pipe that takes anything takes as much as this without waiting.
            data = data[os.write(self._number, data[: select.PIPE_BUF]) :]
        return len(text)

    def fileno(self) -> int:
        """As the stream itself."""
        return self._number

    def isatty(self) -> bool:
        """As the stream itself."""
        return os.isatty(self._number)


def _handle(code: int) -> None:
    # Without a number (in a test, say) it is no stream that could hang.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr = _NonBlocking(sys.stderr)
    try:
        end_with = _action(code)
    except OSError:
        # The reader of the messages has gone.
        end_with = code
    except BaseException:
        end_with = _BUG
        with contextlib.suppress(OSError):
            traceback.print_exc()
    if end_with is not None:
        end(end_with)
