"""`pg3 experiment`: stopped by any means and started again, it ends with the same lines."""

from __future__ import annotations

import os
import pty
import re
import resource
import shutil
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pg3.cli import experiment
from pg3.experiments.result_line import ResultLine, Status
from pg3.experiments.results import RESULTS, read_results
from tests.cli.test_cli import Run, command, pg3
from tests.experiments.lines import comparable
from tests.support.signal_points import driven
from tests.support.waiting import read_until, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.experiments import runs

__all__ = ["pg3"]

SMALL = (
    *("--domains", "spanner,ferry", "--methods", "pg3,random"),
    *("--seeds", "0", "--max-candidates", "50"),
)

# The run of random ends at once, that of policy evaluation never.
ENDLESS = (
    *("--domains", "gripper", "--methods", "policy-evaluation,random", "--seeds", "0"),
    *("--max-candidates", "1000000000", "--jobs", "2"),
)

TABLE = """domain      pg3  random
ferry      1.00    0.00
spanner    1.00    0.10
"""


def by_run(folder: Path) -> dict[runs.Run, object]:
    return {line.run: comparable(line) for line in read_results(folder)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of an experiment that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "results"
    process = subprocess.run(
        command("experiment", "-o", folder, *SMALL), capture_output=True, text=True, check=False
    )
    assert process.returncode == 0
    assert process.stdout == TABLE
    assert re.search(r"^4 runs finished in \d+ s$", process.stderr, re.MULTILINE)
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[_Starter]:
    starter = _Starter(tmp_path / "results")
    yield starter
    for process in starter.processes:
        process.kill()
        process.communicate()


class _Starter:
    """Starts experiments; all their processes can be told by a variable of the environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[str]] = []

    def __call__(self, *arguments: str, point: str | None = None) -> subprocess.Popen[str]:
        """Start one; at the point, if there is one, it kills itself."""
        words = ["experiment", "-o", str(self.folder), *arguments]
        process = subprocess.Popen(
            command(*words) if point is None else driven(signal.SIGKILL, point, *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PG3_TEST": str(self.folder)},
        )
        self.processes.append(process)
        return process

    def wait_for_lines(self, number: int) -> None:
        path = self.folder / RESULTS

        def there() -> bool:
            assert self.processes[-1].poll() is None
            return path.exists() and path.read_bytes().count(b"\n") >= number

        wait_until(there)

    def workers(self) -> list[int]:
        """The processes of runs that are going on."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                environment = (folder / "environ").read_bytes().split(b"\0")
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if f"PG3_TEST={self.folder}".encode() in environment and (
                b"pg3.experiments.worker" in words
            ):
                found.append(int(folder.name))
        return found


# -- stopped and started again ---------------------------------------------------------------------


def test_a_finished_folder_is_left_alone(whole: Path, pg3: Run) -> None:
    before = (whole / RESULTS).read_bytes()
    result = pg3("experiment", "-o", whole, *SMALL, "--jobs", "2")
    assert (result.code, result.out) == (0, TABLE)
    assert result.err.splitlines()[0] == f"nothing to do: all of 4 runs are in {whole}"
    assert (whole / RESULTS).read_bytes() == before


def test_options_of_the_papers_methods(whole: Path, pg3: Run, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    shutil.copytree(whole, folder)
    # Those of random are there already: it does not heed these options.
    options = ("--max-expansions", "3", "--as-printed", "--accumulate", "mean")
    result = pg3("experiment", "-o", folder, *SMALL, *options)
    assert result.err.splitlines()[0] == f"2 of 4 runs are in {folder} already"
    lines = read_results(folder)
    assert len(lines) == 6
    for line in lines[4:]:
        assert (line.method, line.options.max_expansions) == ("pg3", 3)
        assert (line.options.as_printed, line.options.accumulate) == (True, "mean")
        assert line.expansions is not None
        assert line.expansions <= 3
    refused = pg3("experiment", "-o", folder, *SMALL, "--accumulate", "least")
    assert (refused.code, refused.out) == (2, "")
    assert "'least' is not one of max, mean" in refused.err


def test_killed_in_the_middle_and_run_again(whole: Path, start: _Starter) -> None:
    process = start(*SMALL, point="after pg3.experiments.results:ResultFile.add send 2")
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    done = len(read_results(start.folder))
    assert done == 2
    wait_until(lambda: not start.workers())
    again = start(*SMALL, "--jobs", "2")
    out, err = again.communicate()
    assert (again.returncode, out) == (0, TABLE)
    assert err.startswith(f"{done} of 4 runs are in {start.folder} already\n")
    assert by_run(start.folder) == by_run(whole)


@pytest.mark.parametrize(
    ("kind", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"]
)
def test_asked_to_end(start: _Starter, kind: int, code: int) -> None:
    process = start(*ENDLESS)
    start.wait_for_lines(1)
    wait_until(start.workers)
    process.send_signal(kind)
    out, err = process.communicate()
    assert (process.returncode, out) == (code, "")
    assert err.endswith(
        f"interrupted: 1 of 2 runs are in {start.folder}; the same command goes on from there\n"
    )
    assert not start.workers()
    assert [line.method for line in read_results(start.folder)] == ["random"]
    assert (start.folder / RESULTS).read_bytes().endswith(b"}\n")


def test_half_a_line_is_not_believed(whole: Path, pg3: Run, tmp_path: Path) -> None:
    *lines, last = (whole / RESULTS).read_text().splitlines(keepends=True)
    path = tmp_path / RESULTS
    path.write_text("".join(lines) + last[:100])
    result = pg3("experiment", "-o", tmp_path, *SMALL)
    assert (result.code, result.out) == (0, TABLE)
    assert f"{path}: half a line at the end, of a run that was cut off, is moved" in result.err
    assert by_run(tmp_path) == by_run(whole)

    path.write_text(lines[0] + last[:100] + "\n" + lines[1])
    broken = path.read_bytes()
    result = pg3("experiment", "-o", tmp_path, *SMALL)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{path}:2: not JSON")
    assert path.read_bytes() == broken


def test_two_at_once(start: _Starter, pg3: Run) -> None:
    first = start(*ENDLESS)
    start.wait_for_lines(1)
    result = pg3("experiment", "-o", start.folder, *ENDLESS)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"{start.folder}: another pg3 experiment is at work in this folder (process {first.pid}): "
        "wait for it, or choose another folder\n"
    )
    assert first.poll() is None
    assert len(read_results(start.folder)) == 1


# -- runs that fail --------------------------------------------------------------------------------


def failures(folder: Path) -> list[ResultLine]:
    return [line for line in read_results(folder) if not line.done]


def test_a_run_that_is_killed(start: _Starter) -> None:
    process = start(*ENDLESS)
    start.wait_for_lines(1)
    wait_until(lambda: len(start.workers()) == 1)
    os.kill(start.workers()[0], signal.SIGKILL)
    out, err = process.communicate()
    assert (process.returncode, out) == (
        1,
        "domain   policy-evaluation  random\ngripper               0.00    0.00\n",
    )
    reason = (
        r"gripper, policy-evaluation, seed 0: crashed: killed by signal 9 \(SIGKILL\) while \w+"
    )
    assert re.search(f"^{reason}$", err, re.MULTILINE)
    assert "1 run failed and count as no success:\n" in err
    assert err.endswith("--retry does them again\n")
    (line,) = failures(start.folder)
    assert (line.status, line.success) == (Status.CRASHED, 0)


@pytest.mark.parametrize(
    ("option", "status"), [("--time-limit", "time limit"), ("--memory-limit", "memory limit")]
)
def test_limits(pg3: Run, tmp_path: Path, option: str, status: str) -> None:
    result = pg3("experiment", "-o", tmp_path, *ENDLESS, option, "1")
    assert result.code == 1
    assert f"gripper, policy-evaluation, seed 0: {status}: " in result.err
    assert f"{status}" in {line.status for line in failures(tmp_path)}
    nothing = pg3("experiment", "-o", tmp_path, *ENDLESS, option, "1")
    assert nothing.code == 1
    assert nothing.err.startswith("nothing to do: all of 2 runs are in ")
    assert result.out == nothing.out


def test_a_full_disk(tmp_path: Path, whole: Path) -> None:
    """A file may not grow beyond some size here: the first line fits, the next does in part."""
    first, *_ = (whole / RESULTS).read_text().splitlines()

    def limit() -> None:
        size = len(first) + 200
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    process = subprocess.run(
        command("experiment", "-o", tmp_path, *SMALL),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.endswith(f"{tmp_path / RESULTS}: cannot write: file too large\n")
    assert (tmp_path / RESULTS).read_bytes().endswith(b"}\n")
    assert len(read_results(tmp_path)) == 1


# -- the command line ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--domains", "ferri"], "'ferri' is not one of delivery, forest, gripper, miconic, ferry"),
        (["--methods", "pg3,gps"], "'gps' is not one of pg3, policy-evaluation, plan-comparison"),
        (["--methods", ""], "'' is not one of pg3, "),
        (["--seeds", "a"], "'a' is no seed: 0-9 or 0,3,5-7 are the forms"),
        (["--seeds", "0,,2"], "'' is no seed"),
        (["--seeds", "-3"], "'-3' is no seed"),
        (["--seeds", "5-3"], "'5-3' is no range of seeds: 3 is below 5"),
        (["--seeds", "0-99999999"], "'0-99999999' are more than 10000 seeds"),
        (["--seeds", "99999999999"], "'99999999999': the largest seed is 2147483647"),
        (["--jobs", "0"], "Invalid value for '--jobs'"),
        (["--epochs", "0"], "Invalid value for '--epochs'"),
        (["--time-limit", "nan"], "Invalid value for '--time-limit'"),
        (["--memory-limit", "-1"], "Invalid value for '--memory-limit'"),
        (["-o", ""], "the name of the folder is empty"),
    ],
)
def test_wrong_values(pg3: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    result = pg3("experiment", "-o", tmp_path, *arguments)
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())
    assert list(tmp_path.iterdir()) == []


def test_a_network_without_torch(pg3: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "find_spec", lambda _: None)
    result = pg3("experiment", "-o", tmp_path, "--methods", "all")
    assert (result.code, result.out) == (2, "")
    assert result.err == 'the method gnn needs PyTorch: pip install "pg3[gnn]"\n'
    assert list(tmp_path.iterdir()) == []


def test_lists_with_commas_and_several_options(pg3: Run, tmp_path: Path) -> None:
    result = pg3(
        *("experiment", "-o", tmp_path, "--methods", "random", "--seeds", "2,0", "--seeds", "0"),
        *("--time-limit", "inf"),
        *("--domains", "spanner, forest", "--domains", "spanner"),
    )
    assert result.code == 0
    assert [(line.seed, line.domain) for line in read_results(tmp_path)] == [
        (0, "forest"),
        (0, "spanner"),
        (2, "forest"),
        (2, "spanner"),
    ]


def test_what_is_no_folder(pg3: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "file/inside"):
        result = pg3("experiment", "-o", tmp_path / name, *SMALL)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"{tmp_path / name}: cannot write: ")
        assert result.err.count("\n") == 1


def test_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("experiment", "-o", tmp_path, *ENDLESS),
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(theirs)
    read_until(
        ours,
        r"1/2 runs finished, .*1 running.*gripper, policy-evaluation, seed 0: \w+, \d+ s",
    )
    process.send_signal(signal.SIGINT)
    rest = read_until(ours)
    os.close(ours)
    out, _ = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert "interrupted: 1 of 2 runs are in " in rest
