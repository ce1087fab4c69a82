"""The comparison of many domains: parts are made once, and the page holds what is there."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.generality.cases import BUILT_IN, Case, built_in_case, spread
from benchmarks.generality.lama import Lama
from benchmarks.generality.page import BEGIN, END, assemble, policies
from benchmarks.generality.store import Store
from benchmarks.generality.tables import (
    Findings,
    learning_table,
    length_table,
    moose_table,
    origin_table,
    size_table,
)

from pg3 import read_domain, read_problem
from pg3.domains import DOMAINS, PAPER_DOMAINS
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

PAGE = REPOSITORY / "docs" / "results" / "generality.md"
KEPT = REPOSITORY / "docs" / "results" / "generality-lama.jsonl"

# -- the store -------------------------------------------------------------------------------------


def test_a_result_is_found_again_by_its_key(tmp_path: Path) -> None:
    store = Store(tmp_path, tmp_path / "kept")
    first = store.make("learn", "ferry", {"seed": 0}, lambda: {"fact": 5})
    assert first["fact"] == 5
    assert {"date", "version"} <= set(first)
    assert Store(tmp_path, tmp_path / "kept").get("learn", "ferry") == first
    assert store.has("learn", "ferry", {"seed": 0})
    assert not store.has("learn", "ferry", {"seed": 1})
    store.make("learn", "ferry", {"seed": 1}, lambda: {"fact": 6})
    assert store.has("learn", "ferry", {"seed": 1})
    (file,) = (tmp_path / "learn").iterdir()
    assert len(file.read_text().splitlines()) == 1


def test_a_result_that_fails_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path, tmp_path / "kept")

    def find() -> dict[str, Any]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.make("learn", "ferry", {}, find)
    assert store.get("learn", "ferry") is None


def test_kept_results_are_used_elsewhere_and_replaced_by_newer_ones(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    here = Store(tmp_path / "here", kept)
    for name in ("b", "a"):
        here.make("lama", name, {}, lambda: {"steps": 5})
    here.keep([here.get("lama", name) or {} for name in ("b", "a")])
    there = Store(tmp_path / "there", kept)
    assert there.has("lama", "a", {})
    newer = there.make("lama", "a", {"seconds": 60}, lambda: {"steps": 4})
    there.keep([newer])
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [(line["name"], line["steps"]) for line in lines] == [("a", 4), ("b", 5)]


def test_lama_that_is_stopped_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "up_fast_downward"
    (package / "downward").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "up_fast_downward", raising=False)
    driver = package / "downward" / "fast-downward.py"
    ask = partial(Lama(60, first=True).solve, tmp_path / "domain.pddl", tmp_path / "problem.pddl")
    driver.write_text('open("sas_plan", "w").write("(a)\\n(b)\\n; cost = 2\\n")')
    assert ask()["steps"] == 2
    driver.write_text("raise SystemExit(23)")
    assert ask()["steps"] is None
    driver.write_text("raise SystemExit(-15)")
    with pytest.raises(KeyboardInterrupt):
        ask()


# -- the cases -------------------------------------------------------------------------------------


def test_a_sample_goes_from_small_to_large(tmp_path: Path) -> None:
    paths = []
    for i in range(10):
        paths.append(tmp_path / f"p{i}.pddl")
        paths[-1].write_text("x" * (100 - i))
    assert [path.name for path in spread(tuple(paths), 4)] == [f"p{i}.pddl" for i in (9, 6, 3, 0)]
    assert [path.name for path in spread(tuple(paths), 1)] == ["p0.pddl"]
    assert len(spread(tuple(paths), 99)) == 10


def test_a_built_in_domain_has_problems_of_growing_size(tmp_path: Path) -> None:
    case = built_in_case("ferry-typed", tmp_path, seed=0, every=2)
    assert [len(case.training), len(case.testing), len(case.grown)] == [5, 30, 10]
    domain = read_domain(case.domain)
    sizes = [
        max(len(read_problem(path, domain).objects) for path in paths)
        for paths in (case.training, case.testing, case.grown)
    ]
    assert 5 * sizes[0] < sizes[1] < sizes[2]
    written = case.testing[0].stat().st_mtime_ns
    assert built_in_case("ferry-typed", tmp_path, seed=0, every=2) == case
    assert case.testing[0].stat().st_mtime_ns == written


def test_every_built_in_domain_but_the_paper_s_is_compared() -> None:
    assert sorted(BUILT_IN) == sorted(set(DOMAINS) - set(PAPER_DOMAINS))


# -- the tables ------------------------------------------------------------------------------------


def findings(tmp_path: Path, **parts: Any) -> Findings:
    (tmp_path / "domain.pddl").write_text(DOMAINS["ferry-typed"].text)
    case = Case("ferry-typed", tmp_path / "domain.pddl", (), (), None)
    known: dict[str, Any] = {"learned": None, "tried": None, "by_hand": None}
    known |= {"first_plans": {}, "best_plans": {}} | parts
    return Findings(case=case, domain=read_domain(case.domain), **known)


LEARNED = {
    "problems": 10,
    "objects": [4, 9],
    "cpu_seconds": 1.25,
    "megabytes": 50,
    "method": "general rules",
    "date": "2026-01-02",
    "version": "0.1.0 abc",
    "policy": (
        "(define (policy p) (:rule board :parameters (?c - car ?l - location)"
        " :preconditions (and (at-ferry ?l) (at ?c ?l)) :action (board ?c ?l)))"
    ),
}
TRIED = {
    "trials": [["p1", 45, True, 10, 0.001], ["p2", 60, False, 7, 0.001]],
    "shuffled": [[], ["p2"], ["p1", "p2"]],
    "grown": [["p1", 120, True, 20, 0.001]],
    "date": "2026-01-03",
    "version": "0.1.0 abc",
}


def test_what_was_not_run_is_a_dash(tmp_path: Path) -> None:
    nothing = findings(tmp_path)
    assert learning_table([nothing])[2].startswith("| ferry-typed | – | – |")
    assert size_table([nothing])[2:] == []
    assert length_table([nothing])[2:] == []
    assert policies([nothing]) == []
    assert "| – |" in origin_table([nothing])[2]
    assert moose_table([nothing])[2] == "| test problems solved | 719.6 of 720 | 0 of 0 |"


def test_figures_are_those_of_the_results(tmp_path: Path) -> None:
    answer = {"steps": 8, "cpu_seconds": 2.0, "date": "2026-01-04"}
    unanswered = answer | {"steps": None, "cpu_seconds": 60.0}
    some = findings(
        tmp_path,
        learned=LEARNED,
        tried=TRIED,
        first_plans={"p1": answer, "p2": unanswered},
        by_hand={"rules": 4, **TRIED},
    )
    row = learning_table([some])[2]
    assert row == (
        "| ferry-typed | general rules | 10 | 4 to 9 | 1.2 | 50 | 1 | 45 to 60 | **1/2** | **3/6** "
        "| MISSED |"
    )
    assert size_table([some])[2] == "| ferry-typed | 1/1 | **0/1** | 1/1 |"
    assert length_table([some])[2] == "| ferry-typed | 2 | 1 | 31.0 | 1.25 | 1.25 | – | – |"
    assert (
        "| 2026-01-02, pg3 0.1.0 abc | 2026-01-03, pg3 0.1.0 abc | 2026-01-04 |"
        in (origin_table([some])[2])
    )


def test_a_short_policy_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.generality.page.OURS", ("ferry-typed",))
    some = findings(tmp_path, learned=LEARNED)
    assert "Board a car" in policies([some])[2]


def test_policies_of_twins_are_counted(tmp_path: Path) -> None:
    assert "- `ferry-typed`, 1 rules: 1 board." in policies([findings(tmp_path, learned=LEARNED)])


def test_the_page_keeps_the_words_around_the_tables(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{BEGIN}old\n{END}After.\n")
    assemble(page, [findings(tmp_path, learned=LEARNED | {"said": "candidate limit"}, tried=TRIED)])
    text = page.read_text()
    assert text.startswith(f"Before.\n{BEGIN}")
    assert text.endswith(f"{END}After.\n")
    assert "old" not in text
    assert (
        "- `ferry-typed`: 1 of 2 test problems solved. `pg3 learn` says: candidate limit." in text
    )
    assert "(:rule board" not in text


# -- the whole -------------------------------------------------------------------------------------


def test_a_run_can_be_made_in_parts(tmp_path: Path) -> None:
    def run(*options: str) -> str:
        command = [sys.executable, "-m", "benchmarks.generality", "ferry-typed", *options]
        command += ["--results", str(tmp_path), "--moose", str(tmp_path / "none")]
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert "learn ferry-typed" in run("--parts", "learn")
    said = run("--parts", "learn,solve,hand")
    assert "learn ferry-typed" not in said
    assert "solve ferry-typed ... 30/30, shuffled -0, 0, 0, 0, 0, larger 10/10" in said
    assert "hand ferry-typed ... 30/30" in said


def test_lama_s_answers_in_the_page_are_kept_beside_it() -> None:
    results = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    assert {result["part"] for result in results} <= {"lama", "best"}
    names = [(result["part"], result["name"]) for result in results]
    assert names == sorted(set(names))
    text = PAGE.read_text(encoding="utf-8")
    assert text.index(BEGIN) < text.index(END)
