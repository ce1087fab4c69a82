"""Plans by search, plans by a policy, and plans by both."""

from __future__ import annotations

from pg3.planning.anytime import plan_anytime
from pg3.planning.astar import Heuristic, SearchOptions, astar
from pg3.planning.execution import (
    Execution,
    ExecutionStatus,
    PolicyStep,
    execute,
    policy_action,
)
from pg3.planning.improvement import Improvement, improve
from pg3.planning.limits import Limits
from pg3.planning.satisficing import SatisficingOptions, satisficing
from pg3.planning.search import (
    PlanOutcome,
    PlanStatus,
    Search,
    compare_plan,
    plan,
    plan_guided,
)

__all__ = [
    "Execution",
    "ExecutionStatus",
    "Heuristic",
    "Improvement",
    "Limits",
    "PlanOutcome",
    "PlanStatus",
    "PolicyStep",
    "SatisficingOptions",
    "Search",
    "SearchOptions",
    "astar",
    "compare_plan",
    "execute",
    "improve",
    "plan",
    "plan_anytime",
    "plan_guided",
    "policy_action",
    "satisficing",
]
