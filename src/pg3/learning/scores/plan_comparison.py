"""Plan comparison: how far a planner's own plans depart from the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.scores.base import Accumulation, Evaluation, accumulate, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class PlanComparison:
    """Single plan comparison (Algorithm 4) with the plans of A* and h_add, made once.

    A problem scores the number of steps of its plan that the policy would not take, at most
    `plan_horizon`; so does one that the planner could not solve, as in Algorithm 2. Then no policy
    is perfect.
    """

    def __init__(
        self, training: Training, *, plan_horizon: int = 100, accumulation: Accumulation = "max"
    ) -> None:
        self.training = training
        self.plan_horizon = plan_horizon
        self.accumulation = accumulation
        self._plans = [plan or () for plan in training.plans]
        self._planned = [plan is not None for plan in training.plans]

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        mismatches = self.training.compared(policies, self._plans)
        worst = self.plan_horizon
        evaluations = []
        for row in rows(mismatches, len(self.training)):
            scores = [
                min(m, worst) if planned else worst
                for m, planned in zip(row, self._planned, strict=True)
            ]
            score = accumulate(scores, self.accumulation, worst)
            perfect = score == 0 and all(self._planned)
            evaluations.append(Evaluation(score, scores, perfect, lambda: self.training.plans))
        return evaluations
