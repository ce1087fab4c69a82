"""Searches for plans, alone or guided by a policy (Algorithm 3); plan comparison (Algorithm 4).

"No plan" and "limit reached" are outcomes, not exceptions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from pg3.errors import ArgumentError, one_of, pluralize, true_or_false, whole_number
from pg3.planning.astar import Found, Heuristic, SearchOptions, astar
from pg3.planning.limits import BEYOND_REACH, Limits, as_limits
from pg3.planning.satisficing import SatisficingOptions, satisficing
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3 import _native
    from pg3.pddl.given import ProblemLike
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction, Plan
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList


T = TypeVar("T", int, float)

# The paper's A*, which finds short plans, and lazy greedy search, which finds some plan sooner.
Search = Literal["astar", "satisficing"]


class PlanStatus(StrEnum):
    """How a search for a plan ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    EXPANSION_LIMIT = "expansion limit"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """A plan, or why there is none, and what the search did.

    `from_policy` tells for each action whether it was taken from a policy rollout; `cost` is the
    plan's cost in the domain's terms (its length if the domain has no costs). `generated` is how
    many states the search met, the same one counted each time. `plans` is how many plans were found
    until this one, each cheaper than the one before; `cheapest` that none costs less, as far as
    the search looked for that.
    """

    status: PlanStatus
    plan: tuple[GroundAction, ...] | None
    from_policy: tuple[bool, ...]
    cost: int | None
    expansions: int
    generated: int
    seconds: float
    plans: int = 0
    cheapest: bool = False

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status is PlanStatus.SOLVED

    def __repr__(self) -> str:
        found = str(self.status)
        if self.plan is not None:
            found = f"{pluralize(len(self.plan), 'step')}, cost {self.cost}"
        return f"<plan: {found}, {pluralize(self.expansions, 'expansion')}>"


def plan(
    problem: ProblemLike | Task,
    *,
    limits: Limits = Limits(),
    search: Search = "astar",
    heuristic: Heuristic = "add",
    use_costs: bool = False,
) -> PlanOutcome:
    """Search for a plan, by default with A*.

    Expansion order of A*: smallest f = g + h, then smallest h, then first generated; so the same
    problem always gives the same plan. Every action costs 1 unless `use_costs` asks for the
    domain's action costs. With h_add plans are good but not always shortest; with "max" or "blind"
    they are.

    With `search="satisficing"` the search finds some plan, on large problems far sooner: lazy
    greedy search with h_FF and preferred actions, which has no other heuristic (and A* for a short
    while if that finds none soon).
    """
    one_of("search", search, get_args(Search))
    one_of("heuristic", heuristic, get_args(Heuristic))
    true_or_false("use_costs", use_costs)
    if search == "satisficing":
        if heuristic != "add":
            raise ArgumentError("heuristic", "'add', as only A* has others,", heuristic)
        return _search(problem, None, SatisficingOptions(use_costs=use_costs), limits)
    return _search(problem, None, SearchOptions(heuristic=heuristic, use_costs=use_costs), limits)


def plan_guided(
    problem: ProblemLike | Task,
    policy: PolicyLike,
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
    rollout_steps = min(whole_number("rollout_steps", rollout_steps), BEYOND_REACH)
    one_of("heuristic", heuristic, get_args(Heuristic))
    options = SearchOptions(rollout_steps=rollout_steps, heuristic=heuristic)
    task, policy = Task.with_policy(problem, policy)
    return _search(task, policy, options, limits)


def _search(
    problem: ProblemLike | Task,
    policy: DecisionList | None,
    options: SearchOptions | SatisficingOptions,
    limits: Limits,
) -> PlanOutcome:
    task = Task.of(problem)
    start = time.perf_counter()
    rules = [] if policy is None else task.rule_numbers(policy)
    limits = as_limits(limits)
    limit = task.ground(limits.seconds, limits.megabytes)
    seconds = limits.seconds
    if limit is None and seconds is not None:
        seconds = max(0.0, seconds - (time.perf_counter() - start))
    if limit is not None:
        found = Found(limit, [], 0, 0, 0)
    else:
        options = replace(
            options,
            policy=rules,
            expansions=limits.expansions,
            seconds=seconds,
            megabytes=limits.megabytes,
        )
        found = run_search(task.space, options)
    return outcome_of(task, found, time.perf_counter() - start)


def run_search(space: _native.StateSpace, options: SearchOptions | SatisficingOptions) -> Found:
    """The search that the options are for."""
    if isinstance(options, SearchOptions):
        return astar(space, options)
    return some_plan(space, options)


# States that the first two searches may each meet. Where many actions look alike to a parent's
# estimate, A* with h_add can find a plan among a few thousand states that lazy search does not find
# soon. From 5,000 to 200,000 states for the first search solve the same problems of a sample with
# about the same effort (docs/results/planner.md has the ablation), so one number does for both.
_FIRST_STATES = 20_000


def some_plan(
    space: _native.StateSpace, options: SatisficingOptions, first_states: int = _FIRST_STATES
) -> Found:
    """Some plan: by lazy search; if it has met many states, by A* for a while; then lazily again.

    A search below a bound, with a policy or for other goals is lazy throughout.
    """
    if options.policy or options.goal or options.bound is not None or options.weight:
        return satisficing(space, options)
    start = time.perf_counter()
    eager = SearchOptions(
        use_costs=options.use_costs,
        start=options.start,
        megabytes=options.megabytes,
        process_megabytes=options.process_megabytes,
    )
    expansions = generated = 0
    turns: tuple[tuple[bool, int | None], ...] = (
        (False, first_states),
        (True, first_states),
        (False, None),
    )
    for is_eager, states in turns:
        left = _less(options.generated, generated)
        most = left if states is None else states if left is None else min(states, left)
        seconds = _less(options.seconds, time.perf_counter() - start)
        more = _less(options.expansions, expansions)
        found = (
            astar(space, replace(eager, expansions=more, seconds=seconds, generated=most))
            if is_eager
            else satisficing(
                space, replace(options, expansions=more, seconds=seconds, generated=most)
            )
        )
        expansions += found.expansions
        generated += found.generated
        is_over = most == left or _less(options.expansions, expansions) == 0
        if found.status != PlanStatus.EXPANSION_LIMIT or is_over:
            break
    return found._replace(expansions=expansions, generated=generated)


def _less(limit: T | None, used: T) -> T | None:
    """What is left of a limit."""
    return None if limit is None else max(limit - used, type(used)(0))


def outcome_of(
    task: Task, found: Found, seconds: float, plans: int = 1, *, cheapest: bool = False
) -> PlanOutcome:
    """What a search found, in the problem's terms."""
    solved = found.status == PlanStatus.SOLVED
    actions = tuple(task.decode_action(action) for action, _ in found.steps)
    return PlanOutcome(
        status=PlanStatus(found.status),
        plan=actions if solved else None,
        from_policy=tuple(from_policy for _, from_policy in found.steps),
        cost=found.cost if solved else None,
        expansions=found.expansions,
        generated=found.generated,
        seconds=seconds,
        plans=plans if solved else 0,
        cheapest=cheapest,
    )


def compare_plan(problem: Problem | Task, policy: DecisionList, plan: Plan) -> tuple[bool, ...]:
    """For each action of a plan whether the policy would have done the same: Algorithm 4.

    The algorithm's score is the number of False. ValueError if the plan cannot be carried out.
    """
    task = Task.of(problem)
    actions = [task.action_number(action) for action in plan]
    agreed = task.space.compare(task.rule_numbers(policy), actions)
    if len(agreed) < len(actions):
        raise ValueError(f"step {len(agreed) + 1}: {plan[len(agreed)]} is not applicable")
    return tuple(agreed)
