"""The size of a training problem, and how the planner does on it."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pg3.planning import Limits, PlanStatus, plan
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.pddl import Problem

# The learner leaves out problems that take more memory than this to ground.
_GROUND_MEGABYTES = 1000.0

GOAL_HOLDS = "goal holds at the start"
TOO_LARGE = "too large to ground"


@dataclass(frozen=True)
class Measurements:
    """The size of a problem, and the planner's result on it.

    `objects` counts the problem's own objects by their declared type. `ground_atoms` are the
    fluents that can become true, `ground_actions` the actions that can be done, both by delete
    relaxation; None if grounding took too much. `status` is that of the planner, or `GOAL_HOLDS` or
    `TOO_LARGE`. `action_uses` counts ground actions by schema, `plan_uses` the steps of the plan.
    """

    path: str
    problem: Problem = field(repr=False)
    objects: dict[str, int]
    facts: int
    goals: int
    negative_goals: int
    ground_atoms: int | None
    ground_actions: int | None
    ground_seconds: float
    status: str
    steps: int | None
    expansions: int | None
    plan_seconds: float | None
    action_uses: dict[str, int] = field(repr=False)
    plan_uses: dict[str, int] = field(repr=False)

    @property
    def is_useful(self) -> bool:
        """Whether something can be learned from the problem, even if the planner is too weak."""
        return self.status not in (GOAL_HOLDS, TOO_LARGE, PlanStatus.UNSOLVABLE)

    @property
    def total_objects(self) -> int:
        """All objects but the domain's constants."""
        return sum(self.objects.values())

    @property
    def goal_predicates(self) -> frozenset[str]:
        """The predicates of the goal, wanted true or false."""
        goals = (*self.problem.goal, *self.problem.negative_goal)
        return frozenset(atom.predicate for atom in goals)


def measure(path: str, problem: Problem, limits: Limits) -> Measurements:
    """Ground the problem and plan for it, within limits for both together."""
    start = time.perf_counter()
    task = Task(problem)
    over = task.ground(limits.seconds, _GROUND_MEGABYTES)
    ground_seconds = time.perf_counter() - start
    status, steps, expansions, plan_seconds = TOO_LARGE, None, None, None
    uses: Counter[str] = Counter()
    plan_uses: Counter[str] = Counter()
    if over is None:
        space = task.space
        names = [action.name for action in problem.domain.actions]
        uses.update(names[space.action(number)[0]] for number in range(space.num_actions))
        if space.is_goal(space.initial):
            status = GOAL_HOLDS
        else:
            seconds = limits.seconds
            if seconds is not None:
                seconds = max(0.0, seconds - (time.perf_counter() - start))
            outcome = plan(task, limits=Limits(limits.expansions, seconds, limits.megabytes))
            status, expansions = str(outcome.status), outcome.expansions
            plan_seconds = outcome.seconds
            if outcome.plan is not None:
                steps = len(outcome.plan)
                plan_uses.update(step.name for step in outcome.plan)
    return Measurements(
        path=path,
        problem=problem,
        objects=dict(Counter(o.type for o in problem.objects)),
        facts=len(problem.init),
        goals=len(problem.goal) + len(problem.negative_goal),
        negative_goals=len(problem.negative_goal),
        ground_atoms=None if over else task.space.num_fluents,
        ground_actions=None if over else task.space.num_actions,
        ground_seconds=ground_seconds,
        status=status,
        steps=steps,
        expansions=expansions,
        plan_seconds=plan_seconds,
        action_uses=dict(uses),
        plan_uses=dict(plan_uses),
    )
