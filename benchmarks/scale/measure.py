"""One problem, one executor, one process: so that the peak of memory is this case's own.

Started by the benchmark as `python -m benchmarks.scale.measure pg3|pymimir DOMAIN PROBLEM POLICY`;
prints the result as JSON. One core: the executor uses one thread.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.native_output import native_output_hidden
from pg3 import Task, _native, read_domain, read_policy, read_problem, validate
from pg3.semantics.validation import validate_codes

if TYPE_CHECKING:
    from pg3.pddl import Problem
    from pg3.policy import DecisionList

# An execution that has not ended by then is reported as it is.
SECONDS = 120.0

# Steps are deterministic, so a step's time is the shortest of three executions: what differs from
# one to the next is the machine. A small problem takes milliseconds: its executions only count once
# the processor has been busy for a while. A long execution is done once.
COUNTED_EXECUTIONS, MOST_EXECUTIONS = 3, 100
WARM_SECONDS = 1.0
REPEAT_BELOW_SECONDS = 5.0

# pymimir takes up to seconds a step.
PYMIMIR_STEPS = 30


class Run(NamedTuple):
    """What carrying out a policy took; times of steps in microseconds.

    `prepare` is the building of indexes before the first step, `total` everything from the files
    to the validated plan, executed once, `opening` the median of as many first steps as pymimir is
    given. `mean` is processor time, `prepare` included, of the shortest execution: little disturbed
    by what else the machine does, and it counts the few steps that take long.
    """

    status: str
    valid: bool
    objects: int
    steps: int
    load: float
    prepare: float
    validation: float
    total: float
    median: float
    mean: float
    opening: float
    percentile_99: float
    longest: float
    megabytes: float


class RivalRun(NamedTuple):
    """The median time, in microseconds, of the first steps in pymimir, and how many these are."""

    steps: int
    median: float
    megabytes: float


def measure(domain_file: Path, problem_file: Path, policy_file: Path) -> Run:
    """Load, execute and validate with pg3."""
    start = time.perf_counter()
    domain = read_domain(domain_file)
    problem = read_problem(problem_file, domain)
    policy = read_policy(policy_file, domain)
    load = time.perf_counter() - start

    began = time.perf_counter()
    task = Task(problem)
    rules = task.rule_numbers(policy)
    times: list[array[int]] = []
    seconds: list[float] = []
    busy: list[float] = []
    while not seconds or (
        len(seconds) < MOST_EXECUTIONS
        and seconds[-1] < REPEAT_BELOW_SECONDS
        and (len(seconds) < COUNTED_EXECUTIONS or sum(seconds) < WARM_SECONDS)
    ):
        busy_before = time.process_time()
        status, steps, codes, *_, nanoseconds = _native.execute(
            task.native, task.rules, rules, None, SECONDS, None, time_steps=True
        )
        busy.append(time.process_time() - busy_before)
        seconds.append(time.perf_counter() - began)
        times = [*times[1 - COUNTED_EXECUTIONS :], array("q", nanoseconds)]
        if len(seconds) == 1:
            prepare = seconds[0] - sum(times[0]) / 1e9
        began = time.perf_counter()
    shortest = [min(step) for step in zip(*times, strict=True)]

    began = time.perf_counter()
    # The slow validator looks at the whole state for each conditional effect and each number.
    is_plain = not any(action.conditional or action.numeric for action in problem.domain.actions)
    valid = bool(
        validate(problem, task.decode_plan(codes)) if is_plain else validate_codes(task, codes)
    )
    validation = time.perf_counter() - began
    ordered = sorted(shortest)
    return Run(
        status=status,
        valid=valid,
        objects=len(problem.objects),
        steps=steps,
        load=load,
        prepare=prepare,
        validation=validation,
        total=load + seconds[0] + validation,
        median=statistics.median(ordered) / 1e3,
        mean=min(busy) / max(steps, 1) * 1e6,
        opening=statistics.median(shortest[:PYMIMIR_STEPS]) / 1e3,
        percentile_99=ordered[len(ordered) * 99 // 100] / 1e3,
        longest=ordered[-1] / 1e3,
        megabytes=_peak(),
    )


def measure_rival(domain_file: Path, problem_file: Path, policy_file: Path) -> RivalRun:
    """Execute the first steps with pymimir."""
    from benchmarks.scale.rivals import carry_out  # noqa: PLC0415

    problem, policy = _read(domain_file, problem_file, policy_file)
    with native_output_hidden():
        run = carry_out(problem, policy, problem_file.parent, PYMIMIR_STEPS)
    return RivalRun(len(run.seconds), statistics.median(run.seconds) * 1e6, _peak())


def in_own_process(executor: str, domain: Path, problem: Path, policy: Path) -> str:
    """The JSON that `executor` ("pg3" or "pymimir") prints about a problem."""
    command = [sys.executable, "-m", "benchmarks.scale.measure", executor]
    done = subprocess.run(
        [*command, str(domain), str(problem), str(policy)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return done.stdout


def _read(domain_file: Path, problem_file: Path, policy_file: Path) -> tuple[Problem, DecisionList]:
    domain = read_domain(domain_file)
    return read_problem(problem_file, domain), read_policy(policy_file, domain)


def _peak() -> float:
    # Not getrusage: a child's ru_maxrss begins with what its parent had when it was started.
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    _files = tuple(map(Path, sys.argv[2:5]))
    _run: Run | RivalRun = (measure if sys.argv[1] == "pg3" else measure_rival)(*_files)
    print(json.dumps(_run._asdict()))
