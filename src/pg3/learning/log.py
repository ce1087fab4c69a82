"""The log of a search over policies: every candidate, so that a search can be studied or replayed.

A file of JSON lines. The first says what was learned from and how. Then, in the order of search,
for each search the training problems that it is about (their numbers, from 0; higher ones are of
problems that the learner made), each rule when it is first met (`rule`, its number, `text`, and the
`definitions` that it needs, if any) and each candidate: its number and its parent's within its
search, the operator and what it changed, the rules it consists of, its score by problem and in all,
size, semantic count, seconds since the start of its search, and whether it was the best so far.
Where the same search is made again from more problems, its name says in which round. Goal
regression is no search; each round of its repair is a candidate all the same, whose score is the
number of runs that failed.

The last line is the result; a log without it is of a run that was cut off. Its `result` is the
policy after it was generalised, which need not be one of the candidates.

Equal runs write equal logs, but for the values of `seconds`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any

from pg3.errors import Pg3Error
from pg3.learning.config import OPTIONS
from pg3.learning.result import Status
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.pddl.writer import write_problem
from pg3.policy.model import DecisionList
from pg3.policy.text import write_policy
from pg3.storage.json_lines import LineFile
from pg3.storage.schema import (
    Flag,
    Format,
    ListOf,
    Nothing,
    Number,
    OneOf,
    PathName,
    Record,
    ShapeError,
    Text,
    Whole,
    parse_json,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pg3.learning.policy_search import Candidate
    from pg3.learning.result import LearningResult
    from pg3.policy.model import Rule
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.storage.schema import Shape

FORMAT = "pg3-learning-log"
VERSION = 2

# A log that was written from Python may say less in its header, or more. Of the options these are
# used (a score may be one that is not registered here); a run that goes on knows them all, and
# compares.
_OPTIONS: Mapping[str, Shape] = {
    "score": Text(),
    "rollout_steps": OPTIONS["rollout_steps"].shape,
    "astar_expansions": OPTIONS["astar_expansions"].shape,
}
_HEADER = Format(
    FORMAT,
    VERSION,
    Record(
        {},
        {
            "pg3": Text(),
            "domain": PathName(),
            "problems": ListOf(PathName()),
            "start": PathName(),
            "options": Record({}, _OPTIONS, open=True),
        },
        open=True,
    ),
)
_ANY_NUMBER = Number(-math.inf)
_SEARCH = Record({"search": Text(), "problems": ListOf(Whole())})
_RULE = Record({"rule": Whole(), "text": Text()}, {"definitions": Text()})
_CANDIDATE = Record(
    {
        "search": Text(),
        "candidate": Whole(),
        "parent": Nothing(Whole()),
        "operator": Nothing(Text()),
        "change": Nothing(Text()),
        "policy": ListOf(Whole()),
        "score": _ANY_NUMBER,
        "by_problem": ListOf(_ANY_NUMBER),
        "size": Whole(),
        "semantic_count": Whole(),
        "best": Flag(),
        "seconds": Number(),
    }
)
_PROBLEM = Record(
    {
        "name": Text(),
        "steps": Nothing(Whole()),
        "left_out": Nothing(Text()),
        "learned_from": Flag(),
    }
)
_GROWN = Record(
    {
        "number": Whole(),
        "objects": Whole(),
        "failed": Whole(),
        # As PDDL, the smallest first.
        "counterexamples": ListOf(Text()),
        "altered": ListOf(Text()),
        "hopeless": Whole(),
    }
)
_RESULT = Record(
    {
        "result": Text(),
        "status": OneOf(tuple(Status)),
        "method": Text(),
        "reason": Text(),
        "score": _ANY_NUMBER,
        "problems": ListOf(_PROBLEM),
        "grown": _GROWN,
        "candidates": Whole(),
        "expansions": Whole(),
        "seconds": Number(),
    }
)


def checked_line(value: Any, place: int) -> dict[str, Any]:
    """The fields of the line at a place of a log, from 0; ShapeError if it is none.

    What a line is about is said by the field that only such lines have.
    """
    if place == 0:
        return _HEADER.check(value)
    shapes = {"candidate": _CANDIDATE, "rule": _RULE, "result": _RESULT, "search": _SEARCH}
    for name, shape in shapes.items():
        if isinstance(value, dict) and name in value:
            return shape.check(value)
    raise ShapeError((), f"a line of a learning log has one of {', '.join(shapes)}")


class LearningLog:
    """Writes a log: give `observe` to `learn`, and its result to `finish`.

    A context manager: on leaving it, what was observed is in the file. What is observed later, by
    a search that has been left to itself, is not written. Pg3Error if the file cannot be written.

    `past` are the lines that a log has already, of a run that goes on: what is the same again, but
    for its time, is not written again. Pg3Error if it is not the same.
    """

    def __init__(
        self, path: str | Path, header: Mapping[str, Any], past: Sequence[bytes] | None = None
    ) -> None:
        self._path = path
        self._rules: set[int] = set()
        # By method: the name of its latest search, and how many there have been.
        self._searches: dict[str, str] = {}
        self._rounds: Counter[str] = Counter()
        self._policies: dict[tuple[str, int], PolicyKey] = {}
        self._past, self._place = past or (), 0
        self._file = LineFile(path, None if past is None else sum(map(len, past)))
        try:
            self._add({"format": FORMAT, "version": VERSION, **header})
            self._file.flush()
        except Pg3Error:
            self._file.close()
            raise

    def __enter__(self) -> LearningLog:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def observe(self, method: str, candidate: Candidate, book: RuleBook) -> None:
        """Write a candidate, after the rules that are new with it."""
        search = self._search(method, candidate)
        for number in candidate.policy:
            if number not in self._rules:
                self._rules.add(number)
                line = {"rule": number, "text": rule_text(book, number)}
                if defined := definition_text(book, number):
                    line["definitions"] = defined
                self._add(line)
        parent = None
        if candidate.parent is not None:
            parent = self._policies[search, candidate.parent]
        self._policies[search, candidate.number] = candidate.policy
        self._add(
            {
                "search": search,
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

    def _search(self, method: str, candidate: Candidate) -> str:
        """The name of a candidate's search, of which there is a line once it has begun."""
        if candidate.number == 0:
            self._rounds[method] += 1
            number = self._rounds[method]
            name = method if number == 1 else f"{method}, round {number}"
            self._searches[method] = name
            self._add({"search": name, "problems": list(candidate.problems)})
        return self._searches[method]

    def finish(self, result: LearningResult) -> None:
        """Write the last line."""
        grown = result.grown
        self._add(
            {
                "result": write_policy(result.policy),
                "status": result.status,
                "method": result.method,
                "reason": result.reason,
                "score": result.score,
                "problems": [problem._asdict() for problem in result.problems],
                "grown": {
                    **grown._asdict(),
                    "counterexamples": [write_problem(one) for one in grown.counterexamples],
                    "altered": [write_problem(one) for one in grown.altered],
                },
                "candidates": result.candidates,
                "expansions": result.expansions,
                "seconds": round(result.seconds, 6),
            }
        )

    def _add(self, line: Mapping[str, Any]) -> None:
        text = json.dumps(line)
        if self._place < len(self._past):
            if _timeless(text) != _timeless(self._past[self._place]):
                raise Pg3Error(
                    f"{self._path}: line {self._place + 1} is not what this run writes; it was "
                    "changed, or is of another version of pg3"
                )
            self._place += 1
        else:
            self._file.add(text)


def _timeless(line: str | bytes) -> dict[str, Any]:
    """What a line says, but when."""
    fields: dict[str, Any] = parse_json(line)
    return {name: value for name, value in fields.items() if name != "seconds"}


def rule_text(book: RuleBook, number: int) -> str:
    """One rule as it stands in a policy file."""
    text = write_policy(DecisionList("rule", (book.user_rule(number),)))
    return text[text.index("(:rule") : text.rindex(")")].strip()


def definition_text(book: RuleBook, number: int) -> str:
    """The definitions that a rule needs, as they stand in a policy file; "" if none."""
    needed = book.user_policy((number,), "rule").definitions
    text = write_policy(DecisionList("definitions", (), needed))
    return text[text.index("(:derived") : text.rindex(")")].strip() if needed else ""


def change(parent: PolicyKey, child: PolicyKey, book: RuleBook) -> str:
    """What an operator did, in words: "rule 2: + (on ?c)" or "rule 1: new (sail)".

    A repair changes much at once: "12 rules new, 3 gone".
    """
    place = next(
        (i for i, (a, b) in enumerate(zip(parent, child, strict=False)) if a != b),
        min(len(parent), len(child)),
    )
    added, gone = set(child) - set(parent), set(parent) - set(child)
    if len(added) > 1 or len(gone) > 1 or abs(len(child) - len(parent)) > 1:
        return f"{len(added)} rules new, {len(gone)} gone"
    if len(child) > len(parent):
        return f"rule {place + 1}: new ({book.rule(child[place]).action})"
    if len(child) < len(parent):
        return f"rule {place + 1}: gone ({book.rule(parent[place]).action})"
    was, now = (_conditions(book.user_rule(policy[place])) for policy in (parent, child))
    parts = [f"+ {condition}" for condition in now if condition not in was]
    parts += [f"- {condition}" for condition in was if condition not in now]
    return f"rule {place + 1}: " + ", ".join(parts)


def _conditions(rule: Rule) -> list[str]:
    goals = (
        str(goal) if unwanted_predicate(goal.atom.predicate) else f"goal {goal}"
        for goal in rule.goals
    )
    return [*map(str, rule.preconditions), *goals]
