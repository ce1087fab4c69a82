"""Results as Markdown tables: a line a domain, or two versions side by side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.generality.store import Result

HEADS = (
    "domain",
    "seed",
    "training",
    "working set",
    "training solved",
    "tests solved",
    "shuffled",
    "rules",
    "CPU s",
    "MB",
    "exit code",
    "status",
    "method",
)
COMPARED = ("domain", "seed", "tests solved", "rules", "CPU s", "MB", "status")
NONE = "–"
# Beyond this a status is a message, of which the file of results has all.
LONGEST_STATUS = 70


def results_in(path: Path, only: str | None = None) -> list[Result]:
    """The last result of each domain and seed, in the order of the file; of one set if given."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = {}
    for result in map(json.loads, lines):
        if only in (None, result["set"]):
            found[_which(result)] = result
    return list(found.values())


def _which(result: Result) -> tuple[str, str, int]:
    return result["set"], result["domain"], result["seed"]


def head(names: Sequence[str]) -> list[str]:
    """The first two lines of a table."""
    return [row(*names), "|---" + "|--:" * (len(names) - 3) + "|---|---|"]


def row(*cells: object) -> str:
    """One line of a table; what is not known is a dash."""
    shown = (NONE if cell in (None, "") else str(cell).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(shown)} |"


def line(result: Result) -> str:
    """The line of one result, as `HEADS` says."""
    shuffled = result["shuffles"] * result["tests"]
    return row(
        result["domain"],
        result["seed"],
        result["problems"],
        result["working_set"],
        f"{result['training_solved']}/{result['problems']}",
        _tests(result),
        f"{result['shuffled_solved']}/{shuffled}" if shuffled else None,
        result["rules"],
        f"{result['cpu_seconds']:.1f}",
        result["megabytes"],
        result["exit_code"],
        _status(result),
        result["method"],
    )


def table(results: Sequence[Result]) -> list[str]:
    """All results, and what they come to."""
    return [*head(HEADS), *map(line, results), "", summary(results)]


def summary(results: Sequence[Result]) -> str:
    """How much of the tests is solved, and the most that learning used."""
    solved = sum(result["tests_solved"] for result in results)
    tests = sum(result["tests"] for result in results)
    seconds = [result["cpu_seconds"] for result in results]
    return (
        f"{sum(map(_complete, results))} of {len(results)} solved completely, "
        f"{solved} of {tests} test problems; learning took {sum(seconds):.0f} CPU s, at most "
        f"{max(seconds, default=0):.0f} CPU s and "
        f"{max((result['megabytes'] for result in results), default=0)} MB."
    )


def comparison(old: Sequence[Result], new: Sequence[Result]) -> list[str]:
    """What both have, before and after."""
    before = {_which(result): result for result in old}
    pairs = [(before[_which(after)], after) for after in new if _which(after) in before]
    lines = head((*COMPARED, "status after"))
    for was, now in pairs:
        changes = [
            f"{was_shown} → {now_shown}"
            for was_shown, now_shown in zip(_facts(was), _facts(now), strict=True)
        ]
        lines.append(row(now["domain"], now["seed"], *changes, _status(was), _status(now)))
    return [
        *lines,
        "",
        f"Before: {summary([was for was, _ in pairs])}",
        f"After: {summary([now for _, now in pairs])}",
    ]


def _facts(result: Result) -> list[str]:
    rules = NONE if result["rules"] is None else str(result["rules"])
    return [_tests(result), rules, f"{result['cpu_seconds']:.1f}", str(result["megabytes"])]


def _tests(result: Result) -> str:
    return f"{result['tests_solved']}/{result['tests']}"


def _complete(result: Result) -> bool:
    return bool(result["tests_solved"] == result["tests"])


def _status(result: Result) -> str:
    status = str(result["status"])
    return status if len(status) <= LONGEST_STATUS else f"{status[: LONGEST_STATUS - 1]}…"
