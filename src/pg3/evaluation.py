"""How well a policy does: run on many problem files, one line of facts for each."""

from __future__ import annotations

import json
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.pddl import read_problem
from pg3.planning import ExecutionStatus, Limits, execute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from pg3.pddl import Domain, Problem
    from pg3.policy import DecisionList

# The status of a problem file that cannot be read; all others are `ExecutionStatus`.
ERROR = "error"


@dataclass(frozen=True, slots=True)
class EvaluationLine:
    """What came of one problem file.

    `steps` are the actions done, also where the policy failed; `seconds` is the time of the
    execution alone. They and `objects` (constants included) are None where the file could not be
    read: the status is then "error". `reason` is there on failure only.
    """

    path: str
    status: str
    steps: int | None
    seconds: float | None
    load_seconds: float
    objects: int | None
    reason: str | None = None

    @property
    def solved(self) -> bool:
        """Whether the policy reached the goal."""
        return self.status == ExecutionStatus.SOLVED

    def to_json(self) -> str:
        """One JSON object without line breaks; `reason` is left out where there is none."""
        fields = asdict(self)
        if self.reason is None:
            del fields["reason"]
        return json.dumps(fields)


def evaluate_policy(
    domain: Domain,
    paths: Iterable[str | Path],
    policy: DecisionList,
    *,
    max_steps: int | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
) -> Iterator[EvaluationLine]:
    """The outcome of the policy on each problem file, in the order of `paths`.

    A file that cannot be read gives a line with status "error", and the others still get theirs.
    `jobs` executions run at the same time (the kernel releases Python's lock); apart from the
    times, the lines do not depend on it.
    """

    def run(path: str, problem: Problem, load_seconds: float) -> EvaluationLine:
        execution = execute(problem, policy, max_steps=max_steps, limits=limits or Limits())
        return EvaluationLine(
            path,
            str(execution.status),
            execution.steps,
            execution.seconds,
            load_seconds,
            len(problem.all_objects),
            execution.reason,
        )

    pool = ThreadPoolExecutor(jobs)
    pending: deque[Future[EvaluationLine] | EvaluationLine] = deque()
    try:
        # Reading stays in this thread: it holds Python's lock, and warnings come in order.
        for path in paths:
            start = time.perf_counter()
            try:
                problem = read_problem(path, domain)
            except Pg3Error as error:
                elapsed = time.perf_counter() - start
                pending.append(
                    EvaluationLine(str(path), ERROR, None, None, elapsed, None, str(error))
                )
            else:
                elapsed = time.perf_counter() - start
                pending.append(pool.submit(run, str(path), problem, elapsed))
                # Problems can be large: no more of them are in memory than there are jobs.
                del problem
            while pending and (len(pending) >= jobs or _is_ready(pending[0])):
                yield _line(pending.popleft())
        while pending:
            yield _line(pending.popleft())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _is_ready(entry: Future[EvaluationLine] | EvaluationLine) -> bool:
    return isinstance(entry, EvaluationLine) or entry.done()


def _line(entry: Future[EvaluationLine] | EvaluationLine) -> EvaluationLine:
    return entry if isinstance(entry, EvaluationLine) else entry.result()
