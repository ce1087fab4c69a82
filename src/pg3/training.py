"""The training problems as a learner sees them: ground, with their plans, ready for scoring."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pg3 import _native
from pg3.pddl.model import Literal, Problem
from pg3.policy.rule_book import PolicyKey, RuleBook
from pg3.task import Task

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from pg3.pddl.model import Domain

# A policy that needs more steps than this for a problem of training size goes round in circles.
MAX_STEPS = 1000

# A plan in the kernel's numbers of ground actions.
NumberedPlan = tuple[int, ...]


class Training:
    """Training problems with one book of rules, on which candidate policies are tried out.

    Problems may come as tasks that share the book's table, with all that is known of them.
    `expansions` limits each search for a plan; `jobs` is how many problems are worked on at once,
    which changes no result. `indices` are the problems' places among those that the user gave.
    """

    def __init__(
        self,
        problems: Sequence[Problem | Task],
        *,
        book: RuleBook | None = None,
        expansions: int = 1000,
        jobs: int = 1,
        indices: Sequence[int] | None = None,
    ) -> None:
        self.domain: Domain = problems[0].domain
        self.book = RuleBook(self.domain) if book is None else book
        self.tasks = tuple(
            problem if isinstance(problem, Task) else Task(problem, self.book.table)
            for problem in problems
        )
        self.expansions = expansions
        self.jobs = jobs
        self.deadline: float | None = None
        self.indices = tuple(range(len(problems)) if indices is None else indices)
        self.native = _native.TrainingSet([task.space for task in self.tasks], jobs)
        self._plans: tuple[NumberedPlan | None, ...] | None = None
        self._states: list[list[int]] | None = None

    def __len__(self) -> int:
        return len(self.tasks)

    def subset(self, indices: Sequence[int]) -> Training:
        """Some of the problems, with the same book."""
        return Training(
            [self.tasks[i] for i in indices],
            book=self.book,
            expansions=self.expansions,
            jobs=self.jobs,
            indices=[self.indices[i] for i in indices],
        )

    def guided_plan(self, policy: PolicyKey, problem: int, rollout: int) -> NumberedPlan | None:
        """The plan that the policy's guidance leads to on one problem (Algorithm 3)."""
        status, steps, *_ = self.tasks[problem].space.search(
            policy, rollout, "add", False, self.expansions, None, None
        )
        return tuple(action for action, _ in steps) if status == "solved" else None

    @property
    def plans(self) -> tuple[NumberedPlan | None, ...]:
        """For each problem the plan of A* with h_add alone; None where the limit came first."""
        if self._plans is None:
            self._plans = tuple(self.guided_plan((), i, 0) for i in range(len(self)))
        return self._plans

    @property
    def states_of_interest(self) -> list[list[int]]:
        """For each problem the states of that plan, on which policies are told apart.

        A policy's answers there are its semantic identifier (appendix, "Additional GPS
        Optimizations").
        """
        if self._states is None:
            self._states = []
            for task, plan in zip(self.tasks, self.plans, strict=True):
                states, state = [], task.space.initial
                for action in plan or ():
                    states.append(state)
                    state = task.space.apply(state, action)
                self._states.append(states)
        return self._states

    @property
    def seconds_left(self) -> float | None:
        """The time until the deadline (of `time.perf_counter`), if there is one."""
        return None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())

    @property
    def out_of_time(self) -> bool:
        """Whether the last batch of scores was cut short: they are then worth nothing."""
        return self.deadline is not None and self.native.status == "time limit"

    @property
    def effort(self) -> int:
        """The states that were expanded to score policies here: the same on every machine."""
        return self.native.expansions

    def solved_steps(self, policy: PolicyKey, max_steps: int = MAX_STEPS) -> list[int | None]:
        """For each problem how many steps the policy takes to the goal; None if it fails."""
        solved, steps, _ = self.native.executed([policy], max_steps, None)
        return [
            taken if done else None
            for done, taken in zip(
                memoryview(solved).cast("i"), memoryview(steps).cast("i"), strict=True
            )
        ]

    def unsolved_from(
        self, policy: PolicyKey, starts: Sequence[Sequence[int]], max_steps: int = MAX_STEPS
    ) -> int:
        """From how many of the given states of the problems the policy does not reach the goal."""
        solved = self.native.executed_from([policy], starts, max_steps)
        return memoryview(solved).cast("i").tolist().count(0)

    def agreements(self, policy: PolicyKey, problem: int, plan: NumberedPlan) -> list[bool]:
        """For each step of a plan whether the policy takes it (Algorithm 4)."""
        return self.tasks[problem].space.compare(policy, plan)


def shuffled(problem: Problem, generator: random.Random) -> Problem:
    """The same problem with its objects listed in another order."""
    objects = list(problem.objects)
    generator.shuffle(objects)
    return Problem.of(
        problem.name,
        problem.domain,
        objects,
        problem.init,
        [
            *(Literal(atom) for atom in problem.goal),
            *(Literal(atom, False) for atom in problem.negative_goal),
        ],
        function_values=problem.function_values,
    )


def random_walk(space: _native.StateSpace, steps: int, generator: random.Random) -> int:
    """The state after so many random actions from the start, fewer if there is a dead end."""
    state = space.initial
    for _ in range(steps):
        successors = space.successors(state)
        if not successors:
            break
        _, state = generator.choice(successors)
    return state
