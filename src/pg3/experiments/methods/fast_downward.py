"""Runs that only plan: Fast Downward on the test problems, where it is installed.

It is looked for on the PATH (`fast-downward.py` or `fast-downward`), then in the package
`up-fast-downward`.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.experiments.methods.outcomes import Outcome
from pg3.pddl import write_domain, write_problem
from pg3.semantics.task import Task
from pg3.semantics.validation import validate_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.experiments.methods.outcomes import Job
    from pg3.pddl import Problem

# Options before the files, and after them.
CONFIGURATIONS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "lama": (("--alias", "lama"), ()),
    "lama-first": (("--alias", "lama-first"), ()),
    "astar-blind": ((), ("--search", "astar(blind())")),
    "astar-lmcut": ((), ("--search", "astar(lmcut())")),
}

# What it may use for each problem if nothing else is said.
SECONDS, MEGABYTES = 60.0, 4096.0


def find_driver() -> list[str]:
    """How Fast Downward is started; Pg3Error if there is none."""
    for name in ("fast-downward.py", "fast-downward"):
        if path := shutil.which(name):
            return [path]
    package = importlib.util.find_spec("up_fast_downward")
    if package is None or package.origin is None:
        raise Pg3Error("Fast Downward is not installed: pip install up-fast-downward")
    return [sys.executable, str(Path(package.origin).parent / "downward" / "fast-downward.py")]


def plan_only(job: Job) -> Outcome:
    """The steps of the best plan for each test problem, if our validator accepts it."""
    job.stage("testing")
    driver = find_driver()
    started = time.perf_counter()
    steps = [_steps(driver, job, problem) for problem in job.test]
    return Outcome(tuple(steps), testing_seconds=time.perf_counter() - started)


def _steps(driver: Sequence[str], job: Job, problem: Problem) -> int | None:
    options = job.run.options
    assert options.time_limit is not None
    assert options.memory_limit is not None
    before, after = CONFIGURATIONS[job.run.method]
    limits = [
        *("--overall-time-limit", f"{max(1, round(options.time_limit))}s"),
        *("--overall-memory-limit", f"{max(1, round(options.memory_limit))}M"),
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(write_domain(job.domain), "utf-8")
        (folder / "problem.pddl").write_text(write_problem(problem), "utf-8")
        command = [*driver, *before, *limits, "domain.pddl", "problem.pddl", *after]
        subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        task = Task(problem)
        verdicts = [validate_file(task, plan) for plan in sorted(folder.glob("sas_plan*"))]
    lengths = [one.steps for one in verdicts if one.valid and one.steps <= job.horizon]
    return min(lengths, default=None)
