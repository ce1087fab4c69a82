"""Results on disk: a file is there as a whole or not at all, and a failure is a clear error."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from pathlib import Path

from pg3.errors import Pg3Error


def write_atomically(path: str | Path, text: str) -> None:
    """Write a file so that readers see the old content or all of the new, never a part.

    The text goes to a new file in the same folder, which then takes the place of the old one; a
    symbolic link keeps pointing where it does, and an existing file keeps its permissions. What is
    not a regular file (a terminal, a pipe) is written directly. On failure: a Pg3Error, the old
    file untouched, and nothing left behind.
    """
    try:
        if _is_special(path):
            Path(path).write_text(text, encoding="utf-8")
        else:
            _replace(Path(os.path.realpath(path)), text)
    except OSError as error:
        raise Pg3Error(f"{path}: cannot write: {_reason(error)}") from None


def require_writable(path: str | Path) -> None:
    """Raise Pg3Error if a file cannot be written here: asked before hours of work, not after."""
    if Path(path).is_dir():
        raise Pg3Error(f"{path}: cannot write: {os.strerror(errno.EISDIR).lower()}")
    if _is_special(path):
        return
    target = Path(os.path.realpath(path))
    probe = _temporary_beside(target)
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        probe.touch(exist_ok=False)
    except OSError as error:
        raise Pg3Error(f"{path}: cannot write: {_reason(error)}") from None
    finally:
        _remove(probe)


def _is_special(path: str | Path) -> bool:
    """Whether something other than a regular file is there: a device, a pipe, a folder."""
    return Path(path).exists() and not Path(path).is_file()


def _replace(target: Path, text: str) -> None:
    temporary = _temporary_beside(target)
    try:
        with temporary.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            # Without it a crash of the machine can leave the new name with an empty content.
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        _remove(temporary)
        raise


def _temporary_beside(target: Path) -> Path:
    # A short name of its own: the target's name plus a suffix could be longer than names may be.
    return target.with_name(f".pg3-{secrets.token_hex(8)}.tmp")


def _remove(temporary: Path) -> None:
    # It may never have come into being, and no second failure should hide the first.
    with contextlib.suppress(OSError):
        temporary.unlink()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
