"""Files that are written as a whole or not at all; a failure is a clear error."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from pg3.errors import Pg3Error, file_error, printable
from pg3.storage import signals

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names of open files of a process, which may be regular files by another name.
_OPEN_FILE = re.compile(r"/dev/(fd/|std)|/proc/[^/]+/fd/")


def write_atomically(path: str | Path, text: str) -> None:
    """Write a file so that readers see the old content or all of the new, never a part.

    The text goes to a new file in the same folder, which then takes the place of the old one; a
    symbolic link keeps pointing where it does, and an existing file keeps its permissions. On
    failure: a Pg3Error, the old file untouched, and nothing left behind.

    What is not a regular file (a terminal, a pipe) is written directly; what is this process's
    stdout or stderr, by whatever name, gets the text after all that was printed there before.
    """
    stream = _standard_stream(path)
    if stream is not None:
        stream.write(text)
        stream.flush()
        return
    if is_regular(path):
        # A signal waits until this is done.
        with signals.steady, replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    else:
        with _faults_of(path), Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


def open_for_lines(path: str | Path) -> IO[bytes]:
    """An empty file to append lines to; readers see each line once it is written.

    Stdout and stderr, by whatever name, are continued where they are. Pg3Error if it cannot be
    opened.
    """
    stream = _standard_stream(path)
    with _faults_of(path):
        if stream is None:
            mode = "ab" if _is_special(path) else "wb"
            return Path(path).open(mode, buffering=0)
        stream.flush()
        return os.fdopen(os.dup(1 if stream is sys.stdout else 2), "wb", buffering=0)


def is_regular(path: str | Path) -> bool:
    """Whether the path is free, or that of a file that can be replaced: no device, no stdout."""
    return _standard_stream(path) is None and not _is_special(path)


def is_stdout(path: str | Path) -> bool:
    """Whether this path is the process's stdout."""
    return _standard_stream(path) is sys.stdout


def same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two paths name one regular file, existing or not."""
    if Path(one).exists() and not Path(one).is_file():
        return False
    try:
        return Path(one).samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def require_writable(path: str | Path) -> None:
    """Raise Pg3Error if a file cannot be written here: to be asked before hours of work."""
    with _faults_of(path):
        if Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _standard_stream(path) is not None or _is_special(path):
            return
        target = Path(os.path.realpath(path))
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        probe = _temporary_beside(target)
        with signals.steady:
            try:
                probe.touch(exist_ok=False)
            finally:
                _remove(probe)


@contextlib.contextmanager
def _faults_of(path: str | Path) -> Iterator[None]:
    """Turn an OSError about a file into a Pg3Error that names it."""
    if not str(path):
        # The system would take it for the current folder.
        raise Pg3Error("cannot write: the name of the file is empty")
    try:
        yield
    except OSError as error:
        raise file_error(printable(str(path)), "write", error) from None


def _standard_stream(path: str | Path) -> TextIO | None:
    """Stdout or stderr if that is what the path names: /dev/stdout, or the file it goes to."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        with contextlib.suppress(OSError, ValueError):
            if stream is not None and os.path.samestat(Path(path).stat(), os.fstat(number)):
                return stream
    return None


def _is_special(path: str | Path) -> bool:
    """Whether the path is a device, a pipe or an open file, which cannot be replaced."""
    if not Path(path).exists():
        return False
    return not Path(path).is_file() or _OPEN_FILE.match(str(Path(path).absolute())) is not None


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A new file to fill, which replaces `path` when the block ends well.

    If it does not, nothing is left behind. Pg3Error if the system refuses.
    """
    target = Path(os.path.realpath(path))
    temporary = _temporary_beside(target)
    with _faults_of(path), signals.clearing(partial(_remove, temporary)):
        try:
            yield temporary
            with temporary.open("rb+") as file:
                # Without it a crash of the machine can leave the new name with an empty content.
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            _remove(temporary)
            raise


def _temporary_beside(target: Path) -> Path:
    # A short new name: the target's name plus a suffix could be too long.
    return target.with_name(f".pg3-{secrets.token_hex(8)}.tmp")


def remove_unfinished(folder: Path) -> None:
    """Remove the unfinished files of killed processes; no other process may be writing there."""
    for path in folder.glob(".pg3-*.tmp"):
        path.unlink(missing_ok=True)


def _remove(temporary: Path) -> None:
    # It may not exist, and no second failure should hide the first.
    with contextlib.suppress(OSError):
        temporary.unlink()
