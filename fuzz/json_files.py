"""Every JSON file that a command reads, changed by a stranger, and the command that reads it.

A command may end with 0, 1 or 2; anything else, or a traceback, is a bug.
"""

from __future__ import annotations

import contextlib
import io
import random
import shutil
import warnings
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from typer.main import get_command

from fuzz.json_mutations import mutated_json, mutated_lines
from pg3.baselines.gnn import GnnPolicy, load_gnn, save_gnn
from pg3.baselines.gnn.storage import Checkpoint, Snapshot, load_checkpoint, save_checkpoint
from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.vocabulary import Vocabulary
from pg3.baselines.gnn.weights import initial_weights
from pg3.cli.app import app
from pg3.cli.main import load
from pg3.errors import InputWarning, Pg3Error
from pg3.experiments.results import RESULTS, Best, Options, ResultFile, ResultLine, Status, Versions
from pg3.learning.learner import learn
from pg3.pddl import read_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.config import LearnConfig

_ROOT = Path(__file__).parents[1]
_FERRY = _ROOT / "examples" / "ferry"
_DOMAIN, _PROBLEM = _FERRY / "domain.pddl", _FERRY / "small.pddl"
_POLICY = _ROOT / "examples" / "policies" / "ferry.policy"

# A stranger may ask for a search of any length: here none is longer.
_CANDIDATES = 40

# Small enough that to learn from them takes a moment.
_TRAINING = (
    "(define (problem a) (:domain ferry) (:objects l1 l2 c1) (:init (location l1) (location l2)"
    " (car c1) (not-eq l1 l2) (not-eq l2 l1) (empty-ferry) (at c1 l1) (at-ferry l2))"
    " (:goal (at c1 l2)))",
    "(define (problem b) (:domain ferry) (:objects l1 l2 l3 c1 c2) (:init (location l1)"
    " (location l2) (location l3) (car c1) (car c2) (not-eq l1 l2) (not-eq l2 l1) (not-eq l1 l3)"
    " (not-eq l3 l1) (not-eq l2 l3) (not-eq l3 l2) (empty-ferry) (at c1 l1) (at c2 l3)"
    " (at-ferry l2)) (:goal (and (at c1 l3) (at c2 l1))))",
)


def command(*arguments: str | Path) -> tuple[int, str]:
    """The exit code of a command that is run in this process, and what it said.

    What the command line would call a fault in pg3 is raised here.
    """
    said = io.StringIO()
    code: Any = 0
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        try:
            _commands().main([str(argument) for argument in arguments], prog_name="pg3")
        except SystemExit as end:
            code = end.code
    return code or 0, said.getvalue()


@cache
def _commands() -> Any:
    """All commands; to make them takes longer than most of them do."""
    load()
    return get_command(app)


@dataclass(frozen=True)
class JsonFile:
    """A file in a folder of a few, which a command reads.

    `make` puts valid files into a folder; `read` gives the exit code and what was said.
    """

    make: Callable[[Path], None]
    file: str
    read: Callable[[Path], tuple[int, str]]

    def check(self, seed: int | None) -> tuple[int, str]:
        """Change the file, if there is a seed, and read it; raises if that shows a bug."""
        with TemporaryDirectory() as name, _short_searches():
            folder = Path(name) / "files"
            shutil.copytree(_made(self.make), folder)
            path = folder / self.file
            if seed is not None:
                mutate = mutated_lines if path.suffix == ".jsonl" else mutated_json
                path.write_bytes(mutate(path.read_bytes(), random.Random(seed)))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)
                code, said = self.read(folder)
            assert code in (0, 1, 2), f"{code}: {said}"
            assert code != 2 or said, "bad input without a message"
            return code, said


@cache
def _made(make: Callable[[Path], None]) -> Path:
    folder = Path(_folders().name) / str(_made.cache_info().currsize)
    folder.mkdir()
    make(folder)
    return folder


@cache
def _folders() -> TemporaryDirectory[str]:
    return TemporaryDirectory()


@contextlib.contextmanager
def _short_searches() -> Iterator[None]:
    def short(domain: Any, problems: Any, config: LearnConfig, **given: Any) -> Any:
        candidates, _ = config.limits
        most = _CANDIDATES if candidates is None else min(candidates, _CANDIDATES)
        return learn(domain, problems, replace(config, max_candidates=most), **given)

    with patch("pg3.cli.learning.session.learn_policy", short):
        yield


# -- runs ------------------------------------------------------------------------------------------


def _run(folder: Path, *options: str) -> None:
    problems = [folder / f"{i}.pddl" for i in range(len(_TRAINING))]
    for path, text in zip(problems, _TRAINING, strict=True):
        path.write_text(text)
    run, most = folder / "run", str(_CANDIDATES)
    command("learn", _DOMAIN, *problems, "--run", run, "--max-candidates", most, *options)


def new_run(folder: Path) -> None:
    """A run that has only just begun, with a policy, of which a rule is kept."""
    name = _POLICY.read_text().split("(:rule ")[1].split()[0]
    _run(folder, "--preset", "paper", "--start", str(_POLICY), "--keep", name)
    (folder / "run" / "log.jsonl").unlink()
    (folder / "run" / "journal.jsonl").unlink()


def paper_run(folder: Path) -> None:
    """The paper's search, whose log was lost but for the first line."""
    _run(folder, "--preset", "paper")
    _cut_log(folder, 1)


def robust_run(folder: Path) -> None:
    """Goal regression finds a policy, which passes."""
    _run(folder)
    _cut_log(folder, 1)


def searching_run(folder: Path) -> None:
    """Searches of the robust preset, which do not get there; regression is not asked."""
    _run(folder, "--max-candidates", "3", "--operators", "add-rule,add-condition")
    _cut_log(folder, 1)


def regressing_run(folder: Path) -> None:
    """A run that was killed at the end of goal regression."""
    robust_run(folder)
    journal = folder / "run" / "journal.jsonl"
    before = journal.read_bytes().partition(b'"verdict"')[0]
    journal.write_bytes(before[: before.rfind(b"\n") + 1])


def logged_run(folder: Path) -> None:
    """A run whose log lacks the result only."""
    _run(folder, "--max-candidates", "3")
    _cut_log(folder, -1)


def finished_run(folder: Path) -> None:
    """A run that has come to its end."""
    _run(folder, "--preset", "paper")


def _cut_log(folder: Path, end: int) -> None:
    log = folder / "run" / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:end]))


def _resume(folder: Path) -> tuple[int, str]:
    return command("learn", "--resume", folder / "run", "-o", folder / "policy")


def _view(folder: Path) -> tuple[int, str]:
    return command("view", folder / "run", "-o", folder / "page.html")


# -- what else there is ----------------------------------------------------------------------------


def results(folder: Path) -> None:
    """The results of an experiment."""
    file = ResultFile(folder)
    for method, bests in (
        ("gps-pg3", (Best(0.5, 0.5, 3.0, 0), Best(1.0, 1.0, 0.0, 4))),
        ("random", ()),
        ("gnn-bc", (Best(0.5, 1.0, 0.1, epoch=3),)),
    ):
        file.add(
            ResultLine(
                domain="ferry",
                method=method,
                seed=0,
                options=Options("paper", 100, ("add-rule",), None, 5.0, None),
                versions=Versions("0.1.0", "3.11", "linux", None),
                date="2026-01-31T23:59:59Z",
                status=Status.DONE,
                reason=None,
                train=3,
                test=2,
                horizon=100,
                success=1.0,
                steps=(3, 4),
                learning_seconds=1.5,
                testing_seconds=0.5,
                candidates=10,
                expansions=100,
                stopped="perfect",
                training_solved=True,
                peak_megabytes=50.0,
                policy=_POLICY.read_text(),
                bests=bests,
            )
        )


def _report(folder: Path) -> tuple[int, str]:
    code = 0, ""
    for form in ("html", "md", "csv", "tex"):
        code = max(code, command("report", folder, "-o", folder / f"report.{form}"))
    return code


def _experiment(folder: Path) -> tuple[int, str]:
    return _refused(lambda: ResultFile(folder))


def certificate(folder: Path) -> None:
    """What was checked of a policy."""
    command(
        *("certify", _DOMAIN, _PROBLEM, "--policy", _POLICY, "--max-steps", "1"),
        *("-o", folder / "certificate.json"),
    )


def _check(folder: Path) -> tuple[int, str]:
    file = folder / "certificate.json"
    return command("certify", _DOMAIN, "--policy", _POLICY, "--check", file)


def policy(folder: Path) -> None:
    """A policy as JSON."""
    command("export", _DOMAIN, "-p", _POLICY, "--to", "json", "-o", folder / "policy.json")


def _solve(folder: Path) -> tuple[int, str]:
    file = folder / "policy.json"
    return max(
        command("solve", _DOMAIN, _PROBLEM, "--policy", file, "--max-steps", "100"),
        command("explain", _DOMAIN, _PROBLEM, "--policy", file),
        command("view", _DOMAIN, _PROBLEM, "--policy", file, "-o", folder / "page.html"),
    )


def network(folder: Path) -> None:
    """A network and its checkpoint."""
    domain = read_domain(_DOMAIN)
    vocabulary = Vocabulary.of(domain)
    weights = initial_weights(vocabulary, 0)
    save_gnn(GnnPolicy(domain.name, vocabulary, weights, 3, 0.5), folder / "network.json")
    state = TrainerState(3, 0.5, weights, weights, weights)
    save_checkpoint(
        Checkpoint("run", state, 1.5, (Snapshot(0.5, 1, None, weights),)),
        vocabulary,
        folder / "checkpoint.json",
    )


def _load(folder: Path) -> tuple[int, str]:
    domain = read_domain(_DOMAIN)
    return _refused(lambda: load_gnn(folder / "network.json", domain))


def _load_checkpoint(folder: Path) -> tuple[int, str]:
    vocabulary = Vocabulary.of(read_domain(_DOMAIN))
    return _refused(lambda: load_checkpoint(folder / "checkpoint.json", "run", vocabulary))


def _refused(read: Callable[[], object]) -> tuple[int, str]:
    try:
        read()
    except Pg3Error as error:
        return 2, str(error)
    return 0, ""


JSON_FILES = {
    "resume new run": JsonFile(new_run, "run/run.json", _resume),
    "resume paper journal": JsonFile(paper_run, "run/journal.jsonl", _resume),
    "resume robust run": JsonFile(robust_run, "run/run.json", _resume),
    "resume robust journal": JsonFile(robust_run, "run/journal.jsonl", _resume),
    "resume searching journal": JsonFile(searching_run, "run/journal.jsonl", _resume),
    "resume regressing journal": JsonFile(regressing_run, "run/journal.jsonl", _resume),
    "resume log": JsonFile(logged_run, "run/log.jsonl", _resume),
    "resume finished run": JsonFile(finished_run, "run/run.json", _resume),
    "resume finished log": JsonFile(finished_run, "run/log.jsonl", _resume),
    "view log": JsonFile(finished_run, "run/log.jsonl", _view),
    "report results": JsonFile(results, RESULTS, _report),
    "experiment results": JsonFile(results, RESULTS, _experiment),
    "certify certificate": JsonFile(certificate, "certificate.json", _check),
    "solve policy": JsonFile(policy, "policy.json", _solve),
    "load network": JsonFile(network, "network.json", _load),
    "load checkpoint": JsonFile(network, "checkpoint.json", _load_checkpoint),
}
