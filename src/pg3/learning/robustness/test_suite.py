"""The test suite for policies: problems made from those that a policy is learned from.

A policy can be perfect by luck on the problems that it was learned from. So it is tested on them as
they are listed and with their objects in other orders, and on perturbed problems: variations
(`variations`), longer paths (`longer_paths`), larger problems (`growing`), and random starts.

A failure on a perturbed problem counts only if a planner solves the problem, alone or with the
policy's guidance: nobody says that a perturbed problem has a solution. Then it is a counterexample.
"""

from __future__ import annotations

import random
from functools import cached_property
from itertools import cycle
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.regression.problems import is_solvable_goal_by_goal
from pg3.learning.robustness.generalising import Generaliser
from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.longer_paths import LongerPaths
from pg3.learning.robustness.permutations import shuffled
from pg3.learning.robustness.random_starts import random_walk, started_from, states_of_walk
from pg3.learning.robustness.trials import Trials, trials_of
from pg3.learning.robustness.variations import Variations
from pg3.learning.robustness.verdicts import Verdict
from pg3.learning.training import MAX_STEPS, Training
from pg3.planning import Limits, execute
from pg3.storage.schema import Flag, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.pddl.model import Problem
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import State, Task

# Tests with shuffled objects: about so many in all, and at least so many a problem.
_SHUFFLED_TESTS, _LEAST_SHUFFLES = 60, 4

# Problems with longer paths, where the domain has maps. Few: new places make them large.
_LONGER = 4

# Grown problems in a batch, and how many times the objects they have.
_GROWN, _GROWTH = 12, (1.5, 2.0, 3.0, 5.0)

# So many failed tests are added at once to those by which a policy is generalised.
_ADDED = 5

# So many batches in a row must show no difference, and one more for every so many rules of the
# policy, each of which is there for some case; there are so many batches at most.
_QUIET, _RULES_A_BATCH, _MOST_BATCHES = 2, 20, 50

# Problems are made from those of the user that have at most so many times the size of given ones.
_SOURCES = 2

# Larger ones yet, on which a policy is executed without grounding them.
_LARGER, _MUCH_LARGER = 20, (3.0, 5.0)

# Random walks from each problem's start, and their length.
_WALKS, _WALK_STEPS = 4, 50

# Every so many states of a walk show which facts are never true together; states in between add
# little, since an action changes few facts.
_LOOK_EVERY = 5

# Random starts do not count if a planner fails on more than 1 in so many of them: a policy need not
# leave a dead end that it does not enter.
_UNFAIR = 10


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


class Suite:
    """Tests policies on problems to learn from and on perturbed ones.

    `given` are the problems from which others are made. What is common to all problems of the user
    is looked up in `known`.
    """

    def __init__(self, given: Training, known: Sequence[Problem], seed: int) -> None:
        self.given = given
        self.budget = given.budget
        self._known = known
        self._seed = seed
        self._batches: list[Sequence[Task]] = [given.tasks]
        self._shuffles: list[list[Task]] = []
        self._batches_made: dict[int, list[Problem]] = {}
        self._random: set[Task] = set()
        self._solvable: dict[Task, bool] = {}
        largest = max(size_of(task.problem) for task in given.tasks)[0]
        self._sources = [p for p in known if size_of(p)[0] <= _SOURCES * largest]

    def add(self, tasks: Sequence[Task]) -> None:
        """Let policies be tested on further problems, too."""
        self._batches.append(tasks)
        for made in ("trials", "problems"):
            vars(self).pop(made, None)

    def generalised(self, policy: PolicyKey, locked: PolicyKey) -> PolicyKey:
        """The policy, as general as the suite allows.

        Few tests tell what can go and what cannot. So the policy is generalised with those on the
        problems to learn from, and wherever it then fails, that test is added. Larger problems are
        made until several batches in a row show no failure.
        """
        generaliser = Generaliser(self.given.book, policy, locked)
        trials = Trials(self.budget)
        tests = trials_of(self.problems, policy, MAX_STEPS)
        trials.add(tests[: len(self.given)])
        general = generaliser.generalised(trials)
        quiet = batch = 0
        while True:
            failed = [test for test in tests if not test.is_passed(general)][:_ADDED]
            if failed:
                trials.add(failed)
                general = generaliser.generalised(trials)
                continue
            quiet, batch = quiet + 1, batch + 1
            if batch == _MOST_BATCHES or quiet > _QUIET + len(policy) // _RULES_A_BATCH:
                return general
            lost = self._lost(general, policy, batch)
            if lost:
                self._add_grown(lost)
                tests += trials_of(self._training(lost), policy, MAX_STEPS)
                quiet = 0

    def _lost(self, general: PolicyKey, policy: PolicyKey, batch: int) -> list[Task]:
        """The grown problems of a batch that a policy solves and its generalisation does not."""
        failed = [problem for problem in self._batch(batch) if not self._solves(general, problem)]
        # What is grounded takes memory and time: as few as possible are.
        return [self._task(problem) for problem in failed if self._solves(policy, problem)]

    def _solves(self, policy: PolicyKey, problem: Problem) -> bool:
        """Whether a policy solves a problem, which is not grounded for it."""
        self.budget.check()
        seconds, megabytes = self.budget.limits
        book = self.given.book
        rules = book.policy(policy, book.domain.name)
        limits = Limits(seconds=seconds, megabytes=megabytes)
        done = execute(problem, rules, max_steps=MAX_STEPS, limits=limits)
        self.budget.checked(done.status)
        return done.solved

    def _batch(self, batch: int) -> list[Problem]:
        """A batch of grown problems."""
        if batch not in self._batches_made:
            generator = random.Random(f"grown {self._seed} {batch}")
            larger = self._larger_ones(_GROWN, _GROWTH, generator)
            self._batches_made[batch] = list(larger)
        return self._batches_made[batch]

    def _add_grown(self, tasks: Sequence[Task]) -> None:
        self._grown += tasks
        for made in ("perturbed", "problems"):
            vars(self).pop(made, None)

    # Made when asked for: it takes long, and the journal of a resumed run may have all verdicts.
    # Each part has a generator of its own, so that it is the same whatever is asked for first.

    @cached_property
    def trials(self) -> Training:
        """What a policy must solve: the problems to learn from, as they are, then shuffled."""
        for number, batch in enumerate(self._batches[len(self._shuffles) :], len(self._shuffles)):
            generator = random.Random(f"shuffles {self._seed} {number}")
            copies = 0 if number else _SHUFFLED_TESTS // len(batch)
            self._shuffles.append(
                [
                    self.given.task(shuffled(task.problem, generator))
                    for _ in range(max(_LEAST_SHUFFLES, copies))
                    for task in batch
                ]
            )
        return self._training([task for some in (*self._batches, *self._shuffles) for task in some])

    @cached_property
    def perturbed(self) -> Training:
        """What a policy should solve, if it has a solution."""
        return self._training([*self._varied, *self._grown, *self._random_starts])

    @cached_property
    def problems(self) -> Training:
        """All problems of the suite."""
        return self._training([*self.trials.tasks, *self.perturbed.tasks])

    @cached_property
    def larger(self) -> list[Problem]:
        """Problems that are larger than those of the suite, some of them too large for searches."""
        generator = random.Random(f"larger {self._seed}")
        return list(self._larger_ones(_LARGER, _MUCH_LARGER, generator))

    @cached_property
    def _varied(self) -> list[Task]:
        return [self._task(problem) for problem in self._variations()]

    @cached_property
    def _grown(self) -> list[Task]:
        """Grown problems that belong to the suite; others are added where they show something."""
        return [self._task(problem) for problem in self._batch(0)]

    @cached_property
    def _random_starts(self) -> list[Task]:
        """Given and grown problems that begin where a random walk has ended."""
        generator = random.Random(f"starts {self._seed}")
        walks = zip(self.given.tasks, self._walks, strict=True)
        ends = [(task, walk[-1]) for task, some in walks for walk in some]
        grown = self._grown[:_GROWN]
        ends += [(task, random_walk(task.space, _WALK_STEPS, generator)) for task in grown]
        return self._started(ends)

    def _started(self, ends: Sequence[tuple[Task, int]]) -> list[Task]:
        tasks = [self._task(started_from(task.problem, task.atoms(end))) for task, end in ends]
        self._random.update(tasks)
        return tasks

    @cached_property
    def _walks(self) -> list[list[list[int]]]:
        """Random walks from the start of each given problem."""
        generator = random.Random(f"walks {self._seed}")
        return [
            [states_of_walk(task.space, _WALK_STEPS, generator) for _ in range(_WALKS)]
            for task in self.given.tasks
        ]

    @cached_property
    def _states(self) -> list[State]:
        """States of the given problems, from which is seen what they have in common."""
        return [
            task.atoms(state)
            for task, walks in zip(self.given.tasks, self._walks, strict=True)
            for walk in walks
            for state in walk[::_LOOK_EVERY]
        ]

    @cached_property
    def _grower(self) -> Grower:
        return Grower(self._known, self._states)

    def _larger_ones(
        self, number: int, growth: Sequence[float], generator: random.Random
    ) -> Iterator[Problem]:
        for _, times in zip(range(number), cycle(growth), strict=False):
            grown = self._grower.grow(generator.choice(self._sources), generator, times=times)
            if grown is not None:
                yield grown

    def _variations(self) -> Iterator[Problem]:
        generator = random.Random(f"variations {self._seed}")
        problems = generator.sample(self._sources, min(len(self._sources), _VARIATION_ROUNDS))
        problems.sort(key=size_of)
        variations = Variations(self._known, self._states)
        for turn, recipes in zip(range(_VARIATION_ROUNDS), cycle(_ROUNDS), strict=False):
            for recipe in recipes:
                problem = problems[turn % len(problems)]
                yield variations.vary(problem, generator, **recipe._asdict())
        longer_paths = LongerPaths(self._known)
        if longer_paths:
            larger = problems[len(problems) // 2 :]
            for _, problem in zip(range(_LONGER), cycle(larger), strict=False):
                yield longer_paths.subdivided(problem, generator)

    def _task(self, problem: Problem) -> Task:
        self.budget.check()
        return self.given.task(problem)

    def _training(self, tasks: Sequence[Task]) -> Training:
        given = self.given
        return Training(
            tasks,
            book=given.book,
            expansions=given.expansions,
            jobs=given.jobs,
            budget=given.budget,
            any_plan=True,
        )

    def test(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy; perturbed problems are tried once all others are solved."""

        def verdict() -> Verdict:
            steps = self.trials.solved_steps(policy, MAX_STEPS)
            unsolved = steps.count(None)
            failed = 0 if unsolved else len(self._failed(policy))
            size = self.given.book.policy_size(policy)
            return Verdict(unsolved, failed, size, sum(s for s in steps if s is not None))

        shape = list_of(Whole(), len(Verdict._fields))
        return Verdict(*self.budget.journal.once("verdict", shape, verdict))

    def accepts(self, policy: PolicyKey, verdict: Verdict) -> bool:
        """Whether a policy with this verdict has no counterexample in the suite."""
        if verdict.unsolved > 0 or verdict.failed_perturbed == 0:
            return verdict.unsolved == 0

        def passed() -> bool:
            return not any(self._counts(place, policy) for place in self._failed(policy))

        return bool(self.budget.journal.once("trust", Flag(), passed))

    def counterexamples(self, policy: PolicyKey, number: int) -> list[Problem]:
        """The smallest problems of the suite, at most so many, that the policy should solve.

        Random starts come last: they are less like the problems of the user.
        """
        to_learn_from = sum(map(len, self._batches))
        steps = self.trials.solved_steps(policy, MAX_STEPS)
        shuffles = zip(self.trials.tasks[to_learn_from:], steps[to_learn_from:], strict=True)
        found = sorted((task.problem for task, taken in shuffles if taken is None), key=size_of)
        for place in self._failed(policy):
            if len(found) >= number:
                break
            if self._counts(place, policy):
                found.append(self.perturbed.tasks[place].problem)
        return found[:number]

    def _failed(self, policy: PolicyKey) -> list[int]:
        """The places of perturbed problems that a policy fails, the smallest first."""
        tasks, steps = self.perturbed.tasks, self.perturbed.solved_steps(policy, MAX_STEPS)
        return sorted(
            (place for place, taken in enumerate(steps) if taken is None),
            key=lambda i: (tasks[i] in self._random, *size_of(tasks[i].problem), i),
        )

    def _counts(self, place: int, policy: PolicyKey) -> bool:
        """Whether a failure counts: a planner finds a plan, alone or with the policy's guidance."""
        task = self.perturbed.tasks[place]
        if task in self._random and not self._fair_starts:
            return False
        return self._is_solvable(task) or self.perturbed.is_solvable(
            place, task.space.initial, policy
        )

    def _is_solvable(self, task: Task) -> bool:
        known = self._solvable.get(task)
        if known is None:
            known = self._training([task]).is_solvable(0, task.space.initial)
            known = known or is_solvable_goal_by_goal(task, self.given)
            self._solvable[task] = known
        return known

    @cached_property
    def _fair_starts(self) -> bool:
        """Whether a planner finds its way from nearly all random starts of given problems."""
        starts = self._random_starts[: _WALKS * len(self.given)]
        unsolved = sum(not self._is_solvable(task) for task in starts)
        return unsolved * _UNFAIR <= len(starts)


def size_of(problem: Problem) -> tuple[int, int]:
    """How large a problem is: objects and goals together, then facts."""
    return len(problem.all_objects) + len(problem.goal), len(problem.init)
