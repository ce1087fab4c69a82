"""The test suite for policies: what a policy must pass before it is handed over.

A policy can be perfect by luck on the problems that it was learned from. So it is tested on all
training problems as they are listed, with their objects in other orders, after random walks, on
variations of them (`variations`), and with longer paths (`longer_paths`).
"""

from __future__ import annotations

import math
import random
from functools import cached_property
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators import locked_places
from pg3.learning.robustness.longer_paths import LongerPaths
from pg3.learning.robustness.permutations import shuffled
from pg3.learning.robustness.random_starts import random_starts, random_walk, states_of_walk
from pg3.learning.robustness.variations import Variations
from pg3.learning.robustness.verdicts import Verdict
from pg3.learning.training import MAX_STEPS, Training
from pg3.storage.schema import Flag, ListOf, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.robustness.verdicts import Result
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import State, Task

# What the kernel answers for a rule that does not match.
NO_MATCH = -1

# Tests with shuffled objects: about so many in all, and at least so many a problem.
_SHUFFLED_TESTS, _LEAST_SHUFFLES = 60, 4

# Problems with longer paths, where the domain has maps. Few: new places make them large.
_LONGER = 4

# Random walks from each problem's start, and their length.
_WALKS, _WALK_STEPS = 4, 50

# Every so many states of a walk show which facts are never true together; states in between add
# little, since an action changes few facts.
_LOOK_EVERY = 5


class _Recipe(NamedTuple):
    """How to vary a problem; see `Variations.vary`."""

    relink: bool = False
    twins: int = 0
    fewer_goals: bool = False


# Each round makes one variation with the problem's own objects and one with twins. In the last one
# fewer objects have goals: where every object has one, a policy need not ask for it.
_ROUNDS = (
    (_Recipe(relink=True), _Recipe(relink=True, twins=1)),
    (_Recipe(), _Recipe(twins=2)),
    (_Recipe(relink=True), _Recipe(relink=True, twins=1)),
    (_Recipe(), _Recipe(twins=2, fewer_goals=True)),
)
_VARIATION_ROUNDS = 12


class _Perturbed(NamedTuple):
    """A problem with states to start from; whether it `is_given`, one of the training problems."""

    task: Task
    starts: list[int]
    is_given: bool = False

    def counts(self, start: int, *, walks: bool) -> bool:
        """Whether a failure from a start counts: from initial states, and after `walks` if given.

        A state after a walk in a variation may be one that no problem of the domain comes to.
        """
        return start == self.task.space.initial or (walks and self.is_given)


class _Tests(NamedTuple):
    """The problems of a test suite.

    `trials` must be solved: all training problems as listed and shuffled. On `perturbed` ones, here
    also as the training set `perturbed_set`, a policy may fail, but should not.
    """

    trials: Training
    perturbed: list[_Perturbed]
    perturbed_set: Training

    @property
    def starts(self) -> list[list[int]]:
        """The states to start from in each perturbed problem."""
        return [case.starts for case in self.perturbed]


class Suite:
    """Tests policies on all training problems and on perturbed ones.

    A training problem may need little work, so that a policy passes it that runs in circles where
    there is more to do. Random walks and twins of objects make work.
    """

    def __init__(self, training: Training, seed: int) -> None:
        self.training = training
        self.seed = seed

    # Made when asked for: it takes long, and the journal of a resumed run may have all verdicts.

    @cached_property
    def _tests(self) -> _Tests:
        training, generator = self.training, random.Random(self.seed)
        copies = max(_LEAST_SHUFFLES, _SHUFFLED_TESTS // len(training))
        shuffles = [
            training.task(shuffled(task.problem, generator))
            for _ in range(copies)
            for task in training.tasks
        ]
        perturbed: list[_Perturbed] = []
        states: list[State] = []
        for task in training.tasks:
            training.budget.check()
            walks = [states_of_walk(task.space, _WALK_STEPS, generator) for _ in range(_WALKS)]
            perturbed.append(_Perturbed(task, [walk[-1] for walk in walks], is_given=True))
            states += [task.atoms(state) for walk in walks for state in walk[::_LOOK_EVERY]]
        for recipe, task in self._varied(states, generator):
            training.budget.check()
            starts = [task.space.initial]
            # With twins there is work enough from the start.
            if not recipe.twins:
                starts.append(random_walk(task.space, _WALK_STEPS, generator))
            perturbed.append(_Perturbed(task, starts))
        perturbed += [_Perturbed(task, [task.space.initial]) for task in self._longer()]
        return _Tests(
            self._training([*training.tasks, *shuffles]),
            perturbed,
            self._training([case.task for case in perturbed]),
        )

    def _varied(
        self, states: Sequence[State], generator: random.Random
    ) -> list[tuple[_Recipe, Task]]:
        """Variations of the problems; twins only in the smaller half, so that they stay small."""
        problems = [task.problem for task in self.training.tasks]
        variations = Variations(problems, states)
        small = [problems[i] for i in smaller_half(self.training)]
        varied = []
        for turn, recipes in zip(range(_VARIATION_ROUNDS), cycle(_ROUNDS), strict=False):
            for recipe in recipes:
                source = small if recipe.twins else problems
                problem = variations.vary(source[turn % len(source)], generator, **recipe._asdict())
                varied.append((recipe, self.training.task(problem)))
        return varied

    def _longer(self) -> list[Task]:
        """Problems with longer paths, if the domain has maps: made of those of middle size on."""
        problems = [task.problem for task in self.training.tasks]
        longer_paths = LongerPaths(problems)
        if not longer_paths:
            return []
        generator = random.Random(self.seed)
        larger = _by_size(self.training)[len(problems) // 2 :]
        return [
            self.training.task(longer_paths.subdivided(problems[place], generator))
            for _, place in zip(range(_LONGER), cycle(larger), strict=False)
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

    def test(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy; perturbed problems are tried once all others are solved."""

        def verdict() -> Verdict:
            tests = self._tests
            steps = tests.trials.solved_steps(policy, MAX_STEPS)
            unsolved = steps.count(None)
            failed = 0 if unsolved else len(self._failures(policy))
            size = self.training.book.policy_size(policy)
            return Verdict(unsolved, failed, size, sum(s for s in steps if s is not None))

        shape = list_of(Whole(), len(Verdict._fields))
        return Verdict(*self.training.budget.journal.once("verdict", shape, verdict))

    def _failures(self, policy: PolicyKey) -> list[tuple[int, int]]:
        """The places of perturbed problems, each with a start from which the policy fails."""
        tests = self._tests
        return tests.perturbed_set.failures_from(policy, tests.starts, MAX_STEPS)

    def accepts(self, result: Result, *, walks: bool = True) -> bool:
        """Whether a policy solves all problems, and every perturbed one that a planner solves.

        A perturbed problem is known to have a solution if A* finds a plan. Without `walks` only
        initial states count, which look like problems of the domain.
        """
        if result.verdict.unsolved > 0 or result.verdict.failed_perturbed == 0:
            return result.verdict.unsolved == 0

        def passed() -> bool:
            tests = self._tests
            return not any(
                tests.perturbed_set.is_solvable(place, start, result.policy)
                for place, start in self._failures(result.policy)
                if tests.perturbed[place].counts(start, walks=walks)
            )

        return bool(self.training.budget.journal.once("trust", Flag(), passed))

    def without_idle_rules(
        self, policy: PolicyKey, *, walks: bool, locked: PolicyKey = ()
    ) -> PolicyKey:
        """The policy without the rules that never act on the problems, with or without walks.

        Locked rules stay in any case.
        """
        shape = ListOf(Whole(0, len(policy) - 1), increasing=True)
        acting = self.training.budget.journal.once(
            "acting", shape, lambda: self._acting(policy, walks)
        )
        return tuple(
            policy[place] for place in sorted({*acting, *(locked_places(policy, locked) or ())})
        )

    def _acting(self, policy: PolicyKey, walks: bool) -> list[int]:
        """The places of the rules that act."""
        acting: set[int] = set()
        tests, budget = self._tests, self.training.budget
        starts = [(task.space, task.space.initial) for task in tests.trials.tasks]
        if walks:
            starts += [
                (case.task.space, state) for case in tests.perturbed for state in case.starts
            ]
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


class StrictSuite(Suite):
    """A test suite in which random starts (`random_starts`) count like problems."""

    def test(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy; a random start from which it fails is an unsolved problem."""
        verdict = super().test(policy)
        if verdict.unsolved == 0 and self._random_starts is not None:
            failed = self._random_starts.solved_steps(policy, MAX_STEPS).count(None)
            return verdict._replace(unsolved=failed)
        return verdict

    @cached_property
    def _random_starts(self) -> Training | None:
        training = self.training
        tasks = random_starts(training, self.seed)
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
