"""`pg3 experiment --cluster`: the same lines as on one machine, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from pg3.experiments.result_line import Status
from pg3.experiments.results import RESULTS, read_results
from tests.cluster.local_cluster import command, pg3, until
from tests.experiments.lines import comparable
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pg3.experiments.runs import Run
    from tests.cluster.local_cluster import Cluster

SMALL = (
    *("--domains", "spanner,ferry,gripper", "--methods", "pg3,random"),
    *("--seeds", "0-2", "--max-candidates", "300"),
)

# Runs that last as long as one lets them.
ENDLESS = (
    *("--domains", "gripper", "--methods", "policy-evaluation"),
    *("--max-candidates", "1000000000"),
)


def lines_on_disk(folder: Path) -> int:
    file = folder / RESULTS
    return file.read_bytes().count(b"\n") if file.exists() else 0


def by_run(folder: Path) -> dict[Run, object]:
    return {line.run: comparable(line) for line in read_results(folder)}


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def start(started: list[subprocess.Popen[str]], *arguments: object) -> subprocess.Popen[str]:
    process = subprocess.Popen(command("experiment", *arguments), stdout=-1, stderr=-1, text=True)
    started.append(process)
    return process


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the same experiment on one machine."""
    folder = tmp_path_factory.mktemp("local") / "results"
    assert pg3("experiment", "-o", folder, *SMALL).returncode == 0
    return folder


def test_a_worker_that_dies_costs_nothing(
    cluster: Cluster, local: Path, tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "results"
    process = start(started, "-o", folder, *SMALL, "--cluster", cluster.address)
    victim, run = cluster.stopped_run()
    until(lambda: lines_on_disk(folder) >= 3)
    cluster.kill(victim)
    os.kill(run, signal.SIGCONT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, stderr
    # The run of the dead worker does not go on behind everybody's back.
    until(lambda: not os.path.exists(f"/proc/{run}"))  # noqa: PTH110
    times = Counter(line.run for line in read_results(folder))
    assert lines_on_disk(folder) == len(times) == 18
    assert by_run(folder) == by_run(local)
    assert stdout == pg3("experiment", "-o", local, *SMALL).stdout
    assert "3 workers" in stderr


def test_no_run_is_tried_for_ever(
    cluster: Cluster, tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "results"
    process = start(started, "-o", folder, *ENDLESS, "--seeds", "0", "--cluster", cluster.address)
    cluster.add_workers(1)
    for _ in range(4):
        cluster.kill(until(cluster.busy)[0])
    cluster.add_workers(1)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    (line,) = read_results(folder)
    assert line.status is Status.CRASHED
    assert line.reason == "the worker was lost, 4 times in a row"


def test_ctrl_c_ends_the_runs_on_the_workers(
    cluster: Cluster, tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "results"
    process = start(started, "-o", folder, *ENDLESS, "--seeds", "0-9", "--cluster", cluster.address)
    until(lambda: len(cluster.busy()) == 3)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "interrupted: 0 of 10 runs are in" in stderr
    until(lambda: not cluster.busy())


def test_runs_end_when_the_client_was_killed(
    cluster: Cluster, tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "results"
    process = start(started, "-o", folder, *ENDLESS, "--seeds", "0-9", "--cluster", cluster.address)
    until(lambda: len(cluster.busy()) == 3)
    process.kill()
    until(lambda: not cluster.busy())


def test_a_lost_scheduler_leaves_what_was_finished(
    cluster: Cluster, local: Path, tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "results"
    process = start(started, "-o", folder, *SMALL, "--cluster", cluster.address)
    _, run = cluster.stopped_run()
    until(lambda: lines_on_disk(folder) >= 3)
    cluster.scheduler.kill()
    _, stderr = process.communicate(timeout=PATIENCE)
    os.kill(run, signal.SIGCONT)
    assert process.returncode == 2
    assert stderr.splitlines()[-1] == (
        f"{cluster.address}: the connection to the scheduler is lost"
    )
    assert "of 18 runs are in" in stderr
    done = lines_on_disk(folder)
    assert 3 <= done < 18
    # The same on this machine goes on.
    again = pg3("experiment", "-o", folder, *SMALL)
    assert again.returncode == 0, again.stderr
    assert f"{done} of 18 runs are in {folder} already" in again.stderr
    assert lines_on_disk(folder) == 18
    assert by_run(folder) == by_run(local)


def test_limits_hold_on_workers(lonely: Cluster, tmp_path: Path) -> None:
    lonely.add_workers(1)
    limits = ("--time-limit", "1", "--seeds", "0", "--cluster", lonely.address)
    result = pg3("experiment", "-o", tmp_path / "a", *ENDLESS, *limits)
    assert result.returncode == 1, result.stderr
    assert [line.status for line in read_results(tmp_path / "a")] == [Status.TIME_LIMIT]
