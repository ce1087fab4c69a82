"""A folder of problems with their domain, as `generate` writes it: all of it or nothing."""

from __future__ import annotations

import contextlib
import filecmp
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pg3.cli.output.progress import progress
from pg3.errors import Pg3Error, file_error, pluralize
from pg3.pddl import write_problem
from pg3.storage import signals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.pddl import Problem

DOMAIN_FILE = "domain.pddl"


def objects_text(sizes: Sequence[int]) -> str:
    """The numbers of objects of some problems: "5 to 7 objects"."""
    fewest, most = min(sizes), max(sizes)
    return pluralize(most, "object") if fewest == most else f"{fewest} to {most} objects"


def write_problems(
    domain: str,
    problems: Iterable[Problem],
    folder: Path,
    *,
    number: int,
    label: str,
    force: bool,
) -> list[int]:
    """Write the problems and the text of their domain; if one of them cannot be made, none.

    At most `number` of them come; `label` says what is going on. Returns how many objects each has.

    Without `force` a folder that has other problems is refused: who reads it as a whole would mix
    two sets. Files that are as they would be written do no harm, so a set can be made larger.
    """
    # All is made in a folder of its own first, then moved file by file. What a crash of the machine
    # takes can be made again, so no file waits for the disk.
    with _faults_of(folder), _new_folder_in(folder) as new:
        _add(new / DOMAIN_FILE, domain)
        digits = max(3, len(str(number)))
        sizes = []
        with progress(label, number) as advance:
            for i, problem in enumerate(problems, 1):
                _add(new / f"p{i:0{digits}}.pddl", write_problem(problem))
                sizes.append(len(problem.objects))
                advance()
        if not sizes:
            return []
        files = sorted(new.iterdir())
        if not force:
            _refuse_others(folder, files)
        with signals.steady:
            for file in files:
                file.replace(folder / file.name)
    return sizes


@contextlib.contextmanager
def _new_folder_in(folder: Path) -> Iterator[Path]:
    """A new folder in another one, which is made if it is missing.

    It is removed in the end, also by a signal; so is the other one if it was made and is empty.
    """
    with contextlib.ExitStack() as stack:
        with signals.steady:
            made = not folder.exists()
            if made:
                folder.mkdir(parents=True)
            new = TemporaryDirectory(prefix=".pg3-", dir=folder)

            def clear() -> None:
                new.cleanup()
                if made:
                    _remove_empty(folder)

            stack.enter_context(signals.clearing(clear))
        try:
            yield Path(new.name)
        finally:
            with signals.steady:
                clear()


def _add(path: Path, text: str) -> None:
    # Not while the folder is being cleared away.
    with signals.steady:
        path.write_text(text, encoding="utf-8")


def _refuse_others(folder: Path, files: Sequence[Path]) -> None:
    for file in files:
        old = folder / file.name
        if old.exists() and not (old.is_file() and filecmp.cmp(file, old, shallow=False)):
            raise Pg3Error(f"{old} is there already and differs: choose another folder, or --force")
    names = {file.name for file in files}
    others = sorted({file.name for file in folder.glob("*.pddl")} - names)
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise Pg3Error(
            f"{folder} has other problems already ({others[0]}{more}): "
            "choose another folder, or --force"
        )


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


@contextlib.contextmanager
def _faults_of(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise file_error(folder, "write", error) from None
