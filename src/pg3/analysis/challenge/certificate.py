"""Certificates: what was checked of a policy, as a JSON file that can be validated.

A certificate claims what its counts say and no more; `claim` puts them into words.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from pg3.errors import Pg3Error, pluralize
from pg3.pddl.lexer import read_source
from pg3.storage.files import write_atomically
from pg3.storage.schema import (
    SHA256,
    As,
    Flag,
    Format,
    ListOf,
    Nothing,
    OneOf,
    PathName,
    Record,
    ShapeError,
    Text,
    Whole,
    parse_as,
)

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "pg3-certificate"
VERSION = 1

# Which problems: all that a generator can make up to a number of objects, a sample, or files.
Coverage = Literal["all", "sample", "given"]
# From which states: the problems' initial states, or all that can be reached from them.
Starts = Literal["initial", "reachable"]

# Failures that are written down; all are counted.
MOST_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Hashed:
    """A text by its name and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class FailedStart:
    """A start from which the goal can be reached, but the policy does not reach it."""

    problem: str
    start: str
    reason: str


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of starts by outcome; they add up to `starts`.

    `cut_off` counts problems with too many states, of which only the initial state was checked.
    `undecided` counts starts without a result because of a limit.
    """

    problems: int
    cut_off: int
    starts: int
    solved: int
    failed: int
    unsolvable: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the check: problems, states of one, steps of the policy, expansions."""

    problems: int
    states: int
    steps: int | None
    expansions: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was checked, of which policy for which domain, by which version of pg3.

    `complete`: no limit cut off the list of problems or the states of one.
    """

    pg3: str
    domain: Hashed
    policy: Hashed
    coverage: Coverage
    starts: Starts
    generator: str | None
    objects: int | None
    seed: int | None
    files: tuple[Hashed, ...]
    complete: bool
    limits: Limits
    counts: Counts
    failures: tuple[FailedStart, ...]

    @property
    def passed(self) -> bool:
        """Whether there are no failed and no undecided starts."""
        return self.counts.failed == self.counts.undecided == 0

    def __str__(self) -> str:
        return self.claim

    def __repr__(self) -> str:
        return f"<certificate: {self.claim}>"

    @property
    def claim(self) -> str:
        """What the counts say, in one sentence."""
        c = self.counts
        number = pluralize(c.problems, "problem")
        if self.coverage == "given":
            subject = f"{pluralize(c.problems, 'given problem')}"
        elif self.coverage == "sample":
            subject = f"a sample of {number} of generator '{self.generator}' (seed {self.seed})"
        elif self.complete:
            subject = (
                f"all {number} with at most {pluralize(self.objects or 0, 'object')} "
                f"that generator '{self.generator}' can make"
            )
        else:
            subject = (
                f"{number} with at most {pluralize(self.objects or 0, 'object')}, not all that "
                f"generator '{self.generator}' can make"
            )
        if self.starts == "reachable":
            starts = f"from {pluralize(c.starts, 'state')} that can be reached"
            if c.cut_off:
                starts += f", not all of them in {pluralize(c.cut_off, 'problem')}"
            subject += f", {starts}"
        parts = [f"{c.solved} solved", f"{c.failed} failed"]
        if c.unsolvable:
            parts.append(f"{c.unsolvable} without any solution")
        if c.undecided:
            parts.append(f"{c.undecided} undecided")
        return f"{subject}: {', '.join(parts)}"

    def to_json(self) -> str:
        """The file's text."""
        head = {"format": FORMAT, "version": VERSION, "claim": self.claim}
        return json.dumps(head | asdict(self), indent=2, ensure_ascii=True) + "\n"


def write_certificate(path: str | Path, certificate: Certificate) -> None:
    """Write a certificate as a file."""
    write_atomically(path, certificate.to_json())


def read_certificate(path: str | Path) -> Certificate:
    """The certificate in a file; Pg3Error if it is no certificate or contradicts itself."""
    try:
        certificate: Certificate = parse_as(_SHAPE, read_source(path).data)
    except ShapeError as error:
        raise Pg3Error(f"{path}: no certificate: {error}") from None
    return certificate


def _certificate(claim: str, **fields: Any) -> Certificate:
    certificate = Certificate(**fields)
    _consistent(certificate)
    if claim != certificate.claim:
        raise ShapeError(("claim",), ": it is not what the counts say")
    return certificate


def _consistent(certificate: Certificate) -> None:
    """Refuse a certificate that contradicts itself."""
    c = certificate.counts
    if c.starts != c.solved + c.failed + c.unsolvable + c.undecided:
        raise ShapeError((), "the counts do not add up to the starts")
    if certificate.starts == "initial" and c.starts != c.problems:
        raise ShapeError((), "every problem has one initial state, but the counts differ")
    if c.starts < c.problems or c.cut_off > c.problems:
        raise ShapeError((), "the counts of problems and starts contradict each other")
    if certificate.complete and c.cut_off:
        raise ShapeError((), "not complete: some problems were cut off")
    if len(certificate.failures) != min(c.failed, MOST_FAILURES):
        raise ShapeError((), "the failures listed are not as many as counted")
    if (certificate.coverage == "given") != bool(certificate.files):
        raise ShapeError((), "files are listed where the problems were given, and only there")
    if (certificate.coverage != "given") != (certificate.generator is not None):
        raise ShapeError((), "a generator is named where it made the problems, and only there")
    if (certificate.coverage == "all") != (certificate.objects is not None):
        raise ShapeError((), '"objects" goes with coverage "all", and only with it')
    if certificate.coverage == "sample" and certificate.seed is None:
        raise ShapeError((), "a sample has a seed")


_HASHED = As(Hashed, Record({"name": PathName(), "sha256": SHA256}))
_COUNT = Whole(0, None)
_FAILURE = Record({"problem": PathName(), "start": Text(), "reason": Text()})
_LIMITS = Record(
    {"problems": _COUNT, "states": _COUNT, "steps": Nothing(_COUNT), "expansions": _COUNT}
)
_COUNTS = Record({field.name: _COUNT for field in fields(Counts)})
_SHAPE = As(
    _certificate,
    Format(
        FORMAT,
        VERSION,
        Record(
            {
                "claim": Text(),
                "pg3": Text(),
                "domain": _HASHED,
                "policy": _HASHED,
                "coverage": OneOf(get_args(Coverage)),
                "starts": OneOf(get_args(Starts)),
                "generator": Nothing(Text()),
                "objects": Nothing(_COUNT),
                "seed": Nothing(Whole(None, None)),
                "files": As(tuple, ListOf(_HASHED)),
                "complete": Flag(),
                "limits": As(Limits, _LIMITS),
                "counts": As(Counts, _COUNTS),
                "failures": As(tuple, ListOf(As(FailedStart, _FAILURE))),
            }
        ),
    ),
)
