"""Combo: policy evaluation, its ties broken by plan comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.scores.base import Accumulation, Evaluation
from pg3.scores.plan_comparison import PlanComparison
from pg3.scores.policy_evaluation import PolicyEvaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.policy.rule_book import PolicyKey
    from pg3.training import Training


class Combo:
    """The number of problems not solved, plus the plan comparison scaled to less than 1.

    Perfect as soon as all problems are solved: what then remains is only taste.
    """

    def __init__(
        self, training: Training, *, execution_steps: int = 1000, accumulation: Accumulation = "max"
    ) -> None:
        self.evaluation = PolicyEvaluation(training, execution_steps=execution_steps)
        self.comparison = PlanComparison(training, accumulation=accumulation)
        # No comparison exceeds the longest plan, whichever way it is accumulated.
        self._scale = 1 + max((len(plan) for plan in training.plans if plan), default=0)

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        return [
            Evaluation(
                executed.score + compared.score / self._scale,
                [
                    e + c / self._scale
                    for e, c in zip(executed.by_problem, compared.by_problem, strict=True)
                ],
                executed.perfect,
                compared.plans,
            )
            for executed, compared in zip(
                self.evaluation.evaluate(policies), self.comparison.evaluate(policies), strict=True
            )
        ]
