"""Goal count: how many goals are open where the policy ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.scores.base import Evaluation, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class GoalCount:
    """The goals not achieved at the end of the policy's execution, summed over the problems.

    After Segovia-Aguas et al. (2021). Execution makes no plans, so operators that learn from plans
    get those of the planner.
    """

    def __init__(self, training: Training, *, execution_steps: int = 1000) -> None:
        self.training = training
        self.execution_steps = execution_steps

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        open_goals = self.training.executed(policies, self.execution_steps).open_goals
        evaluations = []
        for row in rows(open_goals, len(self.training)):
            score = float(sum(row))
            evaluations.append(Evaluation(score, row, score == 0, lambda: self.training.plans))
        return evaluations
