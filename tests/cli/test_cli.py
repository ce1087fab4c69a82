"""The commands: exit codes, what goes to stdout and what to stderr, and messages for bad input."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from pg3 import __version__
from pg3.cli.main import main
from tests.support.waiting import read_until

ROOT = Path(__file__).parents[2]
DOMAIN = str(ROOT / "examples" / "ferry" / "domain.pddl")
SMALL = str(ROOT / "examples" / "ferry" / "small.pddl")
POLICY = str(ROOT / "examples" / "policies" / "ferry.policy")
UNSOLVABLE = """(define (problem p) (:domain ferry) (:objects a b c)
  (:init (location a) (location b) (car c) (at c a) (at-ferry b) (empty-ferry))
  (:goal (at c b)))"""
SHORT_POLICY = """(define (policy short)
  (:rule board :parameters (?c ?l) :preconditions (and (car ?c) (at ?c ?l) (at-ferry ?l))
   :action (board ?c ?l)))"""
HASTY_POLICY = """(define (policy hasty)
  (:rule b :parameters (?c ?l) :goals (at ?c ?l) :action (board ?c ?l)))"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def pg3(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line in this process."""

    def run(*arguments: str | Path) -> Result:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        code = ended.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "pg3", *map(str, arguments)]


def large_problem(path: Path) -> Path:
    """A problem that A* does not solve in the time of a test."""
    ferry_problem = runpy.run_path(str(ROOT / "examples" / "demo.py"))["ferry_problem"]
    path.write_text(ferry_problem(40, 40, random.Random(0)))
    return path


# -- help ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plan", "solve", "evaluate", "validate", "show"])
def test_help_of_each_command(pg3: Run, name: str) -> None:
    result = pg3(name, "--help")
    assert result.code == 0
    assert f"Example: pg3 {name} " in result.out
    assert len(result.out.splitlines()) < 40


def test_help_of_all(pg3: Run) -> None:
    result = pg3("--help")
    assert result.code == 0
    assert "Example: pg3 " in result.out
    assert len(result.out.splitlines()) < 40
    assert re.findall(r"^  ([a-z]+)  ", result.out, re.MULTILINE) == [
        "learn",
        "plan",
        "solve",
        "evaluate",
        "validate",
        "show",
        "explain",
        "view",
        "score",
        "challenge",
        "certify",
        "prove",
        "doctor",
        "export",
        "domains",
        "generate",
        "experiment",
        "report",
    ]
    alone = pg3()
    assert alone.code in (0, 2)
    assert "Example: pg3 " in alone.out + alone.err


def test_version(pg3: Run) -> None:
    assert pg3("--version") == Result(0, f"pg3 {__version__}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["plan"],
        ["plan", DOMAIN, SMALL, "--max-expansions", "many"],
        ["plan", DOMAIN, SMALL, "--search", "lazy"],
        ["plan", DOMAIN, SMALL, "--max-expansions", "-1"],
        ["plan", DOMAIN, SMALL, "--time-limit", "nan"],
        ["solve", DOMAIN, SMALL],
        ["evaluate", DOMAIN, SMALL, "--policy", POLICY, "--jobs", "0"],
        ["evaluate", DOMAIN, "--policy", POLICY],
        ["show", DOMAIN, "-p", POLICY, "--format", "xml"],
    ],
)
def test_wrong_usage(pg3: Run, arguments: list[str]) -> None:
    result = pg3(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert "Usage: pg3" in result.err


# -- plan ------------------------------------------------------------------------------------------


def test_plan_to_stdout_is_a_plan_file(pg3: Run, tmp_path: Path) -> None:
    result = pg3("plan", DOMAIN, SMALL)
    assert result.code == 0
    assert re.fullmatch(r"(\([a-z0-9 ]+\)\n){9}; cost = 9 \(unit cost\)\n", result.out)
    assert re.fullmatch(
        r"solved: 9 steps, cost 9, the first plan found \(cheaper ones: --improve 10\), "
        r"\d+ expansions, \d+\.\d+ s\n",
        result.err,
    )
    (tmp_path / "plan").write_text(result.out)
    assert pg3("validate", DOMAIN, SMALL, tmp_path / "plan") == Result(
        0, "valid: 9 steps, cost 9\n", ""
    )


@pytest.mark.parametrize(
    ("options", "quality"),
    [
        (["--search", "astar"], "8 steps, cost 8"),
        (["--search", "astar", "--max-expansions", "1000000"], "8 steps, cost 8"),
        (["--max-expansions", "100000"], "7 steps, cost 7, no plan costs less"),
        (["--max-expansions", "25"], "8 steps, cost 8, the best of 2 plans"),
        (["--max-expansions", "100000", "--first"], "9 steps, cost 9"),
    ],
)
def test_kinds_of_search(pg3: Run, options: list[str], quality: str) -> None:
    result = pg3("plan", DOMAIN, SMALL, *options)
    assert result.code == 0
    assert re.fullmatch(rf"solved: {quality}, \d+ expansions, \d+\.\d+ s\n", result.err)


def test_plan_to_a_file(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "plan"
    result = pg3("plan", DOMAIN, SMALL, "-o", path)
    assert (result.code, result.out) == (0, "")
    assert path.read_text().endswith("; cost = 9 (unit cost)\n")
    assert list(tmp_path.iterdir()) == [path]


def test_plan_finds_none(pg3: Run, tmp_path: Path) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(UNSOLVABLE)
    plan = tmp_path / "plan"
    result = pg3("plan", DOMAIN, problem, "-o", plan)
    assert (result.code, result.out) == (1, "no plan: the problem is unsolvable\n")
    assert not plan.exists()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--max-expansions", "1", "no plan: expansion limit reached (1 expansions)\n"),
        ("--time-limit", "0.1", "no plan: time limit reached (0.1 s)\n"),
        ("--memory-limit", "0.001", "no plan: memory limit reached (0.001 MB)\n"),
    ],
)
def test_plan_stops_at_a_limit(
    pg3: Run, tmp_path: Path, option: str, value: str, message: str
) -> None:
    problem = large_problem(tmp_path / "p.pddl")
    result = pg3("plan", DOMAIN, problem, "--search", "astar", option, value)
    assert (result.code, result.out) == (1, message)


@pytest.mark.parametrize("value", ["inf", "1e30", "99999999999999999999"])
def test_a_huge_limit_is_none(pg3: Run, value: str) -> None:
    assert pg3("plan", DOMAIN, SMALL, "--time-limit", value, "--memory-limit", value).code == 0
    if value.isdigit():
        assert pg3("plan", DOMAIN, SMALL, "--max-expansions", value).code == 0
        solve = pg3("solve", DOMAIN, SMALL, "--policy", POLICY, "--max-steps", value)
        assert solve.code == 0


def test_plan_with_costs(pg3: Run, tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(
        """(define (domain d) (:requirements :strips :action-costs)
             (:predicates (half) (done)) (:functions (total-cost) - number)
             (:action leap :parameters () :effect (and (done) (increase (total-cost) 9)))
             (:action step :parameters () :effect (and (half) (increase (total-cost) 2)))
             (:action stride :parameters () :precondition (half)
               :effect (and (done) (increase (total-cost) 3))))"""
    )
    problem.write_text(
        """(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (done))
             (:metric minimize (total-cost)))"""
    )
    result = pg3("plan", domain, problem)
    assert result.out == "(leap)\n; cost = 9 (general cost)\n"
    result = pg3("plan", domain, problem, "--use-costs")
    assert result.out == "(step)\n(stride)\n; cost = 5 (general cost)\n"


# -- solve -----------------------------------------------------------------------------------------


def test_solve(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "plan"
    result = pg3("solve", DOMAIN, SMALL, "--policy", POLICY, "-o", path)
    assert (result.code, result.out) == (0, "")
    assert re.fullmatch(r"solved: \d+ steps, cost \d+, \d+\.\d+ s\n", result.err)
    assert pg3("validate", DOMAIN, SMALL, path).code == 0
    assert pg3("solve", DOMAIN, SMALL, "-p", POLICY).out == path.read_text()


def test_solve_stops_at_the_horizon(pg3: Run) -> None:
    result = pg3("solve", DOMAIN, SMALL, "--policy", POLICY, "--max-steps", "2")
    assert (result.code, result.out) == (1, "not solved: horizon after 2 steps\n")


def test_solve_where_no_rule_applies(pg3: Run, tmp_path: Path) -> None:
    policy = tmp_path / "short.policy"
    policy.write_text(SHORT_POLICY)
    result = pg3("solve", DOMAIN, SMALL, "--policy", policy)
    assert (result.code, result.out) == (1, "not solved: no rule applies after 0 steps\n")
    assert pg3("solve", DOMAIN, SMALL, "--policy", policy, "--json", "-").out == (
        json.dumps({"status": "not applicable", "plan": None}, indent=1) + "\n"
    )


def test_solve_where_the_chosen_action_cannot_be_done(pg3: Run, tmp_path: Path) -> None:
    policy = tmp_path / "hasty.policy"
    policy.write_text(HASTY_POLICY)
    result = pg3("solve", DOMAIN, SMALL, "--policy", policy)
    assert result.out == "not solved: the chosen action cannot be done after 0 steps\n"
    assert "which needs (at c1 l1)" in result.err


# -- validate and show -----------------------------------------------------------------------------


def test_validate_says_what_fails(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "plan"
    path.write_text("(sail l1 l2)\n(board c1 l2)\n(board c2 l3)\n")
    assert pg3("validate", DOMAIN, SMALL, path) == Result(
        1, "invalid: step 3: (board c2 l3) needs (at-ferry l3), which is false\n", ""
    )
    path.write_text("(sail l1 l2)\n")
    assert pg3("validate", DOMAIN, SMALL, path) == Result(
        1, "invalid: the plan ends without (at c1 l1) and 1 more goal\n", ""
    )


@pytest.mark.parametrize("form", ["text", "json"])
def test_show_prints_what_it_can_read(pg3: Run, tmp_path: Path, form: str) -> None:
    result = pg3("show", DOMAIN, "-p", POLICY, "--format", form)
    assert (result.code, result.err) == (0, "")
    path = tmp_path / "again.policy"
    path.write_text(result.out)
    assert pg3("show", DOMAIN, "-p", path, "--format", form) == result
    if form == "json":
        json.loads(result.out)


# -- bad input -------------------------------------------------------------------------------------


def test_a_missing_file(pg3: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for arguments in (
        ["plan", missing, SMALL],
        ["plan", DOMAIN, missing],
        ["solve", DOMAIN, SMALL, "--policy", missing],
        ["evaluate", DOMAIN, SMALL, "--policy", missing],
        ["validate", DOMAIN, SMALL, missing],
        ["show", DOMAIN, "-p", missing],
        ["show", missing, "-p", POLICY],
    ):
        assert pg3(*arguments) == Result(2, "", f"{missing}: no such file\n")


def test_a_fault_in_each_kind_of_file(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_text("(define (domain d) (:predicates (p ?x))\n  (:action a :parameters (?x)\n"
                    "    :precondition (q ?x) :effect (p ?x)))")  # fmt: skip
    result = pg3("plan", path, SMALL)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{path}:3:20: ")
    assert "^" in result.err

    path.write_text("(define (policy p) (:rule r :parameters (?c)\n  :action (bord ?c ?c)))")
    result = pg3("solve", DOMAIN, SMALL, "--policy", path)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{path}:2:12: ")
    assert "board" in result.err

    path.write_text("(sail l1 l9)")
    result = pg3("validate", DOMAIN, SMALL, path)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{path}:1:10: the problem has no object 'l9'\n")


def test_a_warning_is_one_line_and_no_failure(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.pddl"
    path.write_text(Path(SMALL).read_text().rstrip()[:-1])
    result = pg3("plan", DOMAIN, path)
    assert result.code == 0
    warning, summary = result.err.splitlines()
    assert re.match(rf"warning: {re.escape(str(path))}:\d+:\d+: ", warning)
    assert summary.startswith("solved: ")


def test_an_unwritable_result_is_known_before_the_work(pg3: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "plan"
    expected = Result(2, "", f"{path}: cannot write: not a directory\n")
    assert pg3("plan", DOMAIN, SMALL, "-o", path) == expected
    assert pg3("solve", DOMAIN, SMALL, "--policy", POLICY, "-o", path) == expected
    assert pg3("evaluate", DOMAIN, SMALL, "--policy", POLICY, "--json", path) == expected
    assert pg3("plan", DOMAIN, SMALL, "-o", tmp_path) == Result(
        2, "", f"{tmp_path}: cannot write: is a directory\n"
    )
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


# -- the process -----------------------------------------------------------------------------------


def test_a_search_says_how_long_it_goes_on_and_can_be_interrupted(tmp_path: Path) -> None:
    problem = large_problem(tmp_path / "p.pddl")
    script = (
        "import pg3.cli.output.progress as p; p._INTERVAL = 0.2\n"
        "from pg3.__main__ import main; main()",
        *("plan", DOMAIN, problem, "--search", "astar", "-o", tmp_path / "plan"),
    )
    process = subprocess.Popen(
        [sys.executable, "-c", *map(str, script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    said = read_until(process.stderr.fileno(), r"searching for a plan, \d+ s\n")
    process.send_signal(signal.SIGINT)
    said += read_until(process.stderr.fileno())
    out, _ = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert re.fullmatch(r"((reading|searching for a plan), \d+ s\n)+interrupted\n", said)
    assert [p.name for p in tmp_path.iterdir()] == ["p.pddl"]


def test_a_closed_pipe_is_quiet() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.run(
        command("plan", DOMAIN, SMALL), stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert process.returncode == 141
    assert b"Error" not in process.stderr
    assert b"Exception" not in process.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_behind_stdout_is_one_clear_line() -> None:
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            command("show", DOMAIN, "-p", POLICY),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert process.returncode == 2
    assert process.stderr == "stdout: cannot write: no space left on device\n"


def test_a_terminal_shows_progress_on_stderr_only() -> None:
    terminal, child_side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.run(
        command("evaluate", DOMAIN, SMALL, "--policy", POLICY),
        stdout=subprocess.PIPE,
        stderr=child_side,
        env=environment,
        check=False,
    )
    os.close(child_side)
    shown = read_until(terminal)
    os.close(terminal)
    assert process.returncode == 0
    assert process.stdout.endswith(b"solved 1/1 (1.00)\n")
    assert b"\x1b" not in process.stdout
    assert "evaluating" in shown
    assert "solved" not in shown
