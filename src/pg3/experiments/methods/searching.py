"""Runs that search over policies: one score function of the paper, or the robust preset.

Learning and testing are apart: every policy that was the best for a while is kept with the time at
which it was found, and all of them are tested when learning is over. So the time to a good policy
is learning time alone, as in the paper.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from pg3.experiments.methods.outcomes import Outcome, success
from pg3.experiments.result_line import Best
from pg3.learning.learner import learn
from pg3.learning.policy_search import StopReason
from pg3.planning import execute
from pg3.policy.text import write_policy
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from pg3.experiments.methods.outcomes import Job, Steps
    from pg3.learning.policy_search import Candidate
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey, RuleBook


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


def search(job: Job) -> Outcome:
    """A search over policies, with one score function or by the robust preset."""
    options = job.run.options
    robust = options.preset == "robust"
    found: list[_Found] = []
    books: list[RuleBook] = []

    def observe(_: str, candidate: Candidate, book: RuleBook) -> None:
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
        options.config("pg3" if robust else job.run.method, job.run.seed),
        # The robust preset runs several searches, whose scores cannot be compared.
        observe=None if robust else observe,
    )
    # By the same clock as the bests, none of which can so come after the end.
    seconds = time.perf_counter() - started
    learned = Outcome(
        (None,) * len(job.test),
        learning_seconds=seconds,
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
        bests = [Best(round(seconds, 6), success(steps), result.score, result.candidates)]
    else:
        bests = [
            Best(
                round(best.seconds, 6),
                success(tests.steps(books[0].policy(best.policy, job.domain.name))),
                best.score,
                candidate=best.number,
            )
            for best in found
        ]
    testing = time.perf_counter() - started
    return learned._replace(steps=steps, testing_seconds=testing, bests=tuple(bests))
