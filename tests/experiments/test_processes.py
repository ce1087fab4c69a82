"""Runs in processes: each end that a process can come to is a line."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pg3.experiments.processes import WORKER, RunProcess
from pg3.experiments.result_line import ResultLine, Status
from tests.experiments.test_measurement import make_run
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.experiments.runs import Run


def script(text: str) -> tuple[str, ...]:
    return sys.executable, "-c", text


def finish(process: RunProcess) -> ResultLine:
    """Attend to a process until it is over."""
    with selectors.DefaultSelector() as selector:
        selector.register(process.output, selectors.EVENT_READ)
        while not process.over:
            if selector.select(0.02):
                process.read()
            process.enforce_limits()
    return process.result()


def limited(time_limit: float | None = None, memory_limit: float | None = None) -> Run:
    run = make_run()
    options = replace(run.options, time_limit=time_limit, memory_limit=memory_limit)
    return replace(run, options=options)


def test_a_run_that_ends_well() -> None:
    process = RunProcess(make_run())
    line = finish(process)
    assert line.done
    assert line.run == make_run()
    assert (process.stage, process.error_output) == ("testing", "")


def test_a_result_is_believed_whatever_comes_after(tmp_path: Path) -> None:
    """Tidying up may hang or crash; it has no part in the result."""
    line = finish(RunProcess(make_run()))
    (tmp_path / "line").write_text(line.to_json())
    text = f"print(open({str(tmp_path / 'line')!r}).read(), flush=True); import os"
    for end in ("os.abort()", "os.close(1); import signal; signal.pause()"):
        assert finish(RunProcess(make_run(), worker=script(f"{text}; {end}"))) == line
    other = finish(RunProcess(make_run(seed=1), worker=script(text)))
    assert (other.status, other.seed) == (Status.CRASHED, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise LookupError('where?')", "LookupError: where?"),
        ("import os; os._exit(3)", "ended with exit code 3 and without a result"),
        ("print('nonsense')", "ended with exit code 0 and without a result"),
        ("import os; os.kill(os.getpid(), 9)", "killed by signal 9 (SIGKILL) while starting"),
        (
            'print(\'{"stage": "learning"}\', flush=True); import os; os.abort()',
            "killed by signal 6 (SIGABRT) while learning",
        ),
        ("import os; os.kill(os.getpid(), 40)", "killed by signal 40 while starting"),
    ],
)
def test_a_run_that_crashes(text: str, reason: str) -> None:
    process = RunProcess(make_run(), worker=script(text), grace=PATIENCE)
    line = finish(process)
    assert (line.status, line.reason, line.success) == (Status.CRASHED, reason, 0)
    assert line.run == make_run()
    assert ("Traceback" in process.error_output) == ("Error" in reason)


def test_a_run_that_does_not_look_at_the_clock() -> None:
    sleep = 'import signal; print(\'{"stage": "learning"}\', flush=True); signal.pause()'
    line = finish(RunProcess(limited(time_limit=0.1), worker=script(sleep), grace=0.3))
    assert (line.status, line.reason) == (Status.TIME_LIMIT, "learning took more than 0.1 s")
    assert line.learning_seconds > 0.1


def test_a_run_that_hangs_without_a_result() -> None:
    """What it said counts, not that it had to be killed."""
    for said, reason in (
        ("", "gave no result and did not end while starting"),
        ("print('why', file=sys.stderr, flush=True); ", "why"),
    ):
        text = f"import os, signal, sys; {said}os.close(1); signal.pause()"
        line = finish(RunProcess(make_run(), worker=script(text), grace=0.1))
        assert (line.status, line.reason) == (Status.CRASHED, reason)


@pytest.mark.parametrize("stage", ["starting", "testing"])
def test_the_time_limit_is_for_learning(stage: str) -> None:
    """Whoever reaches the end of another stage late has not learned too long."""
    text = f'import time; print(\'{{"stage": "{stage}"}}\', flush=True); time.sleep(0.5)'
    line = finish(RunProcess(limited(time_limit=0.1), worker=script(text), grace=0.1))
    assert line.status is Status.CRASHED  # As it gave no line, but nobody ended it.
    assert line.reason is not None
    assert "took" not in line.reason


def test_a_run_that_takes_too_much_memory() -> None:
    text = "import signal; kept = b'x' * 200_000_000; signal.pause()"
    line = finish(RunProcess(limited(memory_limit=100), worker=script(text)))
    assert line.status is Status.MEMORY_LIMIT
    assert line.reason == "more than 100 MB of memory were needed"
    assert line.peak_megabytes > 100


def test_limits_that_are_kept() -> None:
    assert finish(RunProcess(limited(time_limit=PATIENCE, memory_limit=2000))).done


def test_a_run_that_is_ended() -> None:
    process = RunProcess(make_run(), worker=script("import signal; signal.pause()"))
    process.end()
    with pytest.raises(ProcessLookupError):
        os.kill(process.process_id, 0)


def start_worker(run: Run) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(run.to_json() + "\n")
    process.stdin.flush()
    return process


def test_a_worker_whose_runner_is_gone_ends() -> None:
    with start_worker(make_run("gripper", "policy-evaluation", candidates=10**9)) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert json.loads(process.stdout.readline()) == {"stage": "learning"}
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 1


def test_a_worker_takes_no_notice_of_ctrl_c() -> None:
    """That is for the experiment, which ends its runs as it sees fit."""
    process = RunProcess(make_run("gripper", "policy-evaluation", candidates=10**9))
    assert os.getpgid(process.process_id) != os.getpgid(0)
    process.end()


def test_a_worker_that_cannot_do_its_run() -> None:
    run = replace(make_run(), options=replace(make_run().options, preset="x"))
    line = finish(RunProcess(run, grace=PATIENCE))
    assert line.status is Status.CRASHED
    assert line.reason == "unknown preset 'x': choose from robust, paper"


def test_files_of_the_user_are_not_taken_for_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    assert finish(RunProcess(make_run())).done


def test_signals_by_name() -> None:
    run = make_run("gripper", "policy-evaluation", candidates=10**9)
    process = RunProcess(run, grace=PATIENCE)
    while process.stage == "starting":
        process.read()
    process.enforce_limits()
    os.kill(process.process_id, signal.SIGTERM)
    line = finish(process)
    assert line.reason == "killed by signal 15 (SIGTERM) while learning"
    assert line.peak_megabytes > 5
