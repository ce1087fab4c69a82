"""Files of lines that grow while a program runs, and that can be read after it was killed.

Only whole lines are written. A kill, a crash of the machine or a full disk can still leave a torn
line at the end: readers cut it off.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import IO

from pg3.errors import file_error
from pg3.storage.files import open_for_lines

# Lines wait this many seconds at most (while more come in), so that a killed run loses little.
_DELAY = 0.5


class LineFile:
    """A file to append lines to, which are written at most twice a second and on leaving.

    A context manager. Lines that come after its end, from a search that still runs, are not
    written. With `past` it continues after so many bytes of an existing file. Pg3Error if the file
    cannot be written or was deleted.
    """

    def __init__(self, path: str | Path, past: int | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self._written = time.monotonic()
        # Without a buffer of its own, so that only whole lines are written.
        self._file: IO[bytes] | None = open_for_lines(path) if past is None else self._reopen(past)

    def __enter__(self) -> LineFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, line: str) -> None:
        """Add a line; it has no line break."""
        with self._lock:
            self._waiting.append(line + "\n")
            if time.monotonic() - self._written >= _DELAY:
                self._write()

    def flush(self) -> None:
        """Write the waiting lines now."""
        with self._lock:
            self._write()

    def close(self) -> None:
        """Write the waiting lines; later ones are not written."""
        with self._lock:
            try:
                self._write()
            finally:
                self._close()

    def _reopen(self, size: int) -> IO[bytes]:
        try:
            file = Path(self._path).open("r+b", buffering=0)  # noqa: SIM115
            file.truncate(size)
            file.seek(size)
        except OSError as error:
            raise file_error(self._path, "write", error) from None
        return file

    def _write(self) -> None:
        """To be called with the lock held."""
        if self._file is not None:
            try:
                left = memoryview("".join(self._waiting).encode())
                # A disk that is nearly full takes a part and refuses the rest.
                while left:
                    left = left[self._file.write(left) or 0 :]
                if os.fstat(self._file.fileno()).st_nlink == 0:
                    raise FileNotFoundError(0, "the file has been deleted")
            except OSError as error:
                self._close()
                raise file_error(self._path, "write", error) from None
        self._waiting.clear()
        self._written = time.monotonic()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def whole_lines(path: str | Path) -> list[bytes]:
    """The lines of a file, with their line breaks, without a torn one at the end.

    A missing file has none. Pg3Error if it cannot be read.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise file_error(path, "read", error) from None
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
