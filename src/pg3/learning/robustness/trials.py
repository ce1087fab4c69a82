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

from pg3.learning.robustness.perturbations.random_starts import random_walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.learning.budget import Budget
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey

# What the kernel answers for a policy without a rule that matches.
NO_MATCH = -1

# A changed policy that needs more than so many times the steps on one problem, and some more, is
# not followed any further: the steps of all problems together must not grow anyway.
_LONGER, _SOME_MORE = 2, 20

# States around the policy's way through a problem, and how many random actions lead there at most.
_AROUND, _RANDOM_ACTIONS = 6, 10


class Trial(NamedTuple):
    """A problem that a policy solves in so many `steps`, with further states to start from.

    A changed policy is not followed for more than `most` steps.
    """

    problem: Training
    starts: list[int]
    steps: int
    most: int

    def is_passed(self, policy: PolicyKey) -> bool:
        """Whether a policy reaches the goal from everywhere."""
        return self.steps_of(policy) is not None

    def steps_of(self, policy: PolicyKey, like: PolicyKey = ()) -> int | None:
        """The steps of a policy to the goal; None if it does not reach it, from wherever.

        Fast if the policy differs from one that has passed, `like`, in a few rules.
        """
        initial = self.problem.tasks[0].space.initial
        (taken,) = self.problem.tried(policy, like, [[initial, *self.starts]], self.most)
        return taken


def trials_of(training: Training, policy: PolicyKey, max_steps: int) -> list[Trial]:
    """Those of the problems that a policy solves, with states from which it does so, too."""
    generator = random.Random(0)
    found = []
    for place, taken in enumerate(training.solved_steps(policy, max_steps)):
        if taken is not None:
            training.budget.check()
            problem, most = training.subset([place]), _LONGER * taken + _SOME_MORE
            around = _around(policy, problem, taken, generator)
            failed = problem.failures_from(policy, [around], most)
            starts = [state for state in around if (0, state) not in failed]
            found.append(Trial(problem, starts, taken, most))
    return found


def _around(
    policy: PolicyKey, problem: Training, steps: int, generator: random.Random
) -> list[int]:
    """States around the way of a policy that solves a problem in so many steps."""
    space = problem.tasks[0].space
    at = [generator.randrange(steps) for _ in range(_AROUND)] if steps else []
    found: dict[int, None] = {}
    state = space.initial
    for step in range(steps):
        for _ in range(at.count(step)):
            walk = generator.randint(1, _RANDOM_ACTIONS)
            found[random_walk(space, walk, generator, state)] = None
        state = space.apply(state, problem.action(policy, 0, state))
    return list(found)


class Trials:
    """Trials that changes of a policy must pass."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._trials: list[Trial] = []
        # Policies that do not reach some goal, which further trials cannot mend.
        self._failed: set[PolicyKey] = set()
        # The last one that has passed; most that follow differ from it in a rule or two.
        self._passed: PolicyKey = ()

    def __len__(self) -> int:
        return len(self._trials)

    def add(self, trials: Iterable[Trial]) -> None:
        """Add further trials."""
        self._trials += trials

    def check(self) -> None:
        """Heed the limits."""
        self._budget.check()

    def passes(self, policy: PolicyKey) -> bool:
        """Whether a changed policy passes all trials, in no more steps altogether."""
        self._budget.check()
        if policy in self._failed:
            return False
        left = sum(trial.steps for trial in self._trials)
        for place, trial in enumerate(self._trials):
            taken = trial.steps_of(policy, self._passed)
            if taken is None:
                self._failed.add(policy)
            left -= left + 1 if taken is None else taken
            if left < 0:
                # Whatever fails one change often fails the next: it comes first from now on.
                self._trials.insert(0, self._trials.pop(place))
                return False
        self._passed = policy
        return True

    def acting(self, policy: PolicyKey) -> list[int]:
        """The places of the rules that act in some trial."""
        prefixes = [policy[: place + 1] for place in range(len(policy))]
        acting: set[int] = set()
        for problem, starts, _, most in self._trials:
            self._budget.check()
            (task,) = problem.tasks
            seen: set[int] = set()
            for start in (task.space.initial, *starts):
                state = start
                for _ in range(most):
                    if state < 0 or state in seen or task.space.is_goal(state):
                        break
                    seen.add(state)
                    place = bisect_left(prefixes, True, key=partial(_matches, problem, state))
                    if place == len(policy):
                        break
                    acting.add(place)
                    action = problem.action(prefixes[place], 0, state)
                    state = task.space.apply(state, action) if action >= 0 else -1
        return sorted(acting)


def _matches(problem: Training, state: int, policy: PolicyKey) -> bool:
    return problem.action(policy, 0, state) != NO_MATCH
