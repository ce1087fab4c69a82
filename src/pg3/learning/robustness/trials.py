"""Trials: what a policy solves, as the measure of changes of it.

A problem is tried from its initial state and from states around the policy's way through it: some
random actions after some of its steps. A policy meets many more states in larger problems than on
its straight way through small ones.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.robustness.random_starts import random_walk

if TYPE_CHECKING:
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import Task

# What the kernel answers for a policy without a rule that matches.
NO_MATCH = -1

# A changed policy that needs more than so many times the steps on one problem, and some more, is
# not followed any further: the steps of all problems together must not grow anyway.
_LONGER, _SOME_MORE = 2, 20

# States around the policy's way through a problem, and how many random actions lead to them at most.
_AROUND, _RANDOM_ACTIONS = 6, 10


class _Trial(NamedTuple):
    """A problem with further states to start from, and the most steps that are followed."""

    problem: Training
    starts: list[int]
    most: int


class Trials:
    """Those of the problems that a policy solves within `max_steps`.

    A changed policy `passes` if it solves them all in no more steps altogether, and reaches the
    goal from all further states from which the policy does.
    """

    def __init__(self, training: Training, policy: PolicyKey, max_steps: int) -> None:
        self._budget = training.budget
        generator = random.Random(0)
        steps = training.solved_steps(policy, max_steps)
        self._steps = sum(taken for taken in steps if taken is not None)
        self._trials: list[_Trial] = []
        for place, taken in enumerate(steps):
            if taken is not None:
                self._budget.check()
                problem, most = training.subset([place]), _LONGER * taken + _SOME_MORE
                around = self._around(policy, problem, taken, generator)
                failed = problem.failures_from(policy, [around], most)
                starts = [state for state in around if (0, state) not in failed]
                self._trials.append(_Trial(problem, starts, most))

    def _around(
        self, policy: PolicyKey, problem: Training, steps: int, generator: random.Random
    ) -> list[int]:
        """States around the way of a policy that solves a problem in so many steps."""
        (task,) = problem.tasks
        at = sorted(generator.randrange(steps) for _ in range(_AROUND)) if steps else []
        found: dict[int, None] = {}
        state = task.space.initial
        for step in range(steps):
            for _ in range(at.count(step)):
                walk = generator.randint(1, _RANDOM_ACTIONS)
                found[random_walk(task.space, walk, generator, state)] = None
            state = task.space.apply(state, self._action(policy, task, state))
        return list(found)

    def __len__(self) -> int:
        return len(self._trials)

    def passes(self, policy: PolicyKey) -> bool:
        """Whether a changed policy does as well."""
        self._budget.check()
        steps = 0
        for place, (problem, starts, most) in enumerate(self._trials):
            (taken,) = problem.solved_steps(policy, most)
            if taken is not None:
                steps += taken
            if (
                taken is None
                or steps > self._steps
                or problem.failures_from(policy, [starts], most)
            ):
                # Whatever fails one change often fails the next: it comes first from now on.
                self._trials.insert(0, self._trials.pop(place))
                return False
        return True

    def all_solved(self, policy: PolicyKey) -> bool:
        """Whether a changed policy reaches the goal everywhere, in however many steps."""
        return not any(
            problem.solved_steps(policy, most)[0] is None
            or problem.failures_from(policy, [starts], most)
            for problem, starts, most in self._trials
        )

    def acting(self, policy: PolicyKey) -> list[int]:
        """The places of the rules that act in some trial."""
        prefixes = [policy[: place + 1] for place in range(len(policy))]
        acting: set[int] = set()
        for problem, starts, most in self._trials:
            self._budget.check()
            (task,) = problem.tasks
            seen: set[int] = set()
            for start in (task.space.initial, *starts):
                state = start
                for _ in range(most):
                    if state < 0 or state in seen or task.space.is_goal(state):
                        break
                    seen.add(state)
                    place = bisect_left(prefixes, True, key=partial(self._matches, task, state))
                    if place == len(policy):
                        break
                    acting.add(place)
                    action = self._action(prefixes[place], task, state)
                    state = task.space.apply(state, action) if action >= 0 else -1
        return sorted(acting)

    def _matches(self, task: Task, state: int, policy: PolicyKey) -> bool:
        return self._action(policy, task, state) != NO_MATCH

    def _action(self, policy: PolicyKey, task: Task, state: int) -> int:
        answer = task.space.policy_action(policy, state, *self._budget.limits)
        return self._budget.answered(answer)
