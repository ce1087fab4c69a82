"""Loading a large problem: pg3 against the `pddl` package, in one run, with peak memory.

Each reader runs in a process of its own, so that its peak memory is its own; seconds are of its
processor time.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.generators import FERRY_DOMAIN, ferry_problem

OBJECTS = 100_000
QUICK_OBJECTS = 3_000
SEED = 1

# What the project promises for 100,000 objects.
WANTED_RATIO = 10
WANTED_MEGABYTES = 1000


class Loading(NamedTuple):
    """How one reader fared."""

    seconds: float
    megabytes: float


def run(quick: bool = False) -> list[str]:
    """Load one ferry problem with both readers; the lines of the report, which are also printed."""
    objects = QUICK_OBJECTS if quick else OBJECTS
    with tempfile.TemporaryDirectory() as folder:
        domain, problem = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        domain.write_text(FERRY_DOMAIN)
        problem.write_text(ferry_problem(objects, SEED))
        megabytes = problem.stat().st_size / 1e6
        ours = _in_own_process("pg3", domain, problem)
        theirs = _in_own_process("pddl", domain, problem)
    ratio = theirs.seconds / ours.seconds
    lines = [
        f"Loading a typed ferry problem of {objects:,} objects ({megabytes:.1f} MB, seed {SEED})",
        f"  pg3         {ours.seconds:8.3f} s   {ours.megabytes:7.0f} MB at the peak",
        f"  pddl 0.5.1  {theirs.seconds:8.3f} s   {theirs.megabytes:7.0f} MB at the peak",
        f"  ratio       {ratio:8.1f} times faster (wanted: {WANTED_RATIO}; "
        f"below {WANTED_MEGABYTES} MB)",
    ]
    print("\n".join(lines))
    return lines


def _in_own_process(reader: str, domain: Path, problem: Path) -> Loading:
    command = [sys.executable, "-m", "benchmarks.loading", reader, str(domain), str(problem)]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    )
    return Loading(**json.loads(done.stdout))


def _load(reader: str, domain_path: Path, problem_path: Path) -> Loading:
    if reader == "pg3":
        from pg3.pddl import read_domain, read_problem  # noqa: PLC0415

        domain = read_domain(domain_path)
        seconds = []
        for _ in range(3):  # a tenth of a second each: the median keeps noise out
            start = time.process_time()
            read_problem(problem_path, domain)
            seconds.append(time.process_time() - start)
        taken = statistics.median(seconds)
    else:
        import pddl  # noqa: PLC0415

        start = time.process_time()
        pddl.parse_problem(problem_path)
        taken = time.process_time() - start
    return Loading(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        _result = _load(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
        print(json.dumps(_result._asdict()))
    else:
        run("--quick" in sys.argv)
