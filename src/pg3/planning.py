"""Planning, planning guided by a policy, and carrying a policy out.

"No plan" and "limit reached" are outcomes, not exceptions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from pg3 import _native
from pg3.display import Displayed, Prose, Sheet
from pg3.pddl.model import Problem
from pg3.plan_checking import check_codes, plan_names
from pg3.plans import GroundAction, plan_table
from pg3.task import State, Task
from pg3.wording import count

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.plans import Plan
    from pg3.policy.model import DecisionList, Rule
    from pg3.validation import Validation

Heuristic = Literal["add", "max", "blind"]

# Larger limits than this, in any unit, do not fit the kernel's numbers and mean nothing.
_BEYOND_REACH = 2**40


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may use; None is no limit. Reaching one ends it with that status.

    `megabytes` counts what the kernel keeps for this search, not the whole process.
    """

    expansions: int | None = None
    seconds: float | None = None
    megabytes: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no limit at all; take what no search can reach as "no limit"."""
        for name in ("expansions", "seconds", "megabytes"):
            value = getattr(self, name)
            if value is None:
                continue
            if not value >= 0:
                raise ValueError(f"{name} must not be negative, got {value}")
            if value > _BEYOND_REACH:
                object.__setattr__(self, name, None)


class PlanStatus(StrEnum):
    """How a search for a plan ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    EXPANSION_LIMIT = "expansion limit"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"


@dataclass(frozen=True, slots=True)
class PlanOutcome(Displayed):
    """A plan, or why there is none, and what the search did.

    `from_policy` tells for each action whether it was taken from a policy rollout; `cost` is the
    plan's cost in the domain's terms (its length if the domain has no costs). `generated` is how
    many states the search met, the same one counted each time.
    """

    status: PlanStatus
    plan: tuple[GroundAction, ...] | None
    from_policy: tuple[bool, ...]
    cost: int | None
    expansions: int
    generated: int
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status is PlanStatus.SOLVED

    def _sheet(self) -> Sheet:
        effort = f"{count(self.expansions, 'expansion')}, {self.seconds:.3f} s"
        if self.plan is None:
            return Sheet("no plan", f"{self.status}; {effort}")
        guided = self.from_policy if any(self.from_policy) else ()
        facts = f"{count(len(self.plan), 'step')}, cost {self.cost}; {effort}"
        return Sheet("plan", facts, plan_table(self.plan, guided))


def plan(
    problem: Problem | Task,
    *,
    limits: Limits = Limits(),
    heuristic: Heuristic = "add",
    use_costs: bool = False,
) -> PlanOutcome:
    """Search for a plan with A*.

    Expansion order: smallest f = g + h, then smallest h, then first generated; so the same problem
    always gives the same plan. Every action costs 1 unless `use_costs` asks for the domain's
    action costs. With h_add plans are good but not always shortest; with "max" or "blind" they are.
    """
    return _search(problem, None, 0, limits, heuristic, use_costs)


def plan_guided(
    problem: Problem | Task,
    policy: DecisionList,
    *,
    rollout_steps: int = 50,
    limits: Limits = Limits(expansions=1000),
    heuristic: Heuristic = "add",
) -> PlanOutcome:
    """Search for a plan with A*, letting a policy propose: Algorithm 3 of the paper.

    Each expanded state has, besides its ordinary successors at cost 1, the states that the policy
    visits from there at cost 0: at most `rollout_steps` of them, up to the goal or to where the
    policy is not applicable. The search so prefers the policy's way and fills its gaps.
    """
    return _search(problem, policy, rollout_steps, limits, heuristic, False)


def _search(
    problem: Problem | Task,
    policy: DecisionList | None,
    rollout_steps: int,
    limits: Limits,
    heuristic: Heuristic,
    use_costs: bool,
) -> PlanOutcome:
    task = _task(problem)
    start = time.perf_counter()
    rules = [] if policy is None else task.rule_numbers(policy)
    limit = task.ground(limits.seconds, limits.megabytes)
    seconds = limits.seconds
    if limit is None and seconds is not None:
        seconds = max(0.0, seconds - (time.perf_counter() - start))
    if limit is not None:
        status, steps, cost, expansions, generated = limit, list[tuple[int, bool]](), 0, 0, 0
    else:
        status, steps, cost, expansions, generated = task.space.search(
            rules, rollout_steps, heuristic, use_costs, limits.expansions, seconds, limits.megabytes
        )
    solved = status == PlanStatus.SOLVED
    actions = tuple(task.decode_action(action) for action, _ in steps)
    return PlanOutcome(
        status=PlanStatus(status),
        plan=actions if solved else None,
        from_policy=tuple(from_policy for _, from_policy in steps),
        cost=cost if solved else None,
        expansions=expansions,
        generated=generated,
        seconds=time.perf_counter() - start,
    )


def compare_plan(problem: Problem | Task, policy: DecisionList, plan: Plan) -> tuple[bool, ...]:
    """For each action of a plan whether the policy would have done the same: Algorithm 4.

    The algorithm's score is the number of False. ValueError if the plan cannot be carried out.
    """
    task = _task(problem)
    actions = [task.action_number(action) for action in plan]
    agreed = task.space.compare(task.rule_numbers(policy), actions)
    if len(agreed) < len(actions):
        raise ValueError(f"step {len(agreed) + 1}: {plan[len(agreed)]} is not applicable")
    return tuple(agreed)


class PolicyStep(NamedTuple):
    """What a policy does in a state: which rule, for which objects, and the action."""

    rule: int
    objects: tuple[str, ...]
    action: GroundAction


def policy_action(problem: Problem | Task, policy: DecisionList, state: State) -> PolicyStep | None:
    """The execution of the policy in a state, or None if no rule applies: Definitions 3 to 5.

    The rule's objects are the first tuple, in the order of its parameters and of the problem's
    objects, that satisfies its conditions. A rule may name an action that cannot be done in the
    state; no later rule is then asked.
    """
    task = _task(problem)
    number = task.number(state)
    for index, rule_number in enumerate(task.rule_numbers(policy)):
        match = task.space.rule_match(rule_number, number)
        if match is not None:
            objects = tuple(task.names[o] for o in match)
            return PolicyStep(index, objects, _instantiate(policy.rules[index], objects))
    return None


def _instantiate(rule: Rule, objects: tuple[str, ...]) -> GroundAction:
    binding = {p.name: o for p, o in zip(rule.parameters, objects, strict=True)}
    return GroundAction(rule.action, tuple(binding.get(term, term) for term in rule.arguments))


class ExecutionStatus(StrEnum):
    """How carrying out a policy ended."""

    SOLVED = "solved"
    NOT_APPLICABLE = "not applicable"
    HORIZON = "horizon"
    CYCLE = "cycle"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"


@dataclass(frozen=True)
class Execution(Displayed):
    """What came of carrying out a policy: the status, how many steps, and why it failed if it did.

    On a cycle the last action is the one that led back to an earlier state. Executions on one
    problem are equal if they did the same actions to the same end, however long they took.
    """

    status: ExecutionStatus
    steps: int
    reason: str | None
    seconds: float = field(compare=False)
    _codes: bytes = field(repr=False)
    _task: Task = field(repr=False, compare=False)

    @property
    def solved(self) -> bool:
        """Whether the goal was reached."""
        return self.status is ExecutionStatus.SOLVED

    @cached_property
    def plan(self) -> tuple[GroundAction, ...]:
        """The actions that were done, also where the policy failed in the end."""
        return self._task.decode_plan(self._codes)

    def check(self) -> Validation:
        """Whether the actions solve the problem, by a checker that shares no code with execution.

        Says what `pg3.validate` says of `plan`, at the kernel's speed.
        """
        return check_codes(self._task, self._codes)

    def _sheet(self) -> Sheet:
        facts = f"{self.status}, {count(self.steps, 'step')}, {self.seconds:.3f} s"
        why = () if self.reason is None else (Prose(self.reason, "bad"),)
        title = f"execution on {self._task.problem.name}"
        return Sheet(title, facts, (*why, *plan_table(self.plan)))


def execute(
    problem: Problem | Task,
    policy: DecisionList,
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
    task = _task(problem)
    rules = task.rule_numbers(policy)
    native = task.native
    if max_steps is not None:
        max_steps = min(max_steps, _BEYOND_REACH)
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
            reason = f"no rule applies after {count(steps, 'step')}"
        else:
            reason = f"after {count(steps, 'step')} " + _inapplicable(
                task, policy, rule, action, failed
            )
    elif status == ExecutionStatus.CYCLE:
        reason = f"step {steps} leads back to an earlier state"
    elif status == ExecutionStatus.HORIZON:
        reason = f"the goal is not reached within {count(steps, 'step')}"
    elif status != ExecutionStatus.SOLVED:
        reason = f"{status} reached after {count(steps, 'step')}"
    return Execution(ExecutionStatus(status), steps, reason, seconds, codes, task)


def _inapplicable(
    task: Task, policy: DecisionList, rule: int, action: list[int], failed: int
) -> str:
    """Why the action that a rule chose cannot be done."""
    schema, objects = task.domain.actions[action[0]], action[1:]
    chosen = task.name_action(action[0], objects)
    text = f"rule '{policy.rules[rule].name}' chose {chosen}, "
    place = failed - len(schema.precondition)
    if place == len(objects):
        return text + "whose cost the problem does not give"
    if place >= 0:
        types = " or ".join(schema.parameters[place].types)
        return text + f"but {chosen.objects[place]} is not of type {types}"
    binding = dict(zip((p.name for p in schema.parameters), chosen.objects, strict=True))
    atom, positive = schema.precondition[failed]
    ground = atom._replace(terms=tuple(binding.get(term, term) for term in atom.terms))
    return text + (f"which needs {ground}" if positive else f"which needs (not {ground})")


def _task(problem: Problem | Task) -> Task:
    return Task(problem) if isinstance(problem, Problem) else problem
