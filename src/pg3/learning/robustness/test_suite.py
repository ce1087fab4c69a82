"""Judges of policies: what is asked of one before it is handed over, and which of several is taken.

A policy can be perfect on the problems that it was learned from by luck. So it is tried on all
training problems as they are listed, with their objects in other orders, from where random walks
lead, on variations of them (`variations`), and with longer ways (`stretching`).
"""

from __future__ import annotations

import math
import random
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators import kept_places
from pg3.learning.robustness.longer_paths import Stretching
from pg3.learning.robustness.perturbations import Variations
from pg3.learning.robustness.random_starts import detours
from pg3.learning.training import MAX_STEPS, Training, random_walk, shuffled, states_of_walk
from pg3.storage.schema import Flag, ListOf, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import State, Task

# What the kernel answers for a rule that does not match.
NO_MATCH = -1

# Tests with shuffled objects, about so many in all, at least some a problem.
_SHUFFLED_TESTS, _LEAST_SHUFFLES = 60, 4

# Variations of the problems, every other one with twins of objects, some of those with fewer goals:
# where everything has a goal, a policy need not ask for it.
_VARIATIONS = 24

# Problems with longer ways, where there are ways.
_STRETCHED = 4

# Random walks from each problem's start, and their length.
_WALKS, _WALK_STEPS = 4, 50

# Of the states on a walk so many are looked at, for what is never true together.
_LOOK_EVERY = 5

# A policy that takes more than so many times the fewest steps wanders about.
_WANDERING = 1.1


class Verdict(NamedTuple):
    """How a policy did in the tests, what counts most first; less is better.

    `unsolved` counts the problems that it does not solve, as they are or shuffled, `astray` the
    states after random walks from which it does not (some may have no solution at all).
    """

    unsolved: int
    astray: int
    size: int
    steps: int


class Result(NamedTuple):
    """A policy that some member came to, and the verdict on it."""

    verdict: Verdict
    member: str
    policy: PolicyKey


def choose(results: Sequence[Result]) -> Result:
    """The best of at least one result, the earlier of equals.

    A policy that solves as many problems but wanders about is likely to lose its way in larger
    ones, so only those come into question that need not much more than the fewest steps; of these,
    the smallest says what to do without saying more.
    """
    solved = min(result.verdict.unsolved for result in results)
    quickest = min(r.verdict.steps for r in results if r.verdict.unsolved == solved)

    def merit(result: Result) -> tuple[int, int, bool, int, int]:
        unsolved, astray, size, steps = result.verdict
        return unsolved, astray, steps > quickest * _WANDERING, size, steps

    return min(results, key=merit)


class _Tests(NamedTuple):
    """What policies are tested on.

    `trials` must be solved: all problems as listed and shuffled. `elsewhere` are all problems and
    variations, with the states to start from in each: a policy may fail there, but better not.
    """

    trials: Training
    elsewhere: Training
    starts: list[list[int]]


class Judge:
    """Tests policies on all training problems.

    As they are, with their objects shuffled, from where random walks lead, and on variations: a
    training problem may need little work, and a policy that would go round in circles if there
    were more to do passes it; walks and twins of objects make work.
    """

    def __init__(self, training: Training, seed: int) -> None:
        self.training = training
        self.seed = seed

    # The tests take long to set up, and a resumed run may know all verdicts: only when asked for.

    @cached_property
    def _tests(self) -> _Tests:
        training, generator = self.training, random.Random(self.seed)
        copies = max(_LEAST_SHUFFLES, _SHUFFLED_TESTS // len(training))
        shuffles = [
            training.task(shuffled(task.problem, generator))
            for _ in range(copies)
            for task in training.tasks
        ]
        starts, states = [], []
        for task in training.tasks:
            training.budget.check()
            ways = [states_of_walk(task.space, _WALK_STEPS, generator) for _ in range(_WALKS)]
            starts.append([way[-1] for way in ways])
            states += [task.atoms(state) for way in ways for state in way[::_LOOK_EVERY]]
        varied = self._varied(states, generator)
        for number, task in enumerate(varied):
            training.budget.check()
            # With twins there is work enough from the start.
            walks = [] if number % 2 else [random_walk(task.space, _WALK_STEPS, generator)]
            starts.append([task.space.initial, *walks])
        stretched = self._stretched()
        starts += [[task.space.initial] for task in stretched]
        return _Tests(
            self._training([*training.tasks, *shuffles]),
            self._training([*training.tasks, *varied, *stretched]),
            starts,
        )

    def _varied(self, states: Sequence[State], generator: random.Random) -> list[Task]:
        """Variations of the problems, those with more objects of the smaller half only."""
        problems = [task.problem for task in self.training.tasks]
        variations = Variations(problems, states)
        small = [problems[i] for i in smaller_half(self.training)]
        varied = []
        for number in range(_VARIATIONS):
            turn, grown = divmod(number, 2)
            source = small if grown else problems
            problem = variations.vary(
                source[turn % len(source)],
                generator,
                links=turn % 2 == 0,
                twins=1 + turn % 2 if grown else 0,
                fewer=grown == 1 and turn % 4 == 3,
            )
            varied.append(self.training.task(problem))
        return varied

    def _stretched(self) -> list[Task]:
        """Problems with longer ways, if the domain has any: from those of middle size on."""
        problems = [task.problem for task in self.training.tasks]
        stretching = Stretching(self.training.domain, problems)
        if not stretching:
            return []
        generator = random.Random(self.seed)
        larger = _by_size(self.training)[len(problems) // 2 :]
        return [
            self.training.task(stretching.stretch(problems[larger[turn % len(larger)]], generator))
            for turn in range(_STRETCHED)
        ]

    def _training(self, tasks: Sequence[Task]) -> Training:
        training = self.training
        return Training(
            tasks,
            book=training.book,
            expansions=training.expansions,
            jobs=training.jobs,
            budget=training.budget,
        )

    def judge(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy."""
        journal = self.training.budget.journal
        known = journal.recall("verdict", list_of(Whole(), len(Verdict._fields)))
        if known is not None:
            return Verdict(*known)
        trials, elsewhere, starts = self._tests
        steps = trials.solved_steps(policy, MAX_STEPS)
        size = self.training.book.policy_size(policy)
        unsolved = steps.count(None)
        astray = 0
        if unsolved == 0:
            astray = len(elsewhere.failures_from(policy, starts, MAX_STEPS))
        verdict = Verdict(unsolved, astray, size, sum(s for s in steps if s is not None))
        journal.record("verdict", verdict)
        return verdict

    def trusts(self, result: Result, *, walks: bool = True) -> bool:
        """Whether a policy solves all problems and does not go astray where it need not.

        Some tests have no solution; one is known to have by the plan that A* finds. Without
        `walks` only the starts of variations count, which look like problems of the domain.
        """
        if result.verdict.unsolved > 0 or result.verdict.astray == 0:
            return result.verdict.unsolved == 0
        journal = self.training.budget.journal
        known = journal.recall("trust", Flag())
        if known is None:
            _, elsewhere, starts = self._tests
            known = not any(
                elsewhere.is_solvable(problem, start, result.policy)
                for problem, start in elsewhere.failures_from(result.policy, starts, MAX_STEPS)
                if start == elsewhere.tasks[problem].space.initial
                or (walks and problem < len(self.training))
            )
            journal.record("trust", known)
        return bool(known)

    def without_idle_rules(
        self, policy: PolicyKey, *, walks: bool, kept: PolicyKey = ()
    ) -> PolicyKey:
        """The policy without the rules that never act on the problems, with or without walks.

        The `kept` ones stay, whatever they do.
        """
        places = ListOf(Whole(0, len(policy) - 1), increasing=True)
        known = self.training.budget.journal.recall("acting", places)
        if known is None:
            known = self._acting(policy, walks)
            self.training.budget.journal.record("acting", known)
        return tuple(
            policy[place] for place in sorted({*known, *(kept_places(policy, kept) or ())})
        )

    def _acting(self, policy: PolicyKey, walks: bool) -> list[int]:
        """The places of the rules that act."""
        acting: set[int] = set()
        trials, elsewhere, walked = self._tests
        starts = [(task.space, task.space.initial) for task in trials.tasks]
        if walks:
            starts += [
                (task.space, state)
                for task, states in zip(elsewhere.tasks, walked, strict=True)
                for state in states
            ]
        budget = self.training.budget
        for space, start in starts:
            budget.check()
            state = start
            for _ in range(MAX_STEPS):
                if state < 0 or space.is_goal(state):
                    break
                answers = (
                    budget.answered(space.policy_action((rule,), state, *budget.limits))
                    for rule in policy
                )
                place, action = next(
                    ((i, answer) for i, answer in enumerate(answers) if answer != NO_MATCH),
                    (-1, NO_MATCH),
                )
                if place >= 0:
                    acting.add(place)
                if action < 0:
                    break
                state = space.apply(state, action)
        return sorted(acting)


class StrictJudge(Judge):
    """One who also asks for the way to the goal from where random steps lead (`detours`)."""

    def judge(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy; a detour that it fails counts like a problem."""
        verdict = super().judge(policy)
        if verdict.unsolved == 0 and self._detours is not None:
            failed = self._detours.solved_steps(policy, MAX_STEPS).count(None)
            return verdict._replace(unsolved=failed)
        return verdict

    @cached_property
    def _detours(self) -> Training | None:
        training = self.training
        tasks = detours(training, self.seed)
        if not tasks:
            return None
        return Training(tasks, book=training.book, jobs=training.jobs, budget=training.budget)


def smaller_half(training: Training) -> list[int]:
    """The indices of the smaller half of the problems, at least one, by objects and goals."""
    by_size = _by_size(training)
    return sorted(by_size[: (len(by_size) + 1) // 2])


def _by_size(training: Training) -> list[int]:
    """The indices of the problems by objects and goals; of equals those with the shorter plan."""
    return sorted(
        range(len(training)),
        key=lambda i: (
            len(training.tasks[i].problem.all_objects) + len(training.tasks[i].problem.goal),
            math.inf if (plan := training.plans[i]) is None else len(plan),
            i,
        ),
    )
