"""Ctrl-C and SIGTERM at any point of a command: the promised message, files and exit code.

A function of pg3 sends the signal when it is called or has returned (`signal_points`).
"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import pg3 as api
from pg3.pddl import read_domain
from pg3.policy import read_policy
from pg3.storage import signals
from tests.cli.test_cli import DOMAIN, POLICY, SMALL, Run, pg3
from tests.report.fabrication import result as fabricated
from tests.support.ferry_problems import FERRY, small_ferry_problems
from tests.support.signal_points import DRIVER, Ended, driven
from tests.support.waiting import PATIENCE, read_until

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pg3"]

INT, TERM = (signal.SIGINT, 130), (signal.SIGTERM, 143)
BOTH = pytest.mark.parametrize(("number", "code"), [INT, TERM], ids=["int", "term"])


def at(*points: str) -> pytest.MarkDecorator:
    """One case for each point, Ctrl-C and SIGTERM in turn: what follows is the same."""
    return pytest.mark.parametrize(
        ("points", "number", "code"),
        [(one, *(TERM if place % 2 else INT)) for place, one in enumerate(points)],
    )


# -- learning --------------------------------------------------------------------------------------

LEARN = ("learn", DOMAIN, SMALL, "--max-candidates", "100")
LEARNING = "pg3.cli.learning.session"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of learning that nothing disturbed."""
    folder = tmp_path_factory.mktemp("signals") / "whole"
    ended = Ended(0, "before pg3.analysis.doctor:examine block", *LEARN, "--run", folder)
    assert ended.code == 0
    assert ended.out == (folder / "best.policy").read_text()
    return folder


@at(
    "before pg3.cli.main:load stay",
    "before pg3.cli.app:app stay",
    "before pg3.cli.learn:begin stay",
    f"before {LEARNING}:read_given stay",
    f"after {LEARNING}:read_given stay",
)
def test_before_there_is_a_run(tmp_path: Path, number: int, code: int, points: str) -> None:
    folder = tmp_path / "run"
    ended = Ended(number, points, *LEARN, "--run", folder)
    assert (ended.code, ended.out, ended.err) == (code, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []


# Finds no module, but gets a signal while it looks for the commands, and never goes on.
IMPORTING = """
import os, sys, threading
class Finder:
    def find_spec(self, name, *_):
        if name == "pg3.cli.main":
            os.kill(os.getpid(), int(sys.argv[1]))
            threading.Event().wait()
sys.meta_path.insert(0, Finder())
from pg3.__main__ import main
main()
"""


@BOTH
def test_during_the_imports(number: int, code: int) -> None:
    process = subprocess.run(
        [sys.executable, "-c", IMPORTING, str(int(number))],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (process.returncode, process.stdout, process.stderr) == (code, "", "interrupted\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_streams_that_were_closed(closed: str, tmp_path: Path) -> None:
    """During the imports, and when all goes well: no number of theirs goes to another file."""
    shell = ["sh", "-c", f'exec "$0" "$@" {closed}', sys.executable]
    ended = subprocess.run(
        [*shell, "-c", IMPORTING, str(int(signal.SIGTERM))],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    said = "" if "2>" in closed else "interrupted\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "", said)
    plan, policy = tmp_path / "plan", tmp_path / "policy"
    for arguments in (
        ("plan", DOMAIN, SMALL, "-o", plan),
        ("learn", DOMAIN, SMALL, "-o", policy, "--log", "-"),
    ):
        subprocess.run(
            [*shell, "-m", "pg3", *arguments], capture_output=True, check=True, timeout=PATIENCE
        )
    assert plan.read_text().startswith("(")
    assert policy.read_text().startswith("(")


def test_before_anybody_listens() -> None:
    """Python raises KeyboardInterrupt then."""
    script = (
        "import os, signal\nfrom pg3 import __main__\nfrom pg3.storage import signals\n"
        "signals.listen = lambda: os.kill(os.getpid(), signal.SIGINT)\n__main__.main()"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (130, "", "interrupted\n")


@at(
    # While the run is being made: the signal waits until it is there.
    f"before {LEARNING}:LearningRun.create send;before {LEARNING}:Session._evaluator block",
    f"after {LEARNING}:LearningRun.create send;before {LEARNING}:Session._evaluator block",
    f"before {LEARNING}:Session._evaluator stay",
    f"before {LEARNING}:LearningRun.open_log stay",
    f"before {LEARNING}:LearningRun.open_journal stay",
    f"before {LEARNING}:shown stay",
    f"before {LEARNING}:learn_policy stay",
    f"before {LEARNING}:Watch.observe stay",
    f"after {LEARNING}:Watch.observe stay",
    f"after {LEARNING}:learn_policy stay",
    # A second signal comes while the first is being handled.
    f"after {LEARNING}:learn_policy stay;before {LEARNING}:Session._unfinished send",
    f"after {LEARNING}:learn_policy stay;after {LEARNING}:Delivery.__call__ send",
)
def test_a_run_that_is_interrupted_goes_on(
    pg3: Run, whole: Path, tmp_path: Path, number: int, code: int, points: str
) -> None:
    folder = tmp_path / "run"
    ended = Ended(number, points, *LEARN, "--run", folder)
    assert ended.code == code, ended.err
    assert re.search(r"^interrupted(:| before the first candidate:) ", ended.err, re.MULTILINE)
    assert ended.err.endswith(f"go on with: pg3 learn --resume {folder}\n")
    assert "Traceback" not in ended.err
    if "interrupted:" in ended.err:
        assert ended.out == (folder / "best.policy").read_text()
        read_policy(folder / "best.policy", read_domain(DOMAIN))
    else:
        assert ended.out == ""
    assert not list(tmp_path.rglob("*.tmp"))
    again = pg3("learn", "--resume", folder)
    assert (again.code, again.out) == (0, (whole / "best.policy").read_text())


@at(
    f"before {LEARNING}:LearningRun.resume send;before {LEARNING}:Session.finished block",
    f"after {LEARNING}:read_policy send;before {LEARNING}:Session.finished block",
    f"before {LEARNING}:Watch.consider stay",
)
def test_a_run_that_is_interrupted_as_soon_as_it_goes_on(
    tmp_path: Path, number: int, code: int, points: str
) -> None:
    folder = tmp_path / "run"
    Ended(number, f"after {LEARNING}:learn_policy stay", *LEARN, "--run", folder)
    best = (folder / "best.policy").read_text()
    ended = Ended(number, points, "learn", "--resume", folder)
    assert (ended.code, ended.out) == (code, best)
    assert ended.err.endswith(
        "interrupted before the first candidate: this is the best policy of before\n"
        f"go on with: pg3 learn --resume {folder}\n"
    )
    assert (folder / "best.policy").read_text() == best


@at(
    f"before {LEARNING}:LearningLog.finish send",
    f"after {LEARNING}:LearningLog.finish send",
    "before pg3.storage.json_lines:LineFile.close send",
    f"before {LEARNING}:Delivery.__call__ send",
    f"after {LEARNING}:Delivery.__call__ send",
    "before pg3.cli.learn:LearningReport.say send",
    "after pg3.cli.learn:LearningReport.say send",
    "after pg3.cli.app:_Commands.invoke send",
    "after pg3.cli.app:main send",
    "after pg3.storage.signals:finish send",
    "before threading:_shutdown send",
)
def test_a_complete_result_is_delivered_as_if_there_had_been_no_signal(
    whole: Path, tmp_path: Path, number: int, code: int, points: str
) -> None:
    folder, policy = tmp_path / "run", tmp_path / "p.policy"
    to_file = ("-o", policy) if code == 130 else ()
    ended = Ended(number, points, *LEARN, "--run", folder, *to_file)
    assert ended.code == 0, ended.err
    expected = (whole / "best.policy").read_text()
    assert (policy.read_text() if to_file else ended.out) == expected
    assert (folder / "best.policy").read_text() == expected
    assert "interrupted" not in ended.err
    assert "stopped: " in ended.err.splitlines()[-1]
    last = (folder / "log.jsonl").read_text().splitlines()[-1]
    assert "result" in json.loads(last)
    assert not list(tmp_path.rglob("*.tmp"))


@BOTH
def test_at_exit(whole: Path, number: int, code: int) -> None:
    del code
    process = subprocess.run(
        [
            *(sys.executable, "-c"),
            f"import atexit, os; atexit.register(os.kill, os.getpid(), {int(number)})\n"
            "from pg3.__main__ import main; main()",
            *map(str, LEARN),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stdout) == (0, (whole / "best.policy").read_text())
    assert "interrupted" not in process.stderr


@at(
    f"before {LEARNING}:Session.challenge stay",
    "before pg3.analysis.challenge.feedback:challenge_learned stay",
    "after pg3.analysis.challenge.feedback:challenge_learned stay",
)
def test_a_policy_that_is_being_challenged_is_handed_over(
    whole: Path, tmp_path: Path, number: int, code: int, points: str
) -> None:
    policy = tmp_path / "p.policy"
    ended = Ended(number, points, *LEARN, "--challenge", "1", "-o", policy)
    assert ended.code == code
    assert ended.err.endswith("interrupted: the policy was still being challenged\n")
    assert policy.read_text() == (whole / "best.policy").read_text()


@at(f"before {LEARNING}:held_out_results stay", f"after {LEARNING}:held_out_results stay")
def test_a_policy_that_is_being_tested_is_handed_over(
    whole: Path, tmp_path: Path, number: int, code: int, points: str
) -> None:
    policy = tmp_path / "p.policy"
    ended = Ended(number, points, *LEARN, "--test", SMALL, "-o", policy)
    assert ended.code == code
    assert ended.err.endswith("interrupted: the policy was still being tested\n")
    assert policy.read_text() == (whole / "best.policy").read_text()


# -- all commands ----------------------------------------------------------------------------------

POINTS = {
    "learn": (LEARN, f"{LEARNING}:read_given"),
    "plan": (("plan", DOMAIN, SMALL, "-o", "out"), "pg3.cli.solve:find_plan"),
    "solve": (
        ("solve", DOMAIN, SMALL, "-p", POLICY, "-o", "out"),
        "pg3.cli.solve:execute_policy",
    ),
    "solve --guided": (
        ("solve", DOMAIN, SMALL, "-p", POLICY, "-o", "out", "--guided"),
        "pg3.cli.solve:solve_guided",
    ),
    "evaluate": (("evaluate", DOMAIN, SMALL, "-p", POLICY), "pg3.analysis.evaluation:execute"),
    "validate": (("validate", DOMAIN, SMALL, SMALL), "pg3.cli.validate:read_problem"),
    "show": (("show", DOMAIN, "-p", POLICY), "pg3.cli.validate:read_policy"),
    "explain": (("explain", DOMAIN, SMALL, "-p", POLICY), "pg3.cli.explain:read_policy"),
    "view": (("view", DOMAIN, SMALL, "-p", POLICY, "-o", "out"), "pg3.cli.view:read_policy"),
    "score": (("score", DOMAIN, SMALL, "-p", POLICY), "pg3.cli.score:read_policy"),
    "challenge": (
        ("challenge", DOMAIN, SMALL, "-p", POLICY, "-o", "out"),
        "pg3.cli.challenge:find_counterexample",
    ),
    "certify": (
        ("certify", DOMAIN, SMALL, "-p", POLICY, "-o", "out"),
        "pg3.cli.challenge:check",
    ),
    "prove": (
        ("prove", DOMAIN, SMALL, "-p", POLICY, "-o", "out"),
        "pg3.cli.prove:find_proof",
    ),
    "doctor": (("doctor", DOMAIN, SMALL, "--json", "out"), "pg3.cli.doctor:examine"),
    "export": (
        ("export", DOMAIN, "-p", POLICY, "--to", "python", "-o", "out"),
        "pg3.cli.export:read_policy",
    ),
    "domains": (("domains",), "pg3.cli.domains:_text"),
    "generate": (("generate", "ferry", "-o", "out"), "pg3.cli.problem_folder:write_problem"),
    "experiment": (("experiment", "-o", "out"), "pg3.cli.experiment:plan_runs"),
    "report": (("report", "results", "-o", "out.html"), "pg3.cli.report:read_results"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for a command, but for results to report."""
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.jsonl").write_text(fabricated().to_json() + "\n")
    return tmp_path


@pytest.mark.parametrize(("when", "number", "code"), [("before", *INT), ("after", *TERM)])
@pytest.mark.parametrize("name", POINTS)
def test_every_command_says_that_it_was_interrupted(
    folder: Path, name: str, when: str, number: int, code: int
) -> None:
    arguments, function = POINTS[name]
    ended = Ended(number, f"{when} {function} stay", *arguments, cwd=folder)
    assert (ended.code, ended.err) == (code, "interrupted\n")
    assert [path.name for path in folder.iterdir()] == ["results"]


def test_every_command_has_a_point() -> None:
    from pg3.cli.app import MODULES

    assert {name.split()[0] for name in POINTS} == set(MODULES)


@BOTH
def test_a_file_that_is_being_written_is_finished(tmp_path: Path, number: int, code: int) -> None:
    plan = tmp_path / "p.plan"
    points = "before pg3.storage.files:os.fsync send;after pg3.cli.solve:_hand_over block"
    ended = Ended(number, points, "plan", DOMAIN, SMALL, "-o", plan)
    assert (ended.code, ended.err) == (code, "interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["p.plan"]
    assert plan.read_text().endswith(" (unit cost)\n")


@BOTH
def test_an_evaluation_of_all_problems_is_complete(tmp_path: Path, number: int, code: int) -> None:
    del code
    report = tmp_path / "out.jsonl"
    arguments = ("evaluate", DOMAIN, SMALL, SMALL, "-p", POLICY, "--json", report)
    ended = Ended(number, "before pg3.cli.evaluate:write_atomically send", *arguments)
    assert ended.code == 0
    assert len(report.read_text().splitlines()) == 2


@BOTH
def test_the_reader_has_gone(tmp_path: Path, number: int, code: int) -> None:
    """Ctrl-C ends all processes of a pipe."""
    folder = tmp_path / "run"
    points = f"after {LEARNING}:learn_policy stay"
    read_end, write_end = os.pipe()
    os.close(read_end)
    ended = Ended(number, points, *LEARN, "--run", folder, stdout=write_end)
    os.close(write_end)
    assert ended.code == code
    assert ended.err.endswith(f"go on with: pg3 learn --resume {folder}\n")
    read_policy(folder / "best.policy", read_domain(DOMAIN))


def test_nobody_listens(tmp_path: Path) -> None:
    """Neither the reader of stdout nor that of stderr."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    points = "before pg3.cli.solve:find_plan stay"
    arguments = ("plan", DOMAIN, SMALL, "-o", tmp_path / "plan")
    ended = Ended(signal.SIGTERM, points, *arguments, stdout=write_end, stderr=write_end)
    os.close(write_end)
    assert ended.code == 143
    assert list(tmp_path.iterdir()) == []


def test_nobody_reads(tmp_path: Path) -> None:
    """A command that waits for the reader of its output can be ended."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    try:
        while True:
            os.write(write_end, b"x")
    except BlockingIOError:
        os.set_blocking(write_end, True)
    points = "before pg3.cli.app:sys.stdout.flush send"
    ended = Ended(
        signal.SIGTERM, points, "show", DOMAIN, "-p", POLICY, stdout=write_end, cwd=tmp_path
    )
    assert (ended.code, ended.err) == (143, "interrupted\n")
    # Nor is one held up that has something to say about it.
    folder = tmp_path / "run"
    points = f"before {LEARNING}:LearningRun.open_log stay"
    arguments = ("learn", DOMAIN, SMALL, "--run", folder)
    ended = Ended(signal.SIGTERM, points, *arguments, stderr=write_end)
    os.close(read_end)
    os.close(write_end)
    assert (ended.code, ended.out) == (143, "")


def test_results_are_written_where_nobody_listens(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    results = tmp_path / "results.jsonl"
    points = "after pg3.cli.evaluate:_summary stay"
    arguments = ("evaluate", DOMAIN, SMALL, "--policy", POLICY, "--json", results)
    ended = Ended(signal.SIGTERM, points, *arguments, stderr=write_end)
    os.close(write_end)
    assert ended.code == 143
    assert results.read_text().count("\n") == 1


def test_where_no_thread_can_be_started() -> None:
    script = (
        "import threading\n"
        'def refuse(self): raise RuntimeError("can\'t start new thread")\n'
        "threading.Thread.start = refuse\n"
        "import sys; sys.argv = ['pg3', '--version']\n"
        "from pg3.__main__ import main; main()"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, "")


@BOTH
def test_an_experiment_ends_between_two_lines(tmp_path: Path, number: int, code: int) -> None:
    folder = tmp_path / "results"
    arguments = (
        *("experiment", "-o", folder, "--domains", "gripper", "--methods", "random"),
        *("--seeds", "0-2"),
    )
    points = "after pg3.experiments.results:ResultFile.add handled"
    ended = Ended(number, points, *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err == (
        f"interrupted: 1 of 3 runs are in {folder}; the same command goes on from there\n"
    )
    # What comes when all runs are there changes nothing.
    points = "after pg3.cli.experiment:_perform send"
    ended = Ended(number, points, *arguments)
    assert ended.code == 0
    assert ended.out.startswith("domain")


@BOTH
def test_the_terminal_is_left_in_order(tmp_path: Path, number: int, code: int) -> None:
    terminal, child_side = pty.openpty()
    process = subprocess.Popen(
        driven(number, "before pg3.cli.solve:find_plan block", "plan", DOMAIN, SMALL),
        stdout=subprocess.DEVNULL,
        stderr=child_side,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        cwd=tmp_path,
    )
    os.close(child_side)
    hidden = read_until(terminal, r"\x1b\[\?25l.*searching for a plan")
    assert "\x1b[?25h" not in hidden.rpartition("\x1b[?25l")[2]
    process.send_signal(number)
    rest = read_until(terminal)
    os.close(terminal)
    assert process.wait() == code
    assert "interrupted" in rest
    assert "\x1b[?25h" in rest


def test_what_the_process_was_told_to_ignore_stays_ignored() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.run(
            [
                *(sys.executable, "-c"),
                f"import signal; signal.signal({int(number)}, signal.SIG_IGN)\n{DRIVER}",
                *(str(int(number)), "before pg3.cli.solve:find_plan send"),
                *("plan", DOMAIN, SMALL),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr


# -- elsewhere -------------------------------------------------------------------------------------


def test_the_api_installs_no_handlers(pg3: Run, tmp_path: Path) -> None:
    """Neither do commands that a program calls: `pg3.__main__` alone listens."""
    before = [signal.getsignal(number) for number in signals.CODES]
    api.learn(FERRY, small_ferry_problems(2), max_candidates=20)
    assert pg3("plan", DOMAIN, SMALL, "-o", tmp_path / "p.plan").code == 0
    assert pg3(*LEARN[:-1], "20", "--run", tmp_path / "run").code == 0
    assert [signal.getsignal(number) for number in signals.CODES] == before
    signals.finish()
    assert [signal.getsignal(number) for number in signals.CODES] == before
