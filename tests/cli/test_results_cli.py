"""Where the commands put their results: stdout by any name, never over an input."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pg3.analysis.evaluation import evaluate_policy
from pg3.cli.main import main
from tests.cli.test_cli import DOMAIN, POLICY, SMALL, Result, Run, command, pg3
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.analysis.evaluation import EvaluationLine

__all__ = ["pg3"]

PLAN = r"(\([a-z0-9 ]+\)\n){8,9}; cost = [89] \(unit cost\)\n"


def run_into(path: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command whose stdout goes to a file that has a line already."""
    path.write_text("before\n")
    with path.open("a") as file:
        return subprocess.run(
            command(*arguments), stdout=file, stderr=subprocess.PIPE, text=True, check=False
        )


# -- stdout ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_results_into_a_redirected_stdout(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    for arguments in (
        ["plan", DOMAIN, SMALL, "-o", name],
        ["solve", DOMAIN, SMALL, "--policy", POLICY, "-o", name],
    ):
        assert run_into(out, *arguments).returncode == 0
        assert re.fullmatch("before\n" + PLAN, out.read_text())

    assert run_into(out, "learn", DOMAIN, SMALL, "-o", name).returncode == 0
    assert out.read_text().startswith("before\n(define (policy ferry)")

    process = run_into(out, "evaluate", DOMAIN, SMALL, SMALL, "-p", POLICY, "--json", name)
    assert process.returncode == 0
    _, *lines = out.read_text().splitlines()
    assert [json.loads(line)["status"] for line in lines] == ["solved", "solved"]
    assert process.stderr.endswith("solved 2/2 (1.00)\n")
    assert list(tmp_path.iterdir()) == [out]


def test_a_log_on_stdout(tmp_path: Path) -> None:
    out = tmp_path / "out"
    policy = tmp_path / "policy"
    assert run_into(out, "learn", DOMAIN, SMALL, "-o", policy, "--log", "-").returncode == 0
    before, *lines = out.read_text().splitlines()
    assert before == "before"
    assert "result" in json.loads(lines[-1])


def test_a_dash_is_no_file(pg3: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert re.fullmatch(PLAN, pg3("plan", DOMAIN, SMALL, "-o", "-").out)
    result = pg3("evaluate", DOMAIN, SMALL, "--policy", POLICY, "--json", "-")
    assert json.loads(result.out)["status"] == "solved"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_fault(tmp_path: Path, stream: str) -> None:
    closing = {"stdout": ">&-", "stderr": "2>&-"}[stream]
    plan = tmp_path / "plan"
    script = f'"$@" {closing}'
    process = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *command("plan", DOMAIN, SMALL, "-o", plan)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0
    assert "Traceback" not in process.stderr
    assert re.fullmatch(PLAN, plan.read_text())


# -- files that are no place for a result ----------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["plan", DOMAIN, SMALL, "-o", ""],
        ["solve", DOMAIN, SMALL, "-p", POLICY, "-o", ""],
        ["evaluate", DOMAIN, SMALL, "-p", POLICY, "--json", ""],
        ["learn", DOMAIN, SMALL, "-o", ""],
        ["learn", DOMAIN, SMALL, "--log", ""],
    ],
)
def test_an_empty_name(pg3: Run, arguments: list[str]) -> None:
    result = pg3(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "the name of the file is empty" in result.err


def test_inputs_are_not_overwritten(pg3: Run, tmp_path: Path) -> None:
    domain, problem, policy = (tmp_path / name for name in ("domain.pddl", "p.pddl", "p.policy"))
    for source, target in ((DOMAIN, domain), (SMALL, problem), (POLICY, policy)):
        shutil.copy(source, target)
    (tmp_path / "link").symlink_to(problem)
    texts = {path: path.read_text() for path in (domain, problem, policy)}
    cases: list[tuple[list[str | Path], list[Path]]] = [
        (["plan", domain, problem, "-o"], [domain, problem, tmp_path / "link"]),
        (["solve", domain, problem, "-p", policy, "-o"], [domain, problem, policy]),
        (["evaluate", domain, tmp_path, "-p", policy, "--json"], [domain, problem, policy]),
        (["learn", domain, tmp_path, "-o"], [domain, problem]),
        (["learn", domain, problem, "--log"], [domain, problem]),
    ]
    for arguments, outputs in cases:
        for output in outputs:
            assert pg3(*arguments, output) == Result(
                2, "", f"{output}: cannot write: it is an input of this command\n"
            )
    assert {path: path.read_text() for path in texts} == texts


def test_two_results_need_two_files(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "result"
    assert pg3("learn", DOMAIN, SMALL, "-o", path, "--log", path) == Result(
        2, "", f"{path}: cannot write: two results cannot go to one file\n"
    )
    assert list(tmp_path.iterdir()) == []
    assert pg3("learn", DOMAIN, SMALL, "-o", "/dev/null", "--log", "/dev/null").code == 0


# -- an evaluation that is cut off -----------------------------------------------------------------


def test_an_interrupted_evaluation_keeps_its_results(tmp_path: Path) -> None:
    endless, report = tmp_path / "endless.pddl", tmp_path / "out.jsonl"
    os.mkfifo(endless)
    process = subprocess.Popen(
        command(
            *("evaluate", DOMAIN, SMALL, SMALL, endless, SMALL, "--policy", POLICY),
            *("--json", report),
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    writer = opened_by_reader(endless)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    os.close(writer)
    assert (process.returncode, err) == (130, "interrupted\n")
    done = [json.loads(line) for line in report.read_text().splitlines()]
    assert [line["path"] for line in done] == [SMALL] * len(out.splitlines())
    assert 1 <= len(done) <= 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["endless.pddl", "out.jsonl"]


def opened_by_reader(pipe: Path) -> int:
    """The end for writing of a pipe that another process has opened for reading."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO
            assert time.monotonic() < deadline, "the pipe is never read"
            time.sleep(0.05)


def test_a_fault_keeps_the_results_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(*arguments: object, **options: object) -> Iterator[EvaluationLine]:
        yield next(evaluate_policy(*arguments, **options))  # type: ignore[arg-type]
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("pg3.cli.evaluate.evaluate_policy", faulty)
    report = tmp_path / "out.jsonl"
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", DOMAIN, SMALL, SMALL, "--policy", POLICY, "--json", str(report)])
    assert ended.value.code == 70
    assert "a fault of ours" in capsys.readouterr().err
    (line,) = report.read_text().splitlines()
    assert json.loads(line)["status"] == "solved"


def test_nothing_done_leaves_the_old_results(pg3: Run, tmp_path: Path) -> None:
    report = tmp_path / "out.jsonl"
    report.write_text("old\n")
    result = pg3("evaluate", DOMAIN, SMALL, "--policy", tmp_path / "none", "--json", report)
    assert result.code == 2
    assert report.read_text() == "old\n"


# -- the start -------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_and_version_leave_slow_imports_out(option: str) -> None:
    slow = ["rich"] if option == "--version" else ["rich", "importlib.metadata"]
    script = (
        "import atexit, sys\n"
        f"slow = {slow}\n"
        "atexit.register(lambda: print([m for m in slow if m in sys.modules], file=sys.stderr))\n"
        f"sys.argv[1:] = ['{option}']\n"
        "from pg3.__main__ import main; main()"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert process.stderr == "[]\n"


# -- usage -----------------------------------------------------------------------------------------


def test_usage_shows_arguments_without_braces(pg3: Run) -> None:
    for name, arguments in {
        "plan": "DOMAIN PROBLEM",
        "solve": "DOMAIN PROBLEM",
        "evaluate": "DOMAIN PROBLEM...",
        "validate": "DOMAIN PROBLEM PLAN",
        "show": "DOMAIN",
        "learn": "[DOMAIN] [PROBLEM]...",
    }.items():
        usage = f"Usage: pg3 {name} [OPTIONS] {arguments}\n"
        assert pg3(name, "--help").out.startswith(usage)
        assert pg3(name).err.startswith(usage)


@pytest.mark.parametrize("option", ["--time-limit", "--memory-limit"])
def test_not_a_number_is_no_limit(pg3: Run, option: str) -> None:
    for value in ("nan", "NaN", "-nan"):
        result = pg3("plan", DOMAIN, SMALL, f"{option}={value}")
        assert (result.code, result.out) == (2, "")
        assert f"Invalid value for '{option}'" in result.err


def test_json_of_a_policy_names_its_domain(pg3: Run, tmp_path: Path) -> None:
    text = pg3("show", DOMAIN, "-p", POLICY, "--format", "json").out
    assert json.loads(text)["domain"] == "ferry"
    policy, other = tmp_path / "p.json", tmp_path / "other.pddl"
    policy.write_text(text)
    assert pg3("show", DOMAIN, "-p", policy).out == pg3("show", DOMAIN, "-p", POLICY).out
    other.write_text(Path(DOMAIN).read_text().replace("(domain ferry)", "(domain boats)"))
    result = pg3("show", other, "-p", policy)
    assert (result.code, result.out) == (2, "")
    assert "the policy is for domain 'ferry', but the domain given is 'boats'" in result.err


def test_two_results_do_not_share_stdout(pg3: Run) -> None:
    for options in (("--log", "-"), ("-o", "-", "--log", "-")):
        result = pg3("learn", DOMAIN, SMALL, *options)
        assert result.code == 2
        assert "two results cannot go to one file" in result.err
