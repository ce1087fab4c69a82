"""Learning in a process of its own, and policies on the test problems."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pg3 import execute, read_domain, read_problem
from pg3.domains.chance import Chance
from pg3.errors import InputWarning
from pg3.learning.robustness.permutations import permuted
from pg3.planning import Limits
from pg3.policy import parse_policy

if TYPE_CHECKING:
    from benchmarks.generality.cases import Case
    from benchmarks.generality.store import Result
    from pg3.pddl import Problem
    from pg3.policy import DecisionList

# A policy that needs longer than this for a test problem has failed.
SECONDS_A_PROBLEM = 60.0

# Learning ends after so long, whatever it has; five times what is promised.
SECONDS_TO_LEARN = 300

SHUFFLES = 5


def learn(case: Case, seed: int, seconds: int = SECONDS_TO_LEARN) -> Result:
    """Run `pg3 learn` with its defaults on one core, for so many seconds at most.

    CPU seconds tell more than those on the clock where others use the machine. `method` is what
    the run says of how the policy was found; `policy` is None if there is none, and `said` why.
    """
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder) / "learned.policy"
        command = [sys.executable, "-m", "pg3", "learn", str(case.domain)]
        command += [*map(str, case.training), "-o", str(policy), "--jobs", "1"]
        command += ["--seed", str(seed), "--time-limit", str(seconds)]
        start = time.perf_counter()
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            said = process.stderr.read().strip()
            # Not by the module: only this call tells what the one process has used.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        text = policy.read_text(encoding="utf-8") if policy.exists() else None
    last = said.splitlines()[-1] if said else ""
    return {
        "seconds": round(time.perf_counter() - start, 2),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "megabytes": round(usage.ru_maxrss / 1024),
        "solved": process.returncode == 0,
        "method": last[last.find("(") + 1 : last.rfind(")")],
        "said": last,
        "objects": _sizes(case),
        "problems": len(case.training),
        "policy": text,
    }


def _sizes(case: Case) -> list[int]:
    """The fewest and the most objects of a training problem."""
    domain = read_domain(case.domain)
    sizes = [len(read_problem(path, domain).objects) for path in case.training]
    return [min(sizes), max(sizes)]


def solve(case: Case, text: str, *, further: bool) -> Result:
    """A policy on every test problem; `further` ones are shuffled or larger.

    `trials` are the problems as they are: name, objects, whether solved, steps, CPU seconds
    without those to read the problem. `shuffled` has for each shuffle the names of those that
    are not solved. `grown` are trials of larger problems, without a limit of steps.
    """
    domain = read_domain(case.domain)
    with warnings.catch_warnings():
        # A policy that lists a parameter that it does not use works all the same.
        warnings.simplefilter("ignore", InputWarning)
        policy = parse_policy(text, domain)
    problems = {path: read_problem(path, domain) for path in case.testing}
    shuffled = [
        [
            path.stem
            for path, problem in problems.items()
            if not _try(_permuted(problem, shuffle), policy, case.horizon)[0]
        ]
        for shuffle in range(SHUFFLES if further else 0)
    ]
    return {
        "trials": [_trial(path.stem, p, policy, case.horizon) for path, p in problems.items()],
        "shuffled": shuffled,
        "grown": [
            _trial(path.stem, read_problem(path, domain), policy, None)
            for path in (case.grown if further else ())
        ],
    }


def _trial(name: str, problem: Problem, policy: DecisionList, horizon: int | None) -> list[Any]:
    start = time.process_time()
    solved, steps = _try(problem, policy, horizon)
    return [name, len(problem.objects), solved, steps, round(time.process_time() - start, 4)]


def _permuted(problem: Problem, shuffle: int) -> Problem:
    """The problem with its objects in another order and names exchanged among like objects."""
    return permuted(problem, Chance(f"generality/{shuffle}/{problem.name}"))


def _try(problem: Problem, policy: DecisionList, horizon: int | None) -> tuple[bool, int]:
    """Whether the policy solves the problem, which the referee checks, and its steps."""
    limits = Limits(seconds=SECONDS_A_PROBLEM)
    execution = execute(problem, policy, max_steps=horizon, limits=limits)
    return execution.solved and execution.check().valid, execution.steps
