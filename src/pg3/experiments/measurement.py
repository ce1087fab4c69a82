"""One run from beginning to end: learn, then test, and the facts as a result line.

Learning and testing are apart: every policy that was the best for a while is kept with the time at
which it was found, and all of them are tested when learning is over. So the time to a good policy
is learning time alone, as in the paper.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import pg3
from pg3.domains import DOMAINS
from pg3.experiments.methods import METHODS, Kind
from pg3.experiments.result_line import Best, ResultLine, Status, Versions
from pg3.learner import learn
from pg3.planning import execute
from pg3.policy.text import write_policy
from pg3.policy_search import StopReason
from pg3.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.experiments.runs import Run
    from pg3.learner import Preset
    from pg3.pddl import Domain, Problem
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.policy_search import Candidate

# Steps on each test problem; None where it was not solved.
Steps = tuple[int | None, ...]

# Told when a part of the run begins: "learning", "testing".
Stage = Callable[[str], None]

# More than the test problems of any run: no two runs share a seed for random actions.
_SEEDS_APART = 1_000_000


@dataclass(frozen=True, slots=True)
class Job:
    """A run with its problems, and what it needs beside them.

    `checkpoint` is where a method that learns for hours may keep what it has, to go on from there.
    """

    run: Run
    domain: Domain
    train: Sequence[Problem]
    test: Sequence[Problem]
    horizon: int
    checkpoint: Path | None
    stage: Stage


class Outcome(NamedTuple):
    """What a method came to; see `ResultLine` for the meaning of the fields."""

    steps: Steps
    learning_seconds: float = 0.0
    testing_seconds: float = 0.0
    candidates: int | None = None
    expansions: int | None = None
    stopped: str | None = None
    training_solved: bool | None = None
    policy: str | None = None
    bests: tuple[Best, ...] = ()
    over_time: bool = False


def perform(
    run: Run, *, checkpoint: Path | None = None, stage: Stage = lambda _: None
) -> ResultLine:
    """Carry out a run, in this process. The same run has the same result, but for times and memory.

    Going over a limit of the run is a result, too. (Memory is looked at in the end; to stop a run
    in time is up to whoever started the process.) Anything else that goes wrong is raised.
    """
    source = DOMAINS[run.domain]
    job = Job(
        run,
        source.domain,
        source.problems("train", seed=run.seed),
        source.problems("test", seed=run.seed),
        source.horizon,
        checkpoint,
        stage,
    )
    outcome = _KINDS[METHODS[run.method]](job)
    line = ResultLine(
        domain=run.domain,
        method=run.method,
        seed=run.seed,
        options=run.options,
        versions=versions(run),
        date=now(),
        status=Status.DONE,
        reason=None,
        train=len(job.train),
        test=len(job.test),
        horizon=job.horizon,
        success=_success(outcome.steps),
        steps=outcome.steps,
        learning_seconds=round(outcome.learning_seconds, 6),
        testing_seconds=round(outcome.testing_seconds, 6),
        candidates=outcome.candidates,
        expansions=outcome.expansions,
        stopped=outcome.stopped,
        training_solved=outcome.training_solved,
        peak_megabytes=peak_megabytes(),
        policy=outcome.policy,
        bests=outcome.bests,
    )
    limits = run.options
    if outcome.over_time and limits.time_limit is not None:
        return _without_success(line, Status.TIME_LIMIT, over_time(limits.time_limit))
    if limits.memory_limit is not None and line.peak_megabytes > limits.memory_limit:
        return _without_success(line, Status.MEMORY_LIMIT, over_memory(limits.memory_limit))
    return line


def failed(
    run: Run, status: Status, reason: str, *, seconds: float, megabytes: float
) -> ResultLine:
    """The line of a run of whose process nothing is left but how it ended."""
    source = DOMAINS[run.domain]
    test = source.splits["test"].count
    return ResultLine(
        domain=run.domain,
        method=run.method,
        seed=run.seed,
        options=run.options,
        versions=versions(run),
        date=now(),
        status=status,
        reason=reason,
        train=source.splits["train"].count,
        test=test,
        horizon=source.horizon,
        success=0.0,
        steps=(None,) * test,
        learning_seconds=round(seconds, 6),
        testing_seconds=0.0,
        candidates=None,
        expansions=None,
        stopped=None,
        training_solved=None,
        peak_megabytes=megabytes,
        policy=None,
        bests=(),
    )


def over_time(limit: float, what: str = "learning") -> str:
    """The reason of a run that takes too long."""
    return f"{what} took more than {limit:g} s"


def over_memory(limit: float) -> str:
    """The reason of a run that takes too much memory."""
    return f"more than {limit:g} MB of memory were needed"


def _without_success(line: ResultLine, status: Status, reason: str) -> ResultLine:
    steps = (None,) * line.test
    return replace(line, status=status, reason=reason, success=0.0, steps=steps, bests=())


# -- searches over policies ------------------------------------------------------------------------


class _Tests:
    """The test problems; a policy is tried on them once, however often it is asked for."""

    def __init__(self, job: Job) -> None:
        self._tasks = [Task(problem) for problem in job.test]
        self._horizon = job.horizon
        self._known: dict[DecisionList, Steps] = {}

    def steps(self, policy: DecisionList) -> Steps:
        """The steps of the policy on each problem."""
        known = self._known.get(policy)
        if known is None:
            done = (execute(task, policy, max_steps=self._horizon) for task in self._tasks)
            known = tuple(execution.steps if execution.solved else None for execution in done)
            self._known[policy] = known
        return known


class _Found(NamedTuple):
    """A policy that was the best of a search so far."""

    seconds: float
    number: int
    score: float
    policy: PolicyKey


def _search(job: Job) -> Outcome:
    """A search over policies, with one score function or by the robust preset."""
    options = job.run.options
    robust = METHODS[job.run.method] is Kind.ROBUST
    assert options.max_candidates is not None
    found: list[_Found] = []
    books: list[RuleBook] = []

    def observe(_search: str, candidate: Candidate, book: RuleBook) -> None:
        if candidate.is_best:
            # Not the search's own clock: it does not count what was done before, like grounding.
            seconds = time.perf_counter() - started
            score = candidate.evaluation.score
            found.append(_Found(seconds, candidate.number, score, candidate.policy))
            books[:] = [book]

    job.stage("learning")
    started = time.perf_counter()
    result = learn(
        job.domain,
        job.train,
        preset=cast("Preset", options.preset),
        score="pg3" if robust else job.run.method,
        seed=job.run.seed,
        max_candidates=options.max_candidates,
        operators=options.operators,
        time_limit=options.time_limit,
        # The robust preset runs several searches, whose scores cannot be compared.
        observe=None if robust else observe,
    )
    learned = Outcome(
        (None,) * len(job.test),
        learning_seconds=result.seconds,
        candidates=result.candidates,
        expansions=result.expansions,
        stopped=result.reason,
        training_solved=result.solved,
        policy=write_policy(result.policy, job.domain),
        over_time=result.reason == StopReason.TIME,
    )
    if learned.over_time:
        return learned
    job.stage("testing")
    started = time.perf_counter()
    tests = _Tests(job)
    steps = tests.steps(result.policy)
    if robust:
        bests = [Best(round(result.seconds, 6), _success(steps), result.score, result.candidates)]
    else:
        bests = [
            Best(
                round(best.seconds, 6),
                _success(tests.steps(books[0].policy(best.policy, job.domain.name))),
                best.score,
                candidate=best.number,
            )
            for best in found
        ]
    seconds = time.perf_counter() - started
    return learned._replace(steps=steps, testing_seconds=seconds, bests=tuple(bests))


# -- baselines -------------------------------------------------------------------------------------


def _random(job: Job) -> Outcome:
    """Random actions: nothing is learned."""
    from pg3.baselines.random_actions import execute_random  # noqa: PLC0415

    job.stage("testing")
    started = time.perf_counter()
    steps = []
    for number, problem in enumerate(job.test):
        seed = job.run.seed * _SEEDS_APART + number
        execution = execute_random(problem, seed=seed, max_steps=job.horizon)
        steps.append(execution.steps if execution.solved else None)
    return Outcome(tuple(steps), testing_seconds=time.perf_counter() - started)


_KINDS: dict[Kind, Callable[[Job], Outcome]] = {
    Kind.PAPER: _search,
    Kind.ROBUST: _search,
    Kind.RANDOM: _random,
}


def _success(steps: Steps) -> float:
    return sum(s is not None for s in steps) / len(steps)


# -- facts about the process -----------------------------------------------------------------------


def versions(run: Run) -> Versions:
    """What a run is made with in this process."""
    system = f"{platform.system()} {platform.machine()}"
    torch = metadata.version("torch") if METHODS[run.method] is Kind.NETWORK else None
    return Versions(pg3.__version__, platform.python_version(), system, torch)


def now() -> str:
    """The time, to the second, everywhere the same."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def peak_megabytes(process: int | str = "self") -> float:
    """The most memory that a process has had so far; 0 if it is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0
