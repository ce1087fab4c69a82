"""Policy evaluation: on how many problems the policy fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.scores.base import Evaluation, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class PolicyEvaluation:
    """The number of training problems that the policy, carried out, does not solve.

    Execution makes no plans, so operators that learn from plans get those of the planner.
    """

    def __init__(self, training: Training, *, execution_steps: int = 1000) -> None:
        self.training = training
        self.execution_steps = execution_steps

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        solved = self.training.executed(policies, self.execution_steps).solved
        evaluations = []
        for row in rows(solved, len(self.training)):
            unsolved = [1 - s for s in row]
            score = float(sum(unsolved))
            evaluations.append(Evaluation(score, unsolved, score == 0, lambda: self.training.plans))
        return evaluations
