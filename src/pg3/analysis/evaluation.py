"""How well a policy does: run on many problem files, one line of facts for each."""

from __future__ import annotations

import json
import time
import warnings
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.references import quality
from pg3.errors import Pg3Error
from pg3.pddl import read_problem
from pg3.planning import ExecutionStatus, Limits, execute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pg3.analysis.references import References
    from pg3.pddl import Domain, Problem
    from pg3.policy import DecisionList

# The status of a problem file that cannot be read; all others are `ExecutionStatus`.
ERROR = "error"


@dataclass(frozen=True, slots=True)
class EvaluationLine:
    """What came of one problem file.

    `steps` are the actions done, also where the policy failed; `seconds` is the time of the
    execution alone. They and `objects` (constants included) are None where the file could not be
    read: the status is then "error". `reason` is there on failure only. Where there is a reference
    cost, `quality` is the score next to it: 0 for what is not solved. `cost` is there with it.
    """

    path: str
    status: str
    steps: int | None
    seconds: float | None
    load_seconds: float
    objects: int | None
    reason: str | None = None
    cost: int | None = None
    reference: int | None = None
    quality: float | None = None

    @property
    def solved(self) -> bool:
        """Whether the policy reached the goal."""
        return self.status == ExecutionStatus.SOLVED

    def to_json(self) -> str:
        """One JSON object without line breaks; what only some lines have is left out elsewhere."""
        fields = asdict(self)
        for name in ("reason", "cost", "reference", "quality"):
            if fields[name] is None:
                del fields[name]
        return json.dumps(fields)


def evaluate_policy(
    domain: Domain,
    paths: Iterable[str | Path],
    policy: DecisionList,
    *,
    max_steps: int | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
    references: References | None = None,
) -> Iterator[EvaluationLine]:
    """The outcome of the policy on each problem file, in the order of `paths`.

    A file that cannot be read gives a line with status "error", and the others still get theirs.
    `jobs` executions run at the same time (the kernel releases Python's lock); apart from the
    times, neither the lines nor the warnings about a file before its line depend on it.
    """

    def run(path: str, problem: Problem, load_seconds: float) -> EvaluationLine:
        execution = execute(problem, policy, max_steps=max_steps, limits=limits or Limits())
        reference = None if references is None else references.cost(path, problem)
        cost = score = None
        if reference is not None:
            cost = execution.check().cost if execution.solved else None
            score = 0.0 if cost is None else quality(cost, reference)
        return EvaluationLine(
            path,
            str(execution.status),
            execution.steps,
            execution.seconds,
            load_seconds,
            len(problem.all_objects),
            execution.reason,
            cost,
            reference,
            score,
        )

    pool = ThreadPoolExecutor(jobs)
    pending: deque[_Pending] = deque()
    try:
        # Reading stays in this thread: it holds Python's lock anyway.
        for path in paths:
            start = time.perf_counter()
            line: Future[EvaluationLine]
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    problem = read_problem(path, domain)
                except Pg3Error as error:
                    seconds = time.perf_counter() - start
                    line = Future()
                    line.set_result(
                        EvaluationLine(str(path), ERROR, None, None, seconds, None, str(error))
                    )
                else:
                    line = pool.submit(run, str(path), problem, time.perf_counter() - start)
                    # Problems can be large: only those that are being run stay in memory.
                    del problem
            pending.append(_Pending(caught, line))
            while pending and (len(pending) > jobs or pending[0].line.done()):
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Pending(NamedTuple):
    """A file that has been read: what the reader warned of, and its line to come."""

    caught: list[warnings.WarningMessage]
    line: Future[EvaluationLine]

    def result(self) -> EvaluationLine:
        line = self.line.result()
        for warning in self.caught:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
        return line
