"""Combo: policy evaluation, its ties broken by plan comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.scores.plan_comparison import PlanComparison
from pg3.learning.scores.policy_evaluation import PolicyEvaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.scores.base import Accumulation, Evaluation
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class Combo:
    """The number of problems not solved; of equal ones, sizes included, plan comparison decides.

    Perfect as soon as all problems are solved: what then remains is only taste.
    """

    def __init__(
        self,
        training: Training,
        *,
        execution_steps: int = 1000,
        plan_horizon: int = 100,
        accumulation: Accumulation = "max",
    ) -> None:
        self.evaluation = PolicyEvaluation(training, execution_steps=execution_steps)
        self.comparison = PlanComparison(
            training, plan_horizon=plan_horizon, accumulation=accumulation
        )

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        evaluations = self.evaluation.evaluate(policies)
        for evaluation, compared in zip(
            evaluations, self.comparison.evaluate(policies), strict=True
        ):
            evaluation.tie = compared.score
        return evaluations
