"""What a cluster costs and gains: the figures of docs/how-to/cluster.md.

A scheduler and one or two workers on this machine, next to the kernel's threads. What the parts
cost is told in processor time, which other work on the machine hardly changes; rates are by the
clock, the best of several. Takes some minutes: `make bench-cluster`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Executor, Future
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.cluster.local_cluster import Cluster

from pg3.backends.dask_pool import DaskPool
from pg3.backends.scoring import PoolEvaluator
from pg3.backends.tasks import request
from pg3.domains import DOMAINS
from pg3.learning.evaluator import LOCAL
from pg3.learning.operators import OPERATORS, OperatorOptions
from pg3.learning.policy_search import PolicySearch
from pg3.learning.scores import SCORES
from pg3.learning.training import Training

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.backends.pool import Pool

REPETITIONS = 2

# What is learned from: domain, split, problems, candidates. Small problems as in the paper, and
# large ones, where a candidate takes the kernel tens of milliseconds.
COURSES = (
    ("gripper", "train", 10, 1000),
    ("ferry", "test", 6, 150),
)

RUNS = ("--domains", "gripper,miconic,ferry", "--methods", "pg3,combo", "--seeds", "0-3")


class HerePool(Executor):
    """A pool that works in this process, at once: all of the messages, none of the network."""

    places = 1

    def __init__(self) -> None:
        self.batches = self.characters = 0

    def executor(self, place: int | None = None) -> Executor:
        """Itself."""
        return self

    def submit(self, task: Callable[..., Any], /, *messages: Any, **_: Any) -> Future[Any]:
        """Do a task now."""
        future: Future[str] = Future()
        future.set_result(task(*messages))
        self.batches += 1
        self.characters += sum(map(len, messages)) + len(future.result())
        return future

    def value(self, future: Future[str], timeout: float | None = None) -> str:
        """What came of it."""
        return future.result(timeout)


def main() -> None:
    """Print the tables."""
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        clusters = []
        for workers in (1, 2):
            (Path(folder) / str(workers)).mkdir()
            clusters.append(stack.enter_context(closing(Cluster(Path(folder) / str(workers)))))
            clusters[-1].add_workers(workers)
        _learning(clusters)
        _experiments(Path(folder), [cluster.address for cluster in clusters])


def _learning(clusters: Sequence[Cluster]) -> None:
    with DaskPool(clusters[0].address) as one, DaskPool(clusters[1].address) as two:
        _round_trips(one, clusters[0])
        for domain, split, problems, candidates in COURSES:
            print(f"{domain}, {problems} problems of the split {split}, {candidates} candidates")
            print(f"{'':18}candidates/s  processor ms a batch: learner, scheduler, workers")
            here = HerePool()
            _measure("messages", domain, split, problems, candidates, 1, here, None, 1)
            batches = here.batches - 1  # Problems unknown: the first one is asked twice.
            print(f"  {batches} batches, {here.characters / batches / 1000:.1f} kB each")
            for name, jobs, pool, cluster in (
                ("1 thread", 1, None, None),
                ("2 threads", 2, None, None),
                ("messages, here", 1, HerePool(), None),
                ("1 worker", 1, one, clusters[0]),
                ("2 workers", 1, two, clusters[1]),
            ):
                rate, costs = _measure(
                    name, domain, split, problems, candidates, jobs, pool, cluster, batches
                )
                figures = ", ".join(f"{cost:.1f}" for cost in costs)
                print(f"  {name:16}{rate:12,.0f}  {figures}", flush=True)


def _round_trips(pool: DaskPool, cluster: Cluster) -> None:
    seconds, before = [], _costs(cluster)
    for _ in range(200):
        started = time.perf_counter()
        pool.value(pool.executor(0).submit(request))
        seconds.append(time.perf_counter() - started)
    costs = [5 * (b - a) for a, b in zip(before, _costs(cluster), strict=True)]
    print(
        f"a task that does nothing, there and back: {1000 * min(seconds):.1f} ms at best, "
        f"{1000 * statistics.median(seconds):.1f} ms in the median; processor ms: learner "
        f"{costs[0]:.1f}, scheduler {costs[1]:.1f}, worker {costs[2]:.1f}"
    )


def _measure(
    name: str,
    domain: str,
    split: str,
    problems: int,
    candidates: int,
    jobs: int,
    pool: Pool | None,
    cluster: Cluster | None,
    batches: int,
) -> tuple[float, list[float]]:
    """The best rate, and the least processor time of each process a batch, in milliseconds."""
    rates, costs = [], []
    for repetition in range(REPETITIONS):
        # Another name, so that no worker knows the problems from before.
        course = [
            replace(problem, name=f"{problem.name}-{len(name)}-{repetition}-{os.getpid()}")
            for problem in DOMAINS[domain].problems(split, seed=0)[:problems]
        ]
        evaluator = LOCAL if pool is None else PoolEvaluator(pool)
        training = Training(course, jobs=jobs, evaluator=evaluator)
        training.find_plans()
        before, started = _costs(cluster), time.perf_counter()
        _search(training, candidates)
        rates.append(candidates / (time.perf_counter() - started))
        costs.append(
            [1000 * (b - a) / batches for a, b in zip(before, _costs(cluster), strict=True)]
        )
    return max(rates), [min(column) for column in zip(*costs, strict=True)]


def _costs(cluster: Cluster | None) -> list[float]:
    """Seconds of processor time so far: this process, and those of a cluster."""
    costs = [time.process_time()]
    if cluster is not None:
        for process in (cluster.scheduler, *cluster.workers):
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            costs.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return costs


def _search(training: Training, candidates: int) -> None:
    outcome = PolicySearch(
        training,
        SCORES["pg3"](training, 50, 100, "max"),
        {name: make(training, OperatorOptions()) for name, make in OPERATORS.items()},
        max_candidates=candidates,
        stop_when_perfect=False,
    ).run()
    assert outcome.candidates == candidates


def _experiments(folder: Path, addresses: list[str]) -> None:
    ways = {
        "--jobs 1": ("--jobs", "1"),
        "--jobs 2": ("--jobs", "2"),
        "1 worker": ("--cluster", addresses[0]),
        "2 workers": ("--cluster", addresses[1]),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for repetition in range(REPETITIONS):
        for name, options in ways.items():
            results = folder / f"{name}-{repetition}"
            started = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "pg3", "experiment", "-o", results, *RUNS, *options],
                check=True,
                capture_output=True,
            )
            seconds[name].append(time.perf_counter() - started)
    print(f"pg3 experiment {' '.join(RUNS)}: 24 runs, seconds")
    print("  " + ", ".join(f"{name}: {min(times):.1f}" for name, times in seconds.items()))
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
