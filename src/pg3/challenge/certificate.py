"""Certificates: what was checked of a policy, as a JSON file that can be validated.

A certificate claims what its counts say and no more; `claim` puts them into words.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from pg3.errors import Pg3Error
from pg3.files import write_atomically
from pg3.pddl.lexer import read_source
from pg3.wording import count

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
    """Starts by what came of them; they add up to `starts`.

    `cut_off` are problems with too many states for all to be checked: only their initial states
    were. `undecided` are starts that a limit left open.
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
    """What the check was allowed: problems, states of one, steps of the policy, expansions."""

    problems: int
    states: int
    steps: int | None
    expansions: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was checked, of which policy for which domain, by which version of pg3.

    `complete` says that no limit cut short the list of problems or the states of one.
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
        """Whether the policy failed nothing, and nothing was left open."""
        return self.counts.failed == self.counts.undecided == 0

    @property
    def claim(self) -> str:
        """What the counts say, in one sentence."""
        c = self.counts
        number = count(c.problems, "problem")
        if self.coverage == "given":
            subject = f"{count(c.problems, 'given problem')}"
        elif self.coverage == "sample":
            subject = f"a sample of {number} of generator '{self.generator}' (seed {self.seed})"
        elif self.complete:
            subject = (
                f"all {number} with at most {count(self.objects or 0, 'object')} "
                f"that generator '{self.generator}' can make"
            )
        else:
            subject = (
                f"{number} with at most {count(self.objects or 0, 'object')}, not all that "
                f"generator '{self.generator}' can make"
            )
        if self.starts == "reachable":
            starts = f"from {count(c.starts, 'state')} that can be reached"
            if c.cut_off:
                starts += f", not all of them in {count(c.cut_off, 'problem')}"
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
    """The certificate in a file; Pg3Error if it is none, or contradicts itself."""
    data = read_source(path).data
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Pg3Error(f"{path}: not JSON: {error}") from None
    try:
        return _certificate(content)
    except _FaultError as fault:
        raise Pg3Error(f"{path}: {fault}") from None


class _FaultError(Exception):
    """What is wrong with a certificate."""


def _certificate(content: Any) -> Certificate:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise _FaultError(f'no certificate: "format" is not "{FORMAT}"')
    if content.get("version") != VERSION:
        raise _FaultError(f"version {content.get('version')!r} is not known, only {VERSION}")
    claim = content.get("claim")
    fields = {k: v for k, v in content.items() if k not in ("format", "version", "claim")}
    _require(fields, Certificate, "the certificate")
    certificate = Certificate(
        pg3=_text(fields, "pg3"),
        domain=_hashed(fields["domain"], "domain"),
        policy=_hashed(fields["policy"], "policy"),
        coverage=_one_of(fields, "coverage", Coverage),
        starts=_one_of(fields, "starts", Starts),
        generator=None if fields["generator"] is None else _text(fields, "generator"),
        objects=_number(fields, "objects", optional=True),
        seed=_integer(fields, "seed"),
        files=tuple(_hashed(one, "files") for one in _list(fields, "files")),
        complete=_boolean(fields, "complete"),
        limits=Limits(**_numbers(fields["limits"], Limits, "limits", optional=("steps",))),
        counts=Counts(**_numbers(fields["counts"], Counts, "counts")),
        failures=tuple(_failed(one) for one in _list(fields, "failures")),
    )
    _consistent(certificate)
    if claim != certificate.claim:
        raise _FaultError('"claim" is not what the counts say')
    return certificate


def _consistent(certificate: Certificate) -> None:
    """Refuse what cannot be: these are the mistakes and the liberties that we know of."""
    c = certificate.counts
    if c.starts != c.solved + c.failed + c.unsolvable + c.undecided:
        raise _FaultError("the counts do not add up to the starts")
    if certificate.starts == "initial" and c.starts != c.problems:
        raise _FaultError("every problem has one initial state, but the counts differ")
    if c.starts < c.problems or c.cut_off > c.problems:
        raise _FaultError("the counts of problems and starts contradict each other")
    if certificate.complete and c.cut_off:
        raise _FaultError("not complete: some problems were cut off")
    if len(certificate.failures) != min(c.failed, MOST_FAILURES):
        raise _FaultError("the failures listed are not as many as counted")
    if (certificate.coverage == "given") != bool(certificate.files):
        raise _FaultError("files are listed where the problems were given, and only there")
    if (certificate.coverage != "given") != (certificate.generator is not None):
        raise _FaultError("a generator is named where it made the problems, and only there")
    if (certificate.coverage == "all") != (certificate.objects is not None):
        raise _FaultError('"objects" goes with coverage "all", and only with it')
    if certificate.coverage == "sample" and certificate.seed is None:
        raise _FaultError("a sample has a seed")


def _require(fields: Any, of: type, what: str) -> None:
    expected = set(of.__dataclass_fields__)  # type: ignore[attr-defined]
    if not isinstance(fields, dict):
        raise _FaultError(f"{what} must be an object")
    for name in sorted(expected - set(fields)):
        raise _FaultError(f'{what} lacks "{name}"')
    for name in sorted(set(fields) - expected):
        raise _FaultError(f'{what} has an unknown key "{name}"')


def _hashed(value: Any, what: str) -> Hashed:
    _require(value, Hashed, what)
    digest = _text(value, "sha256")
    if not re.fullmatch("[0-9a-f]{64}", digest):
        raise _FaultError(f"{what}: '{digest[:70]}' is no SHA-256")
    return Hashed(_text(value, "name"), digest)


def _failed(value: Any) -> FailedStart:
    _require(value, FailedStart, "a failure")
    return FailedStart(*(_text(value, name) for name in ("problem", "start", "reason")))


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise _FaultError(f'"{name}" must be a string')
    return value


def _one_of(fields: dict[str, Any], name: str, options: Any) -> Any:
    if fields[name] not in get_args(options):
        raise _FaultError(f'"{name}" must be one of {", ".join(get_args(options))}')
    return fields[name]


def _boolean(fields: dict[str, Any], name: str) -> bool:
    value = fields[name]
    if not isinstance(value, bool):
        raise _FaultError(f'"{name}" must be true or false')
    return value


def _integer(fields: dict[str, Any], name: str) -> int | None:
    value = fields[name]
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise _FaultError(f'"{name}" must be a whole number')
    return value


def _number(fields: dict[str, Any], name: str, *, optional: bool = False) -> int | None:
    value = _integer(fields, name)
    if value is None and not optional:
        raise _FaultError(f'"{name}" must be a whole number')
    if value is not None and value < 0:
        raise _FaultError(f'"{name}" must not be negative')
    return value


def _numbers(value: Any, of: type, what: str, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    _require(value, of, what)
    return {name: _number(value, name, optional=name in optional) for name in value}


def _list(fields: dict[str, Any], name: str) -> list[Any]:
    value = fields[name]
    if not isinstance(value, list):
        raise _FaultError(f'"{name}" must be a list')
    return value
