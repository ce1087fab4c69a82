"""A learning log, read back: the searches with their candidates, and the rules they consist of.

The counterpart of `pg3.learning.log`. A log that was cut off is read as far as it goes. Rules are
taken apart without the domain, which need not be at hand to look at a search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pg3.errors import Pg3Error, file_error, pluralize
from pg3.learning.log import FORMAT, checked_line
from pg3.storage.schema import ShapeError, parse_json

# How a log is called in the folder of a run.
LOG_NAME = "log.jsonl"

# The operator of a result that is no candidate of its search.
GENERALISE = "generalise"

_Key = tuple[str, tuple[str, ...], tuple[str, ...], str]


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
    def key(self) -> _Key:
        """What makes the rule, whatever it is called."""
        return self.parameters, self.preconditions, self.goals, self.action


@dataclass(frozen=True, slots=True)
class LoggedCandidate:
    """A candidate policy: see `pg3.learning.log`."""

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
        """The search and the candidate that is the result, or the best one found so far.

        None if there are no candidates. A log that was read has the result as a candidate
        (`with_result`).
        """
        places = [i for i, search in enumerate(self.searches) if search.candidates]
        if self.result is not None:
            places = self._places_of(self.result["method"]) or places
        for place in (*places[::-1], *range(len(self.searches))):
            for candidate in self.searches[place].candidates[::-1]:
                if self._is_result(candidate):
                    return place, candidate.number
        if not places:
            return None
        if self.result is None:
            place = min(places, key=lambda i: min(c.score for c in self.searches[i].candidates))
        else:
            # The last round: it learned from the most problems.
            place = places[-1]
        candidates = self.searches[place].candidates
        bests = [c.number for c in candidates if c.is_best]
        return place, bests[-1] if bests else candidates[0].number

    def _places_of(self, method: str) -> list[int]:
        """The searches of a method, one a round, that have candidates."""
        return [
            i
            for i, search in enumerate(self.searches)
            if search.candidates
            and (search.method == method or search.method.startswith(f"{method}, round "))
        ]

    def with_result(self) -> SearchLog:
        """The same, where the result is a candidate; it is of the search that it comes from.

        A policy is generalised after its search. So the result is often no candidate, but one that
        follows on the best.
        """
        wanted, winner = self._result_keys, self.winner
        if self.result is None or not wanted or winner is None or self.result_is_logged:
            return self
        place, number = winner
        search = self.searches[place]
        parent = next(c for c in search.candidates if c.number == number)
        rules, policy = dict(self.rules), list[int]()
        known = {rule.key: number for number, rule in rules.items()}
        definitions = " ".join(map(_flat, _parts_of(self.result["result"], ":derived")))
        for rule in _rules_of(self.result["result"]):
            if rule.key not in known:
                known[rule.key] = max(rules, default=-1) + 1
                rules[known[rule.key]] = replace(rule, definitions=definitions)
            policy.append(known[rule.key])
        kept = len(set(policy) & set(parent.policy))
        result = LoggedCandidate(
            number=max(c.number for c in search.candidates) + 1,
            parent=number,
            operator=GENERALISE,
            change=f"{pluralize(len(policy) - kept, 'rule')} new, {len(parent.policy) - kept} gone",
            policy=tuple(policy),
            # It has no score of its own: it passes what its parent passes.
            score=parent.score,
            by_problem=parent.by_problem,
            size=sum(len(rules[r].preconditions) + len(rules[r].goals) for r in policy),
            seconds=max(c.seconds for c in search.candidates),
            is_best=True,
        )
        longer = replace(search, candidates=(*search.candidates, result))
        searches = (*self.searches[:place], longer, *self.searches[place + 1 :])
        return replace(self, rules=rules, searches=searches)

    @property
    def result_is_logged(self) -> bool:
        """Whether the result is one of the candidates as it stands."""
        return any(self._is_result(c) for search in self.searches for c in search.candidates)

    def _is_result(self, candidate: LoggedCandidate) -> bool:
        wanted = self._result_keys
        return bool(wanted) and [self.rules[r].key for r in candidate.policy] == wanted

    @cached_property
    def _result_keys(self) -> list[_Key]:
        return [] if self.result is None else _keys_of(self.result["result"])


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
        raise file_error(path, "be read", error) from None
    return parse_log(data, path)


def parse_log(data: bytes, path: str | Path) -> SearchLog:
    """The log in the content of a file; Pg3Error if it is none, or of another version."""
    lines = data.split(b"\n")
    values = list[tuple[int, dict[str, Any]]]()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError as error:
            if number == len(lines):
                break  # the run was killed in the middle of a line
            raise Pg3Error(f"{path}:{number}: not JSON ({error})") from None
        if not values and (not isinstance(value, dict) or value.get("format") != FORMAT):
            break
        try:
            values.append((number, checked_line(value, len(values))))
        except ShapeError as error:
            raise Pg3Error(f"{path}:{number}: {error}") from None
    if not values:
        raise Pg3Error(f"{path}: no learning log (one is written by pg3 learn --log)")
    return _assemble(path, values[0][1], values[1:])


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
                rule = take_apart(value["text"])
                rules[value["rule"]] = replace(rule, definitions=value.get("definitions", ""))
            elif "candidate" in value:
                candidates.setdefault(value["search"], []).append(_candidate(value, rules))
            elif "search" in value:
                problems[value["search"]] = tuple(value["problems"])
            else:
                result = value
                _keys_of(value["result"])
        except ValueError as error:
            raise Pg3Error(f"{path}:{number}: {error}") from None
    searches = tuple(
        LoggedSearch(method, numbers, tuple(candidates.get(method, ())))
        for method, numbers in problems.items()
    )
    return SearchLog(header, rules, searches, result)


def _candidate(value: dict[str, Any], rules: dict[int, LoggedRule]) -> LoggedCandidate:
    for rule in value["policy"]:
        if rule not in rules:
            raise ValueError(f"there is no line before with rule {rule}")
    return LoggedCandidate(
        value["candidate"],
        value["parent"],
        value["operator"],
        value["change"],
        tuple(value["policy"]),
        value["score"],
        tuple(value["by_problem"]),
        value["size"],
        value["seconds"],
        value["best"],
    )


# -- rules in parts --------------------------------------------------------------------------------


# A rule nests a few deep; what nests deeper than this is none, and must not exhaust the stack.
_DEPTH = 32


def _tree(text: str) -> list[Any]:
    """The words of a text in lists, as its parentheses say; ValueError if these do not match."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token != ")":
            stack[-1].append(token)
        elif len(stack) > 1:
            last = stack.pop()
            stack[-1].append(last)
        else:
            raise ValueError("the text has a ')' too many")
        if len(stack) > _DEPTH:
            raise ValueError("the text is nested too deeply")
    if len(stack) > 1:
        raise ValueError("the text has a '(' too many")
    return stack[0]


def _flat(tree: Any) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(_flat, tree))})"


def _keys_of(policy: str) -> list[_Key]:
    """What makes the rules of a policy; ValueError if the text is none."""
    return [rule.key for rule in _rules_of(policy)]


def _rules_of(policy: str) -> list[LoggedRule]:
    """The rules of a policy; ValueError if the text is none."""
    return [take_apart(_flat(part)) for part in _parts_of(policy, ":rule")]


def _parts_of(policy: str, keyword: str) -> list[list[Any]]:
    return [
        part
        for tree in _tree(policy)[:1]
        for part in (tree if isinstance(tree, list) else [])
        if isinstance(part, list) and part[:1] == [keyword]
    ]


def take_apart(text: str) -> LoggedRule:
    """The parts of a rule; ValueError if the text is none."""
    match _tree(text):
        case [[":rule", str(name), *parts]] if len(parts) % 2 == 0:
            pass
        case _:
            raise ValueError("the text is no rule")
    sections = {_flat(key): body for key, body in zip(parts[::2], parts[1::2], strict=True)}
    if not all(isinstance(body, list) for body in sections.values()) or ":action" not in sections:
        raise ValueError("the text is no rule with an action")

    def conditions(keyword: str) -> tuple[str, ...]:
        body = sections.get(keyword, [])
        listed = body[1:] if body[:1] == ["and"] else [body] if body else []
        return tuple(map(_flat, listed))

    return LoggedRule(
        name,
        " ".join(map(_flat, sections.get(":parameters", []))),
        conditions(":preconditions"),
        conditions(":goals"),
        _flat(sections[":action"]),
        text,
    )
