"""The folder of a learning run: everything about it in one place, so that it can go on later.

    run.json       what is learned from and how: format, version, options, the inputs' checksums
    input/         the domain, the problems and the policy to start from as they were
    log.jsonl      the log (`pg3.learning.log`)
    journal.jsonl  the state of the search (`journal`)
    best.policy    the best policy so far; in the end, the result
    lock           held by the process that works on the run

A run is finished when the last line of its log is the result. Files are replaced as a whole, or
grow by whole lines; what a kill leaves of a line is cut off when the run goes on.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pg3.errors import Pg3Error, file_error
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.config import OPTIONS, STORED, LearnConfig
from pg3.learning.log import LearningLog, checked_line
from pg3.learning.result import LearningResult, Status, TrainingProblem
from pg3.learning.robustness.verdicts import Grown
from pg3.pddl import parse_problem
from pg3.pddl.lexer import read_source
from pg3.policy.text import parse_policy
from pg3.storage import locks as file_locks
from pg3.storage.files import remove_unfinished, replacing, write_atomically
from pg3.storage.json_lines import LineFile, whole_lines
from pg3.storage.schema import (
    LINE,
    SHA256,
    Anything,
    As,
    Format,
    ListOf,
    Nothing,
    PathName,
    Record,
    ShapeError,
    parse_as,
    parse_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.pddl.model import Domain

FORMAT = "pg3-learning-run"
VERSION = 4

_DESCRIPTION, _INPUT, _LOG, _JOURNAL, _BEST, _LOCK = (
    *("run.json", "input", "log.jsonl", "journal.jsonl", "best.policy", "lock"),
)
_START = "start.policy"

_SHAPE = Format(
    FORMAT,
    VERSION,
    Record(
        {
            "pg3": LINE,
            "domain": PathName(),
            "problems": As(tuple, ListOf(PathName(), least=1)),
            "name": Nothing(LINE),
            "output": Nothing(PathName()),
            "jobs": OPTIONS["jobs"].shape,
            "options": STORED,
            "start": Nothing(PathName()),
            "inputs": Anything(),
        }
    ),
)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run learns from and how.

    `domain` and `problems` are the paths that the user gave, `name` that of the policy, `output`
    where it goes (None: to stdout), `start` the file of the policy that learning starts from.
    """

    pg3: str
    domain: str
    problems: tuple[str, ...]
    name: str | None
    output: str | None
    config: LearnConfig
    start: str | None = None

    @property
    def header(self) -> dict[str, Any]:
        """The header of the log: nothing that has no part in the result."""
        return {
            "pg3": self.pg3,
            "domain": self.domain,
            "problems": list(self.problems),
            **({} if self.start is None else {"start": self.start}),
            "options": self.config.stored(),
        }

    def stored(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return {
            "pg3": self.pg3,
            "domain": self.domain,
            "problems": list(self.problems),
            "name": self.name,
            "output": self.output,
            "jobs": self.config.jobs,
            "options": self.config.stored(),
            "start": self.start,
        }


class LearningRun:
    """A run that is being worked on; `create` or `resume` one. A context manager.

    Nobody else can work on it meanwhile. Pg3Error if the folder cannot be read or written, is in
    use, or is not what the run left behind.
    """

    def __init__(self, folder: Path, lock: IO[bytes], setup: Setup) -> None:
        self.folder = folder
        self.setup = setup
        self._lock = lock
        self._open = ExitStack()
        self._log_lines = _readable(folder / _LOG, checked_line)
        self._kept: str | None = None

    @classmethod
    def create(cls, folder: str | Path, setup: Setup, inputs: Sequence[bytes]) -> LearningRun:
        """A new run in a folder that is not there yet, or empty.

        `inputs` are the texts of the domain, the problems and the start, if any, as they were read.
        """
        folder = Path(folder)
        _make(folder)
        with ExitStack() as stack:
            lock = stack.enter_context(_locked(folder))
            if (folder / _DESCRIPTION).exists():
                raise Pg3Error(f"{folder}: holds a run already; go on with it: --resume {folder}")
            # What a run that was killed in its first moments left is no obstacle.
            strangers = sorted({path.name for path in folder.iterdir()} - {_INPUT, _LOCK})
            if strangers:
                raise Pg3Error(f"{folder}: not a new folder: there is {strangers[0]} in it")
            _make(folder / _INPUT)
            sums = {}
            for name, data in zip(_input_names(setup), inputs, strict=True):
                sums[name] = hashlib.sha256(data).hexdigest()
                with replacing(folder / _INPUT / name) as new:
                    new.write_bytes(data)
            # Last, and as a whole: from now on there is a run that can go on.
            description = {"format": FORMAT, "version": VERSION, **setup.stored(), "inputs": sums}
            write_atomically(folder / _DESCRIPTION, json.dumps(description, indent=2) + "\n")
            run = cls(folder, lock, setup)
            stack.pop_all()
        return run

    @classmethod
    def resume(cls, folder: str | Path, version: str) -> LearningRun:
        """The run in a folder, to go on with it; `version` is that of this pg3."""
        folder = Path(folder)
        if not (folder / _DESCRIPTION).is_file():
            raise Pg3Error(f"{folder}: no learning run here ({_DESCRIPTION} is missing)")
        with ExitStack() as stack:
            lock = stack.enter_context(_locked(folder))
            remove_unfinished(folder)
            setup, sums = _description(folder / _DESCRIPTION)
            if setup.pg3 != version:
                raise Pg3Error(
                    f"{folder}: the run was begun with pg3 {setup.pg3}, this is {version}, whose "
                    "search may take another way"
                )
            for name, expected in sums.items():
                file = folder / _INPUT / name
                if hashlib.sha256(read_source(file).data).hexdigest() != expected:
                    raise Pg3Error(f"{file}: was changed since the run began")
            run = cls(folder, lock, setup)
            stack.pop_all()
        return run

    def __enter__(self) -> LearningRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
        self._lock.close()

    @property
    def domain_file(self) -> Path:
        """The domain as it was when the run began."""
        return self.folder / _INPUT / _input_names(self.setup)[0]

    @property
    def problem_files(self) -> list[Path]:
        """The problems as they were when the run began."""
        names = _input_names(self.setup)[1 : 1 + len(self.setup.problems)]
        return [self.folder / _INPUT / name for name in names]

    @property
    def start_file(self) -> Path | None:
        """The policy to start from as it was when the run began, if there is one."""
        return None if self.setup.start is None else self.folder / _INPUT / _START

    @property
    def best_file(self) -> Path:
        """The best policy so far."""
        return self.folder / _BEST

    def result(self, domain: Domain) -> LearningResult | None:
        """The result, if the run is finished."""
        path, number = self.folder / _LOG, len(self._log_lines)
        line = checked_line(parse_json(self._log_lines[-1]), number - 1) if number else {}
        if "result" not in line:
            return None
        policy = line.pop("result")
        problems = tuple(TrainingProblem(**problem) for problem in line.pop("problems"))
        if len(problems) != len(self.setup.problems):
            raise Pg3Error(f"{path}: line {number}: the result is not about the run's problems")
        where = f"{path}: line {number}"
        policy = parse_policy(policy, domain, f"{where}: the result")
        grown = line.pop("grown")
        for kind in ("counterexamples", "altered"):
            grown[kind] = tuple(
                parse_problem(text, domain, f"{where}: a counterexample") for text in grown[kind]
            )
        passed = line.pop("status") != Status.DOUBTFUL
        return LearningResult(
            policy=policy, problems=problems, grown=Grown(**grown), passed_tests=passed, **line
        )

    def open_log(self) -> LearningLog:
        """The log, to be written from the beginning: what it has already is passed over."""
        path = self.folder / _LOG
        past = self._log_lines if path.exists() else None
        return self._open.enter_context(LearningLog(path, self.setup.header, past))

    def open_journal(self) -> Journal:
        """The journal, with all that is known from before."""
        path = self.folder / _JOURNAL
        entries = list[Entry]()
        lines = _readable(path, lambda value, _: entries.append(Entry.of(value)))
        past = sum(map(len, lines)) if path.exists() else None
        file = self._open.enter_context(LineFile(path, past))
        return Journal(entries, file.add, str(path))

    def keep_best(self, text: str) -> None:
        """Put a policy on disk as the best so far."""
        if text != self._kept:
            write_atomically(self.best_file, text)
            self._kept = text


def _description(path: Path) -> tuple[Setup, dict[str, str]]:
    """What a run learns from and how, and the checksums of its inputs."""
    try:
        fields = parse_as(_SHAPE, read_source(path).data)
        sums = fields.pop("inputs")
        config = LearnConfig(jobs=fields.pop("jobs"), **fields.pop("options"))
        setup = Setup(**fields, config=config)
        return setup, Record(dict.fromkeys(_input_names(setup), SHA256)).check(sums, ("inputs",))
    except ShapeError as error:
        raise Pg3Error(f"{path}: not the description of a learning run: {error}") from None


def _input_names(setup: Setup) -> list[str]:
    problems = [f"{i}.pddl" for i in range(1, len(setup.problems) + 1)]
    return ["domain.pddl", *problems, *([] if setup.start is None else [_START])]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(folder, "write", error) from None


def _locked(folder: Path) -> IO[bytes]:
    try:
        lock = (folder / _LOCK).open("ab")
    except OSError as error:
        raise file_error(folder, "write", error) from None
    try:
        file_locks.lock(lock.fileno())
    except OSError:
        lock.close()
        raise Pg3Error(f"{folder}: another process is working on this run") from None
    return lock


def _readable(path: Path, check: Callable[[Any, int], object]) -> Sequence[bytes]:
    """The lines of a file up to the first that is no JSON, which a crash may leave.

    `check` takes the value of each line and its place. Pg3Error if it refuses one: that is no torn
    line, but a stranger's.
    """
    lines = whole_lines(path)
    for place, line in enumerate(lines):
        try:
            value = parse_json(line)
        except ValueError:
            return lines[:place]
        try:
            check(value, place)
        except ShapeError as error:
            raise Pg3Error(f"{path}: line {place + 1}: {error}") from None
    return lines
