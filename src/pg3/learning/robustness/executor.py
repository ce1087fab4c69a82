"""Executes policies on problems that are not grounded for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.planning import Limits, execute

if TYPE_CHECKING:
    from pg3.learning.budget import Budget
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.semantics.task import Task


class Executor:
    """Executes the policies of a rule book within a budget; LimitReached when it is used up."""

    def __init__(self, book: RuleBook, budget: Budget) -> None:
        self._book = book
        self._budget = budget
        # The policy that was executed last, which is tried on many problems.
        self._last: tuple[PolicyKey, DecisionList] | None = None

    def steps(self, task: Task, policy: PolicyKey, max_steps: int) -> int | None:
        """The steps that a policy takes to the goal of a problem; None if it fails."""
        self._budget.check()
        if self._last is None or self._last[0] != policy:
            self._last = policy, self._book.policy(policy, self._book.domain.name)
        seconds, megabytes = self._budget.limits
        limits = Limits(seconds=seconds, megabytes=megabytes)
        done = execute(task, self._last[1], max_steps=max_steps, limits=limits)
        self._budget.checked(done.status)
        return done.steps if done.solved else None
