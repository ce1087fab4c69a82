"""How well a policy does: run on many problem files, one line of facts for each."""

from __future__ import annotations

import json
import time
import warnings
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.analysis.references import quality
from pg3.errors import Pg3Error, whole_number
from pg3.pddl import Problem
from pg3.pddl.given import as_domain, as_problem, as_sources
from pg3.planning import ExecutionStatus, Limits, execute
from pg3.planning.limits import as_limits
from pg3.policy import DecisionList, as_policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pg3.analysis.references import References
    from pg3.pddl import Domain
    from pg3.pddl.given import DomainLike, ProblemLike, ProblemsLike
    from pg3.policy.files import PolicyLike

# The status of a problem file that cannot be read; all others are `ExecutionStatus`.
ERROR = "error"


@dataclass(frozen=True, slots=True)
class EvaluationLine:
    """The result on one problem file.

    `steps` are the actions done, also where the policy failed; `seconds` is the time of the
    execution alone. They and `objects` (constants included) are None where the file could not be
    read: the status is then "error". `reason` is there on failure only. Where there is a reference
    cost, `quality` is the score next to it: 0 for what is not solved. `cost` is there with it.
    `no_rule_applied` says which of its two meanings the status "not applicable" has.
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
    no_rule_applied: bool = False

    @property
    def solved(self) -> bool:
        """Whether the policy reached the goal."""
        return self.status == ExecutionStatus.SOLVED

    def values(self) -> dict[str, Any]:
        """The facts by name; whether a rule applied is in the reason already."""
        fields = asdict(self)
        del fields["no_rule_applied"]
        return fields

    def to_json(self) -> str:
        """One JSON object without line breaks; what only some lines have is left out elsewhere."""
        fields = self.values()
        for name in ("reason", "cost", "reference", "quality"):
            if fields[name] is None:
                del fields[name]
        return json.dumps(fields)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How a policy did on problems, one line each."""

    lines: tuple[EvaluationLine, ...]

    @property
    def solved(self) -> int:
        """How many problems were solved."""
        return sum(line.solved for line in self.lines)

    @property
    def rate(self) -> float:
        """The share of the problems that were solved."""
        return self.solved / len(self.lines)

    @property
    def failed(self) -> tuple[EvaluationLine, ...]:
        """The lines of the problems that were not solved."""
        return tuple(line for line in self.lines if not line.solved)

    def __str__(self) -> str:
        total = len(self.lines)
        return f"solved {self.solved}/{total} ({rounded_rate(self.solved, total)})"

    def __repr__(self) -> str:
        return f"<evaluation: {self}>"


def rounded_rate(number: int, total: int) -> str:
    """The share with two digits; 1.00 and 0.00 are for all and none of them only."""
    hundredths = (200 * number + total) // (2 * total)
    if 0 < number < total:
        hundredths = min(max(hundredths, 1), 99)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def evaluate(
    problems: ProblemsLike,
    policy: PolicyLike,
    *,
    domain: DomainLike | None = None,
    max_steps: int | None = None,
    limits: Limits = Limits(),
    jobs: int = 1,
) -> Evaluation:
    """Run a policy on problems, which may be paths; a folder stands for all problems in it.

    A file that cannot be read gives a line with status "error". Without a domain it is the
    policy's, or that of the first problem.
    """
    sources = as_sources(problems)
    if not sources:
        raise Pg3Error("no problems: an evaluation needs at least one")
    if domain is None and isinstance(policy, DecisionList):
        domain = policy.domain
    own = as_problem(sources[0]).domain if domain is None else as_domain(domain)
    policy = as_policy(policy, own)
    as_limits(limits)
    if max_steps is not None:
        whole_number("max_steps", max_steps)
    jobs = whole_number("jobs", jobs, 1)
    lines = evaluate_policy(own, sources, policy, max_steps=max_steps, limits=limits, jobs=jobs)
    return Evaluation(tuple(lines))


def evaluate_policy(
    domain: Domain,
    paths: Iterable[ProblemLike],
    policy: DecisionList,
    *,
    max_steps: int | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
    references: References | None = None,
) -> Iterator[EvaluationLine]:
    """The outcome of the policy on each problem or problem file, in their order.

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
            execution.no_rule_applied,
        )

    pool = ThreadPoolExecutor(jobs)
    pending: deque[_Pending] = deque()
    try:
        # Reading stays in this thread: it holds Python's lock anyway.
        for given in paths:
            path = given.name if isinstance(given, Problem) else str(given)
            start = time.perf_counter()
            line: Future[EvaluationLine]
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    problem = as_problem(given, domain)
                except Pg3Error as error:
                    seconds = time.perf_counter() - start
                    line = Future()
                    line.set_result(
                        EvaluationLine(path, ERROR, None, None, seconds, None, str(error))
                    )
                else:
                    line = pool.submit(run, path, problem, time.perf_counter() - start)
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
