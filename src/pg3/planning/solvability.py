"""Whether a problem can be solved, as far as a policy or a search within limits finds out."""

from __future__ import annotations

from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING

from pg3.planning.astar import GOALS_FIRST, SHORT, Found, SearchOptions, astar
from pg3.planning.execution import execute
from pg3.planning.hybrid import solve_guided
from pg3.planning.limits import Limits
from pg3.planning.search import PlanStatus
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.pddl.model import Atom, Problem
    from pg3.policy.model import DecisionList

# Numbers, not seconds, so that the answer is the same on every machine: a search ends in seconds.
_EXPANSIONS = 5_000
_GENERATED = 300_000
_MEGABYTES = 500.0
_STEPS = 100_000

# States that are expanded for one more goal. Most need far fewer; the second number is for those
# that come when no other is left. All searches of one problem that are in vain share a limit.
_FOR_ONE_GOAL = (300, 3_000)
_IN_VAIN = 10_000


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
        if status == PlanStatus.SOLVED or (weights == GOALS_FIRST and goal_by_goal(problem)):
            return Solvability.SOLVABLE
    return Solvability.UNKNOWN


def goal_by_goal(problem: Problem) -> bool:
    """Whether a plan is found that achieves one goal after another, and keeps those achieved.

    A large problem with many goals that have little to do with each other is solved so where a
    search for all goals drowns. No goal is given up again: a dead end ends it.
    """
    state = set(problem.init)
    in_vain = 0
    while True:
        achieved = [g for g in problem.goal_literals if (g.atom in state) == g.positive]
        wanted = [g for g in problem.goal_literals if g not in achieved]
        if not wanted:
            return True
        for expansions, goal in product(_FOR_ONE_GOAL, wanted):
            part = problem.replace(init=_ordered(problem, state), goal=[*achieved, goal])
            task = Task(part)
            if task.ground(megabytes=_MEGABYTES) is not None:
                return False
            found = _search(task, GOALS_FIRST, expansions)
            if found.status == PlanStatus.SOLVED:
                number = task.space.initial
                for action, _ in found.steps:
                    number = task.space.apply(number, action)
                state = set(task.atoms(number))
                break
            in_vain += found.expansions
            if in_vain > _IN_VAIN:
                return False
        else:
            return False


def _search(task: Task, weights: tuple[int, int], expansions: int) -> Found:
    options = SearchOptions(
        weights=weights, expansions=expansions, generated=_GENERATED, megabytes=_MEGABYTES
    )
    return astar(task.space, options)


def _ordered(problem: Problem, state: set[Atom]) -> list[Atom]:
    """The atoms of a state in an order that is always the same."""
    kept = [atom for atom in problem.init if atom in state]
    return [*kept, *sorted(state.difference(kept))]
