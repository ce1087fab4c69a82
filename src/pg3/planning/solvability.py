"""Whether a problem can be solved, as far as a policy or a search within limits finds out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pg3.planning.execution import execute
from pg3.planning.hybrid import solve_guided
from pg3.planning.limits import Limits
from pg3.planning.satisficing import SatisficingOptions, satisficing
from pg3.planning.search import PlanStatus
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList

# Numbers, not seconds, so that the answer is the same on every machine: a search ends in seconds.
_EXPANSIONS = 50_000
_GENERATED = 300_000
_MEGABYTES = 500.0
_STEPS = 100_000


class Solvability(StrEnum):
    """What is known of a problem."""

    SOLVABLE = "solvable"
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"


def find_out(problem: Problem, policy: DecisionList | None = None) -> Solvability:
    """Whether a plan is found, by a policy, by a search guided by it, or by search alone."""
    task = Task(problem)
    if policy is not None:
        limits = Limits(expansions=_EXPANSIONS, megabytes=_MEGABYTES)
        if execute(task, policy, max_steps=_STEPS, limits=limits).solved:
            return Solvability.SOLVABLE
        guided = solve_guided(task, policy, max_steps=_STEPS, limits=limits)
        if guided.solved:
            return Solvability.SOLVABLE
    if task.ground(megabytes=_MEGABYTES) is not None:
        return Solvability.UNKNOWN
    options = SatisficingOptions(expansions=_EXPANSIONS, generated=_GENERATED, megabytes=_MEGABYTES)
    status = satisficing(task.space, options).status
    known = {
        PlanStatus.SOLVED: Solvability.SOLVABLE,
        PlanStatus.UNSOLVABLE: Solvability.UNSOLVABLE,
    }
    return known.get(PlanStatus(status), Solvability.UNKNOWN)
