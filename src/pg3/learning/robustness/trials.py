"""Trials: what a policy solves, as the measure of changes of it."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import Task

# What the kernel answers for a policy without a rule that matches.
NO_MATCH = -1

# A changed policy that needs more than so many times the steps on one problem is not followed any
# further: the steps of all problems together must not grow anyway.
_LONGER = 2


class Trials:
    """Those of the tasks that a policy solves within `max_steps`.

    A changed policy `passes` if it solves them all in no more steps altogether.
    """

    def __init__(self, training: Training, policy: PolicyKey, max_steps: int) -> None:
        self._budget = training.budget
        steps = training.solved_steps(policy, max_steps)
        self._trials = [
            (training.subset([place]), max(_LONGER * taken, _LONGER))
            for place, taken in enumerate(steps)
            if taken is not None
        ]
        self._steps = sum(taken for taken in steps if taken is not None)

    def __len__(self) -> int:
        return len(self._trials)

    def passes(self, policy: PolicyKey) -> bool:
        """Whether a changed policy does as well."""
        self._budget.check()
        steps = 0
        for place, (trial, most) in enumerate(self._trials):
            (taken,) = trial.solved_steps(policy, most)
            if taken is not None:
                steps += taken
            if taken is None or steps > self._steps:
                # Whatever fails one change often fails the next: it comes first from now on.
                self._trials.insert(0, self._trials.pop(place))
                return False
        return True

    def steps(self, policy: PolicyKey) -> list[int | None]:
        """The steps that another policy takes, None where it fails."""
        return [step for trial, most in self._trials for step in trial.solved_steps(policy, most)]

    def acting(self, policy: PolicyKey) -> list[int]:
        """The places of the rules that act in some trial."""
        prefixes = [policy[: place + 1] for place in range(len(policy))]
        acting: set[int] = set()
        for trial, most in self._trials:
            self._budget.check()
            (task,) = trial.tasks
            state = task.space.initial
            for _ in range(most):
                if state < 0 or task.space.is_goal(state):
                    break
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
