"""Score functions: how good is a candidate policy on the training problems?

`pg3`                guided planning, then comparison with the plan (the paper's contribution)
`policy-evaluation`  how many problems the policy fails on
`plan-comparison`    how far a planner's plans depart from the policy
`combo`              policy evaluation, ties broken by plan comparison
`goal-count`         how many goals are open where the policy ends

A score function is one file with a class that follows `base.Score`, and one line in `SCORES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.scores.base import Accumulation, Evaluation, Plans, Score
from pg3.learning.scores.combo import Combo
from pg3.learning.scores.goal_count import GoalCount
from pg3.learning.scores.pg3 import Pg3Score
from pg3.learning.scores.plan_comparison import PlanComparison
from pg3.learning.scores.policy_evaluation import PolicyEvaluation

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.learning.training import Training

SCORES: dict[str, Callable[[Training, int, int, Accumulation], Score]] = {
    "pg3": lambda training, rollout, horizon, how: Pg3Score(
        training, rollout_steps=rollout, plan_horizon=horizon, accumulation=how
    ),
    "policy-evaluation": lambda training, *_: PolicyEvaluation(training),
    "plan-comparison": lambda training, _, horizon, how: PlanComparison(
        training, plan_horizon=horizon, accumulation=how
    ),
    "combo": lambda training, _, horizon, how: Combo(
        training, plan_horizon=horizon, accumulation=how
    ),
    "goal-count": lambda training, *_: GoalCount(training),
}

# These do not ask how the problems' scores become one.
WITHOUT_ACCUMULATION = frozenset({"policy-evaluation", "goal-count"})

# These compare a policy with plans that it guided the planner to; others with plans of A* alone.
GUIDED = frozenset({"pg3"})

__all__ = [
    "GUIDED",
    "SCORES",
    "WITHOUT_ACCUMULATION",
    "Accumulation",
    "Evaluation",
    "Plans",
    "Score",
]
