"""The log of a search over policies: every candidate, so that a search can be studied or replayed.

A file of JSON lines. The first says what was learned from and how. Then, in the order of search,
for each search the training problems that it is about (their numbers, from 0), each rule when it
is first met (`rule`, its number, and `text`) and each candidate: its number and its parent's within
its search, the operator and what it changed, the rules it consists of, its score by problem and in
all, size, semantic count, seconds since the start, and whether it was the best so far. The last
line is the result; a log without it is of a run that was cut off.

Equal runs write equal logs, but for the values of `seconds`.
"""

from __future__ import annotations

import json
import threading
import time
from typing import IO, TYPE_CHECKING, Any

from pg3.errors import Pg3Error
from pg3.files import open_for_lines
from pg3.policy.model import DecisionList
from pg3.policy.text import write_policy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

    from pg3.learner import LearningResult
    from pg3.pddl.model import Literal
    from pg3.policy.model import Rule
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.policy_search import Candidate

FORMAT = "pg3-learning-log"
VERSION = 1

# Lines wait this many seconds at most (while candidates come in), so that a killed run has a log.
_DELAY = 0.5


class LearningLog:
    """Writes a log: give `observe` to `learn`, and its result to `finish`.

    A context manager: on leaving it, what was observed is in the file. What is observed later, by
    a search that has been left to itself, is not written. Pg3Error if the file cannot be written.
    """

    def __init__(self, path: str | Path, header: Mapping[str, Any]) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._waiting: list[str] = []
        self._written = time.monotonic()
        self._rules: set[int] = set()
        self._policies: dict[tuple[str, int], PolicyKey] = {}
        # Without a buffer of its own: what is written at once are whole lines, always.
        self._file: IO[bytes] | None = open_for_lines(path)
        self._add({"format": FORMAT, "version": VERSION, **header})
        with self._lock:
            self._write()

    def __enter__(self) -> LearningLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._write()
            self._close()

    def observe(self, method: str, candidate: Candidate, book: RuleBook) -> None:
        """Write a candidate, after the rules that are new with it."""
        if candidate.number == 0:
            self._add({"search": method, "problems": list(candidate.problems)})
        for number in candidate.policy:
            if number not in self._rules:
                self._rules.add(number)
                self._add({"rule": number, "text": rule_text(book, number)})
        parent = None
        if candidate.parent is not None:
            parent = self._policies[method, candidate.parent]
        self._policies[method, candidate.number] = candidate.policy
        self._add(
            {
                "search": method,
                "candidate": candidate.number,
                "parent": candidate.parent,
                "operator": candidate.operator,
                "change": None if parent is None else change(parent, candidate.policy, book),
                "policy": list(candidate.policy),
                "score": candidate.evaluation.score,
                "by_problem": list(candidate.evaluation.by_problem),
                "size": candidate.size,
                "semantic_count": candidate.semantic_count,
                "best": candidate.is_best,
                "seconds": round(candidate.seconds, 6),
            }
        )

    def finish(self, result: LearningResult) -> None:
        """Write the last line."""
        self._add(
            {
                "result": write_policy(result.policy),
                "method": result.method,
                "reason": result.reason,
                "score": result.score,
                "problems": [problem._asdict() for problem in result.problems],
                "candidates": result.candidates,
                "expansions": result.expansions,
                "seconds": round(result.seconds, 6),
            }
        )

    def _add(self, line: Mapping[str, Any]) -> None:
        text = json.dumps(line) + "\n"
        with self._lock:
            self._waiting.append(text)
            if time.monotonic() - self._written >= _DELAY:
                self._write()

    def _write(self) -> None:
        """Hand the waiting lines to the system; to be called with the lock held."""
        if self._file is not None:
            try:
                self._file.write("".join(self._waiting).encode())
            except OSError as error:
                self._close()
                raise self._fault(error) from None
        self._waiting.clear()
        self._written = time.monotonic()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _fault(self, error: OSError) -> Pg3Error:
        reason = (error.strerror or str(error)).lower()
        return Pg3Error(f"{self._path}: cannot write: {reason}")


def rule_text(book: RuleBook, number: int) -> str:
    """One rule as it stands in a policy file."""
    text = write_policy(DecisionList("rule", (book.rule(number),)))
    return text[text.index("(:rule") : text.rindex(")")].strip()


def change(parent: PolicyKey, child: PolicyKey, book: RuleBook) -> str:
    """What an operator did, in words: "rule 2: + (on ?c)" or "rule 1: new (sail)"."""
    place = next(
        (i for i, (a, b) in enumerate(zip(parent, child, strict=False)) if a != b),
        min(len(parent), len(child)),
    )
    if len(child) > len(parent):
        return f"rule {place + 1}: new ({book.rule(child[place]).action})"
    if len(child) < len(parent):
        return f"rule {place + 1}: gone ({book.rule(parent[place]).action})"
    was, now = _conditions(book.rule(parent[place])), _conditions(book.rule(child[place]))
    parts = [f"+ {condition}" for condition in now if condition not in was]
    parts += [f"- {condition}" for condition in was if condition not in now]
    return f"rule {place + 1}: " + ", ".join(parts)


def _conditions(rule: Rule) -> list[str]:
    def text(literals: tuple[Literal, ...], prefix: str) -> list[str]:
        return [f"{prefix}{literal}" for literal in literals]

    return text(rule.preconditions, "") + text(rule.goals, "goal ")
