"""Each broken file in `broken/` gives exactly the message in the .expected file beside it.

The files are policies for `broken/domain.pddl`, in text or in JSON. After a change of messages,
`python -m tests.policy.test_broken` writes the .expected files anew; read the difference as a user
would before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pg3.pddl import read_domain
from pg3.policy import read_policy
from tests.support.broken_corpus import BrokenCorpus

BROKEN = Path(__file__).parent / "broken"


def read(path: Path) -> object:
    return read_policy(path, read_domain(BROKEN / "domain.pddl"))


CORPUS = BrokenCorpus(BROKEN, ("*.policy", "*.json"), read)


@pytest.mark.parametrize("path", CORPUS.files, ids=lambda path: path.stem)
def test_message(path: Path) -> None:
    CORPUS.check(path)


def test_the_corpus_is_large_and_complete() -> None:
    assert len(CORPUS.files) >= 20
    CORPUS.check_complete()


if __name__ == "__main__":
    CORPUS.write_expected()
