"""The test suite for policies: what a policy must pass before it is handed over.

A policy can be perfect by luck on the problems that it was learned from. So it is tested on them as
they are listed and with their objects in other orders, and on problems made from them
(`made_problems`). A failure on a made problem counts only if a planner solves the problem, alone or
with the policy's guidance. Then it is a counterexample.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.robustness.common_rules import CommonRules
from pg3.learning.robustness.executor import Executor
from pg3.learning.robustness.generalising import Generaliser
from pg3.learning.robustness.perturbations.made_problems import GrownProblem, MadeProblems, size_of
from pg3.learning.robustness.trials import Trials, trials_of
from pg3.learning.robustness.verdicts import Verdict
from pg3.learning.training import MAX_STEPS, Training
from pg3.storage.schema import Flag, ListOf, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pg3.pddl.model import Problem
    from pg3.policy.rule_book import PolicyKey
    from pg3.semantics.task import Task

# Made problems with more ground actions, or that take more megabytes, are not used: a test is to be
# quick.
_MOST_ACTIONS, _MEGABYTES = 20_000, 100.0

# Random starts do not count if a planner fails on more than 1 in so many of them: a policy need not
# leave a dead end that it does not enter.
_UNFAIR = 10

# The share of grown problems, of those with a solution, that a policy must solve to be generalised
# by their means.
_TRUSTED = 0.5

# Of the problems of a batch that a policy fails as it was, so many may become counterexamples.
_FAILED_BY_BOTH = 2

# So many batches of fresh problems tell two policies apart that both pass.
_DISPUTED = 10

# So many failed tests are added at once to those by which a policy is generalised.
_ADDED = 5

# So many batches in a row must show no difference: one more for every so many rules of the policy,
# each of which is there for some case. There are so many batches at most.
_QUIET, _RULES_A_BATCH, _MOST_QUIET, _MOST_BATCHES = 2, 5, 15, 100


class Counterexample(NamedTuple):
    """A problem of the suite that a policy should solve and fails; see `made_problems`."""

    problem: Problem
    is_altered: bool


class Suite:
    """Tests policies on problems to learn from, and on problems made from them."""

    def __init__(self, given: Training, known: Sequence[Problem], seed: int) -> None:
        self.given = given
        self.budget = given.budget
        self.executor = Executor(given.book, given.budget)
        self.made = MadeProblems(given, known, seed)
        self._batches: list[Sequence[Task]] = [given.tasks]
        self._shuffles: list[list[Task]] = []
        self._next_batch = 0
        self._added_problems: set[Problem] = set()
        self._random: set[Task] = set()
        self._solvable: dict[Task, bool] = {}
        self._common = CommonRules(given.book)

    def add(self, tasks: Sequence[Task]) -> None:
        """Let policies be tested on further problems of the user, each added once."""
        if new := self._new(tasks):
            self._batches.append(new)
            self._forget("trials", "_refuting", "problems")

    def add_grown(self, tasks: Sequence[Task]) -> None:
        """Let policies be tested on further grown problems, each added once.

        One that was made for the suite is then tested twice, from other random states.
        """
        self._add_grown(self._new(tasks))

    def _new(self, tasks: Sequence[Task]) -> list[Task]:
        new = [task for task in tasks if task.problem not in self._added_problems]
        self._added_problems.update(task.problem for task in new)
        return new

    def _add_grown(self, tasks: Sequence[Task]) -> None:
        self._grown += tasks
        self._forget("perturbed", "problems")

    def _add_altered(self, tasks: Sequence[Task]) -> None:
        self._altered += tasks
        self._forget("perturbed", "problems")

    def _forget(self, *names: str) -> None:
        for name in names:
            vars(self).pop(name, None)

    @cached_property
    def trials(self) -> Training:
        """What a policy must solve: the problems to learn from, as they are, then shuffled."""
        for number, batch in enumerate(self._batches[len(self._shuffles) :], len(self._shuffles)):
            self._shuffles.append(self._tasks(self.made.shuffled(batch, number)))
        return self._training([task for some in (*self._batches, *self._shuffles) for task in some])

    @cached_property
    def perturbed(self) -> Training:
        """What a policy should solve, if it has a solution: the altered ones come last."""
        return self._training([*self._grown, *self._given_starts, *self._altered])

    @cached_property
    def problems(self) -> Training:
        """All problems of the suite."""
        return self._training([*self.trials.tasks, *self.perturbed.tasks])

    @cached_property
    def _grown(self) -> list[Task]:
        problems = [p for p, is_altered in self.made.batch(0) if not is_altered]
        return self._tasks((*problems, *self.made.longer_paths()))

    @cached_property
    def _altered(self) -> list[Task]:
        redrawn = [p for p, is_altered in self.made.batch(0) if is_altered]
        varied, altered = self._tasks(self.made.variations()), self._tasks(redrawn)
        started = self._tasks(self.made.started_randomly([*self._grown, *altered]))
        self._random.update(started)
        return [*varied, *altered, *started]

    @cached_property
    def _given_starts(self) -> list[Task]:
        tasks = self._tasks(self.made.random_starts())
        self._random.update(tasks)
        return tasks

    def _tasks(self, problems: Iterable[Problem]) -> list[Task]:
        """Ground tasks, without those that are too large."""
        return [task for problem in problems if (task := self._task(problem)) is not None]

    def _task(self, problem: Problem) -> Task | None:
        self.budget.check()
        task = self.given.tasks[0].another(problem)
        seconds, megabytes = self.budget.limits
        limit = task.ground(seconds, _MEGABYTES, megabytes)
        self.budget.check()
        return task if limit is None and task.space.num_actions <= _MOST_ACTIONS else None

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

    def is_refuted(self, policy: PolicyKey) -> bool:
        """Whether a policy fails a problem to learn from, listed or shuffled.

        Or else one like them that is known to have a solution. The first that it fails is enough: a
        search asks for thousands of policies.
        """

        def refuted() -> bool:
            for place, alone in enumerate(self._refuting):
                if alone.solved_steps(policy, MAX_STEPS) == [None]:
                    # Whatever one policy fails the next one often fails, too.
                    self._refuting.insert(0, self._refuting.pop(place))
                    return True
            return False

        return bool(self.budget.journal.once("refuted", Flag(), refuted))

    @cached_property
    def _refuting(self) -> list[Training]:
        """Problems that a policy must solve, one at a time, those that refuted one first."""
        return [self.trials.subset([place]) for place in range(len(self.trials))]

    def test(self, policy: PolicyKey) -> Verdict:
        """The verdict on a policy; made problems are tried once all others are solved."""

        def verdict() -> Verdict:
            steps = self.trials.solved_steps(policy, MAX_STEPS)
            unsolved = steps.count(None)
            failed = 0 if unsolved else len(self._failed(policy))
            size = self.given.book.policy_size(policy)
            return Verdict(unsolved, failed, size, sum(s for s in steps if s is not None))

        shape = list_of(Whole(), len(Verdict._fields))
        return Verdict(*self.budget.journal.once("verdict", shape, verdict))

    def counterexamples(
        self, policy: PolicyKey, number: int, known: Collection[Problem] = ()
    ) -> list[Counterexample]:
        """The smallest problems of the suite, at most so many, that the policy should solve.

        Shuffled problems come first, then grown ones, then altered ones; of each of these the ones
        that are not `known` yet.
        """

        def places() -> list[int]:
            to_learn_from = sum(map(len, self._batches))
            steps = self.trials.solved_steps(policy, MAX_STEPS)
            found = [i for i, taken in enumerate(steps) if taken is None and i >= to_learn_from]
            found = sorted(found, key=lambda i: (size_of(tasks[i].problem), i))[:number]
            for place in sorted(self._failed(policy), key=comes_last):
                if len(found) == number:
                    break
                if self._counts(place, policy):
                    found.append(len(self.trials) + place)
            return found

        def comes_last(place: int) -> tuple[bool, bool]:
            place += len(self.trials)
            return place >= first_altered, tasks[place].problem in known

        tasks = self.problems.tasks
        shape = ListOf(Whole(0, len(tasks) - 1), most=number)
        first_altered = len(tasks) - len(self._altered)
        found = self.budget.journal.once("counterexamples", shape, places)
        for i in found:
            if len(self.trials) <= i < first_altered:
                self._let_refute(i - len(self.trials))
        return [Counterexample(tasks[i].problem, i >= first_altered) for i in found]

    def _let_refute(self, place: int) -> None:
        """Let a made problem refute further policies.

        It has a solution, whatever found it, and a policy must solve it.
        """
        self._refuting.insert(0, self.perturbed.subset([place]))

    def _failed(self, policy: PolicyKey) -> list[int]:
        """The places of made problems that a policy fails: grown, random starts, altered."""
        tasks, steps = self.perturbed.tasks, self.perturbed.solved_steps(policy, MAX_STEPS)
        return sorted(
            (place for place, taken in enumerate(steps) if taken is None),
            key=lambda i: (
                i >= len(tasks) - len(self._altered),
                tasks[i] in self._random,
                *size_of(tasks[i].problem),
                i,
            ),
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
            alone = self._training([task])
            known = self._solvable[task] = alone.is_solvable(0, task.space.initial)
        return known

    @cached_property
    def _fair_starts(self) -> bool:
        """Whether a planner finds its way from nearly all random starts of given problems."""
        unsolved = sum(not self._is_solvable(task) for task in self._given_starts)
        return unsolved * _UNFAIR <= len(self._given_starts)

    def generalised(self, policy: PolicyKey, locked: PolicyKey) -> PolicyKey:
        """The policy, as general as the suite allows.

        Few tests tell what can go and what cannot. So the policy is generalised with those on the
        problems to learn from, and wherever it then fails, that test is added. Larger problems are
        made until several batches in a row show no failure. A policy that fails most of them stays
        as it is: what no test shows cannot be told from what is not needed.
        """
        if not self._is_trusted(policy):
            return policy
        generaliser = Generaliser(self._common, policy, locked)
        trials = Trials(self.budget)
        tests = trials_of(self.problems, policy, MAX_STEPS)
        trials.add(tests[: len(self.given)])
        general = generaliser.generalised(trials)
        of_user = [GrownProblem(problem, is_altered=False) for problem in self.made.sources]
        batches = chain([of_user], self._fresh_batches())
        patience = quiet = min(_QUIET + len(policy) // _RULES_A_BATCH, _MOST_QUIET)
        while True:
            failed = list(islice((t for t in tests if not t.is_passed(general)), _ADDED))
            if failed:
                trials.add(failed)
                general = generaliser.generalised(trials)
                continue
            batch = next(batches, None)
            if quiet == 0 or batch is None:
                return generaliser.with_last_resorts(general)
            lost = self._lost(general, policy, batch)
            tests += trials_of(self._training(lost), policy, MAX_STEPS) if lost else []
            quiet = patience if lost else quiet - 1

    def _is_trusted(self, policy: PolicyKey) -> bool:
        """Whether a policy solves enough of the grown problems that have a solution."""
        tasks = {task.problem: task for task in self._grown}
        solved = failed = 0
        for problem in (one.problem for one in self.made.batch(0) if not one.is_altered):
            if self._solves(policy, problem):
                solved += 1
            elif (task := tasks.get(problem)) is not None and self._is_solvable(task):
                failed += 1
        return solved > 0 and solved >= _TRUSTED * (solved + failed)

    @property
    def num_disputable(self) -> int:
        """How many problems that are like those of the user can be disputed."""
        return sum(not one.is_altered for batch in self._disputable for one in batch)

    @property
    def _disputable(self) -> list[list[GrownProblem]]:
        return [self.made.batch(-number) for number in range(1, _DISPUTED + 1)]

    def disputed(self, policy: PolicyKey, others: Sequence[PolicyKey]) -> list[GrownProblem]:
        """Fresh problems that a policy fails and another one solves, the smallest first."""
        found = [
            one
            for batch in self._disputable
            for one in batch
            if not self._solves(policy, one.problem)
            and any(self._solves(other, one.problem) for other in others)
        ]
        return sorted(found, key=lambda one: size_of(one.problem))

    def _fresh_batches(self) -> Iterator[list[GrownProblem]]:
        """Batches of grown problems that no policy has been tested on."""
        while self._next_batch < _MOST_BATCHES:
            self._next_batch += 1
            yield self.made.batch(self._next_batch)

    def _lost(
        self, general: PolicyKey, policy: PolicyKey, problems: Iterable[GrownProblem]
    ) -> list[Task]:
        """The problems that a policy solves and its generalisation does not.

        They are added to the suite, and so are a few of the smallest that neither of them solves.
        """
        failed = [one for one in problems if not self._solves(general, one[0])]
        # What is grounded takes memory and time: as few as possible are.
        lost = [one for one in failed if self._solves(policy, one[0])]
        others = [one for one in failed if one not in lost]
        others.sort(key=lambda one: size_of(one[0]))
        tasks = self._added(lost)
        self._added(others[:_FAILED_BY_BOTH])
        return tasks

    def _added(self, problems: Iterable[GrownProblem]) -> list[Task]:
        """The tasks of made problems, altered or not, now that they are in the suite."""
        found = [(task, altered) for p, altered in problems if (task := self._task(p)) is not None]
        self._add_grown([task for task, is_altered in found if not is_altered])
        self._add_altered([task for task, is_altered in found if is_altered])
        return [task for task, _ in found]

    def _solves(self, policy: PolicyKey, problem: Problem) -> bool:
        """Whether a policy solves a problem, which is not grounded for it."""
        task = self.given.tasks[0].another(problem)
        return self.executor.steps(task, policy, MAX_STEPS) is not None
