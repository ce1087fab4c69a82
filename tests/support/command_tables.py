"""Tables of commands: what is given to each, its exit code and a part of what it prints.

The words DOMAIN, PROBLEM and POLICY stand for files in the working folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.test_cli import Result, Run

Row = tuple[str, int | tuple[int, ...], str]

FILES = {"DOMAIN": "domain.pddl", "PROBLEM": "problem.pddl", "POLICY": "given.policy"}


def checked(row: Row, pg3: Run) -> Result:
    """What the command of a row printed, which is as the row says."""
    text, codes, message = row
    result = pg3(*(FILES.get(word, word) for word in text.split()))
    assert result.code in (codes if isinstance(codes, tuple) else (codes,)), result
    assert message in result.out + result.err
    return result
