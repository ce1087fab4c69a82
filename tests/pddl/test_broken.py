"""Each broken file in `broken/` gives exactly the message in the .expected file beside it.

Files named domain-* are domains; those named problem-* are problems of `broken/domain.pddl`.
After a change of messages, `python -m tests.pddl.test_broken` writes the .expected files anew; read
the difference as a user would before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pg3.errors import InputError
from pg3.pddl import read_domain, read_problem

BROKEN = Path(__file__).parent / "broken"
FILES = sorted(path for path in BROKEN.glob("*-*.pddl"))


def message(path: Path) -> str:
    """What a user reads about the file, with the folder left out."""
    try:
        if path.name.startswith("domain-"):
            read_domain(path)
        else:
            read_problem(path, read_domain(BROKEN / "domain.pddl"))
    except InputError as error:
        return str(error).replace(f"{path.parent}/", "") + "\n"
    raise AssertionError(f"{path} was accepted")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_message(path: Path) -> None:
    assert message(path) == path.with_suffix(".expected").read_text(encoding="utf-8")


def test_the_corpus_is_large_and_complete() -> None:
    assert len(FILES) >= 45
    assert {path.stem for path in FILES} == {path.stem for path in BROKEN.glob("*.expected")}


if __name__ == "__main__":
    for file in FILES:
        file.with_suffix(".expected").write_text(message(file), encoding="utf-8")
