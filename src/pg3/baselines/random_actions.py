"""The baseline that does any applicable action, each equally likely."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pg3 import _native
from pg3.errors import pluralize
from pg3.planning import Execution, ExecutionStatus, Limits
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.pddl.model import Problem


def execute_random(
    problem: Problem | Task, *, seed: int, max_steps: int, limits: Limits = Limits()
) -> Execution:
    """Do random applicable actions until the goal holds, nothing is applicable, or a limit comes.

    The same problem and seed give the same actions on every machine. Coming back to a state is no
    end: the next choice there may be another one. The problem is grounded, within the limits.
    """
    task = problem if isinstance(problem, Task) else Task(problem)
    start = time.perf_counter()
    status = task.ground(limits.seconds, limits.megabytes)
    steps, codes = 0, b""
    if status is None:
        seconds = limits.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - start))
        status, steps, codes = _native.random_walk(
            task.space, seed % 2**64, max_steps, seconds, limits.megabytes
        )
    seconds = time.perf_counter() - start
    return Execution(ExecutionStatus(status), steps, _reason(status, steps), seconds, codes, task)


def _reason(status: str, steps: int) -> str | None:
    if status == ExecutionStatus.SOLVED:
        return None
    if status == ExecutionStatus.NOT_APPLICABLE:
        return f"no action is applicable after {pluralize(steps, 'step')}"
    if status == ExecutionStatus.HORIZON:
        return f"the goal is not reached within {pluralize(steps, 'step')}"
    return f"{status} reached after {pluralize(steps, 'step')}"
