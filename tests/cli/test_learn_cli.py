"""`pg3 learn`: exit codes, what is written where, the display, interrupts, the log."""

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
from pathlib import Path
from typing import Any

import pytest

from pg3.pddl import read_domain
from pg3.policy import read_policy
from pg3.viewer.logs import read_log
from tests.cli.test_cli import DOMAIN, POLICY, ROOT, SMALL, UNSOLVABLE, Result, Run, command, pg3
from tests.support.waiting import PATIENCE, read_until, wait_for_lines

__all__ = ["pg3"]

# A search that goes on for hours: without induced rules Ferry has no short way to a policy.
ENDLESS = (
    *("--preset", "paper", "--operators", "add-rule,add-condition"),
    *("--max-candidates", "100000000"),
)

SOLVED_ALREADY = """(define (problem p) (:domain ferry) (:objects a c)
  (:init (location a) (car c) (at c a) (at-ferry a) (empty-ferry)) (:goal (at c a)))"""


@pytest.fixture(scope="session")
def train(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of ten small problems."""
    folder = tmp_path_factory.mktemp("train")
    make_problems = runpy.run_path(str(ROOT / "examples" / "demo.py"))["make_problems"]
    make_problems(folder, 10, cars=(2, 3), locations=(4, 6), rng=random.Random(1))
    return folder


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_seconds(path: Path) -> list[dict[str, Any]]:
    lines = lines_of(path)
    for line in lines:
        line.pop("seconds", None)
    return lines


# -- results ---------------------------------------------------------------------------------------


def test_a_policy_in_a_file(pg3: Run, train: Path, tmp_path: Path) -> None:
    policy = tmp_path / "ferry.policy"
    result = pg3("learn", DOMAIN, train, "-o", policy)
    assert (result.code, result.out) == (0, "")
    # On a busy machine there are lines of progress, too.
    lines = [line for line in result.err.splitlines() if not line.startswith("learning, ")]
    *problems, learned, stopped = lines
    assert [re.sub(r"\d+ steps", "N steps", line) for line in problems] == [
        f"{train / f'p{i}.pddl'}: solved, N steps" for i in range(1, 11)
    ]
    assert re.fullmatch(
        r"\d+ rules; solves all 10 training problems and \d+ grown ones of up to \d+ objects; "
        rf"the policy is in {re.escape(str(policy))}",
        learned,
    )
    assert re.fullmatch(
        r"stopped: perfect training score \(.*\); learned from 5 of 10 problems; "
        r"(\d+ candidates, \d+ expanded, )?\d+\.\d\d s",
        stopped,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["ferry.policy"]
    read_policy(policy, read_domain(DOMAIN))
    evaluated = pg3("evaluate", DOMAIN, train, SMALL, "--policy", policy)
    assert evaluated.code == 0
    assert evaluated.out.endswith("solved 11/11 (1.00)\n")


def test_a_policy_on_stdout(pg3: Run, train: Path, tmp_path: Path) -> None:
    result = pg3("learn", DOMAIN, train, "--name", "my-ferry")
    assert result.code == 0
    assert result.out.startswith("(define (policy my-ferry)\n  (:domain ferry)\n")
    path = tmp_path / "p.policy"
    path.write_text(result.out)
    assert pg3("show", DOMAIN, "-p", path).out == result.out


def test_no_policy_is_code_1_and_the_best_is_written(pg3: Run, train: Path, tmp_path: Path) -> None:
    policy = tmp_path / "p.policy"
    result = pg3(
        *("learn", DOMAIN, train, "-o", policy, "--preset", "paper"),
        *("--operators", "add-rule, add-condition", "--max-candidates", "200"),
    )
    assert (result.code, result.out) == (1, "")
    assert "p1.pddl: not solved\n" in result.err
    assert "stopped: candidate limit (search); 200 candidates, " in result.err
    read_policy(policy, read_domain(DOMAIN))


def test_expanded_policies_are_limited_and_told(pg3: Run, train: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    result = pg3(
        *("learn", DOMAIN, train, "--preset", "paper", "--as-printed", "--max-expansions", "4"),
        *("--log", log),
    )
    first, *_, last = lines_of(log)
    counts = f"{last['candidates']} candidates, 4 expanded, "
    assert f"stopped: expansion limit (search); {counts}" in result.err
    assert last["expansions"] == 4
    assert first["options"]["max_expansions"] == 4
    assert first["options"]["as_printed"] is True


def test_problems_that_teach_nothing_are_named(pg3: Run, train: Path, tmp_path: Path) -> None:
    easy, hopeless = tmp_path / "easy.pddl", tmp_path / "hopeless.pddl"
    easy.write_text(SOLVED_ALREADY)
    hopeless.write_text(UNSOLVABLE)
    result = pg3("learn", DOMAIN, easy, train, hopeless)
    assert result.code == 0
    lines = [line for line in result.err.splitlines() if not line.startswith("learning, ")]
    # There are more than ten: of those that are solved there are no lines.
    assert lines[0] == f"{easy}: left out: its goal holds at the start"
    assert lines[1] == f"{hopeless}: left out: it has no solution"
    assert "; solves all 10 training problems and " in lines[2]
    assert len(lines) == 4

    result = pg3("learn", DOMAIN, easy, hopeless)
    assert (result.code, result.out) == (1, "(define (policy ferry)\n  (:domain ferry))\n")
    assert "nothing to learn: every training problem was left out" in result.err


def test_a_time_limit(pg3: Run, train: Path) -> None:
    result = pg3("learn", DOMAIN, train, *ENDLESS, "--time-limit", "0.5")
    assert result.code == 1
    assert "stopped: time limit (" in result.err


@pytest.mark.parametrize("score", ["policy-evaluation", "plan-comparison", "combo", "goal-count"])
def test_every_score(pg3: Run, train: Path, score: str) -> None:
    result = pg3("learn", DOMAIN, train, "--score", score, "--max-candidates", "300")
    assert result.code in (0, 1)
    assert result.out.startswith("(define (policy ferry)")


def test_the_same_result_as_from_python(pg3: Run, train: Path) -> None:
    import pg3 as package
    from pg3.policy import write_policy

    domain = package.read_domain(DOMAIN)
    problems = [package.read_problem(train / f"p{i}.pddl", domain) for i in range(1, 11)]
    result = package.learn(domain, problems, seed=3, accumulate="mean")
    assert pg3("learn", DOMAIN, train, "--seed", "3", "--accumulate", "mean").out == write_policy(
        result.policy, domain
    )


# -- bad input -------------------------------------------------------------------------------------


def test_help(pg3: Run) -> None:
    result = pg3("learn", "--help")
    assert result.code == 0
    assert "Example: pg3 learn " in result.out
    options = """output preset score seed max-candidates max-expansions as-printed
        time-limit jobs log rollout-steps plan-horizon astar-expansions accumulate
        size-weight operators name test json"""
    for option in options.split():
        assert f"--{option} " in result.out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [SMALL, "--preset", "fast"],
        [SMALL, "--score", "luck"],
        [SMALL, "--accumulate", "min"],
        [SMALL, "--jobs", "0"],
        [SMALL, "--max-candidates", "-1"],
        [SMALL, "--preset", "paper", "--max-expansions", "-1"],
        [SMALL, "--size-weight", "nan"],
        [SMALL, "--seed", "x"],
    ],
)
def test_wrong_usage(pg3: Run, arguments: list[str]) -> None:
    result = pg3("learn", DOMAIN, *arguments)
    assert (result.code, result.out) == (2, "")
    assert "Usage: pg3" in result.err


def test_bad_input(pg3: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing.pddl"
    assert pg3("learn", DOMAIN, missing) == Result(2, "", f"{missing}: no such file\n")
    assert pg3("learn", DOMAIN, tmp_path) == Result(
        2, "", f"{tmp_path}: no problem files (*.pddl) in this folder\n"
    )
    result = pg3("learn", DOMAIN, SMALL, "--operators", "add-rule,fly")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("unknown operator 'fly': choose from induce-rule, ")
    result = pg3("learn", DOMAIN, SMALL, "--prune")
    assert (result.code, result.out) == (2, "")
    assert "No such option: --prune" in result.err
    for options in (["--as-printed"], ["--max-expansions", "5"]):
        folder = tmp_path / "run"
        result = pg3("learn", DOMAIN, SMALL, *options, "--run", folder)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "is for the preset paper" in result.err
        assert not folder.exists()
    assert pg3("learn", DOMAIN, SMALL, "--name", "no name") == Result(
        2, "", "'no name' cannot be the name of a policy\n"
    )
    other = tmp_path / "other.pddl"
    other.write_text("(define (problem p) (:domain gripper) (:init) (:goal (and)))")
    result = pg3("--strict", "learn", DOMAIN, SMALL, other)
    assert (result.code, result.out) == (2, "")
    assert "gripper" in result.err
    assert result.err.startswith(f"{other}:1:")
    for option in ("-o", "--log"):
        path = tmp_path / "none" / "file"
        result = pg3("learn", DOMAIN, SMALL, option, path)
        assert (result.code, result.out) == (2, "")
        assert result.err == f"{path}: cannot write: no such file or directory\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_behind_the_log(pg3: Run) -> None:
    result = pg3("learn", DOMAIN, SMALL, "--log", "/dev/full")
    assert result == Result(2, "", "/dev/full: cannot write: no space left on device\n")


# -- folders ---------------------------------------------------------------------------------------


def test_a_folder_is_its_problems_in_natural_order(pg3: Run, tmp_path: Path) -> None:
    text = Path(SMALL).read_text()
    for name in ("p10.pddl", "p2.pddl", "p1.pddl", "q.pddl", "note.txt"):
        (tmp_path / name).write_text(text)
    (tmp_path / "domain.pddl").write_text(Path(DOMAIN).read_text())
    result = pg3("evaluate", DOMAIN, tmp_path, SMALL, "--policy", POLICY)
    names = [line.split(":")[0] for line in result.out.splitlines()[:-1]]
    assert names == [
        *(str(tmp_path / name) for name in ("p1.pddl", "p2.pddl", "p10.pddl", "q.pddl")),
        SMALL,
    ]


# -- the same result always ------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_jobs_and_the_hash_seed_change_nothing_but_times(
    train: Path, tmp_path: Path, preset: str
) -> None:
    seen = []
    for jobs, hash_seed in (("1", "1"), ("2", "77")):
        policy, log = tmp_path / f"{jobs}.policy", tmp_path / f"{jobs}.jsonl"
        subprocess.run(
            command(
                *("learn", DOMAIN, train, "-o", policy, "--log", log, "--jobs", jobs),
                *("--preset", preset, "--max-candidates", "600"),
            ),
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
        seen.append((policy.read_text(), without_seconds(log)))
    assert seen[0] == seen[1]
    assert len(seen[0][1]) > 5


# -- interrupts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_the_best_policy(
    train: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    policy, log = tmp_path / "p.policy", tmp_path / "log.jsonl"
    process = subprocess.Popen(
        command("learn", DOMAIN, train, "-o", policy, "--log", log, *ENDLESS),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_lines(log, 50)
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert re.fullmatch(
        r"interrupted: the best policy of \d+ candidates solves \d+/10 training problems; "
        rf"it is in {re.escape(str(policy))}\n",
        err,
    )
    read_policy(policy, read_domain(DOMAIN))
    lines = lines_of(log)
    assert lines[0]["format"] == "pg3-learning-log"
    assert "candidate" in lines[-1]


def test_an_interrupt_without_a_file_prints_the_policy(train: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    process = subprocess.Popen(
        command("learn", DOMAIN, train, "--log", log, *ENDLESS),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_lines(log, 50)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out.startswith("(define (policy ferry)\n  (:domain ferry)")


def test_a_killed_run_leaves_a_readable_log(train: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    process = subprocess.Popen(
        command("learn", DOMAIN, train, "--log", log, *ENDLESS),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for_lines(log, 50)
    process.kill()
    process.wait(timeout=PATIENCE)
    # What was killed while it wrote leaves a part of a line.
    whole, _, _ = log.read_text().rpartition("\n")
    assert len([json.loads(line) for line in whole.splitlines()]) >= 50
    assert read_log(log).searches


# -- the display -----------------------------------------------------------------------------------


def test_a_terminal_shows_the_search_live(train: Path) -> None:
    terminal, child_side = pty.openpty()
    process = subprocess.Popen(
        command("learn", DOMAIN, train, *ENDLESS),
        stdout=subprocess.PIPE,
        stderr=child_side,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )
    os.close(child_side)
    code = r"(\x1b\[[0-9;?]*[A-Za-z])*"
    shown = read_until(
        terminal,
        r"learning, \d+ s: \d+ candidates[^;]*; search from 10 problems: its best score \d+"
        rf".*{code}training problems: {code}[○●].*\(:rule ",
    )
    process.send_signal(signal.SIGINT)
    shown = read_until(terminal)
    os.close(terminal)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"\x1b" not in out
    assert "interrupted: the best policy of " in shown


def test_elsewhere_it_is_plain_lines(train: Path) -> None:
    script = (
        "import pg3.cli.output.progress as p; p._INTERVAL = 0.2\n"
        "from pg3.__main__ import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, "learn", DOMAIN, str(train), *ENDLESS],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    said = read_until(
        process.stderr.fileno(),
        r"learning, \d+ s: \d+ candidates[^;]*; search from 10 problems: "
        r"its best score \d+ \(lower is better\), solves \d+/10\n",
    )
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert "\x1b" not in said
