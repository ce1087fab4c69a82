"""The folder of a run: killed at any moment it goes on to the same end; trouble is one message."""

from __future__ import annotations

import fcntl
import json
import random
import resource
import runpy
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.learner import learn
from pg3.learning.result import LearningResult
from pg3.pddl import read_domain
from pg3.policy import read_policy
from pg3.storage.schema import Anything
from tests.cli.test_cli import DOMAIN, ROOT, Run, command, pg3
from tests.support.ferry_problems import FERRY, small_ferry_problems
from tests.support.signal_points import driven
from tests.support.waiting import PATIENCE, wait_for_lines, wait_until

__all__ = ["pg3"]

# A search that never gets there, and regression, which does.
SEARCH = (
    *("--preset", "paper", "--operators", "add-rule,add-condition"),
    *("--max-candidates", "2500"),
)
REGRESSION = ("--max-candidates", "60")

ENDLESS = (*SEARCH[:-1], "100000000")


@pytest.fixture(scope="session")
def train(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of twelve problems, some of which take a planner a while."""
    folder = tmp_path_factory.mktemp("train")
    make_problems = runpy.run_path(str(ROOT / "examples" / "demo.py"))["make_problems"]
    make_problems(folder, 12, cars=(2, 7), locations=(4, 8), rng=random.Random(1))
    return folder


def said(log: Path) -> list[dict[str, Any]]:
    """What a log says, but for times."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        line.pop("seconds", None)
    return lines


# -- the journal -----------------------------------------------------------------------------------


def observed(journal: Journal | None, **options: Any) -> tuple[LearningResult, list[object]]:
    seen: list[object] = []
    result = learn(
        FERRY,
        small_ferry_problems(6),
        journal=journal,
        observe=lambda method, c, _: seen.append(
            (method, c.number, c.parent, c.operator, c.policy, c.evaluation.score, c.is_best)
        ),
        **options,
    )
    return result, seen


def outcome(result: LearningResult) -> object:
    return [getattr(result, name) for name in LearningResult.__slots__ if name != "seconds"]


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "paper", "operators": ["add-rule", "add-condition"], "max_candidates": 500},
        {"preset": "paper", "score": "combo", "max_candidates": 300},
        {"preset": "paper", "rollout_steps": 0, "max_candidates": 300},
        {"preset": "paper", "as_printed": True, "max_expansions": 4},
        {},
        {"operators": ["add-rule", "add-condition"], "max_candidates": 20},
    ],
)
def test_a_run_goes_on_from_any_part_of_its_journal(options: dict[str, Any]) -> None:
    lines: list[str] = []
    plain, seen_plain = observed(None, **options)
    first, seen = observed(Journal((), lines.append), **options)
    assert outcome(first) == outcome(plain)
    assert seen == seen_plain
    entries = [Entry.parse(line) for line in lines]
    rng = random.Random(0)
    for length in [0, len(entries), *(rng.randrange(len(entries)) for _ in range(6))]:
        more: list[str] = []
        again, seen_again = observed(Journal(entries[:length], more.append), **options)
        assert outcome(again) == outcome(first)
        assert seen_again == seen
        rest = [Entry.parse(line) for line in more]
        assert [e[1:] for e in entries[:length] + rest] == [e[1:] for e in entries]


def test_the_clock_goes_on_where_the_past_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 7.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    journal = Journal([Entry(100.0, "a", 1), Entry(200.0, "b", 2)], print)
    assert journal.elapsed == 0
    assert journal.recall("a", Anything()) == 1
    assert journal.elapsed == 100
    assert journal.recall("b", Anything()) == 2
    assert journal.elapsed == 200
    now = 10.0
    assert journal.elapsed == 203
    assert journal.recall("c", Anything()) is None


def test_a_time_limit_does_not_cut_what_is_only_recalled() -> None:
    lines: list[str] = []
    options = {"preset": "paper", "operators": ["add-rule"], "max_candidates": 200}
    first, _ = observed(Journal((), lines.append), **options)
    last = json.loads(lines[-1])
    lines[-1] = json.dumps([1000.0, *last[1:]])
    past = [Entry.parse(line) for line in lines]
    again, _ = observed(Journal(past, print), time_limit=999.0, **options)
    assert (again.policy, again.candidates) == (first.policy, first.candidates)


# -- kills -----------------------------------------------------------------------------------------

# Starting Python takes longer than many a run: one process that has everything loaded, and each
# attempt is a fork of it, which kills itself at a seeded point. Two of three kills come when the
# journal has grown to a random number of lines; the others while the inputs are written, around the
# opening of log and journal, or while the search recalls what it knows. Prints how the last attempt
# ended, and the lines of the journal at each kill.
KILLER = """
import itertools, os, random, signal, sys
from pathlib import Path
import rich.console
import pg3.storage.files, pg3.learning.checkpoint.journal, pg3.storage.json_lines
from pg3.cli.main import main
pg3.storage.json_lines._DELAY = 0.0
seed, lines, folder, output, *arguments = sys.argv[1:]
rng, killed = random.Random(int(seed)), []
places = iter(sorted(rng.sample(range(2, int(lines)), 20)))
journal = Path(folder, "journal.jsonl")
grown = lambda: journal.read_bytes().count(b"\\n") if journal.exists() else 0
def kill_at(owner, name, call, after):
    real, calls = getattr(owner, name), itertools.count(1)
    def wrapped(*a, **o):
        last = next(calls) == call
        if last and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        value = real(*a, **o)
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return value
    setattr(owner, name, wrapped)
while True:
    resumable = Path(folder, "run.json").exists()
    place, early, after = next(places, None), rng.randrange(1, 100), rng.random() < 0.5
    child = os.fork()
    if child == 0:
        os.dup2(os.open(output + ".err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        if len(killed) == 20:
            pass
        elif len(killed) % 3:
            kill_at(pg3.learning.checkpoint.journal.Journal, "record", place - grown(), after)
        elif not resumable:
            kill_at(pg3.storage.files.os, "fsync", early % 10 + 1, after)
        elif len(killed) % 2:
            kill_at(pg3.storage.json_lines.LineFile, "__init__", early % 2 + 1, after)
        else:
            kill_at(pg3.learning.checkpoint.journal.Journal, "recall", early, after)
            kill_at(pg3.learning.checkpoint.journal.Journal, "record", 1, after)
        begin = ["--resume", folder] if resumable else [*arguments, "--run", folder]
        main(["learn", *begin, "-o", output])
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if len(killed) == 20:
        print(code, *killed)
        break
    assert code == -signal.SIGKILL, code
    killed.append(grown())
"""


@pytest.mark.parametrize("options", [SEARCH, REGRESSION])
def test_twenty_kills_change_nothing(
    pg3: Run, train: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    expected = pg3("learn", DOMAIN, train, *options, "--run", whole)
    lines = len((whole / "journal.jsonl").read_bytes().splitlines())
    policy = tmp_path / "p.policy"
    killer = subprocess.run(
        [
            *(sys.executable, "-c", KILLER, "1", str(lines), str(parts), str(policy)),
            *(DOMAIN, str(train), *options),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    code, *killed = map(int, killer.stdout.split())
    assert code == expected.code, Path(f"{policy}.err").read_text()
    assert policy.read_text() == expected.out == (parts / "best.policy").read_text()
    assert said(parts / "log.jsonl") == said(whole / "log.jsonl")
    entries = [
        [json.loads(line)[1:] for line in (folder / "journal.jsonl").read_text().splitlines()]
        for folder in (whole, parts)
    ]
    assert entries[0] == entries[1]
    assert sorted(path.name for path in parts.iterdir()) == [
        *("best.policy", "input", "journal.jsonl", "lock", "log.jsonl", "run.json"),
    ]
    # The kills did hit the run on its way.
    assert len(killed) == 20
    assert len({grown for grown in killed if 0 < grown < lines}) > 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_has_its_best_policy_on_disk_and_goes_on(
    pg3: Run, train: Path, tmp_path: Path, number: signal.Signals
) -> None:
    folder, whole = tmp_path / "run", tmp_path / "whole"
    options = (*SEARCH[:-1], "500")
    # The search stops at its 200th candidate, so it has not ended when the signal comes.
    point = "pg3.cli.learning.session:Watch.observe"
    process = subprocess.Popen(
        driven(0, f"after {point} pause 200", "learn", DOMAIN, train, "--run", folder, *options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    wait_until((tmp_path / point).exists)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert "interrupted: the best policy of 200 candidates solves " in err
    assert err.endswith(f"go on with: pg3 learn --resume {folder}\n")
    assert out == (folder / "best.policy").read_text()
    read_policy(folder / "best.policy", read_domain(DOMAIN))
    result = pg3("learn", "--resume", folder)
    assert result.err.startswith(f"{folder}: goes on after ")
    assert pg3("learn", DOMAIN, train, *options, "--run", whole).out == result.out
    assert said(folder / "log.jsonl") == said(whole / "log.jsonl")


# -- going on --------------------------------------------------------------------------------------


@pytest.fixture
def finished(pg3: Run, train: Path, tmp_path: Path) -> Path:
    """A run that has come to its end."""
    folder = tmp_path / "finished"
    pg3("learn", DOMAIN, train, "--run", folder, "--max-candidates", "100")
    return folder


def test_a_finished_run_says_so(pg3: Run, finished: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in finished.iterdir() if path.is_file()}
    result = pg3("learn", "--resume", finished)
    assert result.code == 0
    assert result.err.startswith(f"{finished}: the run is finished; this is its result\n")
    assert result.out == (finished / "best.policy").read_text()
    assert {p.name: p.read_bytes() for p in finished.iterdir() if p.is_file()} == before
    policy = tmp_path / "p.policy"
    assert pg3("learn", "--resume", finished, "-o", policy, "--jobs", "2").out == ""
    assert policy.read_text() == result.out


def test_what_a_killed_process_did_not_finish_writing_goes(pg3: Run, finished: Path) -> None:
    left = finished / ".pg3-0123456789abcdef.tmp"
    left.write_text("half a pol")
    assert pg3("learn", "--resume", finished).code == 0
    assert not left.exists()


def test_torn_lines_are_repaired(pg3: Run, finished: Path) -> None:
    out, log = (finished / "best.policy").read_text(), said(finished / "log.jsonl")
    rng = random.Random(3)
    for _ in range(4):
        for name in ("log.jsonl", "journal.jsonl"):
            data = (finished / name).read_bytes()
            end = rng.randrange(len(data) - 1)
            # What a crash of the machine can leave: a torn line, zeros, a stranger's bytes.
            rubbish = rng.choice([b"", b"\0" * 99, b"\xff\n[1]\n"])
            (finished / name).write_bytes(data[:end] + rubbish)
        result = pg3("learn", "--resume", finished)
        assert (result.code, result.out) == (0, out)
        assert said(finished / "log.jsonl") == log


def test_the_run_does_not_depend_on_the_inputs_any_more(
    pg3: Run, train: Path, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    shutil.copytree(train, copies)
    folder = tmp_path / "run"
    expected = pg3("learn", DOMAIN, copies, "--run", folder, "--max-candidates", "100")
    shutil.rmtree(copies)
    (folder / "log.jsonl").write_bytes((folder / "log.jsonl").read_bytes()[:20000])
    assert pg3("learn", "--resume", folder).out == expected.out


def test_a_folder_keeps_the_limits_of_the_search(pg3: Run, train: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    expected = pg3(
        *("learn", DOMAIN, train, "--preset", "paper", "--run", folder),
        *("--as-printed", "--max-expansions", "2"),
    )
    options = json.loads((folder / "run.json").read_text())["options"]
    assert (options["max_candidates"], options["max_expansions"]) == (None, 2)
    assert options["as_printed"] is True
    log = folder / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:5]))
    again = pg3("learn", "--resume", folder)
    assert (again.code, again.out) == (expected.code, expected.out)
    assert "stopped: expansion limit (search); " in again.err


# -- trouble ---------------------------------------------------------------------------------------


def test_arguments_that_do_not_go_together(pg3: Run, finished: Path, tmp_path: Path) -> None:
    for arguments in (
        ("--resume", finished, "--seed", "3"),
        ("--resume", finished, DOMAIN, DOMAIN),
        ("--resume", finished, "--run", tmp_path / "new"),
        (DOMAIN, DOMAIN, "--run", tmp_path / "new", "--log", tmp_path / "log"),
        (DOMAIN, DOMAIN, "--run", ""),
    ):
        result = pg3("learn", *arguments)
        assert (result.code, result.out) == (2, "")
        assert "Usage: pg3 learn" in result.err
    assert not (tmp_path / "new").exists()


def test_folders_that_will_not_do(pg3: Run, train: Path, finished: Path, tmp_path: Path) -> None:
    def refused(*arguments: object) -> str:
        result = pg3("learn", *arguments)
        assert (result.code, result.out) == (2, "")
        assert result.err.count("\n") == 1
        return result.err

    assert "holds a run already; go on with it: --resume" in refused(
        DOMAIN, train, "--run", finished
    )
    assert "there is p1.pddl in it" in refused(DOMAIN, train, "--run", train)
    (train / "lock").unlink()
    file = tmp_path / "file"
    file.touch()
    assert refused(DOMAIN, train, "--run", file) == f"{file}: cannot write: file exists\n"
    assert refused(DOMAIN, train, "--run", file / "run") == (
        f"{file / 'run'}: cannot write: not a directory\n"
    )
    assert "no learning run here (run.json is missing)" in refused("--resume", tmp_path)
    missing = tmp_path / "missing.pddl"
    assert refused(DOMAIN, missing, "--run", tmp_path / "new") == f"{missing}: no such file\n"
    assert not (tmp_path / "new").exists()
    with (finished / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert refused("--resume", finished) == (
            f"{finished}: another process is working on this run\n"
        )


def test_a_folder_that_was_changed(pg3: Run, finished: Path) -> None:
    def refused() -> str:
        result = pg3("learn", "--resume", finished)
        assert (result.code, result.out) == (2, "")
        assert result.err.count("\n") == 1
        return result.err

    description = (finished / "run.json").read_text()
    for broken in ("", "[]", "{}", "nonsense", description.replace("pg3-learning-run", "other")):
        (finished / "run.json").write_text(broken)
        assert f"{finished / 'run.json'}: not the description of a learning run: " in refused()
    (finished / "run.json").write_text(description.replace('"version": 4', '"version": 99'))
    assert "'version': this pg3 reads version 4, not 99" in refused()
    (finished / "run.json").write_text(description.replace('"pg3": "', '"pg3": "9.'))
    assert "the run was begun with pg3 9." in refused()
    (finished / "run.json").write_text(description)

    problem = finished / "input" / "2.pddl"
    text = problem.read_text()
    problem.write_text(text + " ")
    assert refused() == f"{problem}: was changed since the run began\n"
    problem.unlink()
    assert refused() == f"{problem}: no such file\n"
    problem.write_text(text)

    log = finished / "log.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if '"best": ' in line)
    log.write_text("".join(lines[:place]) + lines[place].replace('"score": ', '"score": 7'))
    result = pg3("learn", "--resume", finished)
    assert result.code == 2
    assert f"{log}: line {place + 1} is not what this run writes" in result.err
    log.write_text("".join(lines[:3]))
    journal = finished / "journal.jsonl"
    entries = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(entries[:4] + entries[6:]))
    assert "the journal does not fit" in pg3("learn", "--resume", finished).err


def test_a_full_disk(train: Path, tmp_path: Path) -> None:
    """No file may grow beyond 100 KB, as on a disk with no more space."""
    folder, whole = tmp_path / "run", tmp_path / "whole"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    arguments = ("learn", DOMAIN, train, *SEARCH)
    process = subprocess.run(
        command(*arguments, "--run", folder),
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    # Both grow at one pace: which of them is full first depends on the digits of times.
    path, _, reason = process.stderr.splitlines()[-1].partition(": ")
    assert Path(path) in {folder / "log.jsonl", folder / "journal.jsonl"}
    assert reason == "cannot write: file too large"
    # What was learned is not lost, and with more space the run goes on.
    assert process.stdout.startswith("(define (policy ferry)")
    read_policy(folder / "best.policy", read_domain(DOMAIN))
    for going_on in (("learn", "--resume", folder), (*arguments, "--run", whole)):
        subprocess.run(command(*going_on), capture_output=True, check=False)
    assert said(folder / "log.jsonl") == said(whole / "log.jsonl")
    assert (folder / "best.policy").read_text() == (whole / "best.policy").read_text()


@pytest.mark.parametrize("how", ["deleted", "replaced by a file"])
def test_a_folder_that_goes_away(train: Path, tmp_path: Path, how: str) -> None:
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command("learn", DOMAIN, train, "--run", folder, *ENDLESS),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for_lines(folder / "log.jsonl", 100)
    folder.rename(tmp_path / "elsewhere")
    shutil.rmtree(tmp_path / "elsewhere")
    if how != "deleted":
        folder.touch()
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert out.startswith("(define (policy ferry)")
    assert f"{folder}/" in err.splitlines()[-1]
    assert "cannot write: " in err.splitlines()[-1]


def test_one_process_at_a_time(pg3: Run, train: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = subprocess.Popen(
        command("learn", DOMAIN, train, "--run", folder, *ENDLESS),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_lines(folder / "log.jsonl", 10)
        result = pg3("learn", "--resume", folder)
        assert result.err == f"{folder}: another process is working on this run\n"
    finally:
        process.kill()
        process.wait()
