"""Running a policy, and comparing it with a plan (Algorithm 4), one step after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.oracle.matching import policy_action
from tests.oracle.semantics import find, initial_state, is_goal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import DecisionList


@dataclass(frozen=True)
class Run:
    """How an execution ended, and the actions that were done, also where it failed."""

    status: str
    plan: tuple[GroundAction, ...]


def execute(problem: Problem, policy: DecisionList, max_steps: int | None = None) -> Run:
    """Follow the policy: each state is tested for the goal, the horizon, an action, then a cycle.

    A cycle is found as soon as an action leads to a state seen before; that action counts as done.
    """
    state = initial_state(problem)
    seen = {state}
    plan: list[GroundAction] = []
    while True:
        if is_goal(problem, state):
            return Run("solved", tuple(plan))
        if max_steps is not None and len(plan) >= max_steps:
            return Run("horizon", tuple(plan))
        match = policy_action(problem, policy, state)
        instance = match and find(problem, match.action, state)
        if instance is None:
            return Run("not applicable", tuple(plan))
        state = instance.successor(state)
        plan.append(instance.action)
        if state in seen:
            return Run("cycle", tuple(plan))
        seen.add(state)


def check_plan(problem: Problem, plan: Sequence[GroundAction]) -> tuple[bool, int | None]:
    """Whether the actions are a plan, and which of them cannot be done, counted from 1."""
    state = initial_state(problem)
    for number, action in enumerate(plan, start=1):
        instance = find(problem, action, state)
        if instance is None:
            return False, number
        state = instance.successor(state)
    return is_goal(problem, state), None


def compare_plan(
    problem: Problem, policy: DecisionList, plan: Sequence[GroundAction]
) -> tuple[bool, ...]:
    """For each action of a valid plan, whether the policy would have done the same."""
    state = initial_state(problem)
    agreements = []
    for action in plan:
        match = policy_action(problem, policy, state)
        agreements.append(match is not None and match.action == action)
        instance = find(problem, action, state)
        assert instance is not None, f"{action} is not applicable"
        state = instance.successor(state)
    return tuple(agreements)
