"""A*, plain and guided by a policy (Algorithm 3), and breadth-first search.

The order of everything is part of the specification, so that plans and the number of expansions
can be compared exactly: the queue is ordered by f, then h, then time of insertion.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.oracle.heuristic import blind, h_add, h_max
from tests.oracle.matching import policy_action
from tests.oracle.semantics import initial_state, instances, is_goal, open_goals

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import DecisionList
    from tests.oracle.semantics import Instance, State

HEURISTICS = {"add": h_add, "max": h_max, "blind": blind}


@dataclass(frozen=True)
class Outcome:
    """How a search ended; `from_policy` tells for each action whether the policy chose it."""

    status: str
    expansions: int
    generated: int
    plan: tuple[GroundAction, ...] | None = None
    from_policy: tuple[bool, ...] = ()


def astar(
    problem: Problem,
    *,
    policy: DecisionList | None = None,
    rollout_steps: int = 50,
    max_expansions: int | None = None,
    heuristic: str = "add",
    use_costs: bool = False,
    weights: tuple[int, int] = (1, 0),
    max_generated: int | None = None,
) -> Outcome:
    """A* with reopening; with a policy, its steps come first among the successors, at cost 0.

    The `weights` are those of h and of each goal that does not hold, in f. `max_generated` limits
    how many states are met, the same one counted each time; but no step of a rollout counts from
    where the last one that did count came by at no more cost, with no fewer steps to go. It leads
    to nothing new; here it is done all the same, so that a search without it must find the same.
    A state is queued when it is reached by a cheaper path than before and its h is finite. The goal
    is tested when a state is taken from the queue, before the limit and before it is counted.
    """
    grounded = instances(problem)
    by_action = {one.action: one for one in grounded}
    estimate = HEURISTICS[heuristic]
    best: dict[State, float] = {}
    parents: dict[State, tuple[State, Instance, bool]] = {}
    queue: list[tuple[float, float, int, float, State]] = []
    ticket = itertools.count()

    def push(state: State, cost: float, parent: tuple[State, Instance, bool] | None) -> None:
        if cost >= best.get(state, math.inf):
            return
        h = estimate(problem, grounded, state, unit=not use_costs)
        if h < math.inf:
            best[state] = cost
            if parent is not None:
                parents[state] = parent
            f = cost + weights[0] * h + weights[1] * open_goals(problem, state)
            heapq.heappush(queue, (f, h, next(ticket), cost, state))

    @functools.cache  # rollouts pass through the same states again and again
    def next_step(state: State) -> Instance | None:
        match = policy_action(problem, policy, state) if policy is not None else None
        step = by_action.get(match.action) if match is not None else None
        return step if step is not None and step.applicable(state) else None

    push(initial_state(problem), 0, None)
    expansions, generated = 0, 1
    followed: dict[State, tuple[int, float]] = {}
    while queue:
        _, _, _, cost, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if is_goal(problem, state):
            return _solved(state, parents, expansions, generated)
        if max_expansions is not None and expansions >= max_expansions:
            return Outcome("expansion limit", expansions, generated)
        expansions += 1
        at, counts = state, True
        for left in range(rollout_steps, 0, -1):
            step = next_step(at)
            if step is None:
                break
            most, least = followed.get(at, (0, math.inf))
            counts = counts and (left > most or cost < least)
            if counts:
                followed[at] = left, cost
                generated += 1
            after = step.successor(at)
            push(after, cost, (at, step, True))
            if is_goal(problem, after):
                break
            at = after
        for one in grounded:
            if one.applicable(state):
                if max_generated is not None and generated >= max_generated:
                    return Outcome("expansion limit", expansions, generated)
                generated += 1
                push(
                    one.successor(state), cost + (one.cost if use_costs else 1), (state, one, False)
                )
    return Outcome("unsolvable", expansions, generated)


def _solved(
    state: State,
    parents: dict[State, tuple[State, Instance, bool]],
    expansions: int,
    generated: int,
) -> Outcome:
    steps: list[tuple[GroundAction, bool]] = []
    while state in parents:
        state, instance, by_policy = parents[state]
        steps.append((instance.action, by_policy))
    steps.reverse()
    return Outcome(
        "solved",
        expansions,
        generated,
        plan=tuple(action for action, _ in steps),
        from_policy=tuple(by_policy for _, by_policy in steps),
    )


class TooManyStatesError(Exception):
    """Breadth-first search gave up: the question stays open."""


def shortest_plan(problem: Problem, max_states: int) -> tuple[GroundAction, ...] | None:
    """A plan with as few actions as possible by breadth-first search; None if there is none."""
    grounded = instances(problem)
    start = initial_state(problem)
    plans: dict[State, tuple[GroundAction, ...]] = {start: ()}
    pending = deque([start])
    while pending:
        state = pending.popleft()
        if is_goal(problem, state):
            return plans[state]
        for one in grounded:
            after = one.successor(state)
            if one.applicable(state) and after not in plans:
                plans[after] = (*plans[state], one.action)
                pending.append(after)
        if len(plans) > max_states:
            raise TooManyStatesError
    return None
