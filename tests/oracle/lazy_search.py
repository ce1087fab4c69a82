"""Lazy search with preferred actions: every queue is a list of steps that have not been taken.

The order of everything is part of the specification: see native/ground/lazy_search.hpp.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tests.oracle.matching import policy_action
from tests.oracle.relaxed_plan import Landmarks, RelaxedTask
from tests.oracle.search import Outcome
from tests.oracle.semantics import initial_state, instances, is_goal

if TYPE_CHECKING:
    from pg3.pddl.model import Literal, Problem
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import DecisionList
    from tests.oracle.semantics import Instance, State


class _Step(NamedTuple):
    """An action in a state, queued when that had been reached at the cost `g`."""

    value: float
    ticket: int
    state: State
    instance: Instance
    from_policy: bool
    g: float


@dataclass
class _Queue:
    """All steps, or those by preferred actions, in the order of an evaluator's values."""

    evaluator: int
    preferred: bool
    priority: int = 0
    steps: list[_Step] = field(default_factory=list)


# The actions of a plan, and for each whether the policy proposed it.
_Way = tuple[tuple["GroundAction", ...], tuple[bool, ...]]


class _LazySearch:
    def __init__(
        self,
        problem: Problem,
        policy: DecisionList | None,
        *,
        use_costs: bool,
        weight: int,
        bound: float,
        max_expansions: float,
        max_generated: float,
        start: State | None,
        goal: list[Literal] | None,
    ) -> None:
        self.problem, self.policy, self.grounded = problem, policy, instances(problem)
        self.use_costs, self.weight, self.bound = use_costs, weight, bound
        self.max_expansions, self.max_generated = max_expansions, max_generated
        self.start = initial_state(problem) if start is None else start
        self.is_part = goal is not None
        self.relaxed = RelaxedTask(problem, unit=not use_costs)
        self.goal = self.relaxed.goal if goal is None else self.relaxed.literals(goal)
        self.landmarks = Landmarks(self.relaxed, self.start, self.goal, unit=not use_costs)
        self.accepted: dict[State, set[Literal]] = {}
        self.expansions = self.generated = 0
        self.queues = [
            _Queue(evaluator, chosen) for evaluator in (0, 1) for chosen in (False, True)
        ]
        self.best = [math.inf, math.inf]
        self.g: dict[State, float] = {}
        self.parents: dict[State, _Step] = {}
        self.dead_ends: set[State] = set()
        self.ticket = itertools.count()
        self.way: _Way = (), ()

    def run(self) -> Outcome:
        self.g[self.start] = 0
        status = "unsolvable" if self.bound <= 0 else self._visit(self.start)
        while status is None:
            for queue in self.queues:
                queue.steps = [step for step in queue.steps if step.g == self.g[step.state]]
            queues = [queue for queue in self.queues if queue.steps]
            if not queues:
                status = "unsolvable"
                break
            queue = min(queues, key=lambda queue: queue.priority)
            queue.priority += 1
            step = min(queue.steps, key=lambda step: step[:2])
            queue.steps.remove(step)
            status = self._take(step)
        plan, from_policy = self.way if status == "solved" else (None, ())
        return Outcome(status, self.expansions, self.generated, plan, from_policy)

    def _take(self, step: _Step) -> str | None:
        g = step.g + (step.instance.cost if self.use_costs else 1)
        if g >= self.bound:
            return None
        if self.generated >= self.max_generated:
            return "expansion limit"
        self.generated += 1
        state = step.instance.successor(step.state)
        if state in self.g and (self.weight == 0 or state in self.dead_ends or g >= self.g[state]):
            return None
        is_new = state not in self.g
        self.g[state], self.parents[state] = g, step
        if is_new:
            return self._visit(state)
        self._enqueue(state)
        return None

    def _visit(self, state: State) -> str | None:
        if self._is_goal(state):
            self.way = self._way_to(state)
            return "solved"
        if self.expansions >= self.max_expansions:
            return "expansion limit"
        values = self._values(state)
        if values[0] == math.inf:
            self.dead_ends.add(state)
            return None
        self.expansions += 1
        if values[0] < self.best[0] or values[1] < self.best[1]:
            for queue in self.queues:
                queue.priority -= 1000 * queue.preferred
        self.best = [min(pair) for pair in zip(self.best, values, strict=True)]
        self._enqueue(state)
        return None

    def _is_goal(self, state: State) -> bool:
        if self.is_part:
            return all(literal in self.relaxed.true_literals(state) for literal in self.goal)
        return is_goal(self.problem, state)

    def _h_ff(self, state: State) -> tuple[float, list[Instance]]:
        static_goals = [one for one in self.problem.goal_literals if not self.is_part]
        if not self.relaxed.can_hold(static_goals):
            return math.inf, []
        return self.relaxed.h_ff(state, self.goal)

    def _values(self, state: State) -> tuple[float, float]:
        if state not in self.accepted:
            parent = self.parents.get(state)
            before = set() if parent is None else self.accepted[parent.state]
            self.accepted[state] = before | self.landmarks.accepted(state)
        return self._h_ff(state)[0], self.landmarks.ahead(state, self.accepted[state])

    def _enqueue(self, state: State) -> None:
        values = self._values(state)
        _, helpful = self._h_ff(state)
        every = [one for one in self.grounded if one.applicable(state)]
        match = None if self.policy is None else policy_action(self.problem, self.policy, state)
        proposed = [one for one in every if match is not None and one.action == match.action]
        preferred = proposed + [one for one in helpful if one not in proposed]
        for queue in self.queues:
            h, g = values[queue.evaluator], self.g[state]
            value = g + self.weight * h if self.weight else h
            for one in preferred if queue.preferred else every:
                by_policy = queue.preferred and one in proposed
                queue.steps.append(_Step(value, next(self.ticket), state, one, by_policy, g))

    def _way_to(self, state: State) -> _Way:
        steps: list[_Step] = []
        while state in self.parents:
            steps.insert(0, self.parents[state])
            state = steps[0].state
        return tuple(s.instance.action for s in steps), tuple(s.from_policy for s in steps)


def lazy_search(
    problem: Problem,
    *,
    policy: DecisionList | None = None,
    use_costs: bool = False,
    weight: int = 0,
    bound: float = math.inf,
    max_expansions: float = math.inf,
    max_generated: float = math.inf,
    start: State | None = None,
    goal: list[Literal] | None = None,
) -> Outcome:
    """Greedy search, or with a weight weighted A*, with h_FF and landmarks.

    From another state than the initial one, or to another goal, if these are given.
    """
    return _LazySearch(
        problem,
        policy,
        use_costs=use_costs,
        weight=weight,
        bound=bound,
        max_expansions=max_expansions,
        max_generated=max_generated,
        start=start,
        goal=goal,
    ).run()
