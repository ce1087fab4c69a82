"""Scores of candidates on a worker: it compiles problems when it first meets them, and keeps them.

What a learner scores on is a *course*: a domain and its training problems, known by a hash of their
text. A worker keeps the courses that it was asked about last, with the states, successors, rule
matches and searches of each problem, as a learner on one machine does. None of that shows in an
answer: the kernel's caches change when a result is there, never what it is.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3 import _native
from pg3.backends.tasks import answering
from pg3.learning.budget import TIME
from pg3.pddl import parse_domain, parse_problem
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Domain

# Courses that a worker keeps: the present one, and another for somebody who compares two.
_KEPT = 2

_SOLVED = "solved"


class CourseText(NamedTuple):
    """A course as text: a domain and its problems."""

    domain: str
    problems: Sequence[str]

    @property
    def key(self) -> str:
        """What the course is known by."""
        return hashlib.sha256(json.dumps(self).encode()).hexdigest()


def score_message(message: str) -> str:
    """The tables that a message asks for; see `scoring`."""
    return answering(message, _score)


class _Problem:
    """One problem of a course, with all that is known about it. One task at a time."""

    def __init__(self, text: str, domain: Domain, rules: _native.RuleTable) -> None:
        self.lock = threading.Lock()
        self._task = Task(parse_problem(text, domain), rules)
        self._native: _native.TrainingSet | None = None
        self._states: dict[tuple[int, ...], list[int]] = {}

    def ground(self, seconds: float | None) -> _native.TrainingSet | None:
        """The problem in the kernel's hands; None if there was no time for it."""
        if self._native is None:
            if self._task.ground(seconds):
                return None
            self._native = _native.TrainingSet([self._task.space], 1)
        return self._native

    def states(self, plan: Sequence[int]) -> list[int]:
        """The states that a plan passes through, but for the last."""
        key = tuple(plan)
        if key not in self._states:
            space, states = self._task.space, []
            state = space.initial
            for action in key:
                states.append(state)
                state = space.apply(state, action)
            self._states[key] = states
        return self._states[key]


class _Course:
    """A domain and its problems, compiled one by one as they are asked for."""

    def __init__(self, text: CourseText) -> None:
        self.rules = _native.RuleTable()
        self._domain = parse_domain(text.domain)
        self._problems: list[str | _Problem] = list(text.problems)
        self._lock = threading.Lock()

    def problem(self, number: int) -> _Problem:
        """One of the problems."""
        with self._lock:
            problem = self._problems[number]
            if isinstance(problem, str):
                problem = _Problem(problem, self._domain, self.rules)
                self._problems[number] = problem
            return problem


_courses: OrderedDict[str, _Course] = OrderedDict()
_courses_lock = threading.Lock()


def _course(key: str, text: Sequence[Any] | None) -> _Course | None:
    with _courses_lock:
        if key not in _courses:
            if text is None:
                return None
            _courses[key] = _Course(CourseText(*text))
        _courses.move_to_end(key)
        while len(_courses) > _KEPT:
            _courses.popitem(last=False)
        return _courses[key]


def _score(fields: dict[str, Any]) -> dict[str, Any]:
    course = _course(fields["course"], fields["text"])
    if course is None:
        return {"unknown": True}
    # Numbers of rules are each process's own; the message numbers those of its policies.
    numbers = [course.rules.add(rule) for rule in fields["rules"]]
    policies = [[numbers[place] for place in policy] for policy in fields["policies"]]
    columns, seconds = [], fields["seconds"]
    for number, question, plan in fields["problems"]:
        problem = course.problem(number)
        with problem.lock:
            native = problem.ground(seconds)
            if native is None:
                return {"limit": TIME}
            status, table = _table(native, policies, question, seconds)
            if status == _SOLVED:
                status, answers = native.answers(policies, [problem.states(plan)], seconds)
                table.append(answers)
            if status != _SOLVED:
                return {"limit": status}
            columns.append(table)
    return {"columns": columns}


def _table(
    native: _native.TrainingSet,
    policies: Sequence[Sequence[int]],
    question: Sequence[Any],
    seconds: float | None,
) -> tuple[str, list[list[int]]]:
    """The status, and what is asked for of one problem, column by column, a value a policy."""
    kind = question[0]
    if kind == "guided":
        _, rollout, limit, horizon = question
        status, mismatches, expansions, traces = native.traced(
            policies, rollout, limit, seconds, horizon=horizon
        )
        return status, [_numbers(mismatches), _numbers(expansions), traces]
    if kind == "executed":
        _, max_steps = question
        status, *tables = native.executed(policies, max_steps, seconds)
        return status, [_numbers(table) for table in tables]
    assert kind == "compared"
    _, plan = question
    status, table = native.compared(policies, [plan], seconds)
    return status, [_numbers(table)]


def _numbers(table: bytes) -> list[int]:
    return memoryview(table).cast("i").tolist()
