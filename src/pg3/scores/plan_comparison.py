"""Plan comparison: how far a planner's own plans depart from the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.scores.base import Accumulation, Evaluation, accumulate, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.policy.rule_book import PolicyKey
    from pg3.training import Training


class PlanComparison:
    """Single plan comparison (Algorithm 4) with the plans of A* and h_add, made once.

    A problem scores the number of steps of its plan that the policy would not take; problems that
    the planner could not solve have no plan to compare with and score 0, but then no policy is
    perfect.
    """

    def __init__(self, training: Training, *, accumulation: Accumulation = "max") -> None:
        self.training = training
        self.accumulation = accumulation
        self._plans = [plan or () for plan in training.plans]
        self._complete = all(plan is not None for plan in training.plans)

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        mismatches = self.training.compared(policies, self._plans)
        worst = float("inf")
        evaluations = []
        for row in rows(mismatches, len(self.training)):
            score = accumulate(row, self.accumulation, worst)
            perfect = score == 0 and self._complete
            evaluations.append(Evaluation(score, row, perfect, lambda: self.training.plans))
        return evaluations
