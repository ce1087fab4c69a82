"""Whether a policy fails a problem, and whether the problem has a solution at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pg3.planning import ExecutionStatus, Limits, PlanStatus, execute, plan, plan_guided
from pg3.semantics.task import Task
from pg3.semantics.validation import validate

if TYPE_CHECKING:
    from pg3.pddl import Problem
    from pg3.planning import Execution, PlanOutcome
    from pg3.policy import DecisionList

# A policy that needs more steps is left undecided. Most policies that fail repeat a state long
# before.
_STEPS = 100_000

# Grounding must not fill the machine, whatever problem comes along.
MEGABYTES = 500.0


class Failure(NamedTuple):
    """How a policy failed: the status, after how many steps, and the reason in words."""

    status: ExecutionStatus
    steps: int
    reason: str
    no_rule_applied: bool

    def is_like(self, other: Failure) -> bool:
        """Whether both are of one kind: shrinking must not turn one kind into another."""
        return (self.status, self.no_rule_applied) == (other.status, other.no_rule_applied)


@dataclass(frozen=True, slots=True)
class Trial:
    """How policies are tried.

    With `max_steps` a policy that needs more steps has failed. Without, it fails where no rule
    applies, an action cannot be done or a state repeats. `expansions` limits each of the two
    searches that try to show that a problem is solvable.
    """

    policy: DecisionList
    max_steps: int | None = None
    expansions: int = 5_000
    # The first task, whose encoded policy the later ones share.
    _tasks: list[Task] = field(default_factory=list, init=False, repr=False, compare=False)

    def task(self, problem: Problem) -> Task:
        """The task of a problem; the policy is checked and encoded for the first one only."""
        if self._tasks and self._tasks[0].domain is problem.domain:
            return self._tasks[0].another(problem)
        self._tasks[:] = [Task(problem)]
        return self._tasks[0]

    def execute(self, problem: Problem | Task) -> Execution:
        """The execution of the policy on a problem."""
        steps = _STEPS if self.max_steps is None else self.max_steps
        task = problem if isinstance(problem, Task) else self.task(problem)
        return execute(task, self.policy, max_steps=steps, limits=Limits(megabytes=MEGABYTES))

    def failure(self, execution: Execution) -> Failure | None:
        """How the policy failed; None if it did not, or if one of our limits came first."""
        decided = execution.status in (ExecutionStatus.NOT_APPLICABLE, ExecutionStatus.CYCLE)
        if self.max_steps is not None:
            decided = decided or execution.status is ExecutionStatus.HORIZON
        if not decided:
            return None
        return Failure(
            execution.status, execution.steps, execution.reason or "", execution.no_rule_applied
        )

    def search(self, problem: Problem | Task) -> PlanOutcome:
        """A plan that the validator accepts, or why there is none.

        The second search is guided by the policy: one that fails may still know most of the way.
        """
        task = problem if isinstance(problem, Task) else self.task(problem)
        limits = Limits(expansions=self.expansions, megabytes=MEGABYTES)
        found = plan(task, limits=limits)
        if found.status not in (PlanStatus.SOLVED, PlanStatus.UNSOLVABLE):
            found = plan_guided(task, self.policy, limits=limits)
        if found.plan is not None and not validate(task.problem, found.plan).valid:
            raise AssertionError("the validator rejects the plan that was found")
        return found
