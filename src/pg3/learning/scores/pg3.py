"""The PG3 score: how far the plans that a policy guides a planner to depart from the policy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pg3.learning.scores.base import Accumulation, Evaluation, Plans, accumulate, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class Pg3Score:
    """Algorithm 2: guided planning on each problem, then single plan comparison.

    A problem scores the number of steps of its guided plan that the policy would not take, or
    `plan_horizon` if there is no plan or it departs from the policy more often than that. Where the
    problems' scores come to the same, their sum tells which is better: the largest alone does not
    show that one of two equally bad problems is solved.
    """

    def __init__(
        self,
        training: Training,
        *,
        rollout_steps: int = 50,
        plan_horizon: int = 100,
        accumulation: Accumulation = "max",
    ) -> None:
        self.training = training
        self.rollout_steps = rollout_steps
        self.plan_horizon = plan_horizon
        self.accumulation = accumulation

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        mismatches = self.training.guided(policies, self.rollout_steps)
        worst = self.plan_horizon
        evaluations = []
        for policy, row in zip(policies, rows(mismatches, len(self.training)), strict=True):
            scores = [worst if m < 0 or m > worst else m for m in row]
            score = accumulate(scores, self.accumulation, worst)
            plans = partial(self._plans, policy)
            evaluations.append(Evaluation(score, scores, score == 0, plans, sum(scores)))
        return evaluations

    def _plans(self, policy: PolicyKey) -> Plans:
        return tuple(
            self.training.guided_plan(policy, problem, self.rollout_steps)
            for problem in range(len(self.training))
        )
