"""Networks on disk: a round trip, and files that are broken in every way."""

from __future__ import annotations

import base64
import json
import struct
from typing import TYPE_CHECKING, Any

import pytest

from pg3.baselines.gnn import GnnPolicy, load_gnn, save_gnn
from pg3.baselines.gnn.storage import Checkpoint, Snapshot, load_checkpoint, save_checkpoint
from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.vocabulary import Vocabulary
from pg3.baselines.gnn.weights import initial_weights
from pg3.errors import Pg3Error
from tests.baselines.test_graphs import BENCH, WORKSHOP
from tests.errands import ERRANDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

VOCABULARY = Vocabulary.of(WORKSHOP, [BENCH])
WEIGHTS = initial_weights(VOCABULARY, 4)
POLICY = GnnPolicy("workshop", VOCABULARY, WEIGHTS, 12, 0.25)
STATE = TrainerState(12, 0.25, WEIGHTS, bytes(len(WEIGHTS)), WEIGHTS)
CHECKPOINT = Checkpoint("name", STATE, 3.5, (Snapshot(1.5, 10, None, WEIGHTS),))


def test_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    save_gnn(POLICY, path)
    assert load_gnn(path, WORKSHOP) == POLICY
    fields = json.loads(path.read_text())
    assert (fields["format"], fields["version"]) == ("pg3-gnn", 1)
    assert fields["architecture"] == {"hidden": 16, "rounds": 3}
    # Little-endian floats, whatever the machine.
    first = struct.unpack("<f", base64.b64decode(fields["weights"])[:4])[0]
    assert first == struct.unpack("=f", WEIGHTS[:4])[0]


def test_checkpoint_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    save_checkpoint(CHECKPOINT, VOCABULARY, path)
    assert load_checkpoint(path, "name", VOCABULARY) == CHECKPOINT
    with pytest.raises(Pg3Error, match="other samples"):
        load_checkpoint(path, "other", VOCABULARY)
    with pytest.raises(Pg3Error, match="other samples"):
        load_checkpoint(path, "name", Vocabulary.of(WORKSHOP))
    with pytest.raises(Pg3Error, match="not a file of the format 'pg3-gnn'"):
        load_gnn(path, WORKSHOP)


def test_another_domain(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    save_gnn(POLICY, path)
    with pytest.raises(Pg3Error, match=r"policy\.json: learned for .* other types than 'errands'"):
        load_gnn(path, ERRANDS)


def put(*keys: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(fields: dict[str, Any]) -> None:
        for key in keys[:-1]:
            fields = fields[key]
        fields[keys[-1]] = value

    return change


def encoded(*numbers: float) -> str:
    count = len(WEIGHTS) // 4
    filled = [*numbers, *[0.0] * (count - len(numbers))]
    return base64.b64encode(struct.pack(f"<{count}f", *filled)).decode()


CHANGES = [
    (put("format", value="pickle"), "not a file of the format"),
    (put("version", value=2), "version 2 is not known"),
    (put("architecture", value={"hidden": 32, "rounds": 3}), "only networks of size 16"),
    (put("domain", value=3), "'domain' must be a text"),
    (put("epochs", value=-1), "'epochs' must be a whole number"),
    (put("epochs", value=True), "'epochs' must be a whole number"),
    (put("epochs", value=1.5), "'epochs' must be a whole number"),
    (put("loss", value="low"), "'loss' must be a finite number"),
    (put("loss", value=float("nan")), "'loss' must be a finite number"),
    (put("loss", value=10**400), "'loss' must be a finite number"),
    (put("weights", value=None), "'weights' must be a text"),
    (put("weights", value="né"), "'weights' is not base64"),
    (put("weights", value="AAAA"), "'weights' must hold"),
    (put("weights", value=encoded(0.0, float("inf"))), "'weights' holds what is no finite"),
    (put("weights", value=encoded(float("nan"))), "'weights' holds what is no finite"),
    (put("vocabulary", value=[]), "'vocabulary' must be an object"),
    (put("vocabulary", "types", value="object"), "lists of names"),
    (put("vocabulary", "types", value=[1]), "lists of names"),
    (put("vocabulary", "unwanted", value=["ghost"]), "'unwanted' must name predicates"),
    (put("vocabulary", "predicates", value=None), "names and numbers of arguments"),
    (put("vocabulary", "predicates", value=[["open"]]), "names and numbers of arguments"),
    (put("vocabulary", "predicates", value=[["clean", -1]]), "names and numbers of arguments"),
    (put("vocabulary", "predicates", value=[["clean", True]]), "names and numbers of arguments"),
    (put("vocabulary", "actions", value=[["wash", 10**9]]), "names and numbers of arguments"),
    (put("vocabulary", "actions", value=[["wash", 1]]), "other actions"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_broken_fields(
    change: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "policy.json"
    save_gnn(POLICY, path)
    fields = json.loads(path.read_text())
    change(fields)
    path.write_text(json.dumps(fields))
    with pytest.raises(Pg3Error, match=message) as caught:
        load_gnn(path, WORKSHOP)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("seconds", value=-1), "'seconds' must not be negative"),
        (put("seconds", value=None), "'seconds' must be a finite number"),
        (put("means", value="AA=="), "'means' must hold"),
        (put("squares", value=3), "'squares' must be a text"),
        (put("snapshots", value=3), "'snapshots' must be a list"),
        (put("snapshots", value=[3]), "expected a JSON object"),
        (put("snapshots", value=[{}]), "'seconds' must be a finite number"),
    ],
)
def test_broken_checkpoints(
    change: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "checkpoint.json"
    save_checkpoint(CHECKPOINT, VOCABULARY, path)
    fields = json.loads(path.read_text())
    change(fields)
    path.write_text(json.dumps(fields))
    with pytest.raises(Pg3Error, match=message):
        load_checkpoint(path, "name", VOCABULARY)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a JSON file"),
        (b"[]", "expected a JSON object"),
        (b"[" * 100_000, "not a JSON file"),
        (b"\xff\xfe", "not a text file"),
        (b"{}", "not a file of the format"),
        (b"\x80\x04cos\nsystem\n.", "not a"),
    ],
)
def test_other_files(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_bytes(content)
    with pytest.raises(Pg3Error, match=message):
        load_gnn(path, WORKSHOP)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match="cannot read: no such file"):
        load_gnn(tmp_path / "missing.json", WORKSHOP)
    with pytest.raises(Pg3Error, match="cannot write"):
        save_gnn(POLICY, tmp_path / "missing" / "policy.json")
