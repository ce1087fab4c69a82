"""Learned networks and unfinished training on disk: JSON, with the numbers as base64.

Reading a file never runs anything from it; whatever does not fit is a Pg3Error that names the file
and the fault.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import sys
from array import array
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.vocabulary import Symbol, Vocabulary
from pg3.baselines.gnn.weights import HIDDEN, ROUNDS, GnnPolicy, weight_layout
from pg3.errors import Pg3Error
from pg3.files import write_atomically

if TYPE_CHECKING:
    from pg3.pddl.model import Domain

_VERSION = 1
_POLICY = "pg3-gnn"
_CHECKPOINT = "pg3-gnn-checkpoint"
_NUMBER = 4  # bytes


def save_gnn(policy: GnnPolicy, path: str | Path) -> None:
    """Write a policy to a file; Pg3Error if that cannot be done."""
    write_atomically(path, json.dumps(_policy_fields(policy), indent=1) + "\n")


def load_gnn(path: str | Path, domain: Domain) -> GnnPolicy:
    """The policy in a file; Pg3Error if it is no such file or was learned for another domain."""
    fields = _Fields.read(path, _POLICY)
    vocabulary = fields.vocabulary()
    if part := vocabulary.misfit(domain):
        fields.fail(f"learned for a domain with other {part} than '{domain.name}' has")
    return GnnPolicy(
        fields.text("domain"),
        vocabulary,
        fields.numbers("weights", vocabulary),
        fields.count("epochs"),
        fields.loss(),
    )


def _policy_fields(policy: GnnPolicy) -> dict[str, object]:
    return {
        "format": _POLICY,
        "version": _VERSION,
        "domain": policy.domain,
        "vocabulary": asdict(policy.vocabulary),
        "architecture": {"hidden": HIDDEN, "rounds": ROUNDS},
        "epochs": policy.epochs,
        "loss": policy.loss,
        "weights": _encode(policy.weights),
    }


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A policy that was shown to the observer, and the seconds of learning until then."""

    seconds: float
    epoch: int
    loss: float | None
    weights: bytes


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Unfinished training: for what, where it stands, and what was shown on the way.

    `run` tells apart what must not be mixed up: the samples, the seed and the way of training.
    """

    run: str
    state: TrainerState
    seconds: float
    snapshots: tuple[Snapshot, ...]


def save_checkpoint(checkpoint: Checkpoint, vocabulary: Vocabulary, path: Path) -> None:
    """Write a checkpoint in place of the one before; a reader sees the one or the other."""
    state = checkpoint.state
    fields = {
        "format": _CHECKPOINT,
        "version": _VERSION,
        "run": checkpoint.run,
        "vocabulary": asdict(vocabulary),
        "architecture": {"hidden": HIDDEN, "rounds": ROUNDS},
        "epochs": state.epoch,
        "loss": state.loss,
        "seconds": checkpoint.seconds,
        "weights": _encode(state.weights),
        "means": _encode(state.means),
        "squares": _encode(state.squares),
        "snapshots": [
            {
                "seconds": snapshot.seconds,
                "epochs": snapshot.epoch,
                "loss": snapshot.loss,
                "weights": _encode(snapshot.weights),
            }
            for snapshot in checkpoint.snapshots
        ],
    }
    write_atomically(path, json.dumps(fields, indent=1) + "\n")


def load_checkpoint(path: Path, run: str, vocabulary: Vocabulary) -> Checkpoint:
    """The checkpoint in a file; Pg3Error if it is none or one of another run."""
    fields = _Fields.read(path, _CHECKPOINT)
    if fields.text("run") != run or fields.vocabulary() != vocabulary:
        fields.fail("the checkpoint of other samples, another seed or another engine")
    state = TrainerState(
        fields.count("epochs"),
        fields.loss(),
        *(fields.numbers(name, vocabulary) for name in ("weights", "means", "squares")),
    )
    snapshots = fields.values.get("snapshots")
    if not isinstance(snapshots, list):
        fields.fail("'snapshots' must be a list")
    parts = [_Fields.part(path, snapshot) for snapshot in snapshots]
    return Checkpoint(
        run,
        state,
        fields.seconds(),
        tuple(
            Snapshot(
                part.seconds(),
                part.count("epochs"),
                part.loss(),
                part.numbers("weights", vocabulary),
            )
            for part in parts
        ),
    )


def _encode(numbers: bytes) -> str:
    """Base64 of the numbers, lowest byte first whatever the machine."""
    values = array("f", numbers)
    if sys.byteorder == "big":
        values.byteswap()
    return base64.b64encode(values.tobytes()).decode("ascii")


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a JSON object, each checked as it is asked for."""

    path: str | Path
    values: dict[str, object]

    @classmethod
    def read(cls, path: str | Path, format_name: str) -> _Fields:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise Pg3Error(f"{path}: cannot read: {reason}") from None
        except UnicodeDecodeError:
            raise Pg3Error(f"{path}: not a text file") from None
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            raise Pg3Error(f"{path}: not a JSON file") from None
        fields = cls.part(path, values)
        if fields.values.get("format") != format_name:
            fields.fail(f"not a file of the format '{format_name}'")
        if fields.values.get("version") != _VERSION:
            fields.fail(f"version {fields.values.get('version')} is not known, only {_VERSION}")
        if fields.values.get("architecture") != {"hidden": HIDDEN, "rounds": ROUNDS}:
            fields.fail(f"only networks of size {HIDDEN} and {ROUNDS} rounds are known")
        return fields

    @classmethod
    def part(cls, path: str | Path, values: object) -> _Fields:
        if not isinstance(values, dict):
            raise Pg3Error(f"{path}: expected a JSON object")
        return cls(path, values)

    def fail(self, fault: str) -> NoReturn:
        raise Pg3Error(f"{self.path}: {fault}")

    def text(self, name: str) -> str:
        value = self.values.get(name)
        if not isinstance(value, str):
            self.fail(f"'{name}' must be a text")
        return value

    def count(self, name: str) -> int:
        value = self.values.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.fail(f"'{name}' must be a whole number from 0 up")
        return value

    def _real(self, name: str) -> float:
        value = self.values.get(name)
        # A whole number may be too large for a float, and JSON's reader accepts "NaN".
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e300:
            self.fail(f"'{name}' must be a finite number")
        return float(value)

    def loss(self) -> float | None:
        return None if self.values.get("loss") is None else self._real("loss")

    def seconds(self) -> float:
        if self._real("seconds") < 0:
            self.fail("'seconds' must not be negative")
        return self._real("seconds")

    def vocabulary(self) -> Vocabulary:
        part = self.values.get("vocabulary")
        if not isinstance(part, dict):
            self.fail("'vocabulary' must be an object")
        unwanted = self._names(part.get("unwanted"))
        predicates = self._symbols(part.get("predicates"))
        if list(unwanted) != sorted(set(unwanted)) or not set(unwanted) <= {
            predicate.name for predicate in predicates
        }:
            self.fail("'unwanted' must name predicates, sorted")
        return Vocabulary(
            self._names(part.get("types")),
            predicates,
            self._symbols(part.get("actions")),
            unwanted,
        )

    def _names(self, values: object) -> tuple[str, ...]:
        if not isinstance(values, list) or not all(isinstance(v, str) for v in values):
            self.fail("the vocabulary must consist of lists of names")
        return tuple(values)

    def _symbols(self, values: object) -> tuple[Symbol, ...]:
        symbols = []
        for pair in values if isinstance(values, list) else [None]:
            match pair:
                case [str(name), int(arity)] if 0 <= arity < 2**16 and arity is not True:
                    symbols.append(Symbol(name, arity))
                case _:
                    self.fail("the vocabulary must consist of names and numbers of arguments")
        return tuple(symbols)

    def numbers(self, name: str, vocabulary: Vocabulary) -> bytes:
        """As many finite numbers as the network has weights."""
        try:
            data = base64.b64decode(self.text(name), validate=True)
        except (binascii.Error, ValueError):
            self.fail(f"'{name}' is not base64")
        wanted = weight_layout(vocabulary)[-1].end
        if len(data) != _NUMBER * wanted:
            self.fail(
                f"'{name}' must hold {wanted} numbers of {_NUMBER} bytes, not {len(data)} bytes"
            )
        values = array("f", data)
        if sys.byteorder == "big":
            values.byteswap()
        if not all(map(math.isfinite, values)):
            self.fail(f"'{name}' holds what is no finite number")
        return values.tobytes()
