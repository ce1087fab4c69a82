"""Experiments on folders of anybody's own."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pg3.errors import Pg3Error
from pg3.experiments.measurement import failed, perform
from pg3.experiments.methods.table import plan_runs
from pg3.experiments.result_line import Status
from pg3.experiments.runs import Run
from pg3.experiments.sources import benchmarks_in
from pg3.report import FORMATS, compute
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

FERRY = REPOSITORY / "examples" / "ferry"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two benchmarks, one in the layout of MOOSE, and folders that are none."""
    root = tmp_path / "mine"
    for name, train, test in (("ferry", "train", "test"), ("boats", "training", "testing")):
        for part in (train, test):
            shutil.copytree(FERRY / "train", root / name / part)
        shutil.copy(FERRY / "domain.pddl", root / name)
    (root / "empty").mkdir()
    return root


def test_benchmarks_are_found(data: Path) -> None:
    found, refused = benchmarks_in(str(data))
    assert found == {f"mine/{name}": str(data / name) for name in ("boats", "ferry")}
    assert refused == [f"{data / 'empty'}: there is no domain.pddl"]
    assert list(benchmarks_in(str(data / "ferry"))[0]) == ["mine/ferry"]


def test_folders_without_any(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match="no domain with problems to learn from and to test on"):
        benchmarks_in(str(tmp_path))
    with pytest.raises(Pg3Error, match="no such folder"):
        benchmarks_in(str(tmp_path / "nothing"))


def test_a_run_on_a_folder_is_not_compared_with_the_paper(data: Path) -> None:
    found, _ = benchmarks_in(str(data))
    (run,) = plan_runs(["mine/ferry"], ["robust"], [0], epochs=1, data=found)
    assert Run.from_json(run.to_json()) == run
    line = perform(run)
    assert (line.success, line.train, line.test) == (1.0, 6, 6)
    crashed = failed(run, Status.CRASHED, "no reason", seconds=1.0, megabytes=1.0)
    assert (crashed.train, crashed.test) == (6, 6)
    report = compute([line])
    assert all(cell is None or cell.paper is None for row in report.rows for cell in row.cells)
    assert "mine/ferry" in FORMATS["markdown"][1](report)
