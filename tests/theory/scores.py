"""Three score functions of the paper, written with the planner alone.

They are the definitions and nothing else: no caches, no size penalty, no limit on the search. The
unsolved problem costs infinity, since the theorems assume that planning is complete.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pg3.planning import Limits, compare_plan, execute, plan, plan_guided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Problem
    from pg3.planning import Heuristic, PlanOutcome
    from pg3.policy.model import DecisionList
    from pg3.semantics.task import Task


def pg3_score(
    problems: Sequence[Problem | Task],
    policy: DecisionList,
    *,
    heuristic: Heuristic = "blind",
    rollout_steps: int = 50,
    limits: Limits = Limits(),
    unsolved: float = math.inf,
) -> float:
    """Algorithm 2: the worst disagreement with a plan that was found with the policy's help."""
    outcomes = (
        plan_guided(one, policy, heuristic=heuristic, rollout_steps=rollout_steps, limits=limits)
        for one in problems
    )
    return _worst(problems, policy, outcomes, unsolved)


def plan_comparison(
    problems: Sequence[Problem | Task], policy: DecisionList, *, heuristic: Heuristic = "blind"
) -> float:
    """The worst disagreement with a plan that was found without the policy."""
    return _worst(problems, policy, (plan(one, heuristic=heuristic) for one in problems), math.inf)


def policy_evaluation(problems: Sequence[Problem | Task], policy: DecisionList) -> int:
    """How many problems the policy does not solve."""
    return sum(not execute(one, policy).solved for one in problems)


def _worst(
    problems: Sequence[Problem | Task],
    policy: DecisionList,
    outcomes: Iterable[PlanOutcome],
    unsolved: float,
) -> float:
    scores = [
        unsolved if found.plan is None else compare_plan(one, policy, found.plan).count(False)
        for one, found in zip(problems, outcomes, strict=True)
    ]
    return max(scores, default=0)
