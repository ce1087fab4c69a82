"""Fast Downward as a method: a stand-in on the PATH, and the real one where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.cli.main import main
from pg3.experiments.methods.fast_downward import CONFIGURATIONS, find_driver, plan_only
from pg3.experiments.methods.outcomes import Job
from pg3.experiments.methods.table import plan_runs
from pg3.pddl import read_domain, read_problem
from pg3.report.quality import quality_rows
from pg3.report.tables import compute
from tests.conftest import REPOSITORY
from tests.report.fabrication import result
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

FERRY = REPOSITORY / "examples" / "ferry"
# Says what it is told, and finds a plan that is valid, one with a detour, and one that is not.
STAND_IN = """#!/bin/sh
echo "$@" > {folder}/told
plan='(board c2 l3) (sail l3 l2) (debark c2 l2) (board c1 l2) (sail l2 l1) (debark c1 l1)'
echo "(sail l1 l2) (sail l2 l3) $plan" > sas_plan.1
echo "(sail l1 l3) $plan" > sas_plan.2
echo "(sail l1 l3)" > sas_plan.3
exit 3
"""


def job(method: str, horizon: int = 1000) -> Job:
    domain = read_domain(FERRY / "domain.pddl")
    (run,) = plan_runs(["ferry"], [method], [0], epochs=1, time_limit=PATIENCE)
    problem = read_problem(FERRY / "small.pddl", domain)
    return Job(run, domain, [], [problem], horizon, None, lambda _: None)


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script = tmp_path / "fast-downward.py"
    script.write_text(STAND_IN.format(folder=tmp_path))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


@pytest.mark.parametrize("method", CONFIGURATIONS)
def test_the_best_valid_plan_counts(stand_in: Path, method: str) -> None:
    assert plan_only(job(method)).steps == (7,)
    assert plan_only(job(method, horizon=6)).steps == (None,)
    told = (stand_in / "told").read_text().split()
    before, after = CONFIGURATIONS[method]
    limits = ["--overall-time-limit", f"{PATIENCE:.0f}s", "--overall-memory-limit", "4096M"]
    assert told == [*before, *limits, "domain.pddl", "problem.pddl", *after]


def test_the_real_one() -> None:
    pytest.importorskip("up_fast_downward")
    assert plan_only(job("astar-lmcut")).steps == (7,)


def test_it_is_missed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SystemExit) as ended:
        main(["experiment", "-o", str(tmp_path / "out"), "--methods", "lama"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.strip().endswith("Fast Downward is not installed: pip install up-fast-downward")
    assert not (tmp_path / "out").exists()


def test_it_is_found_on_the_path(stand_in: Path) -> None:
    assert find_driver() == [str(stand_in / "fast-downward.py")]


def test_the_quality_next_to_it() -> None:
    ours = result(solved=15)
    assert quality_rows(compute([ours])) == []
    lama = result(method="lama", steps=(10,) * 30, success=1.0, bests=(), policy=None)
    # Half of them solved, with twice the steps.
    assert quality_rows(compute([ours, lama])) == [["Ferry", "0.25", "1.00"]]
