"""Files that must be refused, each beside a file .expected with exactly what a user then reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class BrokenCorpus:
    """The broken files of a folder, and `read`, which must raise InputError on each of them."""

    def __init__(self, folder: Path, patterns: tuple[str, ...], read: Callable[[Path], object]):
        self.folder = folder
        self.files = sorted(path for pattern in patterns for path in folder.glob(pattern))
        self._read = read

    def check(self, path: Path) -> None:
        assert self._message(path) == path.with_suffix(".expected").read_text(encoding="utf-8")

    def check_complete(self) -> None:
        """Every file has its message and every message its file."""
        stems = [path.stem for path in self.files]
        assert sorted(stems) == sorted(path.stem for path in self.folder.glob("*.expected"))

    def write_expected(self) -> None:
        """Write the .expected files anew, after a change of messages."""
        for path in self.files:
            path.with_suffix(".expected").write_text(self._message(path), encoding="utf-8")

    def _message(self, path: Path) -> str:
        try:
            self._read(path)
        except InputError as error:
            return str(error).replace(f"{path.parent}/", "") + "\n"
        raise AssertionError(f"{path} was accepted")
