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
from tests.support.errands import ERRANDS

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
    assert (fields["format"], fields["version"]) == ("pg3-gnn", 2)
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
    with pytest.raises(Pg3Error, match="'format': \"pg3-gnn\" is expected"):
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
    (put("format", value="pickle"), "'format': \"pg3-gnn\" is expected"),
    (put("version", value=1), "this pg3 reads version 2, not 1"),
    (
        put("architecture", value={"hidden": 32, "rounds": 3}),
        "hidden': 16 is expected, not 32",
    ),
    (put("domain", value=3), "'domain': a text is expected, not 3"),
    (put("epochs", value=-1), "'epochs': a whole number from 0 is expected"),
    (put("epochs", value=True), "'epochs': a whole number from 0 is expected"),
    (put("epochs", value=1.5), "'epochs': a whole number from 0 is expected"),
    (put("loss", value="low"), "'loss': a number is expected"),
    (put("loss", value=float("nan")), r"not JSON \(NaN is no number in JSON\)"),
    (put("loss", value=10**400), "'loss': a number is expected"),
    (put("weights", value=None), "'weights': a text is expected, not null"),
    (put("weights", value="né"), "'weights': base64 is expected"),
    (put("weights", value="AAAA"), "'weights': .* numbers of 4 bytes are expected, not 3 bytes"),
    (put("weights", value=encoded(0.0, float("inf"))), "'weights': finite numbers are expected"),
    (put("weights", value=encoded(float("nan"))), "'weights': finite numbers are expected"),
    (put("vocabulary", value=[]), "'vocabulary': an object is expected, not a list"),
    (put("vocabulary", "types", value="object"), "'vocabulary.types': a list is expected"),
    (put("vocabulary", "types", value=[1]), r"'vocabulary.types\[0\]': a text is expected"),
    (
        put("vocabulary", "unwanted", value=["ghost"]),
        "unwanted': names of predicates are",
    ),
    (put("vocabulary", "predicates", value=None), "'vocabulary.predicates': a list is expected"),
    (put("vocabulary", "predicates", value=[["open"]]), "2 values are expected, not 1"),
    (put("vocabulary", "predicates", value=[["clean", -1]]), "from 0 to 65535 is expected, not -1"),
    (put("vocabulary", "predicates", value=[["clean", True]]), "65535 is expected, not true"),
    (put("vocabulary", "actions", value=[["wash", 10**9]]), "65535 is expected, not 1000000000"),
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
        (put("seconds", value=-1), "'seconds': a number from 0 is expected, not -1"),
        (put("seconds", value=None), "'seconds': a number from 0 is expected"),
        (put("means", value="AA=="), "'means': .* numbers of 4 bytes are expected, not 1 bytes"),
        (put("squares", value=3), "'squares': a text is expected, not 3"),
        (put("snapshots", value=3), "'snapshots': a list is expected, not 3"),
        (put("snapshots", value=[3]), r"'snapshots\[0\]': an object is expected, not 3"),
        (put("snapshots", value=[{}]), r"'snapshots\[0\].seconds' is missing"),
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
        (b"", "not JSON"),
        (b"[]", "a JSON object is expected, not a list"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"{}", "'format' is missing"),
        (b"\x80\x04cos\nsystem\n.", "not JSON"),
    ],
)
def test_other_files(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    path.write_bytes(content)
    with pytest.raises(Pg3Error, match=message):
        load_gnn(path, WORKSHOP)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match=r"missing\.json: no such file"):
        load_gnn(tmp_path / "missing.json", WORKSHOP)
    with pytest.raises(Pg3Error, match="cannot write"):
        save_gnn(POLICY, tmp_path / "missing" / "policy.json")
