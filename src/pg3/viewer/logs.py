"""A learning log, read back: the searches with their candidates, and the rules they consist of.

The counterpart of `pg3.learning_log`. A log that was cut off is read as far as it goes. Rules are
taken apart without the domain, which need not be at hand to look at a search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pg3.errors import Pg3Error
from pg3.json_text import parse_json
from pg3.learning_log import FORMAT, VERSION

# How a log is called in the folder of a run.
LOG_NAME = "log.jsonl"


@dataclass(frozen=True, slots=True)
class LoggedRule:
    """A rule as the log has it, in parts: each condition is PDDL text."""

    name: str
    parameters: str
    preconditions: tuple[str, ...]
    goals: tuple[str, ...]
    action: str
    text: str
    definitions: str = ""

    @property
    def key(self) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
        """What makes the rule, whatever it is called."""
        return self.parameters, self.preconditions, self.goals, self.action


@dataclass(frozen=True, slots=True)
class LoggedCandidate:
    """A candidate policy: see `pg3.learning_log`."""

    number: int
    parent: int | None
    operator: str | None
    change: str | None
    policy: tuple[int, ...]
    score: float
    by_problem: tuple[float, ...]
    size: int
    seconds: float
    is_best: bool


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """One search over policies, on some of the training problems."""

    method: str
    problems: tuple[int, ...]
    candidates: tuple[LoggedCandidate, ...]

    def path(self, number: int) -> tuple[int, ...]:
        """The candidates from the first one to this one, each the parent of the next."""
        parents = {c.number: c.parent for c in self.candidates}
        found: list[int] = []
        at: int | None = number
        while at is not None and at in parents and at not in found:
            found.append(at)
            at = parents[at]
        return tuple(reversed(found))


@dataclass(frozen=True)
class SearchLog:
    """A whole log; `result` is its last line, None if the run was cut off."""

    header: dict[str, Any]
    rules: dict[int, LoggedRule]
    searches: tuple[LoggedSearch, ...]
    result: dict[str, Any] | None

    @property
    def winner(self) -> tuple[int, int] | None:
        """The search and the candidate that the result comes from, or the best one found.

        Where the result was changed afterwards (rules that never act are dropped), it is the last
        candidate of its search that was the best so far.
        """
        method = None if self.result is None else self.result.get("method")
        places = [i for i, s in enumerate(self.searches) if s.method == method and s.candidates]
        if not places:
            places = [i for i, search in enumerate(self.searches) if search.candidates]
        if not places:
            return None
        place = min(places, key=lambda i: (min(c.score for c in self.searches[i].candidates), i))
        candidates = self.searches[place].candidates
        for candidate in candidates:
            if self._is_result(candidate):
                return place, candidate.number
        bests = [c.number for c in candidates if c.is_best]
        return place, bests[-1] if bests else candidates[0].number

    @property
    def result_is_logged(self) -> bool:
        """Whether the result is one of the candidates as it stands."""
        return any(self._is_result(c) for search in self.searches for c in search.candidates)

    def _is_result(self, candidate: LoggedCandidate) -> bool:
        wanted = self._result_keys
        return bool(wanted) and [self.rules[r].key for r in candidate.policy] == wanted

    @cached_property
    def _result_keys(self) -> list[tuple[str, tuple[str, ...], tuple[str, ...], str]]:
        if self.result is None:
            return []
        text = str(self.result.get("result", ""))
        return [take_apart(rule).key for rule in _rules_of(text)]


def log_path(path: str | Path) -> Path | None:
    """The log that a path stands for: a log file, or a run's folder; None if it is neither."""
    path = Path(path)
    if path.is_dir():
        inside = path / LOG_NAME
        if not inside.is_file():
            raise Pg3Error(f"{path}: no {LOG_NAME} in this folder")
        return inside
    try:
        with path.open("rb") as file:
            start = file.read(4096).lstrip()
    except OSError:
        return None
    return path if start.startswith(b"{") and FORMAT.encode() in start.split(b"\n")[0] else None


def read_log(path: str | Path) -> SearchLog:
    """The log in a file; Pg3Error if it is none, or of another version."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise Pg3Error(
            f"{path}: cannot be read: {(error.strerror or str(error)).lower()}"
        ) from None
    return parse_log(data, path)


def parse_log(data: bytes, path: str | Path) -> SearchLog:
    """The log in the content of a file; Pg3Error if it is none, or of another version."""
    lines = data.split(b"\n")
    values = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError:
            if number == len(lines):
                break  # the run was killed in the middle of a line
            raise Pg3Error(f"{path}:{number}: not JSON") from None
        if not isinstance(value, dict):
            raise Pg3Error(f"{path}:{number}: expected a JSON object")
        values.append((number, value))
    if not values or values[0][1].get("format") != FORMAT:
        raise Pg3Error(f"{path}: no learning log (one is written by pg3 learn --log)")
    header = values[0][1]
    if header.get("version") != VERSION:
        raise Pg3Error(f"{path}: a log of version {header.get('version')}; {VERSION} is read here")
    return _assemble(path, header, values[1:])


def _assemble(
    path: str | Path, header: dict[str, Any], values: list[tuple[int, dict[str, Any]]]
) -> SearchLog:
    rules: dict[int, LoggedRule] = {}
    problems: dict[str, tuple[int, ...]] = {}
    candidates: dict[str, list[LoggedCandidate]] = {}
    result = None
    for number, value in values:
        try:
            if "rule" in value:
                rule = take_apart(str(value["text"]))
                defined = str(value.get("definitions", ""))
                rules[int(value["rule"])] = replace(rule, definitions=defined)
            elif "candidate" in value:
                candidates.setdefault(str(value["search"]), []).append(_candidate(value, rules))
            elif "search" in value:
                problems[str(value["search"])] = tuple(map(int, value["problems"]))
            elif "result" in value:
                result = value
        except (KeyError, TypeError, ValueError, IndexError, OverflowError):
            raise Pg3Error(f"{path}:{number}: not a line of a learning log") from None
    searches = tuple(
        LoggedSearch(method, numbers, tuple(candidates.get(method, ())))
        for method, numbers in problems.items()
    )
    return SearchLog(header, rules, searches, result)


def _candidate(value: dict[str, Any], rules: dict[int, LoggedRule]) -> LoggedCandidate:
    policy = tuple(map(int, value["policy"]))
    for rule in policy:
        rules[rule]  # KeyError: a rule stands before the candidate that has it
    return LoggedCandidate(
        int(value["candidate"]),
        None if value["parent"] is None else int(value["parent"]),
        value["operator"],
        value["change"],
        policy,
        float(value["score"]),
        tuple(map(float, value["by_problem"])),
        int(value["size"]),
        float(value["seconds"]),
        bool(value["best"]),
    )


# -- rules in parts --------------------------------------------------------------------------------


def _tree(text: str) -> list[Any]:
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            last = stack.pop()
            stack[-1].append(last)
        else:
            stack[-1].append(token)
    return stack[0]


def _flat(tree: Any) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(_flat, tree))})"


def _rules_of(policy: str) -> list[str]:
    trees = _tree(policy)
    return [
        _flat(part)
        for part in (trees[0] if trees else [])
        if isinstance(part, list) and part[:1] == [":rule"]
    ]


def take_apart(text: str) -> LoggedRule:
    """The parts of a rule; ValueError or IndexError if the text is none."""
    tree = _tree(text)[0]
    if not isinstance(tree, list) or tree[0] != ":rule":
        raise ValueError("no rule")
    parts = dict(zip(tree[2::2], tree[3::2], strict=True))

    def conditions(keyword: str) -> tuple[str, ...]:
        body = parts.get(keyword, [])
        listed = body[1:] if body[:1] == ["and"] else [body] if body else []
        return tuple(map(_flat, listed))

    return LoggedRule(
        str(tree[1]),
        " ".join(map(_flat, parts.get(":parameters", []))),
        conditions(":preconditions"),
        conditions(":goals"),
        _flat(parts[":action"]),
        text,
    )
