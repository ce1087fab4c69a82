"""`pg3 solve --guided`: what it says, what it writes, and when it writes nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pg3.cli.main import main
from pg3.pddl import read_domain, read_problem
from pg3.pddl.plans import read_plan
from pg3.semantics.validation import validate
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

DOMAIN = str(REPOSITORY / "examples" / "ferry" / "domain.pddl")
SMALL = str(REPOSITORY / "examples" / "ferry" / "small.pddl")
GOOD = str(REPOSITORY / "examples" / "policies" / "ferry.policy")
RESTLESS = """(define (policy restless) (:rule sail :parameters (?from ?to)
  :preconditions (and (at-ferry ?from) (not-eq ?from ?to)) :action (sail ?from ?to)))"""
UNSOLVABLE = """(define (problem p) (:domain ferry) (:objects a b c)
  (:init (location a) (location b) (car c) (at c a) (at-ferry b) (empty-ferry))
  (:goal (at c b)))"""


@pytest.fixture
def restless(tmp_path: Path) -> str:
    path = tmp_path / "restless.policy"
    path.write_text(RESTLESS)
    return str(path)


def solve(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["solve", *map(str, arguments)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return int(ended.value.code or 0), captured.out, captured.err


def test_what_the_policy_alone_cannot_solve(
    capsys: pytest.CaptureFixture[str], restless: str, tmp_path: Path
) -> None:
    assert solve(capsys, DOMAIN, SMALL, "-p", restless)[0] == 1
    file = tmp_path / "plan"
    code, out, err = solve(capsys, DOMAIN, SMALL, "-p", restless, "--guided", "-o", file)
    assert (code, out) == (0, "")
    assert "the policy alone: cycle: step 2 leads back to an earlier state\n" in err
    assert re.search(r"^solved: \d+ steps, cost \d+, \d+ steps of them from search, ", err, re.M)
    problem = read_problem(SMALL, read_domain(DOMAIN))
    assert validate(problem, read_plan(file, problem)).valid
    assert file.read_text().endswith("(unit cost)\n")
    assert solve(capsys, DOMAIN, SMALL, "-p", restless, "--guided")[1] == file.read_text()


def test_what_the_policy_can_solve_alone_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    alone = solve(capsys, DOMAIN, SMALL, "-p", GOOD)
    guided = solve(capsys, DOMAIN, SMALL, "-p", GOOD, "--guided")
    assert alone[:2] == guided[:2]
    assert "from search" not in guided[2]
    assert "the policy alone" not in guided[2]


def test_steps_that_run_out_are_gone_on_from(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = solve(capsys, DOMAIN, SMALL, "-p", GOOD, "--guided", "--max-steps", "3")
    assert code == 0
    assert out == solve(capsys, DOMAIN, SMALL, "-p", GOOD)[1]
    assert "horizon" in err


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--memory-limit", "0", "not solved: memory limit reached (0 MB)\n"),
        ("--time-limit", "0", "not solved: time limit reached (0 s)\n"),
    ],
)
def test_a_limit_is_one_message_and_no_file(
    capsys: pytest.CaptureFixture[str],
    restless: str,
    tmp_path: Path,
    option: str,
    value: str,
    message: str,
) -> None:
    arguments = [DOMAIN, SMALL, "-p", restless, "--guided", option, value]
    code, out, _ = solve(capsys, *arguments, "-o", tmp_path / "plan")
    assert (code, out) == (1, message)
    assert [file.name for file in tmp_path.iterdir()] == ["restless.policy"]


def test_a_problem_without_a_plan(
    capsys: pytest.CaptureFixture[str], restless: str, tmp_path: Path
) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(UNSOLVABLE)
    code, out, _ = solve(capsys, DOMAIN, problem, "-p", restless, "--guided")
    assert (code, out) == (1, "not solved: the problem is unsolvable\n")


def test_a_plan_that_is_the_best_is_not_improved(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(UNSOLVABLE.replace("(at-ferry b)", "(at-ferry a) (not-eq a b) (not-eq b a)"))
    code, _, err = solve(
        capsys, DOMAIN, problem, "-p", GOOD, "--improve-expansions", "1000", "-o", tmp_path / "plan"
    )
    assert code == 0
    assert ", not improved in " in err
    assert err.endswith(" s, no plan costs less\n")


@pytest.mark.parametrize("option", [["--improve", "1000000"], ["--improve-expansions", "1000"]])
def test_improved_plans(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: list[str]
) -> None:
    """A better plan is found soon, and that there is none beyond it: the time does not matter."""
    file = tmp_path / "plan"
    code, out, err = solve(capsys, DOMAIN, SMALL, "-p", GOOD, *option, "-o", file)
    assert (code, out) == (0, "")
    assert "solved: 7 steps, cost 7, " in err
    assert "improved from cost 8 in " in err
    assert err.endswith(" s, no plan costs less\n")
    problem = read_problem(SMALL, read_domain(DOMAIN))
    assert validate(problem, read_plan(file, problem)).cost == 7
    with pytest.raises(SystemExit):
        main(["plan", DOMAIN, SMALL, *option])
    captured = capsys.readouterr()
    assert captured.out.endswith("; cost = 7 (unit cost)\n")
    assert "no plan costs less" in captured.err
