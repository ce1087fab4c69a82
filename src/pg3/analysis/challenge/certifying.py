"""Checking a policy on all problems of small size, on all states of problems, or on a sample."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pg3
from pg3.analysis.challenge.cases import Kind, generated_cases
from pg3.analysis.challenge.certificate import (
    MOST_FAILURES,
    Certificate,
    Counts,
    FailedStart,
    Hashed,
    Limits,
)
from pg3.analysis.challenge.enumeration import every_problem
from pg3.analysis.challenge.reachable import check_reachable, state_of
from pg3.analysis.challenge.trial import MEGABYTES
from pg3.errors import Pg3Error, pluralize
from pg3.planning import PlanStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.analysis.challenge.certificate import Coverage
    from pg3.analysis.challenge.trial import Trial
    from pg3.domains import BuiltInDomain
    from pg3.errors import Source
    from pg3.pddl import Problem


class Subject(NamedTuple):
    """The problems of a certificate, and where they come from."""

    problems: Sequence[Problem]
    coverage: Coverage
    complete: bool
    generator: str | None = None
    objects: int | None = None
    seed: int | None = None
    files: tuple[Hashed, ...] = ()


def all_of(domain: BuiltInDomain, objects: int, most: int) -> Subject:
    """Every problem of a generator with at most so many objects, up to `most` rounds of choices."""
    problems, complete = every_problem(domain, objects, most)
    if not problems:
        raise Pg3Error(f"{domain.name} has no problem with at most {pluralize(objects, 'object')}")
    return Subject(problems, "all", complete, domain.name, objects)


def sample_of(domain: BuiltInDomain, trial: Trial, number: int, seed: int) -> Subject:
    """Problems of a generator, of growing size."""
    cases = generated_cases(domain, trial, seed=seed, walks=False)
    problems = islice((case.problem for case in cases if case.kind is Kind.AS_IT_IS), number)
    return Subject(list(problems), "sample", True, domain.name, seed=seed)


def given(problems: Sequence[Problem], sources: Sequence[Source]) -> Subject:
    """Problems from files."""
    return Subject(problems, "given", True, files=tuple(map(hashed, sources)))


def hashed(source: Source) -> Hashed:
    """A text by the name of its file and its hash."""
    return Hashed(Path(source.name).name, sha256(source.data).hexdigest())


def certify(
    domain: Hashed,
    policy: Hashed,
    subject: Subject,
    trial: Trial,
    *,
    reachable: bool = False,
    most_problems: int = 10_000,
    most_states: int = 100_000,
    advance: Callable[[], None] = lambda: None,
) -> Certificate:
    """Run the policy on all problems of the subject and count the outcomes.

    With `reachable` from every reachable state, where a problem has at most `most_states` of them.
    The other limits are only recorded: they were applied when the subject was made.
    """
    tally = _Tally(trial, most_states)
    for problem in subject.problems:
        if not (reachable and tally.reachable(problem)):
            tally.initial(problem)
            tally.cut_off += reachable
        advance()
    return Certificate(
        pg3=pg3.__version__,
        domain=domain,
        policy=policy,
        coverage=subject.coverage,
        starts="reachable" if reachable else "initial",
        generator=subject.generator,
        objects=subject.objects,
        seed=subject.seed,
        files=subject.files,
        complete=subject.complete and tally.cut_off == 0,
        limits=Limits(most_problems, most_states, trial.max_steps, trial.expansions),
        counts=tally.counts(len(subject.problems)),
        failures=tuple(tally.failures),
    )


class _Tally:
    """The outcomes of the starts so far."""

    def __init__(self, trial: Trial, most_states: int) -> None:
        self.trial = trial
        self.most_states = most_states
        self.solved = self.failed = self.unsolvable = self.undecided = self.cut_off = 0
        self.failures: list[FailedStart] = []

    def counts(self, problems: int) -> Counts:
        starts = self.solved + self.failed + self.unsolvable + self.undecided
        return Counts(
            problems,
            self.cut_off,
            starts,
            self.solved,
            self.failed,
            self.unsolvable,
            self.undecided,
        )

    def initial(self, problem: Problem) -> None:
        """Count the problem's initial state."""
        execution = self.trial.execute(problem)
        failure = self.trial.failure(execution)
        if execution.solved:
            self.solved += 1
            return
        status = self.trial.search(problem).status
        if status is PlanStatus.UNSOLVABLE:
            self.unsolvable += 1
        elif failure is None or status is not PlanStatus.SOLVED:
            self.undecided += 1
        else:
            self._fail(problem.name, "initial state", failure.reason)

    def reachable(self, problem: Problem) -> bool:
        """Count all states of the problem; False if there are too many."""
        task = self.trial.task(problem)
        if task.ground(megabytes=MEGABYTES) is not None:
            return False
        found = check_reachable(task, self.trial, self.most_states)
        if found is None:
            return False
        self.solved += found.solved
        self.unsolvable += found.unsolvable
        for state in found.failed:
            self._fail(problem.name, state_of(problem, task, state), "the goal is not reached")
        return True

    def _fail(self, problem: str, start: str, reason: str) -> None:
        self.failed += 1
        if len(self.failures) < MOST_FAILURES:
            self.failures.append(FailedStart(problem, start, reason))
