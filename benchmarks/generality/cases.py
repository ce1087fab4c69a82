"""The domains of the comparison: the built-in ones, and MOOSE's eight where its files are."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pg3 import read_domain, read_policy
from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.errors import Pg3Error
from pg3.pddl import write_problem
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3.domains import BuiltInDomain
    from pg3.pddl import Problem

REPOSITORY = Path(__file__).parents[2]
POLICIES = REPOSITORY / "examples" / "policies"

# Domains that share their hand-written policy with another one.
_ALIKE = {
    "blocksworld-partial": "blocksworld",
    "ferry-typed": "ferry",
    "miconic-once": "miconic",
}

# What nobody prepared for us: these need recursion, constants or path-finding.
OURS = (
    "blocksworld",
    "blocksworld-partial",
    "childsnack",
    "floortile",
    "transport-roads",
    "rovers-traverse",
)


# How many times as large as the test problems some more are, and how many there are of each.
GROWTH, GROWN = (2, 4), 5


@dataclass(frozen=True, slots=True)
class Case:
    """A domain with problems to learn from and to be tested on.

    `name` is MOOSE/DOMAIN for the files of its authors. `by_hand` is a policy that a person wrote
    for the domain, where there is one. `horizon` is the number of steps that a policy gets.
    `grown` are problems like the test problems, two and four times as large.
    """

    name: str
    domain: Path
    training: tuple[Path, ...]
    testing: tuple[Path, ...]
    by_hand: Path | None = None
    horizon: int | None = None
    grown: tuple[Path, ...] = ()

    @property
    def label(self) -> str:
        """The name in files of results."""
        return self.name.replace("/", "-")


def moose_cases(problems: Path, larger: Path | None, every: int) -> list[Case]:
    """MOOSE's domains as they are in a folder, with more test problems if there are some."""
    cases = []
    for folder in sorted(path.parent for path in problems.glob("*/testing")):
        tests = sorted((folder / "testing").glob("*.pddl"))
        if larger is not None:
            tests += sorted((larger / folder.name).glob("*.pddl"))
        cases.append(
            Case(
                f"moose/{folder.name}",
                folder / "domain.pddl",
                tuple(sorted((folder / "training").glob("*.pddl"))[::every]),
                tuple(tests),
                by_hand(folder.name, folder / "domain.pddl"),
            )
        )
    return cases


# Our own first, then the twins of MOOSE's.
BUILT_IN = (*OURS, *(name for name in DOMAINS if name not in {*PAPER_DOMAINS, *OURS}))


def built_in_case(name: str, problems: Path, seed: int, every: int) -> Case:
    """A built-in domain, its problems written to a folder."""
    folder = problems / f"{name}-{seed}"
    domain = DOMAINS[name]
    sets = {split: domain.problems(split, seed=seed) for split in ("train", "test")}
    for factor in GROWTH:
        sizes = {
            size: (low * factor, high * factor)
            for size, (low, high) in domain.splits["test"].sizes.items()
        }
        sets[f"test-{factor}"] = domain.problems("test", seed=seed, count=GROWN, sizes=sizes)
    case = written_case(domain, folder, sets)
    return replace(case, training=case.training[::every], by_hand=by_hand(name, case.domain))


def written_case(
    domain: BuiltInDomain, folder: Path, sets: Mapping[str, Sequence[Problem]]
) -> Case:
    """A domain and its problems, written to a folder: `train`, `test`, and grown ones."""
    files: dict[str, tuple[Path, ...]] = {}
    for part, drawn in sets.items():
        (folder / part).mkdir(parents=True, exist_ok=True)
        files[part] = tuple(
            _written(folder / part / f"p{i:02}.pddl", write_problem(problem))
            for i, problem in enumerate(drawn, 1)
        )
    path = _written(folder / "domain.pddl", domain.text)
    train, test = files.pop("train"), files.pop("test")
    grown = tuple(path for paths in files.values() for path in paths)
    return Case(domain.name, path, train, test, None, domain.horizon, grown)


def _written(path: Path, text: str) -> Path:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_atomically(path, text)
    return path


def by_hand(name: str, domain: Path) -> Path | None:
    """The hand-written policy for a domain of this name; one for another domain is no match."""
    for folder in ("extended", "moose"):
        path = POLICIES / folder / f"{_ALIKE.get(name, name)}.policy"
        if path.exists():
            with contextlib.suppress(Pg3Error):
                read_policy(path, read_domain(domain))
                return path
    return None


def fingerprint(*paths: Path) -> str:
    """What tells apart the contents of files, in this order."""
    hashed = sha256()
    for path in paths:
        hashed.update(sha256(path.read_bytes()).digest())
    return hashed.hexdigest()[:16]


def spread(paths: tuple[Path, ...], number: int) -> list[Path]:
    """So many of the problems, from small to large: files grow with the number of objects."""
    by_size = sorted(paths, key=lambda path: (path.stat().st_size, path.name))
    if number >= len(by_size):
        return by_size
    step = (len(by_size) - 1) / max(1, number - 1)
    return [by_size[-1 - round(i * step)] for i in reversed(range(number))]
