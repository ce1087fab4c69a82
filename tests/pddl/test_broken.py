"""Each broken file in `broken/` gives exactly the message in the .expected file beside it.

Files named domain-* are domains; those named problem-* are problems of `broken/domain.pddl`.
After a change of messages, `python -m tests.pddl.test_broken` writes the .expected files anew; read
the difference as a user would before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pg3.pddl import read_domain, read_problem
from tests.support.broken_corpus import BrokenCorpus

BROKEN = Path(__file__).parent / "broken"


def read(path: Path) -> object:
    if path.name.startswith("domain-"):
        return read_domain(path)
    return read_problem(path, read_domain(BROKEN / "domain.pddl"))


CORPUS = BrokenCorpus(BROKEN, ("*-*.pddl",), read)


@pytest.mark.parametrize("path", CORPUS.files, ids=lambda path: path.stem)
def test_message(path: Path) -> None:
    CORPUS.check(path)


def test_the_corpus_is_large_and_complete() -> None:
    assert len(CORPUS.files) >= 45
    CORPUS.check_complete()


if __name__ == "__main__":
    CORPUS.write_expected()
