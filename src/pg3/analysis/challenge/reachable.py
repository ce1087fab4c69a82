"""A policy from every reachable state of a problem: no sampling, and no planner."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.challenge.trial import MEGABYTES

if TYPE_CHECKING:
    from pg3.analysis.challenge.trial import Trial
    from pg3.pddl import Problem
    from pg3.semantics.task import Task


class StateCounts(NamedTuple):
    """The numbers of states by outcome.

    `failed` are states from which the goal can be reached, but the policy does not reach it.
    """

    solved: int
    failed: tuple[int, ...]
    unsolvable: int


def check_reachable(task: Task, trial: Trial, most: int) -> StateCounts | None:
    """The outcome of each reachable state; None if there are more than `most`.

    The states from which the goal can be reached are found backwards from the goals, and the policy
    is followed from state to state: both are exact.
    """
    if task.ground(megabytes=MEGABYTES) is not None:
        return None
    space = task.space
    before: dict[int, list[int]] = {space.initial: []}
    pending = deque([space.initial])
    while pending:
        state = pending.popleft()
        for _, after in space.successors(state):
            if after not in before:
                if len(before) == most:
                    return None
                before[after] = []
                pending.append(after)
            before[after].append(state)
    goals = [state for state in before if space.is_goal(state)]
    solvable = set(goals)
    pending.extend(goals)
    while pending:
        for state in before[pending.popleft()]:
            if state not in solvable:
                solvable.add(state)
                pending.append(state)
    steps = _steps(task, trial, list(before))
    limit = trial.max_steps
    solved = {
        state for state, n in steps.items() if n is not None and (limit is None or n <= limit)
    }
    failed = tuple(state for state in before if state in solvable and state not in solved)
    return StateCounts(len(solved), failed, len(before) - len(solvable))


def _steps(task: Task, trial: Trial, states: list[int]) -> dict[int, int | None]:
    """The number of steps of the policy from each state to the goal; None if it fails."""
    space, rules = task.space, task.rule_numbers(trial.policy)
    steps: dict[int, int | None] = {}
    for start in states:
        way: list[int] = []
        state, seen = start, set[int]()
        while state >= 0 and state not in steps and state not in seen:
            if space.is_goal(state):
                steps[state] = 0
                break
            seen.add(state)
            way.append(state)
            action = space.policy_action(rules, state)
            state = -1 if action < 0 else space.apply(state, action)
        end = steps.get(state)
        for state in reversed(way):
            end = steps[state] = None if end is None else end + 1
    return steps


def state_of(problem: Problem, task: Task, number: int) -> str:
    """The facts of a state that actions change, for a report."""
    fluents = problem.domain.fluents
    return " ".join(sorted(str(a) for a in task.atoms(number) if a.predicate in fluents))
