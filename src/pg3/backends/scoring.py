"""Scores of candidates that are worked out on a cluster, as they would be here.

A batch of candidates is one round: it is divided into shares, a share is one task, and all answers
are there before the search goes on. Shares are made by problem, so that what a worker knows about a
problem is of use for every candidate; where there are more workers than problems, the candidates
are divided, too. The answers are tables of integers, a value for each policy and problem, that no
division changes.

Along with the scores comes what the semantic identifiers are made of: the search asks for them
next, and a second round would cost as much as the first.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from pg3.backends.pool import LostTaskError
from pg3.backends.scorer import CourseText, score_message
from pg3.backends.tasks import answered, request
from pg3.errors import Pg3Error
from pg3.learning.budget import TIME, LimitReached
from pg3.learning.evaluator import Executions
from pg3.pddl.writer import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from pg3.backends.pool import Pool
    from pg3.learning.evaluator import Trace
    from pg3.learning.training import NumberedPlan, Training
    from pg3.policy.rule_book import PolicyKey as Policy

    # For each problem the answers to one question, column by column, a value a policy.
    Answer = list[list[list[int]]]

# Policies of a share, at least: a task costs more than a few of them.
_SMALLEST_SHARE = 8

# Seconds that an answer may take after the time is up; the workers look at the clock themselves.
_GRACE = 1.0


class _Share(NamedTuple):
    """A part of a batch: some of the problems and, from the first to before the last, policies."""

    place: int
    problems: range
    first: int
    last: int


@dataclass
class _Course:
    """What a training is to the workers, and what they said of the last batch.

    `answers` has for each policy of that batch what its semantic identifier is made of.
    """

    text: CourseText
    key: str
    answers: dict[Policy, list[int]] = field(default_factory=dict)


class PoolEvaluator:
    """Tries out policies on a pool's workers (see `pg3.learning.evaluator`).

    Pg3Error if the pool is lost.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._courses: WeakKeyDictionary[Training, _Course] = WeakKeyDictionary()

    def guided(
        self, training: Training, policies: Sequence[Policy], rollout: int
    ) -> tuple[bytes, Sequence[Trace]]:
        """See `Evaluator`."""
        question = ["guided", rollout, training.expansions, training.horizon]
        mismatches, expanded, traces = self._ask(training, policies, [question] * len(training), 3)
        new = training.native.count(policies, rollout, expanded, traces)
        return array("i", mismatches).tobytes(), new

    def executed(
        self, training: Training, policies: Sequence[Policy], max_steps: int
    ) -> Executions:
        """See `Evaluator`."""
        question = ["executed", max_steps]
        tables = self._ask(training, policies, [question] * len(training), 3)
        return Executions(*(array("i", table).tobytes() for table in tables))

    def compared(
        self, training: Training, policies: Sequence[Policy], plans: Sequence[NumberedPlan]
    ) -> bytes:
        """See `Evaluator`."""
        (table,) = self._ask(training, policies, [["compared", plan] for plan in plans], 1)
        return array("i", table).tobytes()

    def identified(self, training: Training, policies: Sequence[Policy]) -> list[int]:
        """See `Evaluator`."""
        answers = self._course(training).answers
        return training.native.identifiers(
            [part for policy in policies for part in answers[policy]]
        )

    def _course(self, training: Training) -> _Course:
        if training not in self._courses:
            problems = [write_problem(task.problem) for task in training.tasks]
            text = CourseText(write_domain(training.domain), problems)
            self._courses[training] = _Course(text, text.key)
        return self._courses[training]

    def _shares(self, problems: int, policies: int) -> list[_Share]:
        places = self._pool.places
        groups = min(places, problems)
        parts = max(1, min(places // groups, policies // _SMALLEST_SHARE))
        return [
            _Share(
                group + part * groups,
                range(group, problems, groups),
                policies * part // parts,
                policies * (part + 1) // parts,
            )
            for part in range(parts)
            for group in range(groups)
        ]

    def _ask(
        self,
        training: Training,
        policies: Sequence[Policy],
        questions: Sequence[Sequence[Any]],
        columns: int,
    ) -> list[list[int]]:
        """The answers to a question to each problem, policy by policy: so many columns of them."""
        width = len(training)
        tables = [[0] * (len(policies) * width) for _ in range(columns + 1)]
        shares = self._shares(width, len(policies))
        for share, answer in zip(
            shares, self._answered(training, shares, policies, questions), strict=True
        ):
            for problem, values in zip(share.problems, answer, strict=True):
                rows = slice(share.first * width + problem, share.last * width, width)
                for table, column in zip(tables, values, strict=True):
                    table[rows] = column
        *tables, parts = tables
        self._course(training).answers = {
            policy: parts[i * width : (i + 1) * width] for i, policy in enumerate(policies)
        }
        return tables

    def _answered(
        self,
        training: Training,
        shares: Sequence[_Share],
        policies: Sequence[Policy],
        questions: Sequence[Sequence[Any]],
    ) -> list[Answer]:
        """The answer for each share."""
        # On the states of these plans policies are told apart.
        course, plans = self._course(training), training.plans

        def send(share: _Share, text: CourseText | None) -> Future[str]:
            seconds, _ = training.budget.limits
            message = request(
                course=course.key,
                text=text,
                **_numbered(training, policies[share.first : share.last]),
                problems=[(i, questions[i], plans[i] or ()) for i in share.problems],
                seconds=seconds,
            )
            return self._pool.executor(share.place).submit(score_message, message)

        futures = [send(share, None) for share in shares]
        answers = []
        try:
            for i, share in enumerate(shares):
                answer = self._received(training, futures[i])
                if "unknown" in answer:
                    # A worker that is new to this, or that has forgotten it.
                    futures[i] = send(share, course.text)
                    answer = self._received(training, futures[i])
                if "limit" in answer:
                    raise LimitReached(answer["limit"])
                answers.append(answer["columns"])
        finally:
            for future in futures:
                future.cancel()
        return answers

    def _received(self, training: Training, future: Future[str]) -> dict[str, Any]:
        seconds, _ = training.budget.limits
        try:
            return answered(self._pool.value(future, None if seconds is None else seconds + _GRACE))
        except TimeoutError:
            raise LimitReached(TIME) from None
        except LostTaskError as error:
            raise Pg3Error(f"candidates cannot be scored: {error}") from None


def _numbered(training: Training, policies: Sequence[Policy]) -> dict[str, Any]:
    """The fields of a message with policies, whose rules are numbered by their places in it."""
    numbers = sorted({number for policy in policies for number in policy})
    places = {number: place for place, number in enumerate(numbers)}
    return {
        "rules": [training.book.table.get(number) for number in numbers],
        "policies": [[places[number] for number in policy] for policy in policies],
    }
