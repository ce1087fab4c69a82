"""What a long command says while it works: a live line on a terminal, else a plain line at times.

All of it goes to stderr; results are on stdout.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from pg3.storage import signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console, RenderableType
    from rich.live import Live
    from rich.progress import Progress

T = TypeVar("T")

# Seconds between plain lines: a log of an hour stays readable.
_INTERVAL = 5.0


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show that work is going on; the value is to be called as each of `total` parts is done."""
    # Only now: `pg3 --help` and Python programs need no rich, which takes long to import.
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    if is_live(console):
        from rich import progress as rich  # noqa: PLC0415

        counted = (rich.BarColumn(), rich.MofNCompleteColumn()) if total else ()
        columns = (
            rich.SpinnerColumn(),
            rich.TextColumn("{task.description}"),
            *counted,
            rich.TimeElapsedColumn(),
        )
        # Results that share the screen with the live line must be printed above it; results that
        # go elsewhere must not be touched.
        shared = sys.stdout.isatty()
        live = rich.Progress(*columns, console=console, transient=True, redirect_stdout=shared)
        task = live.add_task(label, total=total)
        with drawn(live):
            yield lambda: live.advance(task)
    else:
        start = time.monotonic()
        done = 0

        def line() -> str:
            count = f" {done}/{total}" if total else ""
            return f"{label}{count}, {time.monotonic() - start:.0f} s"

        def advance() -> None:
            nonlocal done
            done += 1

        with plain_lines(line):
            yield advance


@contextmanager
def drawn(live: Live | Progress) -> Iterator[None]:
    """A live display while the block runs; afterwards, or by a signal, it is gone."""
    with signals.clearing(live.stop):
        # A signal must not come while half of the display is there.
        with signals.steady:
            live.start()
        try:
            yield
        finally:
            live.stop()


@contextmanager
def live_or_lines(
    line: Callable[[], str], drawing: Callable[[], Callable[[], RenderableType]], rate: float
) -> Iterator[None]:
    """Show where work stands: on a terminal drawn anew `rate` times a second, else as lines.

    `drawing` is called once, on a terminal only, and gives what draws.
    """
    # Rich takes long to import: only where something is shown.
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    if not is_live(console):
        with plain_lines(line):
            yield
        return
    from rich.live import Live  # noqa: PLC0415

    live = Live(
        console=console,
        get_renderable=drawing(),
        refresh_per_second=rate,
        transient=True,
        redirect_stdout=False,
    )
    with drawn(live):
        yield


def is_live(console: Console) -> bool:
    """Whether lines on this console can be drawn anew."""
    return console.is_terminal and not console.is_dumb_terminal


@contextmanager
def plain_lines(line: Callable[[], str]) -> Iterator[None]:
    """Print what `line()` says now and then; nothing if that is empty."""
    over = threading.Event()

    def report() -> None:
        while not over.wait(_INTERVAL):
            if said := line():
                print(said, file=sys.stderr, flush=True)

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def with_progress(label: str, work: Callable[[], T]) -> T:
    """The value of `work()`, with progress shown meanwhile."""
    with progress(label):
        return work()
