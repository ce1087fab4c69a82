"""Reference costs of problems, and the quality score of the planning competitions (IPC).

They come from a folder of plan files, or from a table with a line `PROBLEM COST` for each problem.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.pddl.lexer import read_source
from pg3.semantics.task import Task
from pg3.semantics.validation import validate_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl import Problem

# How planners name the plan for p01.pddl, after "p01" or "p01.pddl".
PLAN_SUFFIXES = (".plan", ".soln", ".sol")

_LINE = re.compile(r"([^\s,;]+)[\s,;]+([0-9]{1,15})")


@dataclass(frozen=True, slots=True)
class References:
    """The reference costs that there are: a number, or a plan file whose cost it is.

    By the problem's path.
    """

    known: Mapping[str, int | Path]

    def cost(self, path: str, problem: Problem) -> int | None:
        """The reference cost of a problem; Pg3Error if its plan is not valid."""
        known = self.known.get(path)
        if not isinstance(known, Path):
            return known
        verdict = validate_file(Task(problem), known)
        if not verdict.valid:
            raise Pg3Error(f"{known}: the reference plan is not valid: {verdict.message}")
        return verdict.cost


def quality(cost: int, reference: int) -> float:
    """The score of a plan: the reference cost divided by its own, and 1 for better plans."""
    return 1.0 if cost <= reference else reference / cost


def read_references(path: str, problems: Iterable[str]) -> References:
    """The reference costs for these problem files; Pg3Error if there is none for any of them.

    A problem is known by its file's name, with or without `.pddl`.
    """
    table = None if Path(path).is_dir() else _read_table(path)
    known: dict[str, int | Path] = {}
    for problem in problems:
        names = (Path(problem).name, Path(problem).stem)
        found: list[int] | list[Path]
        if table is not None:
            found = [table[name] for name in names if name in table]
        else:
            files = (Path(path, name + suffix) for suffix in PLAN_SUFFIXES for name in names)
            found = [file for file in files if file.is_file()]
        if found:
            known[problem] = found[0]
    if not known:
        raise Pg3Error(f"{path}: no reference cost for any of the problems")
    return References(known)


def _read_table(path: str) -> dict[str, int]:
    table: dict[str, int] = {}
    text = read_source(path).data.decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        match = _LINE.fullmatch(words)
        if match is None:
            raise Pg3Error(f"{path}:{number}: expected a problem and its cost, as 'p01.pddl 27'")
        if match[1] in table:
            raise Pg3Error(f"{path}:{number}: '{match[1]}' has a cost already")
        table[match[1]] = int(match[2])
    return table
