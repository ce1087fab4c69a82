"""Carrying a policy out: one action (Definitions 3 to 5), or all the way to the goal."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3 import _native
from pg3.errors import pluralize, whole_number
from pg3.planning.limits import BEYOND_REACH, Limits, as_limits
from pg3.semantics.task import Task
from pg3.semantics.validation import plan_names, validate_codes, without_value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pg3.pddl.given import ProblemLike
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList
    from pg3.semantics.task import State
    from pg3.semantics.validation import Validation


class PolicyStep(NamedTuple):
    """What a policy does in a state: which rule, for which objects, and the action."""

    rule: int
    objects: tuple[str, ...]
    action: GroundAction


def policy_action(
    problem: ProblemLike | Task, policy: PolicyLike, state: State
) -> PolicyStep | None:
    """The execution of the policy in a state, or None if no rule applies: Definitions 3 to 5.

    The rule's objects are the first tuple, in the order of its parameters and of the problem's
    objects, that satisfies its conditions. A rule may name an action that cannot be done in the
    state; no later rule is then asked.
    """
    task, policy = Task.with_policy(problem, policy)
    number = task.number(state)
    for index, rule_number in enumerate(task.rule_numbers(policy)):
        match = task.space.rule_match(rule_number, number)
        if match is not None:
            objects = tuple(task.names[o] for o in match)
            rule = policy.rules[index]
            binding = {p.name: o for p, o in zip(rule.parameters, objects, strict=True)}
            return PolicyStep(index, objects, rule.ground_action(binding))
    return None


class ExecutionStatus(StrEnum):
    """How carrying out a policy ended."""

    SOLVED = "solved"
    NOT_APPLICABLE = "not applicable"
    HORIZON = "horizon"
    CYCLE = "cycle"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"


def in_words(status: str, no_rule_applied: bool) -> str:
    """The status for people: "not applicable" has two meanings."""
    if no_rule_applied:
        return "no rule applies"
    is_stuck = status == ExecutionStatus.NOT_APPLICABLE
    return "the chosen action cannot be done" if is_stuck else str(status)


@dataclass(frozen=True)
class Execution:
    """The result of executing a policy: the status, the number of steps, the reason for a failure.

    `no_rule_applied`: it failed as no rule applied. On a cycle the last action is the one that led
    back to an earlier state. Executions on one problem are equal if they did the same actions to
    the same end, however long they took.
    """

    status: ExecutionStatus
    steps: int
    reason: str | None
    seconds: float = field(compare=False)
    _codes: bytes = field(repr=False)
    _task: Task = field(repr=False, compare=False)
    no_rule_applied: bool = False

    @property
    def solved(self) -> bool:
        """Whether the goal was reached."""
        return self.status is ExecutionStatus.SOLVED

    @property
    def problem(self) -> Problem:
        """What it was carried out on."""
        return self._task.problem

    @cached_property
    def plan(self) -> tuple[GroundAction, ...]:
        """The actions that were done, also where the policy failed in the end."""
        return self._task.decode_plan(self._codes)

    def actions(self) -> Iterator[GroundAction]:
        """The same one by one: all of millions take long to make."""
        return self._task.decode_actions(self._codes)

    def __repr__(self) -> str:
        steps = pluralize(self.steps, "step")
        reason = "" if self.reason is None else f": {self.reason}"
        return f"<execution on {self.problem.name}: {self.status}, {steps}{reason}>"

    def check(self) -> Validation:
        """Whether the actions solve the problem, by a checker that shares no code with execution.

        Says what `pg3.validate` says of `plan`, at the kernel's speed.
        """
        return validate_codes(self._task, self._codes)


def execute(
    problem: ProblemLike | Task,
    policy: PolicyLike,
    *,
    max_steps: int | None = None,
    limits: Limits = Limits(),
    plan_path: str | Path | None = None,
) -> Execution:
    """Carry out a policy on a problem of any size; the problem is never grounded.

    Without `max_steps` it ends all the same: a deterministic policy that comes back to a state
    would go round for ever, so that is a status of its own, "cycle". With `plan_path` each action
    is written to that file as it is done; OSError if it cannot be.
    """
    task, policy = Task.with_policy(problem, policy)
    rules = task.rule_numbers(policy)
    native = task.native
    limits = as_limits(limits)
    if max_steps is not None:
        max_steps = min(whole_number("max_steps", max_steps), BEYOND_REACH)
    start = time.perf_counter()
    status, steps, codes, rule, action, failed, _ = _native.execute(
        native,
        task.rules,
        rules,
        max_steps,
        limits.seconds,
        limits.megabytes,
        plan_path=None if plan_path is None else str(plan_path),
        names=None if plan_path is None else plan_names(task),
    )
    seconds = time.perf_counter() - start
    reason = None
    if status == ExecutionStatus.NOT_APPLICABLE:
        if rule < 0:
            reason = f"no rule applies after {pluralize(steps, 'step')}"
        else:
            reason = f"after {pluralize(steps, 'step')} " + _inapplicable(
                task, policy, rule, action, failed
            )
    elif status == ExecutionStatus.CYCLE:
        reason = f"step {steps} leads back to an earlier state"
    elif status == ExecutionStatus.HORIZON:
        reason = f"the goal is not reached within {pluralize(steps, 'step')}"
    elif status != ExecutionStatus.SOLVED:
        reason = f"{status} reached after {pluralize(steps, 'step')}"
    stuck = status == ExecutionStatus.NOT_APPLICABLE and rule < 0
    return Execution(ExecutionStatus(status), steps, reason, seconds, codes, task, stuck)


def _inapplicable(
    task: Task, policy: DecisionList, rule: int, action: list[int], failed: int
) -> str:
    """Why the action that a rule chose cannot be done."""
    schema, objects = task.domain.actions[action[0]], action[1:]
    chosen = task.name_action(action[0], objects)
    text = f"rule '{policy.rules[rule].name}' chose {chosen}, "
    place = failed - len(schema.precondition)
    ground = schema.ground(chosen.objects)
    if place == len(objects):
        function = without_value(task.problem, ground)
        if function == str(ground.cost):
            return text + f"whose cost {function} the problem does not give"
        return text + f"which needs {function}, which has no value"
    if place >= 0:
        types = " or ".join(schema.parameters[place].types)
        return text + f"but {chosen.objects[place]} is not of type {types}"
    return text + f"which needs {ground.precondition[failed]}"
