"""The folder of results: one line a run in `results.jsonl`, written whole or not at all.

A line is added with one write and is on disk before the next begins. A machine that loses its power
or a full disk can still leave a piece of a line at the end: readers ignore it, and the next
experiment moves it aside.
"""

from __future__ import annotations

import contextlib
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import InputWarning, Pg3Error, file_error
from pg3.experiments.result_line import Best, ResultLine, Status, Versions
from pg3.experiments.runs import Options, Run
from pg3.storage.locks import lock
from pg3.storage.schema import ShapeError, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Best", "Options", "ResultLine", "Run", "Status", "Versions", "read_results"]

RESULTS = "results.jsonl"
TORN = "results.jsonl.torn"
LOCK = ".lock"


def read_results(folder: str | Path) -> list[ResultLine]:
    """The results in a folder, in the order in which they came about; of a run its newest line.

    A line that is broken is a Pg3Error with file:line, as is a folder without results. Only a piece
    of a line at the very end, of a run that was cut off or is being written, is left out with a
    warning.
    """
    path = Path(folder) / RESULTS
    if not Path(folder).is_dir():
        raise Pg3Error(f"{folder}: no such folder")
    if not path.is_file():
        raise Pg3Error(f"{folder}: no results here ({RESULTS} is missing)")
    content = _read(path)
    if content.torn:
        warnings.warn(
            InputWarning(f"{path}:{len(content.lines) + 1}: half a line at the end is left out"),
            stacklevel=2,
        )
    return newest(content.lines)


def newest(lines: Iterable[ResultLine]) -> list[ResultLine]:
    """The lines without those that a later one of the same run replaces."""
    by_run: dict[Run, ResultLine] = {}
    for line in lines:
        by_run.pop(line.run, None)
        by_run[line.run] = line
    return list(by_run.values())


@contextlib.contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Have a folder to oneself, which is made if it is missing.

    Pg3Error if another experiment is at work there. The system takes the lock away when the
    process ends, however it does.
    """
    path = Path(folder) / LOCK
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise file_error(folder, "write", error) from None
    try:
        try:
            lock(descriptor)
        except BlockingIOError:
            owner = os.read(descriptor, 20).decode("ascii", "replace").strip()
            raise Pg3Error(
                f"{folder}: another pg3 experiment is at work in this folder (process {owner}): "
                "wait for it, or choose another folder"
            ) from None
        except OSError as error:
            raise file_error(path, "lock", error) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)


class ResultFile:
    """The file of results of an experiment that is going to add to it.

    Opening makes the file if it is missing and moves a torn line at the end aside; `torn` says
    whether there was one. To be done with the folder `locked`. Pg3Error if a line is broken or the
    system refuses.
    """

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder) / RESULTS
        try:
            self.path.touch()
        except OSError as error:
            raise file_error(self.path, "write", error) from None
        content = _read(self.path)
        self.torn = bool(content.torn)
        self.lines = newest(content.lines)
        try:
            if content.torn:
                self._move_aside(content.torn)
            elif content.unfinished:
                self._append(b"\n")
        except OSError as error:
            raise file_error(self.path, "write", error) from None

    def add(self, line: ResultLine) -> None:
        """Write a line; it is on disk when this returns. Pg3Error, and no trace, if it cannot."""
        try:
            self._append(line.to_json().encode() + b"\n")
        except OSError as error:
            raise file_error(self.path, "write", error) from None

    def _append(self, data: bytes) -> None:
        # Opened anew each time: a file whose folder was deleted would take lines into the void.
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            size = os.fstat(descriptor).st_size
            try:
                written = os.write(descriptor, data)
                if written < len(data):  # A full disk takes what fits; the rest then fails.
                    os.write(descriptor, data[written:])
                os.fsync(descriptor)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)

    def _move_aside(self, torn: bytes) -> None:
        with (self.path.with_name(TORN)).open("ab") as file:
            file.write(torn.removesuffix(b"\n") + b"\n")
        os.truncate(self.path, self.path.stat().st_size - len(torn))


class _Content(NamedTuple):
    """What a file holds: lines, and a piece of one at the end, if there is one.

    `unfinished` is a last line that is whole but for its line end.
    """

    lines: list[ResultLine]
    torn: bytes
    unfinished: bool


def _read(path: Path) -> _Content:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise file_error(path, "read", error) from None
    return parse_results(data, path)


def parse_results(data: bytes, path: str | Path) -> _Content:
    """What the content of a results file says; Pg3Error at the first line that is none."""
    texts = data.removesuffix(b"\n").split(b"\n") if data else []
    lines: list[ResultLine] = []
    for number, text in enumerate(texts, start=1):
        try:
            lines.append(ResultLine.from_json(text))
        except ShapeError as error:
            if number == len(texts) and not _is_object(text):
                return _Content(lines, data[data.rfind(b"\n", 0, -1) + 1 :], False)
            raise Pg3Error(f"{path}:{number}: {error}") from None
    return _Content(lines, b"", bool(data) and not data.endswith(b"\n"))


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(parse_json(text), dict)
    except ValueError:
        return False
