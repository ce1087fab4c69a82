"""The log of a search over policies: every candidate, so that a search can be studied or replayed.

A file of JSON lines. The first says what was learned from and how. Then, in the order of search,
each rule when it is first met (`rule`, its number, and `text`) and each candidate: its number and
its parent's within its search, the operator and what it changed, the rules it consists of, its
score by problem and in all, size, semantic count, seconds since the start, and whether it was the
best so far. The last line is the result.
"""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

from pg3.policy.model import DecisionList
from pg3.policy.text import write_policy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.learner import LearningResult
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.policy_search import Candidate

FORMAT = "pg3-learning-log"
VERSION = 1


class LearningLog:
    """Writes the log line by line; give `observe` to `learn`."""

    def __init__(self, stream: IO[str], header: Mapping[str, Any]) -> None:
        self._stream = stream
        self._rules: set[int] = set()
        self._policies: dict[tuple[str, int], PolicyKey] = {}
        self._write({"format": FORMAT, "version": VERSION, **header})

    def observe(self, method: str, candidate: Candidate, book: RuleBook) -> None:
        """Write a candidate, after the rules that are new with it."""
        for number in candidate.policy:
            if number not in self._rules:
                self._rules.add(number)
                self._write({"rule": number, "text": rule_text(book, number)})
        parent = None
        if candidate.parent is not None:
            parent = self._policies[method, candidate.parent]
        self._policies[method, candidate.number] = candidate.policy
        self._write(
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
        self._write(
            {
                "result": write_policy(result.policy),
                "method": result.method,
                "reason": result.reason,
                "score": result.score,
                "candidates": result.candidates,
                "expansions": result.expansions,
                "seconds": round(result.seconds, 6),
            }
        )

    def _write(self, line: Mapping[str, Any]) -> None:
        self._stream.write(json.dumps(line) + "\n")


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
    old, new = book.rule(parent[place]), book.rule(child[place])
    was = {*old.preconditions, *(("goal", g) for g in old.goals)}
    now = {*new.preconditions, *(("goal", g) for g in new.goals)}
    parts = [f"+ {_condition(c)}" for c in sorted(now - was, key=str)]
    parts += [f"- {_condition(c)}" for c in sorted(was - now, key=str)]
    return f"rule {place + 1}: " + ", ".join(parts)


def _condition(condition: Any) -> str:
    return f"goal {condition[1]}" if condition[0] == "goal" else str(condition)
