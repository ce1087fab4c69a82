"""Whole files in and out, with errors that a person can act on and no half-written results."""

from __future__ import annotations

import os
import secrets
import shutil
from pathlib import Path

from pg3.errors import Pg3Error, Source


def read_source(path: str | Path) -> Source:
    """The content of a file, under its path as the name; Pg3Error if it cannot be read."""
    try:
        return Source(str(path), Path(path).read_bytes())
    except OSError as error:
        raise Pg3Error(f"{path}: cannot read: {_reason(error)}") from None


def write_atomically(path: str | Path, text: str) -> None:
    """Write a file so that readers see the old content or all of the new, never a part.

    The text goes to a new file in the same folder, which then takes the place of the old one; a
    symbolic link keeps pointing where it does, and an existing file keeps its permissions. What is
    not a regular file (a terminal, a pipe) is written directly. On failure: a Pg3Error, the old
    file untouched, and nothing left behind.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
        else:
            _replace(target, text)
    except OSError as error:
        raise Pg3Error(f"{path}: cannot write: {_reason(error)}") from None


def _replace(target: Path, text: str) -> None:
    # A short name of its own: the target's name plus a suffix could be longer than names may be.
    temporary = target.with_name(f".pg3-{secrets.token_hex(8)}.tmp")
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
        temporary.unlink(missing_ok=True)
        raise


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
