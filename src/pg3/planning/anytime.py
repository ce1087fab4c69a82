"""Anytime planning: some plan soon, then cheaper ones as long as the limits allow.

As LAMA does it (Richter and Westphal 2010): lazy greedy search first, then lazy weighted A* from
the start again and again, each time for a plan that costs less, with smaller and smaller weights.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import TYPE_CHECKING

from pg3.planning.astar import Found
from pg3.planning.limits import Limits
from pg3.planning.satisficing import SatisficingOptions
from pg3.planning.search import PlanOutcome, PlanStatus, outcome_of, some_plan
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.pddl.model import Problem

# LAMA's weights, the last one for all further searches.
_WEIGHTS = (5, 3, 2, 1)


def plan_anytime(
    problem: Problem | Task, *, limits: Limits = Limits(), use_costs: bool = False
) -> PlanOutcome:
    """The best plan that is found within the limits; without any, a cheapest plan.

    The first search ignores action costs unless `use_costs` says otherwise; those after it count
    them, or steps if the domain has none. The limits hold for all searches together. With a limit
    of expansions the plan is the same on every machine; with one of time it is the better the more
    time there is.
    """
    clock = _Effort(limits)
    task = Task.of(problem)
    limit = task.ground(limits.seconds, limits.megabytes)
    if limit is not None:
        return clock.outcome(task, PlanStatus(limit), None, 0)
    best = clock.search(task, SatisficingOptions(use_costs=use_costs))
    if best.status != PlanStatus.SOLVED:
        return clock.outcome(task, PlanStatus(best.status), None, 0)
    plans = 1
    for weight in chain(_WEIGHTS, repeat(_WEIGHTS[-1])):
        found = clock.search(
            task, SatisficingOptions(use_costs=True, weight=weight, bound=best.cost)
        )
        if found.status != PlanStatus.SOLVED:
            break
        best = found
        plans += 1
    return clock.outcome(task, PlanStatus(found.status), best, plans)


@dataclass
class _Effort:
    """What the searches used of the limits."""

    limits: Limits
    start: float = field(default_factory=time.perf_counter)
    expansions: int = 0
    generated: int = 0

    def search(self, task: Task, options: SatisficingOptions) -> Found:
        """One more search, with what is left."""
        expansions, seconds = self.limits.expansions, self.limits.seconds
        found = some_plan(
            task.space,
            replace(
                options,
                expansions=None if expansions is None else expansions - self.expansions,
                seconds=None if seconds is None else max(0.0, seconds - self._elapsed()),
                megabytes=self.limits.megabytes,
            ),
        )
        self.expansions += found.expansions
        self.generated += found.generated
        return found

    def outcome(self, task: Task, last: PlanStatus, best: Found | None, plans: int) -> PlanOutcome:
        """The best plan if there is one, and how the last search ended."""
        found = Found(last, [], 0, 0, 0) if best is None else best
        found = found._replace(expansions=self.expansions, generated=self.generated)
        cheapest = best is not None and last is PlanStatus.UNSOLVABLE
        return outcome_of(task, found, self._elapsed(), plans, cheapest=cheapest)

    def _elapsed(self) -> float:
        return time.perf_counter() - self.start
