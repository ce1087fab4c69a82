"""Built-in domains learned from their own training splits: `python -m benchmarks.splits`.

For each domain and each seed of its splits: `learn` with its defaults, one job, on the training
problems; then the policy on the test problems as they are listed, and with their objects listed in
other orders. A line a seed, each as soon as it is known.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import TYPE_CHECKING, NamedTuple

from pg3 import execute, learn
from pg3.domains import DOMAINS
from pg3.learning.robustness.permutations import shuffled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.pddl import Problem
    from pg3.policy import DecisionList

# Those that need more than the paper's language.
EXTENDED = (
    "blocksworld",
    "blocksworld-partial",
    "childsnack",
    "floortile",
    "rovers-traverse",
    "transport-roads",
)


class Line(NamedTuple):
    """What came of one seed of a domain's splits.

    `solved` counts the test problems that are solved, as they are listed first, then shuffled.
    """

    domain: str
    seed: int
    tests: int
    solved: tuple[int, ...]
    cpu_seconds: float
    method: str
    policy: DecisionList


def measure(name: str, seed: int, shuffles: int = 5) -> Line:
    """Learn from the training split of this seed, and try the policy on the test split."""
    domain = DOMAINS[name]
    started = time.process_time()
    result = learn(domain.domain, domain.problems("train", seed=seed), jobs=1)
    seconds = time.process_time() - started
    tests = domain.problems("test", seed=seed)
    generator = random.Random(seed)
    solved = [_solved(tests, result.policy, domain.horizon)]
    for _ in range(shuffles):
        again = [shuffled(problem, generator) for problem in tests]
        solved.append(_solved(again, result.policy, domain.horizon))
    return Line(name, seed, len(tests), tuple(solved), seconds, result.method, result.policy)


def _solved(problems: Sequence[Problem], policy: DecisionList, max_steps: int) -> int:
    executions = (execute(problem, policy, max_steps=max_steps) for problem in problems)
    return sum(execution.solved and execution.check().valid for execution in executions)


def table(lines: Iterator[Line], shuffles: int) -> Iterator[str]:
    """The lines of a Markdown table."""
    orders = [f"shuffle {i}" for i in range(1, shuffles + 1)]
    heads = ["domain", "seed", "tests", "as listed", *orders, "CPU s", "rules", "found by"]
    yield f"| {' | '.join(heads)} |"
    yield "|---" + "|--:" * (len(heads) - 2) + "|---|"
    for line in lines:
        cells = [line.domain, line.seed, line.tests, *line.solved]
        cells += [f"{line.cpu_seconds:.1f}", len(line.policy.rules), line.method]
        yield f"| {' | '.join(map(str, cells))} |"


def _seeds(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.splits", description=__doc__)
    parser.add_argument("domains", nargs="*", help="built-in domains; by default the extended ones")
    parser.add_argument("--seeds", type=_seeds, default=[0], help="seeds of the splits: 0, 0-7")
    parser.add_argument("--shuffles", type=int, default=5, help="orders of the objects to try")
    given = parser.parse_args()
    for name in given.domains:
        if name not in DOMAINS:
            parser.error(f"no built-in domain '{name}', only {', '.join(DOMAINS)}")
    lines = (
        measure(name, seed, given.shuffles)
        for name in given.domains or EXTENDED
        for seed in given.seeds
    )
    for line in table(lines, given.shuffles):
        print(line, flush=True)


if __name__ == "__main__":
    main()
