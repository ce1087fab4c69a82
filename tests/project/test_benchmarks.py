"""`make bench` needs nothing but the repository and what the registries have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from benchmarks import learner, planners
from benchmarks.fast_downward import FastDownward
from benchmarks.paper_preset import problems as preset_problems

from pg3.domains import PAPER_DOMAINS
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pg3.pddl import Problem


def test_one_place_knows_where_foreign_files_may_lie() -> None:
    """Nothing else looks outside of the repository, so that nothing else can need what is there."""
    knowing = [
        path.relative_to(REPOSITORY).as_posix()
        for folder in ("src", "tests", "benchmarks", "examples", "docs", "fuzz")
        for path in (REPOSITORY / folder).rglob("*.py")
        if path != Path(__file__) and '/ "shared"' in path.read_text(encoding="utf-8")
    ]
    assert knowing == ["benchmarks/foreign.py"]


def test_the_planners_get_small_and_large_problems_of_every_domain() -> None:
    sizes: dict[tuple[str, str], list[int]] = {}
    for group, domain, problem in planners.problems():
        sizes.setdefault((group, domain), []).append(len(problem.objects))
    assert set(sizes) == {(g, d) for g in ("training", "larger") for d in PAPER_DOMAINS}
    for domain in PAPER_DOMAINS:
        small, large = sizes["training", domain], sizes["larger", domain]
        assert sum(large) / len(large) > sum(small) / len(small)


def test_every_rival_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def few() -> list[tuple[str, str, Problem]]:
        return [
            (group, name, PAPER_DOMAINS[name].problems("train", seed=0, count=1)[0])
            for group, name in (("training", "ferry"), ("larger", "forest"))
        ]

    monkeypatch.setattr(planners, "problems", few)
    monkeypatch.setattr(planners, "ENOUGH_SEARCHES", 1)
    monkeypatch.setattr(planners, "FAST_DOWNWARD_RUNS", 1)
    planners.run()
    printed = capsys.readouterr().out.splitlines()
    all_rivals = next(line for line in printed if "training, all 1 " in line)
    assert all_rivals.count("x") == len(planners.RIVALS)
    # pyperplan reads no negative preconditions.
    without_one = next(line for line in printed if "larger, all 1 " in line)
    assert without_one.count("x") == len(planners.RIVALS) - 1


def test_fast_downward_reports_its_search(tmp_path: Path) -> None:
    ferry = REPOSITORY / "examples" / "ferry"
    planner = FastDownward(ferry / "domain.pddl", ferry / "small.pddl", tmp_path)
    (expansions, seconds), again = planner.search(), planner.search()
    assert expansions > 0
    assert seconds > 0
    assert again[0] == expansions


def test_the_learner_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "CANDIDATES", 20)
    rate, megabytes = learner.scored("forest")
    assert rate > 0
    assert megabytes > 0


def test_the_papers_preset_can_be_tried_on_a_folder(tmp_path: Path) -> None:
    ferry = PAPER_DOMAINS["ferry"]
    assert len(preset_problems(ferry, "train", 0, None)) == 10
    with pytest.raises(SystemExit, match="no problems"):
        preset_problems(ferry, "train", 0, tmp_path)
