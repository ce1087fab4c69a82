"""Trials: what a policy solves, as the measure of changes of it."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from pg3.learning.training import Training

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
            space, state = task.space, task.space.initial
            for _ in range(most):
                if state < 0 or space.is_goal(state):
                    break

                def matches(prefix: PolicyKey) -> bool:
                    answer = space.policy_action(prefix, state, *self._budget.limits)
                    return self._budget.answered(answer) != NO_MATCH

                place = bisect_left(prefixes, True, key=matches)
                if place == len(policy):
                    break
                acting.add(place)
                action = self._budget.answered(
                    space.policy_action(prefixes[place], state, *self._budget.limits)
                )
                state = space.apply(state, action) if action >= 0 else -1
        return sorted(acting)
