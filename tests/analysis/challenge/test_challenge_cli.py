"""`pg3 challenge`, `pg3 certify` and `pg3 learn --challenge`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pg3.domains import DOMAINS
from pg3.pddl import parse_problem, write_problem
from tests.cli.test_cli import Result, Run, pg3
from tests.conftest import REPOSITORY

__all__ = ["pg3"]  # the fixture that runs the command line

CORRECT = REPOSITORY / "examples" / "policies" / "miconic.policy"
BROKEN = Path(__file__).parent / "miconic-only-up.policy"


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in that has the domain and two training problems."""
    monkeypatch.chdir(tmp_path)
    miconic = DOMAINS["miconic"]
    Path("domain.pddl").write_text(miconic.text)
    Path("train").mkdir()
    for i, problem in enumerate(miconic.problems(seed=0, count=2)):
        Path("train", f"p{i}.pddl").write_text(write_problem(problem))
    return tmp_path


def test_a_counterexample_goes_to_stdout_and_its_story_to_stderr(pg3: Run, inside: Path) -> None:
    result = pg3("challenge", "domain.pddl", "--policy", BROKEN, "--generator", "miconic")
    assert result.code == 1
    assert len(parse_problem(result.out, DOMAINS["miconic"].domain).objects) == 3
    assert result.err.splitlines()[-4:] == [
        "problem 1: miconic-test-0-1, as it is: no rule applies",
        "shrunk to 3 objects, 4 facts, 1 goal",
        "the policy fails: no rule applies after 2 steps",
        "there is a plan of 4 steps",
    ]


def test_a_counterexample_goes_to_a_file_that_fails(pg3: Run, inside: Path) -> None:
    result = pg3("challenge", "domain.pddl", "train", "-p", BROKEN, "-o", "failed.pddl")
    assert (result.code, result.out) == (1, "")
    assert result.err.endswith("the counterexample is in failed.pddl\n")
    assert pg3("solve", "domain.pddl", "failed.pddl", "-p", BROKEN).code == 1
    assert pg3("plan", "domain.pddl", "failed.pddl").code == 0


def test_without_shrinking_it_is_as_it_was_found(pg3: Run, inside: Path) -> None:
    result = pg3("challenge", "domain.pddl", "train/p0.pddl", "-p", BROKEN, "--no-shrink")
    assert result.code == 1
    assert (
        parse_problem(result.out, DOMAINS["miconic"].domain)
        == DOMAINS["miconic"].problems(seed=0, count=1)[0]
    )


def test_none_found(pg3: Run, inside: Path) -> None:
    for where in (["--generator", "miconic"], ["train"]):
        options = ["-n", "20", *where]
        result = pg3("challenge", "domain.pddl", "-p", CORRECT, *options, "-o", "failed.pddl")
        assert (result.code, result.out) == (0, "no counterexample in 20 problems\n")
        assert not Path("failed.pddl").exists()


@pytest.mark.parametrize("command", ["challenge", "certify"])
def test_bad_usage(pg3: Run, inside: Path, command: str) -> None:
    start = (command, "domain.pddl", "-p", CORRECT)
    assert pg3(*start).code == 2
    assert "give problems, or --generator NAME, and not both" in pg3(*start).err
    assert pg3(*start, "train", "--generator", "miconic").code == 2
    assert pg3(*start, "--generator", "micnic") == Result(
        2, "", "--generator: there is no built-in domain 'micnic': did you mean 'miconic'?\n"
    )
    assert pg3(*start, "--generator", "spanner") == Result(
        2,
        "",
        "--generator: its problems are of another domain; this one: pg3 domains spanner\n",
    )
    assert "it is an input" in pg3(*start, "train", "-o", "train/p0.pddl").err


def test_a_certificate_is_written_and_checked(pg3: Run, inside: Path) -> None:
    start = ("certify", "domain.pddl", "-p", CORRECT)
    result = pg3(*start, "--generator", "miconic", "--objects", "4", "-o", "c.json")
    claim = "that generator 'miconic' can make: "
    assert result.code == 0
    assert claim in result.out
    assert json.loads(Path("c.json").read_text())["policy"]["name"] == "miconic.policy"
    assert pg3(*start, "--check", "c.json") == Result(0, result.out, "")
    other = pg3("certify", "domain.pddl", "-p", BROKEN, "--check", "c.json")
    assert other == Result(
        2, "", f"c.json: is about another policy than {BROKEN}: the hashes differ\n"
    )


def test_a_certificate_of_a_broken_policy_says_so(pg3: Run, inside: Path) -> None:
    start = ("certify", "domain.pddl", "-p", BROKEN)
    for where in (
        ["--generator", "miconic", "-n", "20"],
        ["train", "--reachable"],
    ):
        result = pg3(*start, *where)
        assert result.code == 1
        assert json.loads(result.out)["counts"]["failed"] > 0
        assert "failed: miconic-" in result.err
    assert pg3(*start, "train", "--objects", "3").code == 2


def test_learning_again_from_counterexamples(pg3: Run, inside: Path) -> None:
    # Two balls that belong where the robot is: nothing shows how to fetch one from elsewhere.
    sizes = ("--balls", "2", "--rooms", "2", "--targets", "1")
    assert pg3("generate", "gripper", "-n", "1", *sizes, "-o", "gripper").code == 0
    options = ("learn", "gripper/domain.pddl", "gripper", "--preset", "paper", "--challenge", "3")
    result = pg3(*options, "-o", "gripper.policy")
    assert result.code == 0
    assert "challenged: learns again from counterexample gripper-test-" in result.err
    assert "challenged: no counterexample found" in result.err
    assert "solves all 3 training problems" in result.err
    after = ("-p", "gripper.policy", "--generator", "gripper", "--no-walks")
    assert pg3("challenge", "gripper/domain.pddl", *after).code == 0
    refused = pg3(*options, "--log", "log.jsonl")
    assert refused.code == 2
    assert "--challenge goes without --run and --log" in refused.err


@pytest.mark.parametrize("name", ["challenge", "certify"])
def test_help(pg3: Run, name: str) -> None:
    result = pg3(name, "--help")
    assert result.code == 0
    assert f"Example: pg3 {name}" in result.out
    assert len(result.out.splitlines()) <= 40
