"""Each broken file in `broken/` gives exactly the message in the .expected file beside it.

The files are policies for `broken/domain.pddl`, in text or in JSON. After a change of messages,
`python -m tests.policy.test_broken` writes the .expected files anew; read the difference as a user
would before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pg3.errors import PolicyError
from pg3.pddl import read_domain
from pg3.policy import read_policy

BROKEN = Path(__file__).parent / "broken"
FILES = sorted([*BROKEN.glob("*.policy"), *BROKEN.glob("*.json")])


def message(path: Path) -> str:
    """What a user reads about the file, with the folder left out."""
    try:
        read_policy(path, read_domain(BROKEN / "domain.pddl"))
    except PolicyError as error:
        return str(error).replace(f"{path.parent}/", "") + "\n"
    raise AssertionError(f"{path} was accepted")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_message(path: Path) -> None:
    assert message(path) == path.with_suffix(".expected").read_text(encoding="utf-8")


def test_the_corpus_is_large_and_complete() -> None:
    assert len(FILES) >= 20
    assert {path.stem for path in FILES} == {path.stem for path in BROKEN.glob("*.expected")}
    assert len({path.stem for path in FILES}) == len(FILES)


if __name__ == "__main__":
    for file in FILES:
        file.with_suffix(".expected").write_text(message(file), encoding="utf-8")
