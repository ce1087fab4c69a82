"""What a caller gives: a domain or problems, or the paths of files and folders with them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

from pg3.errors import ArgumentError, Pg3Error
from pg3.pddl.model import Domain, Problem
from pg3.pddl.reading.domain import read_domain
from pg3.pddl.reading.problem import read_problem as _read

PathLike = str | os.PathLike[str]
DomainLike = Domain | PathLike
ProblemLike = Problem | PathLike
ProblemsLike = ProblemLike | Iterable[ProblemLike]

DOMAIN_FILE = "domain.pddl"

# What the folders for training and for test problems are called.
_TRAIN, _TEST = ("train", "training"), ("test", "testing")


def is_path(value: object) -> TypeGuard[PathLike]:
    """Whether a value names a file or folder."""
    return isinstance(value, str | os.PathLike)


def as_path(path: PathLike) -> str:
    """The name of a file to write; ArgumentError if it is no name."""
    if not is_path(path) or not os.fspath(path):
        raise ArgumentError("path", "the name of a file", path)
    return os.fspath(path)


def expected(what: str, value: object) -> Pg3Error:
    """The error for a value that is no such thing; `what` begins with its article."""
    kind = type(value).__name__
    kind = {"DecisionList": "policy", "NoneType": "None"}.get(kind, kind)
    return Pg3Error(f"{what} or its path is expected, not a value of type {kind}")


def as_domain(domain: DomainLike) -> Domain:
    """The domain, read if it is the path of a file, or of a folder with domain.pddl."""
    if isinstance(domain, Domain):
        return domain
    if not is_path(domain):
        raise expected("a domain", domain)
    path = Path(domain)
    return read_domain(path / DOMAIN_FILE if path.is_dir() else path)


def read_problem(path: PathLike, domain: DomainLike | None = None) -> Problem:
    """The problem in a PDDL file; raises as `read_domain` does.

    Without a domain, domain.pddl is looked for beside the file and one folder up.
    """
    if not is_path(path):
        raise expected("a problem", path)
    return _read(path, domain_beside(Path(path)) if domain is None else as_domain(domain))


def as_problem(problem: ProblemLike, domain: DomainLike | None = None) -> Problem:
    """The problem, read if it is the path of a file."""
    if isinstance(problem, Problem):
        return problem
    if not is_path(problem):
        raise expected("a problem", problem)
    return read_problem(problem, domain)


def read_problems(problems: ProblemsLike, domain: DomainLike | None = None) -> list[Problem]:
    """The problems of one domain, read where they are paths; a folder stands for all in it.

    Without a domain, domain.pddl is looked for beside the first file and one folder up.
    """
    sources = as_sources(problems)
    if domain is None:
        paths = [one for one in sources if not isinstance(one, Problem)]
        domain = domain_beside(Path(paths[0])) if paths else None
    else:
        domain = as_domain(domain)
    return [as_problem(one, domain) for one in sources]


def require_one_domain(domain: Domain, problems: Iterable[Problem]) -> None:
    """Raise Pg3Error if a problem is of another domain."""
    for problem in problems:
        if problem.domain != domain:
            raise Pg3Error(
                f"problem '{problem.name}' is of another domain than '{domain.name}': "
                f"'{problem.domain.name}'"
            )


def as_sources(problems: ProblemsLike) -> list[ProblemLike]:
    """The problems one by one, not read yet; the files of folders instead of these."""
    if isinstance(problems, Problem) or is_path(problems):
        problems = [problems]
    if not isinstance(problems, Iterable):
        raise expected("a problem", problems)
    found: list[ProblemLike] = []
    for one in problems:
        if not isinstance(one, Problem) and not is_path(one):
            raise expected("a problem", one)
        found += [one] if isinstance(one, Problem) else problem_files([one])
    return found


def domain_beside(file: Path) -> Domain:
    """The domain of a problem or a policy: domain.pddl beside it or one folder up."""
    for folder in (file.parent, file.parent.parent):
        if (folder / DOMAIN_FILE).is_file():
            return read_domain(folder / DOMAIN_FILE)
    if not file.exists():
        raise Pg3Error(f"{file}: no such file")
    raise Pg3Error(f"{file}: there is no {DOMAIN_FILE} beside it: give the domain, too")


def problem_files(paths: Iterable[PathLike]) -> list[str]:
    """The paths with each folder replaced by its problem files, in the order of their numbers.

    These are the files *.pddl in it but domain.pddl; "p2" comes before "p10".
    """
    files: list[str] = []
    for path in paths:
        if not Path(path).is_dir():
            files.append(str(path))
            continue
        found = _problems_in(Path(path).glob("*.pddl"))
        if not found:
            raise Pg3Error(f"{path}: no problem files (*.pddl) in this folder")
        files += map(str, found)
    return files


def _problems_in(files: Iterable[Path]) -> list[Path]:
    return sorted((f for f in files if f.is_file() and f.name != DOMAIN_FILE), key=_natural)


def _natural(path: Path) -> list[tuple[int, str]]:
    # Words and numbers take turns, so that like is compared with like.
    parts = re.split(r"([0-9]+)", str(path))
    return [(int(part) if i % 2 else 0, part) for i, part in enumerate(parts)]


@dataclass(frozen=True)
class Benchmark:
    """A domain with problems to learn from and to test on, read when they are asked for."""

    name: str
    domain_file: Path
    train_files: tuple[Path, ...] = field(repr=False)
    test_files: tuple[Path, ...] = field(repr=False)

    @cached_property
    def domain(self) -> Domain:
        """The domain."""
        return read_domain(self.domain_file)

    @cached_property
    def train(self) -> list[Problem]:
        """The problems to learn from."""
        return read_problems(self.train_files, self.domain)

    @cached_property
    def test(self) -> list[Problem]:
        """The problems to test on."""
        return read_problems(self.test_files, self.domain)

    def __repr__(self) -> str:
        train, test = len(self.train_files), len(self.test_files)
        return f"<benchmark {self.name}: {train} problems to learn from, {test} to test on>"


def load(folder: PathLike) -> Benchmark:
    """The domain and the problems of a folder: domain.pddl, train/ and test/.

    `training/` and `testing/` (MOOSE, IPC learning track) do as well, with folders in them. A
    folder that has its problems beside the domain (Autoscale) gives the first half of them, in the
    order of their numbers, to learn from. Nothing but the domain's place is checked here: files are
    read when `domain`, `train` or `test` is asked for.
    """
    if not is_path(folder):
        raise expected("a folder", folder)
    root = Path(folder)
    if not root.is_dir():
        raise Pg3Error(f"{root}: no such folder")
    domain = root / DOMAIN_FILE
    if not domain.is_file():
        own = any(root.glob("domain-*.pddl"))
        reason = "each problem has a domain of its own" if own else f"there is no {DOMAIN_FILE}"
        raise Pg3Error(f"{root}: {reason}")
    train, test = (_in_folder(root, names) for names in (_TRAIN, _TEST))
    if not train and not test:
        flat = _problems_in(root.glob("*.pddl"))
        train, test = flat[: len(flat) // 2], flat[len(flat) // 2 :]
    return Benchmark(root.resolve().name, domain, tuple(train), tuple(test))


def _in_folder(root: Path, names: Sequence[str]) -> list[Path]:
    return [file for name in names for file in _problems_in((root / name).rglob("*.pddl"))]
