"""Many runs: the order of things has no part in the results, and nothing is done twice."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pg3.cli.output.experiment import Watch, duration
from pg3.errors import Pg3Error
from pg3.experiments.experiment import CHECKPOINTS, CRASHES, Experiment, file_name
from pg3.experiments.methods.table import plan_runs
from pg3.experiments.result_line import ResultLine, Status
from pg3.experiments.results import RESULTS, read_results
from tests.experiments.lines import LINE, comparable

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.experiments.runs import Run

RUNS = plan_runs(["ferry", "spanner"], ["pg3", "random"], [0, 1], max_candidates=50, epochs=1)


def script(text: str) -> tuple[str, ...]:
    return sys.executable, "-c", text


# Fails in every run with seed 1, at once; the others get a line from nowhere.
FAKE = """
import json, sys
run = json.loads(sys.stdin.readline())
if run["seed"] == 1:
    sys.exit("seed 1 is not for me")
for checkpoint in sys.argv[1:]:
    open(checkpoint, "w").close()
line = json.loads(%r)
line.update(run)
print(json.dumps(line))
"""
FAKE_WORKER = script(FAKE % LINE.to_json())


def by_run(lines: list[ResultLine]) -> dict[Run, object]:
    return {line.run: comparable(line) for line in lines}


def test_the_number_of_jobs_has_no_part_in_the_lines(tmp_path: Path) -> None:
    real = [run for run in RUNS if run.seed == 0]
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        told: list[ResultLine] = []
        assert Experiment(folder, real).perform(jobs=jobs, tell=told.append)
        lines = read_results(folder)
        assert lines == told
        assert {line.run for line in lines} == set(real)
        assert all(line.done for line in lines)
    one, two = (by_run(read_results(tmp_path / name)) for name in "12")
    assert one == two


def test_what_is_there_is_not_done_again(tmp_path: Path) -> None:
    half = RUNS[: len(RUNS) // 2]
    assert Experiment(tmp_path, half).perform(worker=FAKE_WORKER)
    before = (tmp_path / RESULTS).read_bytes()
    experiment = Experiment(tmp_path, RUNS)
    assert (experiment.found, list(experiment.waiting)) == (len(half), RUNS[len(half) :])
    assert experiment.perform(worker=FAKE_WORKER)
    assert (tmp_path / RESULTS).read_bytes().startswith(before)
    assert len(read_results(tmp_path)) == len(RUNS)
    again = Experiment(tmp_path, RUNS)
    assert not again.waiting
    assert again.perform(worker=script("raise SystemExit('nothing to do')"))
    # Other options make other runs.
    other = plan_runs(["ferry"], ["pg3", "random"], [0], max_candidates=51, epochs=1)
    experiment = Experiment(tmp_path, other)
    assert [run.method for run in experiment.waiting] == ["pg3"]
    assert experiment.others == len(RUNS) - 1


def test_failures_are_lines_and_can_be_retried(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, RUNS)
    assert experiment.perform(worker=FAKE_WORKER, jobs=2)
    assert [line.run for line in experiment.failures] == [run for run in RUNS if run.seed == 1]
    assert {line.reason for line in experiment.failures} == {"seed 1 is not for me"}
    assert {line.status for line in experiment.failures} == {Status.CRASHED}
    words = tmp_path / CRASHES / f"{file_name(experiment.failures[0].run)}.txt"
    assert words.read_text() == "seed 1 is not for me\n"

    assert not Experiment(tmp_path, RUNS).waiting
    again = Experiment(tmp_path, RUNS, retry=True)
    assert [run.seed for run in again.waiting] == [1] * 4
    assert again.perform(worker=script(FAKE.replace("== 1", "== 9") % LINE.to_json()))
    assert again.failures == []
    assert all(line.done for line in read_results(tmp_path))
    assert len(read_results(tmp_path)) == len(RUNS)
    assert len((tmp_path / RESULTS).read_text().splitlines()) == len(RUNS) + 4


def test_stopping_ends_what_is_going_on(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, RUNS)
    sleeping = script("import signal; signal.pause()")
    looks: list[int] = []

    def stopping() -> bool:
        looks.append(len(experiment.running))
        return len(looks) == 3

    assert not experiment.perform(jobs=2, stopping=stopping, worker=sleeping)
    assert looks == [0, 2, 2]
    assert experiment.running == []
    assert read_results(tmp_path) == []


def test_a_folder_that_vanishes_ends_the_experiment(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    experiment = Experiment(folder, RUNS)

    def remove(_: ResultLine) -> None:
        (folder / RESULTS).unlink()
        folder.rmdir()

    with pytest.raises(Pg3Error, match="cannot write: no such file or directory"):
        experiment.perform(worker=FAKE_WORKER, tell=remove)
    assert experiment.running == []
    assert not folder.exists()


def test_a_worker_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match="cannot start a process for ferry, pg3, seed 0: no such"):
        Experiment(tmp_path, RUNS).perform(worker=["/no/such/program"])


def test_a_network_has_a_place_for_its_checkpoint(tmp_path: Path) -> None:
    runs = plan_runs(["ferry"], ["random", "gnn"], [0], max_candidates=1, epochs=5)
    assert Experiment(tmp_path, runs).perform(worker=FAKE_WORKER)
    (checkpoint,) = (tmp_path / CHECKPOINTS).iterdir()
    assert checkpoint.name == f"{file_name(runs[1])}.json"


def test_names_of_files_are_those_of_one_run() -> None:
    names = {file_name(run) for run in RUNS}
    assert len(names) == len(RUNS)
    run = RUNS[0]
    other = replace(run, options=replace(run.options, time_limit=1.0))
    assert file_name(other) not in names
    assert file_name(run).startswith("ferry-pg3-0-")
    foreign = replace(run, domain="moose/ferry")
    assert file_name(foreign).startswith("moose-ferry-pg3-0-"), "a file, not a folder"


# -- what is shown ---------------------------------------------------------------------------------


def test_standing_and_time_left(tmp_path: Path) -> None:
    experiment = Experiment(tmp_path, RUNS)
    watch = Watch(experiment)
    assert watch.seconds_left() is None
    assert watch.line() == "0/8 runs finished, 0 running, 0 s so far"

    # 9.5 s for each run of pg3 on ferry; random, not known yet, as long as the mean of all.
    for run in [run for run in RUNS if run.method == "pg3" and run.domain == "ferry"]:
        experiment.waiting.remove(run)
        line = replace(LINE, options=run.options, seed=run.seed)
        experiment.lines[run] = replace(line, learning_seconds=9.0, testing_seconds=0.0)
    experiment.jobs = 2
    assert watch.seconds_left() == 9.5 * 6 / 2
    assert watch.line() == "2/8 runs finished, 0 running, 0 s so far, about 28 s left"
    random = next(run for run in RUNS if run.method == "random")
    experiment.waiting.remove(random)
    experiment.lines[random] = replace(
        LINE,
        method="random",
        options=random.options,
        learning_seconds=0.0,
        testing_seconds=0.5,
        status=Status.CRASHED,
        reason="why not",
    )
    # Now three runs of random, 1 s each, and two of pg3 on spanner, as those on ferry.
    assert watch.seconds_left() == (3 * 1 + 2 * 9.5) / 2
    assert watch.line() == "3/8 runs finished, 0 running, 1 failed, 0 s so far, about 11 s left"

    # A run that takes longer than the others moves the estimate, too.
    waiting = watch.seconds_left()
    assert waiting is not None
    run = next(run for run in RUNS if run.method == "pg3" and run.domain == "ferry")
    left = []
    for seconds in (4.5, 9.5, 29.5):
        going_on: Any = SimpleNamespace(run=run, seconds=seconds)
        experiment.running = [going_on]
        left.append(watch.seconds_left())
    assert left == [waiting + 5 / 2, waiting, max(waiting + 20 / 2, 20)]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (5399, "90 min"), (5400, "1.5 h")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
