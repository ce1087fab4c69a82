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
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.backends.pool import LostTaskError
from pg3.backends.scorer import CourseText, score_message
from pg3.backends.tasks import answered, request
from pg3.errors import Pg3Error
from pg3.learning.budget import TIME, LimitReached
from pg3.pddl.writer import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from pg3 import _native
    from pg3.backends.pool import Pool
    from pg3.learning.budget import Budget
    from pg3.policy.rule_book import PolicyKey as Policy
    from pg3.semantics.task import Task

    # For each problem a plan, in the kernel's numbers of actions, or none.
    Plans = Sequence[Sequence[int] | None]

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


class RemoteScores:
    """Scores of policies on some tasks, from a pool's workers.

    `plans`, one a problem, are those on whose states policies are told apart. LimitReached if the
    budget is used up, Pg3Error if the pool is lost.
    """

    def __init__(
        self, pool: Pool, tasks: Sequence[Task], rules: _native.RuleTable, budget: Budget
    ) -> None:
        self._pool = pool
        self._tasks = tasks
        self._rules = rules
        self._budget = budget
        # For each policy of the last batch the answers that its identifier is made of.
        self._answers: dict[Policy, list[int]] = {}

    def guided(
        self,
        policies: Sequence[Policy],
        plans: Plans,
        rollout: int,
        expansions: int,
        horizon: int | None,
    ) -> tuple[bytes, list[int], list[int]]:
        """Mismatches, states expanded, and the traces of the searches: see `TrainingSet.count`."""
        question = ["guided", rollout, expansions, horizon]
        mismatches, expanded, traces = self._ask(policies, plans, [question] * len(self._tasks), 3)
        return array("i", mismatches).tobytes(), expanded, traces

    def executed(
        self, policies: Sequence[Policy], plans: Plans, max_steps: int
    ) -> tuple[bytes, bytes, bytes]:
        """Whether problems are solved, in how many steps, and open goals."""
        question = ["executed", max_steps]
        solved, steps, goals = (
            array("i", table).tobytes()
            for table in self._ask(policies, plans, [question] * len(self._tasks), 3)
        )
        return solved, steps, goals

    def compared(
        self, policies: Sequence[Policy], plans: Plans, given: Sequence[Sequence[int]]
    ) -> bytes:
        """The steps of the given plans, one a problem, that a policy does not take."""
        (table,) = self._ask(policies, plans, [["compared", plan] for plan in given], 1)
        return array("i", table).tobytes()

    def answers(self, policies: Sequence[Policy]) -> list[int]:
        """What the identifiers of policies are made of; they were scored with the last batch."""
        return [part for policy in policies for part in self._answers[policy]]

    @cached_property
    def _text(self) -> CourseText:
        domain = write_domain(self._tasks[0].domain)
        return CourseText(domain, [write_problem(task.problem) for task in self._tasks])

    @cached_property
    def _key(self) -> str:
        return self._text.key

    def _shares(self, policies: int) -> list[_Share]:
        places, problems = self._pool.places, len(self._tasks)
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
        policies: Sequence[Policy],
        plans: Plans,
        questions: Sequence[Sequence[Any]],
        columns: int,
    ) -> list[list[int]]:
        """The answers to a question to each problem, policy by policy: so many columns of them."""
        width = len(self._tasks)
        tables = [[0] * (len(policies) * width) for _ in range(columns + 1)]
        shares = self._shares(len(policies))
        for share, answer in zip(
            shares, self._answered(shares, policies, plans, questions), strict=True
        ):
            for problem, values in zip(share.problems, answer, strict=True):
                rows = slice(share.first * width + problem, share.last * width, width)
                for table, column in zip(tables, values, strict=True):
                    table[rows] = column
        *tables, parts = tables
        self._answers = {
            policy: parts[i * width : (i + 1) * width] for i, policy in enumerate(policies)
        }
        return tables

    def _answered(
        self,
        shares: Sequence[_Share],
        policies: Sequence[Policy],
        plans: Plans,
        questions: Sequence[Sequence[Any]],
    ) -> list[Answer]:
        """The answer for each share."""

        def send(share: _Share, text: CourseText | None) -> Future[str]:
            asked = [(i, questions[i], plans[i] or ()) for i in share.problems]
            message = self._message(policies[share.first : share.last], asked, text)
            return self._pool.executor(share.place).submit(score_message, message)

        futures = [send(share, None) for share in shares]
        answers = []
        try:
            for i, share in enumerate(shares):
                answer = self._received(futures[i])
                if "unknown" in answer:
                    # A worker that is new to this, or that has forgotten it.
                    futures[i] = send(share, self._text)
                    answer = self._received(futures[i])
                if "limit" in answer:
                    raise LimitReached(answer["limit"])
                answers.append(answer["columns"])
        finally:
            for future in futures:
                future.cancel()
        return answers

    def _message(
        self, policies: Sequence[Policy], asked: Sequence[Any], text: CourseText | None
    ) -> str:
        numbers = sorted({number for policy in policies for number in policy})
        places = {number: place for place, number in enumerate(numbers)}
        seconds, _ = self._budget.limits
        return request(
            course=self._key,
            text=text,
            rules=[self._rules.get(number) for number in numbers],
            policies=[[places[number] for number in policy] for policy in policies],
            problems=asked,
            seconds=seconds,
        )

    def _received(self, future: Future[str]) -> dict[str, Any]:
        seconds, _ = self._budget.limits
        try:
            return answered(self._pool.value(future, None if seconds is None else seconds + _GRACE))
        except TimeoutError:
            raise LimitReached(TIME) from None
        except LostTaskError as error:
            raise Pg3Error(f"candidates cannot be scored: {error}") from None
