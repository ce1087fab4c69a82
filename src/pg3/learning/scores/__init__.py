"""Score functions: how good is a candidate policy on the training problems?

`pg3`                guided planning, then comparison with the plan (the paper's contribution)
`policy-evaluation`  how many problems the policy fails on
`plan-comparison`    how far a planner's plans depart from the policy
`combo`              policy evaluation, ties broken by plan comparison
`goal-count`         how many goals are open where the policy ends

A score function is one file with a class that follows `base.Score`, and one entry in `SCORES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.scores.base import Accumulation, Evaluation, Plans, Score
from pg3.learning.scores.combo import Combo
from pg3.learning.scores.goal_count import GoalCount
from pg3.learning.scores.pg3 import Pg3Score
from pg3.learning.scores.plan_comparison import PlanComparison
from pg3.learning.scores.policy_evaluation import PolicyEvaluation

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.learning.training import Training


class ScoreFunction(NamedTuple):
    """A score function before it has problems: call it to `make` one for a training set.

    `accumulates` says that it asks how the problems' scores become one; `guided`, that it compares
    a policy with plans that the policy guided the planner to, not with plans of A* alone.
    """

    make: Callable[[Training, int, int, Accumulation], Score]
    accumulates: bool = False
    guided: bool = False

    def __call__(
        self, training: Training, rollout_steps: int, plan_horizon: int, how: Accumulation
    ) -> Score:
        """The score function on these problems."""
        return self.make(training, rollout_steps, plan_horizon, how)


SCORES: dict[str, ScoreFunction] = {
    "pg3": ScoreFunction(
        lambda training, rollout, horizon, how: Pg3Score(
            training, rollout_steps=rollout, plan_horizon=horizon, accumulation=how
        ),
        accumulates=True,
        guided=True,
    ),
    "policy-evaluation": ScoreFunction(lambda training, *_: PolicyEvaluation(training)),
    "plan-comparison": ScoreFunction(
        lambda training, _, horizon, how: PlanComparison(
            training, plan_horizon=horizon, accumulation=how
        ),
        accumulates=True,
    ),
    "combo": ScoreFunction(
        lambda training, _, horizon, how: Combo(training, plan_horizon=horizon, accumulation=how),
        accumulates=True,
    ),
    "goal-count": ScoreFunction(lambda training, *_: GoalCount(training)),
}

__all__ = ["SCORES", "Accumulation", "Evaluation", "Plans", "Score", "ScoreFunction"]
