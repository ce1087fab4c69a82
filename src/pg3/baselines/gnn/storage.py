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
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.vocabulary import Symbol, Vocabulary
from pg3.baselines.gnn.weights import HIDDEN, ROUNDS, GnnPolicy, weight_layout
from pg3.errors import Pg3Error
from pg3.pddl.lexer import read_source
from pg3.storage.files import write_atomically
from pg3.storage.schema import (
    Anything,
    As,
    Format,
    ListOf,
    Nothing,
    Number,
    Record,
    ShapeError,
    Text,
    TupleOf,
    Whole,
    parse_as,
    wrong,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pg3.pddl.model import Domain
    from pg3.storage.schema import Place, Shape

_VERSION = 2  # 1 had hidden layers in the decoders
_POLICY = "pg3-gnn"
_CHECKPOINT = "pg3-gnn-checkpoint"
_NUMBER = 4  # bytes


def save_gnn(policy: GnnPolicy, path: str | Path) -> None:
    """Write a policy to a file; Pg3Error if that cannot be done."""
    write_atomically(path, json.dumps(_policy_fields(policy), indent=1) + "\n")


def load_gnn(path: str | Path, domain: Domain) -> GnnPolicy:
    """The policy in a file; Pg3Error if it is no such file or was learned for another domain."""
    with _faults_of(path):
        fields = _read(path, _POLICY, {"domain": Text(), "weights": Text()})
        vocabulary = fields["vocabulary"]
        if part := vocabulary.misfit(domain):
            raise Pg3Error(
                f"{path}: learned for a domain with other {part} than '{domain.name}' has"
            )
        weights = _Numbers(vocabulary).check(fields["weights"], ("weights",))
    return GnnPolicy(fields["domain"], vocabulary, weights, fields["epochs"], fields["loss"])


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
    numbers = _Numbers(vocabulary)
    snapshot = Record(
        {"seconds": _SECONDS, "epochs": Whole(), "loss": _LOSS, "weights": numbers},
    )
    with _faults_of(path):
        fields = _read(
            path,
            _CHECKPOINT,
            {
                "run": Text(),
                "seconds": _SECONDS,
                **dict.fromkeys(("weights", "means", "squares"), Text()),
                "snapshots": ListOf(Anything()),
            },
        )
        if fields["run"] != run or fields["vocabulary"] != vocabulary:
            raise Pg3Error(
                f"{path}: the checkpoint of other samples, another seed or another engine"
            )
        arrays = [numbers.check(fields[name], (name,)) for name in ("weights", "means", "squares")]
        snapshots = ListOf(snapshot).check(fields["snapshots"], ("snapshots",))
    return Checkpoint(
        run,
        TrainerState(fields["epochs"], fields["loss"], *arrays),
        fields["seconds"],
        tuple(Snapshot(s["seconds"], s["epochs"], s["loss"], s["weights"]) for s in snapshots),
    )


def _encode(numbers: bytes) -> str:
    values = array("f", numbers)
    if sys.byteorder == "big":
        values.byteswap()
    return base64.b64encode(values.tobytes()).decode("ascii")


# -- what is read ----------------------------------------------------------------------------------


def _vocabulary(**fields: Any) -> Vocabulary:
    vocabulary = Vocabulary(**fields)
    unwanted = vocabulary.unwanted
    if list(unwanted) != sorted(set(unwanted)) or not set(unwanted) <= {
        predicate.name for predicate in vocabulary.predicates
    }:
        raise ShapeError(("unwanted",), ": names of predicates are expected, sorted")
    return vocabulary


_SECONDS = As(float, Number())
_LOSS = Nothing(As(float, Number(-math.inf)))
_NAMES = As(tuple, ListOf(Text()))
_SYMBOL = As(Symbol._make, TupleOf((Text(), Whole(0, 2**16 - 1))))
_SYMBOLS = As(tuple, ListOf(_SYMBOL))
# What both files have.
_NETWORK: dict[str, Shape] = {
    "vocabulary": As(
        _vocabulary,
        Record({"types": _NAMES, "predicates": _SYMBOLS, "actions": _SYMBOLS, "unwanted": _NAMES}),
    ),
    "architecture": Record({"hidden": Whole(HIDDEN, HIDDEN), "rounds": Whole(ROUNDS, ROUNDS)}),
    "epochs": Whole(),
    "loss": _LOSS,
}


def _read(path: str | Path, name: str, fields: dict[str, Shape]) -> dict[str, Any]:
    shape = Format(name, _VERSION, Record({**_NETWORK, **fields}))
    read: dict[str, Any] = parse_as(shape, read_source(path).data)
    return read


@contextmanager
def _faults_of(path: str | Path) -> Iterator[None]:
    try:
        yield
    except ShapeError as error:
        raise Pg3Error(f"{path}: {error}") from None


@dataclass(frozen=True, slots=True)
class _Numbers:
    """As many finite numbers as a network has weights, in base64; gives back their bytes."""

    vocabulary: Vocabulary

    def check(self, value: Any, place: Place = ()) -> bytes:
        """The numbers in the machine's byte order."""
        try:
            data = base64.b64decode(Text().check(value, place), validate=True)
        except (binascii.Error, ValueError) as error:
            if isinstance(error, ShapeError):
                raise
            wrong(place, "base64", value)
        wanted = weight_layout(self.vocabulary)[-1].end
        if len(data) != _NUMBER * wanted:
            raise ShapeError(
                place,
                f": {wanted} numbers of {_NUMBER} bytes are expected, not {len(data)} bytes",
            )
        values = array("f", data)
        if sys.byteorder == "big":
            values.byteswap()
        if not all(map(math.isfinite, values)):
            raise ShapeError(place, ": finite numbers are expected")
        return values.tobytes()
