"""Whether a problem can be solved, as far as a policy or a search within limits finds out."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pg3.planning.astar import GOALS_FIRST, SHORT, Found, SearchOptions, astar
from pg3.planning.execution import execute
from pg3.planning.hybrid import solve_guided
from pg3.planning.limits import Limits
from pg3.planning.search import PlanStatus
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList

# Numbers, not seconds, so that the answer is the same on every machine: a search ends in seconds.
_EXPANSIONS = 5_000
_GENERATED = 300_000
_MEGABYTES = 500.0
_STEPS = 100_000

# States that are expanded for one more goal. Most need far fewer.
_FOR_ONE_GOAL = 3_000

# Goals that may fail, once, before a search goal by goal gives up.
_FAILURES = 2


class Solvability(StrEnum):
    """What is known of a problem."""

    SOLVABLE = "solvable"
    UNSOLVABLE = "unsolvable"
    UNKNOWN = "unknown"


def find_out(problem: Problem, policy: DecisionList | None = None) -> Solvability:
    """Whether a plan is found, by a policy, by a search guided by it, or by search alone.

    The search first looks for any plan and prefers to achieve goals, then for one goal after
    another (`goal_by_goal`), in the end for a short plan.
    """
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
    for weights in (GOALS_FIRST, SHORT):
        status = _search(task, weights, _EXPANSIONS).status
        if status == PlanStatus.UNSOLVABLE:
            return Solvability.UNSOLVABLE
        if status == PlanStatus.SOLVED or (weights == GOALS_FIRST and _goal_by_goal(task)):
            return Solvability.SOLVABLE
    return Solvability.UNKNOWN


def _goal_by_goal(task: Task) -> bool:
    def plan_to(state: int, fluents: list[int]) -> list[int] | None:
        status, plan = task.space.plan_to(
            state, fluents, _FOR_ONE_GOAL, weights=GOALS_FIRST, generated=_GENERATED
        )
        return plan if status == PlanStatus.SOLVED else None

    return goal_by_goal(task, plan_to)


def goal_by_goal(task: Task, plan_to: Callable[[int, list[int]], Sequence[int] | None]) -> bool:
    """Whether plans for one goal after the other lead to the goal, what is achieved being kept.

    A large problem with many goals that have little to do with each other is solved so where a
    search for all goals drowns. The goals are tried in their order, and those that fail once more
    at the end; after a few failures, which take the most time, it gives up. That something is not
    to hold is not planned for. `plan_to` gives the
    actions that lead from a state to fluents of the kernel, None if it finds none.
    """
    space, state = task.space, task.space.initial
    goals = {atom: fluent for atom in task.problem.goal if (fluent := task.fluent(atom)) >= 0}
    failures = 0
    for goal in [*goals.values(), *goals.values()]:
        achieved = {goals[atom] for atom in task.all_atoms(state) if atom in goals}
        if goal in achieved:
            continue
        plan = plan_to(state, [goal, *sorted(achieved)])
        failures += plan is None
        if failures > _FAILURES:
            break
        for action in plan or ():
            state = space.apply(state, action)
    return space.is_goal(state)


def _search(task: Task, weights: tuple[int, int], expansions: int) -> Found:
    options = SearchOptions(
        weights=weights, expansions=expansions, generated=_GENERATED, megabytes=_MEGABYTES
    )
    return astar(task.space, options)
