"""Any bytes as a learning log, as results of an experiment or as a run's journal.

Whatever they are, they are read or refused with a `Pg3Error` that names the line.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.errors import Pg3Error
from pg3.experiments.results import parse_results
from pg3.learning.checkpoint.journal import Entry
from pg3.learning.log import LearningLog
from pg3.viewer.logs import parse_log
from tests.report.fabrication import chance

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CANDIDATE = {
    "search": "paper",
    "candidate": 0,
    "parent": None,
    "operator": None,
    "change": None,
    "policy": [0],
    "score": 1,
    "by_problem": [1, 0],
    "size": 1,
    "semantic_count": 0,
    "seconds": 0.1,
    "best": True,
}
LOG = [
    {"format": "pg3-learning-log", "version": 2, "options": {"preset": "paper"}},
    {"search": "paper", "problems": [0, 1]},
    {"rule": 0, "text": "(:rule a :parameters (?x) :preconditions (and (p ?x)) :action (a ?x))"},
    CANDIDATE,
    {
        "result": "(define (policy p) (:domain d))",
        "method": "paper",
        "reason": "perfect",
        "score": 0.5,
        "problems": [{"name": "p", "steps": 3, "left_out": None, "learned_from": True}],
        "grown": {
            "number": 20,
            "objects": 9,
            "failed": 1,
            "counterexamples": ["(define)"],
            "altered": [],
            "hopeless": 0,
        },
        "status": "memorised",
        "candidates": 1,
        "expansions": 0,
        "seconds": 1.5,
    },
]


def entry(data: bytes) -> object:
    """An entry of a journal, whose errors are ValueErrors."""
    try:
        return Entry.parse(data)
    except ValueError as error:
        raise Pg3Error(str(error)) from None


READERS: dict[str, Callable[[bytes], object]] = {
    "log": lambda data: parse_log(data, "log"),
    "results": lambda data: parse_results(data, "results"),
    "journal": entry,
}
GOOD = {
    "log": [json.dumps(line) for line in LOG],
    "results": [chance("ferry", seed).to_json() for seed in (0, 1)],
    "journal": ['[0.5, "score", [1, 2]]'],
}
HOSTILE = ["1e999", "NaN", "9" * 5000, "[" * 100_000, '"\\ud800"', "null", "{}", "[]", "-1", "\x00"]


def read(name: str, data: bytes) -> object:
    """What a reader makes of bytes; None if it refuses them as it should."""
    try:
        return READERS[name](data)
    except Pg3Error as error:
        assert str(error)
        return None


@pytest.mark.parametrize("name", READERS)
def test_the_good_ones_are_read(name: str) -> None:
    assert read(name, "\n".join(GOOD[name]).encode()) is not None


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: value[:8].encode().hex())
def test_hostile_values_in_every_place(name: str, value: str) -> None:
    """Each value of each line is replaced in turn."""
    read(name, value.encode())
    for number, line in enumerate(GOOD[name]):
        fields = json.loads(line)
        for key in range(len(fields)) if isinstance(fields, list) else fields:
            changed = type(fields)(fields)
            changed[key] = "PLACE"
            text = json.dumps(changed).replace('"PLACE"', value)
            lines = [*GOOD[name][:number], text, *GOOD[name][number + 1 :]]
            read(name, "\n".join(lines).encode())


@given(st.sampled_from(sorted(READERS)), st.data())
def test_any_bytes(name: str, data: st.DataObject) -> None:
    good = "\n".join(GOOD[name]).encode()
    begin = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(begin, len(good)))
    words = st.one_of(st.binary(max_size=20), st.sampled_from(HOSTILE[:3]).map(str.encode))
    read(name, good[:begin] + data.draw(words) + good[end:])
    read(name, data.draw(st.binary(max_size=100)))


def test_a_line_in_the_middle_is_named() -> None:
    broken = [*(json.dumps(line) for line in LOG[:2]), "{", json.dumps(LOG[2])]
    with pytest.raises(Pg3Error, match="log:3: not JSON"):
        parse_log("\n".join(broken).encode(), "log")


def test_a_log_of_now_is_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LearningLog(path, {"preset": "paper"}):
        pass
    assert parse_log(path.read_bytes(), path).header["preset"] == "paper"
