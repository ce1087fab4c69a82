"""The measurement of the learner: its sets, one domain, its file of results and its tables."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from benchmarks import child
from benchmarks.child import Child, run
from benchmarks.generality.measure import account
from benchmarks.learners import sets
from benchmarks.learners.sets import SETS, mixed, problem_set
from benchmarks.learners.tables import comparison, results_in, table

from pg3.domains import DOMAINS
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

RESULT: dict[str, Any] = {
    "set": "built-in",
    "domain": "ferry",
    "seed": 0,
    "problems": 10,
    "working_set": None,
    "training_solved": 10,
    "tests": 30,
    "tests_solved": 30,
    "shuffles": 2,
    "shuffled_solved": 59,
    "rules": 4,
    "cpu_seconds": 1.26,
    "megabytes": 50,
    "exit_code": 0,
    "status": "passed",
    "method": "general rules",
}
NOTHING = RESULT | {
    "tests_solved": 0,
    "shuffles": 0,
    "rules": None,
    "exit_code": 2,
    "status": "a | b",
    "method": "",
}


# Others need files that do not come with pg3, or are not in every clone.
OWN = [n for n in SETS if n not in ("held-out", "autoscale", "moose", "numeric")]


@pytest.mark.parametrize("name", OWN)
def test_a_set_has_training_and_test_problems(name: str, tmp_path: Path) -> None:
    chosen = problem_set(name)
    case = chosen.case(chosen.names[0], 0, tmp_path)
    assert case.training
    assert case.testing
    assert all(path.is_file() for path in (case.domain, *case.training, *case.testing))


@pytest.mark.parametrize("name", ["gripper", "blocksworld"])
def test_a_mixed_set_goes_from_tiny_to_ten_times_the_size(name: str) -> None:
    domain = DOMAINS[name]
    problems = mixed(domain, 0)
    assert problems == mixed(domain, 0)
    assert len({problem.name for problem in problems}) == 100
    objects = [len(problem.objects) for problem in problems]
    training = [len(problem.objects) for problem in domain.problems("train", seed=0)]
    assert min(objects) <= min(training)
    assert 7 * max(training) < max(objects) <= 12 * max(training)


def test_a_problem_may_have_a_domain_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "AUTOSCALE_PROBLEMS", tmp_path)
    for name, own in (("gripper", False), ("airport", True)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "domain.pddl").write_text("one")
        for i in range(1, 31):
            (tmp_path / name / f"p{i:02}.pddl").write_text("")
            if own:
                (tmp_path / name / f"domain-p{i:02}.pddl").write_text(f"{i % 2}")
    chosen = problem_set("autoscale")
    assert chosen.names == ("airport", "gripper")
    airport, gripper = (chosen.case(name, 0, tmp_path) for name in chosen.names)
    assert [path.name for path in gripper.training][:2] == ["p01.pddl", "p02.pddl"]
    assert [len(gripper.training), len(gripper.testing)] == [10, 20]
    assert [path.name for path in airport.training][:2] == ["p01.pddl", "p03.pddl"]
    assert [len(airport.training), len(airport.testing)] == [5, 20]


def test_the_result_of_the_learner_is_understood() -> None:
    result = {"status": "failed", "reason": "time limit", "method": "general rules", "rules": 3}
    result["problems"] = [{"learned_from": True}, {"learned_from": False}]
    assert account(Child(1, "p1: solved\nstopped", 1.0, 1.0, 50), result) == {
        "said": "stopped",
        "status": "failed",
        "reason": "time limit",
        "method": "general rules",
        "working_set": 1,
    }
    assert account(Child(2, "p.pddl:3:1: error", 1.0, 1.0, 50), None)["status"].endswith("error")
    assert account(Child(-24, "", 1.0, 1.0, 50), None)["status"] == "SIGXCPU"


def test_a_limit_ends_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "SLACK_SECONDS", 0)
    ended = run([sys.executable, "-c", "while True: pass"], cpu_seconds=1.0)
    assert ended.killed in ("SIGXCPU", "SIGKILL")


def test_what_someone_stopped_has_no_result() -> None:
    with pytest.raises(KeyboardInterrupt):
        run([sys.executable, "-c", "raise SystemExit(143)"], cpu_seconds=1.0)


def test_a_domain_is_measured_once(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    command = [sys.executable, "-m", "benchmarks.learners", "built-in", "delivery"]
    command += ["-o", str(file), "--shuffles", "1", "--option", "score=pg3"]
    printed = [
        subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert printed[0] == printed[1]
    assert "| delivery | 0 | 5 | 5 | 5/5 | 30/30 | 30/30 |" in printed[0]
    (line,) = file.read_text().splitlines()
    result = json.loads(line)
    assert result["policy"].startswith("(define (policy")
    assert result["status"] == "passed"
    assert result["failed"] == {}


def test_the_tables_say_what_the_results_are(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("".join(json.dumps(each) + "\n" for each in (RESULT | {"rules": 9}, NOTHING)))
    new.write_text(json.dumps(RESULT) + "\n" + json.dumps(RESULT | {"set": "paper"}) + "\n")
    assert table(results_in(new, "paper"))[2:] == [
        "| ferry | 0 | 10 | – | 10/10 | 30/30 | 59/60 | 4 | 1.3 | 50 | 0 | passed "
        "| general rules |",
        "",
        "1 of 1 solved completely, 30 of 30 test problems; learning took 1 CPU s, at most 1 CPU s "
        "and 50 MB.",
    ]
    row, _, before, after = comparison(results_in(old), results_in(new))[2:]
    assert row == ("| ferry | 0 | 0/30 → 30/30 | – → 4 | 1.3 → 1.3 | 50 → 50 | a \\| b | passed |")
    assert before.startswith("Before: 0 of 1 solved completely, 0 of 30 test problems;")
    assert after.startswith("After: 1 of 1 solved completely, 30 of 30 test problems;")
