"""How many states the lazy search has before the turn of A*: python -m benchmarks.turns.

`pg3 plan --first` searches lazily, after N states by A* with h_add for a while, then lazily from
the beginning again. Here both searches are run once on each of some problems of Autoscale, the lazy
one for some seconds. What every N would do follows from that: which turn solves the problem, after
how many states, and after how many CPU seconds if the states of a search take equally long. Reading
and grounding do not count.

The table has the problems that one of the searches solves and that take more states than the
smallest N: the others are solved before any turn, or not at all. The last N is the lazy search
alone; its means are over what it solves.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.coverage import problems
from benchmarks.foreign import AUTOSCALE_PROBLEMS
from pg3 import Task, read_domain, read_problem
from pg3.planning import SatisficingOptions
from pg3.planning.astar import SearchOptions, astar
from pg3.planning.satisficing import satisficing

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.planning.astar import Found

LAZY_STATES = (5_000, 10_000, 20_000, 50_000, 100_000, 200_000, math.inf)


class Run(NamedTuple):
    """What one search did."""

    solved: bool
    states: int
    seconds: float

    def __str__(self) -> str:
        return f"{'yes' if self.solved else 'no':>5}{self.states:>10}{self.seconds:>8.2f}"


class End(NamedTuple):
    """How a problem ends with some N: the turn that solves it, with everything before it."""

    turn: int
    states: float
    seconds: float


def end(lazy: Run, eager: Run, first: float) -> End | None:
    """How a problem ends if the lazy search has `first` states before the turn of A*."""
    if lazy.states <= first or first == math.inf:
        return End(1, lazy.states, lazy.seconds) if lazy.solved else None
    states, seconds = first + eager.states, lazy.seconds * first / lazy.states + eager.seconds
    if eager.solved:
        return End(2, states, seconds)
    return End(3, states + lazy.states, seconds + lazy.seconds) if lazy.solved else None


def measured(domain: Path, path: Path, limit: float, megabytes: int, states: int) -> list[Run]:
    """The lazy search, then that of A* unless the first is over before any turn."""
    task = Task(read_problem(path, read_domain(domain)))
    if task.ground(60, megabytes) is not None:
        return []

    def run(found: Found, start: float) -> Run:
        used = time.process_time() - start
        return Run(found.status == "solved", found.generated, used)

    start = time.process_time()
    runs = [
        run(satisficing(task.space, SatisficingOptions(seconds=limit, megabytes=megabytes)), start)
    ]
    if runs[0].states > LAZY_STATES[0]:
        start = time.process_time()
        options = SearchOptions(generated=states, seconds=limit, megabytes=2 * megabytes)
        runs.append(run(astar(task.space, options), start))
    return runs


def main() -> None:
    """Print a line for each problem that takes long, and one for each N."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*", help="folders of Autoscale; all if none is named")
    parser.add_argument("--problems", default="6,14,22,30", help="numbers of the problems")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--eager-states", type=int, default=20_000)
    chosen = parser.parse_args()
    numbers = [int(number) for number in chosen.problems.split(",")]
    limits = (chosen.seconds, chosen.megabytes, chosen.eager_states)
    known, count = [], 0
    print(f"{'':<32}{'lazy':>5}{'states':>10}{'CPU s':>8}{'A*':>5}{'states':>10}{'CPU s':>8}")
    for folder in sorted(path for path in AUTOSCALE_PROBLEMS.glob("*") if path.is_dir()):
        if chosen.domains and folder.name not in chosen.domains:
            continue
        for domain, path in problems(folder, numbers):
            count += 1
            runs = measured(domain, path, *limits)
            if len(runs) == 2:
                known.append(runs)
                print(f"{f'{folder.name} {path.stem}':<32}" + "".join(map(str, runs)), flush=True)
    known = [runs for runs in known if any(run.solved for run in runs)]
    print(f"{len(known)} of {count} problems are solved and have the turn of A* for some N")
    print(f"{'N':>8}{'lazy':>6}{'A*':>6}{'again':>6}{'solved':>8}{'states':>9}{'CPU s':>8}")
    for first in LAZY_STATES:
        ends = [one for runs in known if (one := end(runs[0], runs[1], first)) is not None]
        turns = [sum(one.turn == turn for one in ends) for turn in (1, 2, 3)]
        states = statistics.geometric_mean(one.states for one in ends)
        print(
            f"{first:>8}{turns[0]:>6}{turns[1]:>6}{turns[2]:>6}{len(ends):>8}{states:>9.0f}"
            f"{sum(one.seconds for one in ends):>8.1f}"
        )


if __name__ == "__main__":
    main()
