"""`pg3 learn --cluster`: the policy and the log of one machine, whoever dies meanwhile."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from pg3.domains import DOMAINS
from pg3.pddl import write_domain, write_problem
from tests.cluster.local_cluster import pg3, until
from tests.support.signal_points import driven
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cluster.local_cluster import Cluster

# A search that does not end before its candidates do.
OBSERVE = "pg3.cli.learning.session:Watch.observe"
LONG = ("--preset", "paper", "--score", "policy-evaluation", "--max-candidates", "4000")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("gripper")
    source = DOMAINS["gripper"]
    (folder / "domain.pddl").write_text(write_domain(source.domain))
    for i, problem in enumerate(source.problems("train", seed=0)):
        (folder / f"p{i}.pddl").write_text(write_problem(problem))
    return [folder / "domain.pddl", folder]


def log_of(path: Path) -> list[dict[str, Any]]:
    """A log but for its times; a line that is not yet whole is none."""
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines]


def learned(inputs: list[Path], folder: Path, *options: object) -> tuple[str, list[dict[str, Any]]]:
    """The policy and the log of learning to its end."""
    policy, log = folder / "policy", folder / "log"
    result = pg3("learn", *inputs, "-o", policy, "--log", log, *options)
    assert result.returncode in (0, 1), result.stderr
    return policy.read_text(), log_of(log)


@pytest.fixture
def started(
    inputs: list[Path], tmp_path: Path
) -> Iterator[tuple[list[subprocess.Popen[str]], Any]]:
    processes: list[subprocess.Popen[str]] = []

    def start(*options: object) -> subprocess.Popen[str]:
        """Starts learning, which pauses after some candidates until the file is removed."""
        process = subprocess.Popen(
            driven(0, f"after {OBSERVE} pause 400", "learn", *inputs, *options),
            stdout=-1,
            stderr=-1,
            text=True,
            cwd=tmp_path,
        )
        processes.append(process)
        return process

    yield processes, start
    for process in processes:
        process.kill()
        process.communicate()


def test_the_robust_preset(inputs: list[Path], cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    there = learned(inputs, tmp_path / "there", "--cluster", cluster.address)
    assert there == learned(inputs, tmp_path / "here")


def test_a_worker_that_dies_changes_nothing(
    inputs: list[Path], cluster: Cluster, tmp_path: Path, started: Any
) -> None:
    here = learned(inputs, tmp_path, *LONG)
    _, start = started
    policy, log = tmp_path / "there.policy", tmp_path / "there.log"
    process = start("-o", policy, "--log", log, *LONG, "--cluster", cluster.address)
    until((tmp_path / OBSERVE).exists)
    cluster.kill(cluster.workers[0])
    (tmp_path / OBSERVE).unlink()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 1), stderr
    assert len(here[1]) > 1000, "the worker was killed too late to be of interest"
    assert (policy.read_text(), log_of(log)) == here


def test_a_lost_scheduler_and_going_on_without(
    inputs: list[Path], cluster: Cluster, tmp_path: Path, started: Any
) -> None:
    here = learned(inputs, tmp_path, *LONG)
    _, start = started
    run, policy = tmp_path / "run", tmp_path / "there.policy"
    process = start("-o", policy, "--run", run, *LONG, "--cluster", cluster.address)
    until((tmp_path / OBSERVE).exists)
    cluster.scheduler.kill()
    (tmp_path / OBSERVE).unlink()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert stderr.splitlines()[-1] == f"{cluster.address}: the connection to the scheduler is lost"
    assert f"go on with: pg3 learn --resume {run}" in stderr
    assert policy.read_text()
    result = pg3("learn", "--resume", run)
    assert result.returncode in (0, 1), result.stderr
    assert (policy.read_text(), log_of(run / "log.jsonl")) == here


def test_ctrl_c(inputs: list[Path], cluster: Cluster, tmp_path: Path, started: Any) -> None:
    import signal

    _, start = started
    policy, log = tmp_path / "policy", tmp_path / "log"
    process = start("-o", policy, "--log", log, *LONG, "--cluster", cluster.address)
    until((tmp_path / OBSERVE).exists)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, stderr
    assert "interrupted: the best policy of" in stderr
    assert policy.read_text()
