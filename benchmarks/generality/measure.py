"""Learning in a process of its own, and the learned policy on the test problems."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pg3 import execute, read_domain, read_policy, read_problem
from pg3.planning import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.policy import DecisionList

# A policy that needs longer than this for a test problem has failed.
SECONDS_A_PROBLEM = 60.0


class Learning(NamedTuple):
    """What one run of `pg3 learn` took. CPU seconds tell more where others use the machine.

    `method` is what the run says of how the policy was found.
    """

    seconds: float
    cpu_seconds: float
    megabytes: float
    method: str


class Trial(NamedTuple):
    """A policy on one test problem; CPU seconds without those to read the problem."""

    path: Path
    objects: int
    solved: bool
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """All about one domain."""

    domain: str
    learning: Learning
    policy: DecisionList
    trials: tuple[Trial, ...]

    @property
    def solved(self) -> int:
        """How many test problems the policy solves."""
        return sum(trial.solved for trial in self.trials)


def measure(folder: Path, tests: list[Path], policy: Path, seed: int, every: int) -> Report:
    """Learn from a domain's training problems, or one in so many, and try the policy on tests."""
    domain = read_domain(folder / "domain.pddl")
    training = sorted((folder / "training").glob("*.pddl"))[::every]
    learning = _learn(folder / "domain.pddl", training, policy, seed)
    rules = read_policy(policy, domain)
    trials = []
    for path in tests:
        problem = read_problem(path, domain)
        start = time.process_time()
        execution = execute(problem, rules, limits=Limits(seconds=SECONDS_A_PROBLEM))
        seconds = time.process_time() - start
        solved = execution.solved and execution.check().valid
        trials.append(Trial(path, len(problem.objects), solved, execution.steps, seconds))
    return Report(folder.name, learning, rules, tuple(trials))


def _learn(domain: Path, problems: list[Path], policy: Path, seed: int) -> Learning:
    """Run `pg3 learn` with its defaults on one core."""
    command = [sys.executable, "-m", "pg3", "learn", str(domain), *map(str, problems)]
    command += ["-o", str(policy), "--jobs", "1", "--seed", str(seed)]
    start = time.perf_counter()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        # Not by the module: only this call tells what the one process has used.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if not policy.exists():
        sys.exit(said)
    last = said.splitlines()[-1]
    return Learning(
        time.perf_counter() - start,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        last[last.find("(") + 1 : last.rfind(")")],
    )
