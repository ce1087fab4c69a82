"""Policies for MOOSE's eight domains, learned and tried without any setting by domain.

`make generality`. For each domain: `pg3 learn` on training/ in a process of its own, with its
seconds and its peak memory; then the policy on every problem of testing/.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pg3.pddl import read_domain, read_problem
from pg3.planning import Limits, execute
from pg3.policy import read_policy

PROBLEMS = Path(__file__).parents[2] / "shared" / "problems" / "moose"

# What the project promises for one domain on one core.
WANTED_SECONDS, WANTED_MEGABYTES = 60, 500

# A policy that needs longer than this for a test problem has failed.
SECONDS_A_PROBLEM = 60.0


class Learning(NamedTuple):
    """What one run of `pg3 learn` took. CPU seconds tell more where others use the machine."""

    seconds: float
    cpu_seconds: float
    megabytes: float
    exit_code: int


class Trial(NamedTuple):
    """A policy on one test problem."""

    problem: str
    objects: int
    solved: bool
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """A domain's figures."""

    domain: str
    learning: Learning
    rules: int
    trials: tuple[Trial, ...]

    @property
    def solved(self) -> int:
        """How many test problems the policy solves."""
        return sum(trial.solved for trial in self.trials)

    @property
    def kept(self) -> bool:
        """Whether everything is solved within the promised time and memory."""
        return (
            self.solved == len(self.trials)
            and self.learning.cpu_seconds <= WANTED_SECONDS
            and self.learning.megabytes <= WANTED_MEGABYTES
        )


def learn(domain: Path, problems: list[Path], policy: Path, seed: int) -> Learning:
    """Run `pg3 learn` with its defaults, on one core."""
    command = [sys.executable, "-m", "pg3", "learn", str(domain), *map(str, problems)]
    command += ["-o", str(policy), "--jobs", "1", "--seed", str(seed)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return Learning(
        time.perf_counter() - start,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        os.waitstatus_to_exitcode(status),
    )


def run_policy(domain_path: Path, problems: list[Path], policy_path: Path) -> tuple[int, list[Trial]]:
    """The number of rules of a policy, and what it does on problems; every plan is checked."""
    domain = read_domain(domain_path)
    policy = read_policy(policy_path, domain)
    trials = []
    for path in problems:
        problem = read_problem(path, domain)
        execution = execute(problem, policy, limits=Limits(seconds=SECONDS_A_PROBLEM))
        trials.append(
            Trial(
                path.stem,
                len(problem.objects),
                execution.solved and execution.check().valid,
                execution.steps,
                execution.seconds,
            )
        )
    return len(policy.rules), trials


def measure(folder: Path, policies: Path, seed: int, every: int) -> Report:
    """Learn from a domain's training problems, or every so many of them, and try its policy."""
    domain, policy = folder / "domain.pddl", policies / f"{folder.name}.policy"
    training = sorted((folder / "training").glob("*.pddl"))[::every]
    learning = learn(domain, training, policy, seed)
    rules, trials = run_policy(domain, sorted((folder / "testing").glob("*.pddl")), policy)
    return Report(folder.name, learning, rules, tuple(trials))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("domains", nargs="*", help="all by default")
    parser.add_argument("--problems", type=Path, default=PROBLEMS)
    parser.add_argument("--policies", type=Path, help="keep the policies in this folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="of the training problems, one in so many")
    arguments = parser.parse_args()
    if not arguments.problems.is_dir():
        sys.exit("the problems of MOOSE's domains are not beside the repository")
    names = arguments.domains or sorted(
        path.name for path in arguments.problems.iterdir() if (path / "domain.pddl").exists()
    )
    print("| domain | s | CPU s | MB | rules | solved | steps | µs a step | kept |", flush=True)
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as temporary:
        policies = arguments.policies or Path(temporary)
        policies.mkdir(parents=True, exist_ok=True)
        for name in names:
            report = measure(arguments.problems / name, policies, arguments.seed, arguments.every)
            steps = sum(trial.steps for trial in report.trials)
            seconds = sum(trial.seconds for trial in report.trials)
            print(
                f"| {name} | {report.learning.seconds:.1f} | {report.learning.cpu_seconds:.1f} "
                f"| {report.learning.megabytes:.0f} | {report.rules} "
                f"| {report.solved}/{len(report.trials)} | {steps} "
                f"| {1e6 * seconds / max(1, steps):.1f} | {'yes' if report.kept else 'NO'} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
