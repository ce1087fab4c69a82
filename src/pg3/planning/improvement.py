"""Cheaper plans from a plan, as long as limits allow.

First action elimination, then one greedy search of the whole problem, which with luck finds a
cheaper plan of another kind, then windows of the plan are replanned by weighted A*. Windows grow
from sweep to sweep, each twice as long, until one is the whole plan; then they begin short again
with twice the expansions. A sweep may use so many expansions for each step, so that its work is
linear in the length of the plan.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.planning.elimination import eliminate_actions
from pg3.planning.limits import Limits
from pg3.planning.satisficing import SatisficingOptions, satisficing
from pg3.planning.search import PlanStatus
from pg3.planning.windows import Window, Windows, is_plain
from pg3.semantics.task import Task
from pg3.semantics.validation import plan_cost, validate

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction, Plan
    from pg3.planning.astar import Found
    from pg3.semantics.validation import Validation

# The steps of the first windows, and the expansions for each step of a window in the first sweeps.
_LENGTH = 10
_EXPANSIONS = 50

# The weights of a window's searches: with 2 plans are found in larger windows, with 1 better ones.
_WEIGHTS = (2, 1)

# The part of the time that the search of the whole problem may take.
_START_AGAIN = 0.2

# A window that does not fit into so much memory when it is ground is left as it is.
_MEGABYTES = 512.0


@dataclass(frozen=True, slots=True)
class Improvement:
    """A plan that costs no more than the given one, and the validator's word on it: yes.

    `cheapest`: no plan costs less.
    """

    plan: tuple[GroundAction, ...]
    validation: Validation
    cost_before: int
    cheapest: bool
    expansions: int
    seconds: float


def improve(problem: Problem, plan: Plan, *, limits: Limits = Limits()) -> Improvement:
    """A cheaper plan than a valid one, as far as the limits allow; else the same plan.

    It ends when a limit is reached, or when more work would find nothing more. With a limit of
    expansions alone the result is the same on every machine; with one of time it is the better the
    more time there is.
    ValueError if the plan is not valid.
    """
    verdict = validate(problem, plan)
    if not verdict.valid:
        raise ValueError(f"only a valid plan can be improved: {verdict.message}")
    work = _Improvement(problem, tuple(plan), limits)
    work.run()
    better = validate(problem, work.plan)
    if not better.valid or better.cost > verdict.cost:
        raise AssertionError(f"the improved plan is worse: {better.message}")
    return Improvement(
        work.plan, better, verdict.cost, work.cheapest, work.expansions, work.elapsed()
    )


class _Improvement:
    """A plan, and what is left of the limits."""

    def __init__(self, problem: Problem, plan: tuple[GroundAction, ...], limits: Limits) -> None:
        self.plan = plan
        self.cheapest = False
        self.expansions = 0
        self._problem = problem
        self._limits = limits
        self._start = time.perf_counter()
        self._encoded = Task(problem)
        self._effort = _EXPANSIONS
        self._cut_short = False
        self._megabytes = min(_MEGABYTES, limits.megabytes or _MEGABYTES)

    def elapsed(self) -> float:
        return time.perf_counter() - self._start

    def run(self) -> None:
        self._eliminate()
        self._start_again()
        windows = Windows(self._problem)
        more = True
        while more and not self._is_over():
            length, self._cut_short = _LENGTH, False
            self.plan = windows.sweep(self.plan, length, self._replan)
            while length < len(self.plan) and not self._is_over():
                length *= 2
                self.plan = windows.sweep(self.plan, length, self._replan)
            # Where every window was searched to its end, more expansions find no more.
            more = self._cut_short
            self._effort *= 2

    def _eliminate(self) -> None:
        if is_plain(self._problem):
            self.plan = eliminate_actions(
                self._problem, self.plan, stopping=lambda: self._seconds_left() == 0
            )

    def _start_again(self) -> None:
        """Search the whole problem greedily for a cheaper plan."""
        left = self._seconds_left()
        share = None if left is None else _START_AGAIN * left
        task = self._task(self._problem, share)
        if task is None:
            return
        found = self._search(task, 0, self._cost(self.plan), self._effort * len(self.plan), share)
        if found.status == PlanStatus.SOLVED:
            self.plan = _actions(task, found)
            self._eliminate()

    def _cost(self, plan: Plan) -> int:
        return plan_cost(self._problem, plan)

    def _is_over(self) -> bool:
        expansions = self._limits.expansions
        return (
            self.cheapest
            or not self.plan
            or self._seconds_left() == 0
            or (expansions is not None and self.expansions >= expansions)
        )

    def _seconds_left(self) -> float | None:
        seconds = self._limits.seconds
        return None if seconds is None else max(0.0, seconds - self.elapsed())

    def _task(self, problem: Problem, seconds: float | None) -> Task | None:
        """The ground task; None if that takes too much."""
        task = self._encoded.another(problem)
        return task if task.ground(seconds, self._megabytes) is None else None

    def _search(
        self, task: Task, weight: int, bound: int, expansions: int, seconds: float | None
    ) -> Found:
        if self._limits.expansions is not None:
            expansions = min(expansions, self._limits.expansions - self.expansions)
        options = SatisficingOptions(
            use_costs=True,
            weight=weight,
            bound=bound,
            expansions=expansions,
            seconds=seconds,
            megabytes=self._megabytes,
        )
        found = satisficing(task.space, options)
        self.expansions += found.expansions
        self._cut_short |= found.status == PlanStatus.EXPANSION_LIMIT
        return found

    def _replan(self, window: Window) -> Plan | None:
        """A cheaper plan for a window; None if none is found."""
        if self._is_over():
            return None
        task = self._task(window.problem, self._seconds_left())
        if task is None:
            return None
        best, bound = None, self._cost(window.steps)
        for weight in _WEIGHTS:
            left = self._effort * len(window.steps)
            found = self._search(task, weight, bound, left, self._seconds_left())
            while found.status == PlanStatus.SOLVED:
                best, bound = found, found.cost
                left -= found.expansions
                found = self._search(task, weight, bound, left, self._seconds_left())
            if found.status == PlanStatus.UNSOLVABLE:
                self.cheapest = window.is_all
                break
        return best and _actions(task, best)


def _actions(task: Task, found: Found) -> tuple[GroundAction, ...]:
    return tuple(task.decode_action(action) for action, _ in found.steps)
