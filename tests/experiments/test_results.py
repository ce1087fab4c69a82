"""Result lines on disk: what is written is read, what is broken is not believed."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from pg3.errors import InputWarning, Pg3Error
from pg3.experiments.results import (
    RESULTS,
    TORN,
    Best,
    Options,
    ResultFile,
    ResultLine,
    Run,
    Status,
    Versions,
    locked,
    read_results,
)
from pg3.storage.schema import ShapeError
from tests.experiments.lines import LINE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GNN = replace(
    LINE,
    method="gnn",
    options=Options(epochs=1000, memory_limit=4096.0),
    versions=Versions("0.1.0", "3.11.7", "Linux x86_64", "2.13.0"),
    candidates=None,
    expansions=None,
    policy=None,
    bests=(Best(0.5, 0.0, None, epoch=1), Best(2.0, 1 / 3, 0.25, epoch=1000)),
)
CRASHED = replace(
    LINE,
    seed=7,
    status=Status.CRASHED,
    reason="killed by signal 9",
    success=0.0,
    steps=(None, None, None),
    stopped=None,
    training_solved=None,
    policy=None,
    bests=(),
)


PRINTED = replace(
    LINE,
    options=Options("paper", max_expansions=2500, as_printed=True, accumulate="mean"),
)


@pytest.mark.parametrize("line", [LINE, GNN, CRASHED, PRINTED])
def test_a_line_is_read_as_it_was_written(line: ResultLine) -> None:
    text = line.to_json()
    assert "\n" not in text
    assert ResultLine.from_json(text) == line
    assert Run.from_json(line.run.to_json()) == line.run


def test_a_line_of_before_has_fewer_options() -> None:
    fields = json.loads(LINE.to_json())
    for name in ("max_expansions", "as_printed", "accumulate"):
        del fields["options"][name]
    assert ResultLine.from_json(json.dumps(fields)) == LINE


@pytest.mark.parametrize("name", [*json.loads(LINE.to_json())])
def test_no_field_may_be_missing_or_of_another_kind(name: str) -> None:
    fields = json.loads(LINE.to_json())
    wrong = {**fields, name: {"a": object.__name__}}
    del fields[name]
    for text in (json.dumps(fields), json.dumps(wrong)):
        with pytest.raises(ShapeError, match=f"'{name}"):
            ResultLine.from_json(text)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("format", "other", '\'format\': "pg3-result" is expected, not "other"'),
        ("version", 2, "'version': this pg3 reads version 1, not 2"),
        ("seed", -1, "'seed': a whole number from 0 is expected, not -1"),
        ("seed", True, "'seed': a whole number from 0 is expected, not true"),
        ("success", 1.5, "'success': a number from 0 to 1 is expected, not 1.5"),
        ("success", 0.5, "'success': 0.5, but the steps say 2 of 3"),
        ("learning_seconds", 10**400, "'learning_seconds': a number from 0 is expected"),
        ("steps", [1, 2], "'steps': 3 values are expected, one a test problem, not 2"),
        ("steps", [1, 2, -1], r"'steps\[2\]': a whole number from 0 is expected, not -1"),
        ("status", "lost", "'status': one of done, crashed, time limit, memory limit is expected"),
        ("status", "crashed", "'reason': a run that is crashed has a reason"),
        ("reason", "because", "'reason': a run that is done has no reason"),
        ("date", "yesterday", "'date': a date such as 2026-01-31T23:59:59Z is expected, not"),
        ("options", {**asdict(LINE.options), "colour": 1}, "'options.colour' is not known"),
        ("bests", [{"seconds": 1, "success": 1, "score": 1}], r"'bests\[0\].candidate' is missing"),
        ("surplus", 1, "'surplus' is not known"),
    ],
)
def test_values_that_cannot_be(name: str, value: Any, message: str) -> None:
    text = json.dumps({**json.loads(LINE.to_json()), name: value})
    with pytest.raises(ShapeError, match=message):
        ResultLine.from_json(text)


@pytest.mark.parametrize("text", ["", "{", "[]", "NaN", '{"a": NaN}', "\x00\x00", "[" * 100_000])
def test_texts_that_are_no_object(text: str) -> None:
    with pytest.raises(ShapeError):
        ResultLine.from_json(text)


def test_of_a_run_the_newest_line_counts(tmp_path: Path) -> None:
    file = ResultFile(tmp_path)
    assert file.lines == []
    for line in (LINE, CRASHED, GNN, replace(LINE, candidates=5)):
        file.add(line)
    expected = [CRASHED, GNN, replace(LINE, candidates=5)]
    assert read_results(tmp_path) == expected
    assert ResultFile(tmp_path).lines == expected
    assert len((tmp_path / RESULTS).read_text().splitlines()) == 4


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("torn", ["{", LINE.to_json()[:-1], "\x00\x00\x00", '{"format": "pg3'])
def test_a_torn_line_at_the_end_is_moved_aside(tmp_path: Path, torn: str, end: str) -> None:
    path = tmp_path / RESULTS
    path.write_text(f"{CRASHED.to_json()}\n{torn}{end}")
    before = path.read_bytes()
    with pytest.warns(InputWarning, match=f"{RESULTS}:2: half a line at the end is left out"):
        assert read_results(tmp_path) == [CRASHED]
    assert path.read_bytes() == before

    file = ResultFile(tmp_path)
    assert (file.torn, file.lines) == (True, [CRASHED])
    assert (tmp_path / TORN).read_text() == f"{torn}\n"
    file.add(LINE)
    assert read_results(tmp_path) == [CRASHED, LINE]
    assert not ResultFile(tmp_path).torn


def test_every_piece_of_a_line_is_recognised(tmp_path: Path) -> None:
    whole = f"{LINE.to_json()}\n".encode()
    path = tmp_path / RESULTS
    for length in (*range(0, len(whole), 13), *range(len(whole) - 3, len(whole) + 1)):
        path.write_bytes(whole + whole[:length])
        file = ResultFile(tmp_path)
        file.add(GNN)
        assert file.torn == (0 < length < len(whole) - 1)
        assert read_results(tmp_path) == [LINE, GNN]


def test_a_last_line_without_its_end_is_whole(tmp_path: Path) -> None:
    path = tmp_path / RESULTS
    path.write_text(f"{CRASHED.to_json()}\n{LINE.to_json()}")
    assert read_results(tmp_path) == [CRASHED, LINE]
    file = ResultFile(tmp_path)
    assert not file.torn
    file.add(GNN)
    assert read_results(tmp_path) == [CRASHED, LINE, GNN]


@pytest.mark.parametrize("read", [read_results, ResultFile])
def test_other_broken_lines_have_a_place(tmp_path: Path, read: Any) -> None:
    path = tmp_path / RESULTS
    good = LINE.to_json()
    path.write_text(f"{good}\n{good[:50]}\n{good}\n")
    with pytest.raises(Pg3Error, match=rf"{path}:2: not JSON \(.*\)"):
        read(tmp_path)
    path.write_text(f"{good}\n\n{good}\n")
    with pytest.raises(Pg3Error, match=f"{path}:2: not JSON"):
        read(tmp_path)
    # Whole, but not a line of ours: no piece of one.
    path.write_text(f'{good}\n{{"format": "other"}}\n')
    with pytest.raises(Pg3Error, match=f"{path}:2: 'format'"):
        read(tmp_path)


def test_folders_without_results(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match=r"no results here \(results\.jsonl is missing\)"):
        read_results(tmp_path)
    with pytest.raises(Pg3Error, match="no such folder"):
        read_results(tmp_path / "missing")
    (tmp_path / RESULTS).touch()
    assert read_results(tmp_path) == []


def test_a_folder_is_made_and_locked(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "results"
    with locked(folder):
        message = f"{folder}: another pg3 experiment is at work .* \\(process {os.getpid()}\\)"
        with pytest.raises(Pg3Error, match=message), locked(folder):
            pytest.fail("a folder must not be locked twice")
        assert ResultFile(folder).lines == []
    with locked(folder):
        pass


def test_what_cannot_be_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(Pg3Error, match="file: cannot write: file exists"),
        locked(tmp_path / "file"),
    ):
        pass
    monkeypatch.setattr(os, "open", refuse(errno.EROFS))
    with pytest.raises(Pg3Error, match="cannot write: read-only file system"), locked(tmp_path):
        pass


def refuse(code: int) -> Callable[..., NoReturn]:
    def fail(*_: object) -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


def test_a_vanished_folder_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    file = ResultFile(tmp_path / "results")
    (tmp_path / "results" / RESULTS).unlink()
    (tmp_path / "results").rmdir()
    with pytest.raises(Pg3Error, match="cannot write: no such file or directory"):
        file.add(LINE)


def test_a_full_disk_leaves_no_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = ResultFile(tmp_path)
    file.add(LINE)
    write, room = os.write, [100, 0]

    def write_what_fits(descriptor: int, data: bytes) -> int:
        size = room.pop(0)
        if not size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data[:size])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write_what_fits)
        with pytest.raises(Pg3Error, match="cannot write: no space left on device"):
            file.add(GNN)
    assert (tmp_path / RESULTS).read_text() == LINE.to_json() + "\n"
    file.add(GNN)
    assert read_results(tmp_path) == [LINE, GNN]
