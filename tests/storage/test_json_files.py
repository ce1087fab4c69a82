"""Files that a stranger changed: every command reads them, or refuses them with one message."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pytest
from fuzz.json_files import (
    JSON_FILES,
    command,
    finished_run,
    new_run,
    robust_run,
    searching_run,
)
from fuzz.json_mutations import mutated_json, mutated_lines

from pg3.cli.learn import learn as learn_command
from pg3.learning.config import OPTIONS
from pg3.storage.schema import Number, OneOf, Whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("name", JSON_FILES)
def test_valid_files_are_read(name: str) -> None:
    code, _ = JSON_FILES[name].check(None)
    assert code in (0, 1)


@pytest.mark.parametrize("name", JSON_FILES)
def test_changed_files_are_read_or_refused(name: str) -> None:
    codes = {JSON_FILES[name].check(seed)[0] for seed in range(30)}
    assert 2 in codes


@pytest.mark.thorough
@pytest.mark.parametrize("name", JSON_FILES)
def test_more_changed_files_are_read_or_refused(name: str) -> None:
    for seed in range(30, 2000):
        JSON_FILES[name].check(seed)


def test_a_seed_makes_the_same_changes_always() -> None:
    text = json.dumps({"a": [1, 2, {"b": "c"}], "d": None})
    for mutate in (mutated_json, mutated_lines):
        first, again = ([mutate(text, random.Random(i)) for i in range(50)] for _ in range(2))
        assert first == again
        assert len(set(first)) > 30


# -- what used to be a fault in pg3 ----------------------------------------------------------------


def resumed(
    tmp_path: Path, make: Callable[[Path], None], file: str, change: Callable[[Any], None]
) -> str:
    """What is said of a run whose file, or the last line of it that fits, was changed."""
    make(tmp_path)
    path = tmp_path / "run" / file
    lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
    values = [json.loads(line) for line in lines]
    change(values if path.suffix == ".jsonl" else values[0])
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    code, said = command("learn", "--resume", tmp_path / "run", "-o", tmp_path / "policy")
    assert code == 2
    assert said.count("\n") == 1 or "the best policy of" in said or "goes on after" in said
    return said.splitlines()[-1].removeprefix(f"{tmp_path / 'run' / file}: ")


def test_no_text_of_a_strangers_moves_the_cursor(tmp_path: Path) -> None:
    def change(value: dict[str, Any]) -> None:
        value["pg3"] = "9.\x1b[31m\n9"

    assert "'pg3': a text on one line is expected" in resumed(tmp_path, new_run, "run.json", change)


def first(values: list[Any], kind: str) -> Any:
    return next(entry for entry in values if entry[1] == kind)


@pytest.mark.parametrize(
    ("make", "kind", "value", "message"),
    [
        (robust_run, "verdict", [1, 2, 3], "'verdict': 4 values are expected, not 3"),
        (robust_run, "verdict", [0, 0, True, 1], "'[2]': a whole number from 0 is expected, not t"),
        (robust_run, "verdict", {"steps": 1}, "'verdict': a list is expected, not an object"),
        (robust_run, "executed", [1], "'executed': 2 values are expected, not 1"),
        (robust_run, "executed", [1, 10**30], "'[1]': a whole number from 0 to "),
        (robust_run, "grown", [1], "'grown': "),
        (robust_run, "subplan", [[0], [0]], "'subplan': "),
        (robust_run, "subplan", [[10**30]], "'[0][0]': a whole number from 0 to "),
        (robust_run, "run", [0, -1], "'[1]': a whole number from 0 to "),
        (robust_run, "left out", ["\ud800", True], "'[0]': a text is expected"),
        (searching_run, "scores", [[], 0, []], "'[0]': "),
        (searching_run, "plans", [[0], [0]], "'[0]"),
        (searching_run, "plans", [None, [10**30]], "'[1][0]': a whole number from 0 to "),
    ],
)
def test_entries_of_a_wrong_shape(
    tmp_path: Path, make: Callable[[Path], None], kind: str, value: Any, message: str
) -> None:
    def change(values: list[Any]) -> None:
        first(values, kind)[2] = value

    said = resumed(tmp_path, make, "journal.jsonl", change)
    assert said.startswith("line ")
    assert "the journal does not fit: " in said
    assert message in said


def test_lines_that_are_no_entries(tmp_path: Path) -> None:
    def change(values: list[Any]) -> None:
        values[3] = [-1, "verdict", None]

    said = resumed(tmp_path, robust_run, "journal.jsonl", change)
    assert said == "line 4: '[0]': a number from 0 is expected, not -1"


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("options", "max_candidates"), "many", "'options.max_candidates': a whole number from 0"),
        (("options", "max_candidates"), 2.5, "'options.max_candidates': a whole number from 0"),
        (("options", "max_expansions"), -1, "'options.max_expansions': a whole number from 0"),
        (("options", "as_printed"), 1, "'options.as_printed': true or false is expected"),
        (("options", "astar_expansions"), 0, "'options.astar_expansions': a whole number from 1"),
        (("options", "time_limit"), "1", "'options.time_limit': a number from 0 is expected"),
        (("options", "score"), "best", "'options.score': one of pg3, "),
        (("options", "operators"), ["add-rule", "fly"], "'options.operators[1]': one of "),
        (("options", "keep"), "debark", "'options.keep': a list is expected"),
        (("options", "colour"), 1, "'options.colour' is not known"),
        (("jobs",), 0, "'jobs': a whole number from 1 is expected, not 0"),
        (("jobs",), True, "'jobs': a whole number from 1 is expected, not true"),
        (("problems",), [], "'problems': from 1 values are expected, not 0"),
        (("name",), 3, "'name': a text on one line is expected, not 3"),
        (("output",), "a\0b", "'output': the name of a file is expected"),
        (("inputs", "1.pddl"), "0", "'inputs.1.pddl': an SHA-256 is expected"),
        (("inputs", "../x"), "0", "'inputs.../x' is not known"),
    ],
)
def test_options_of_a_wrong_type(
    tmp_path: Path, place: tuple[str, ...], value: Any, message: str
) -> None:
    def change(fields: Any) -> None:
        for name in place[:-1]:
            fields = fields[name]
        fields[place[-1]] = value

    said = resumed(tmp_path, new_run, "run.json", change)
    assert said.startswith(f"not the description of a learning run: {message}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v[-1].update(problems=[{"steps": 3}]), "'problems[0].name' is missing"),
        (lambda v: v[-1].update(score=None), "'score': a number is expected, not null"),
        (lambda v: v[-1].update(problems=[]), "the result is not about the run's problems"),
        (lambda v: v[-1].update(result="(define"), "the result:1:8: unexpected"),
        (lambda v: v[-2].update(best=1), "'best': true or false is expected, not 1"),
        (lambda v: v[1].pop("problems"), "'problems' is missing"),
        (lambda v: v.append(3), "a line of a learning log has one of candidate, rule, result"),
    ],
)
def test_lines_of_a_wrong_shape(
    tmp_path: Path, change: Callable[[list[Any]], None], message: str
) -> None:
    finished_run(tmp_path)
    path = tmp_path / "run" / "log.jsonl"
    values = [json.loads(line) for line in path.read_text().splitlines()]
    change(values)
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    code, said = command("learn", "--resume", tmp_path / "run", "-o", tmp_path / "policy")
    assert code == 2
    assert said.startswith(f"{path}: line ")
    assert message in said


# -- one source of truth ---------------------------------------------------------------------------


def test_a_folder_has_what_the_command_line_takes() -> None:
    """The bounds and names of the options are the same in both places."""
    hints = get_type_hints(learn_command, include_extras=True)
    for name, known in OPTIONS.items():
        inner = known.plain_shape
        kind, option = get_args(hints[name])
        if isinstance(inner, Whole | Number):
            assert inner.least == option.min, name
            assert (int if isinstance(inner, Whole) else float) in (kind, *get_args(kind)), name
        if isinstance(inner, OneOf):
            said = command("learn", "domain", "problem", f"--{name}", "other")[1]
            assert f"is not one of {', '.join(inner.names)}" in " ".join(said.split()), name


def test_a_limit_that_is_none(tmp_path: Path) -> None:
    """JSON has no infinite number: a run with such a limit could not go on."""
    problem = tmp_path / "p.pddl"
    new_run(tmp_path)
    folder = tmp_path / "again"
    inputs = (tmp_path / "run" / "input" / "domain.pddl", *sorted(tmp_path.glob("*.pddl")))
    limits = ("--time-limit", "inf", "--memory-limit", "inf", "--max-candidates", "3")
    assert command("learn", *inputs, "--run", folder, "-o", problem, *limits)[0] == 0
    assert json.loads((folder / "run.json").read_text())["options"]["time_limit"] is None
    assert command("learn", "--resume", folder, "-o", problem)[0] == 0
    assert command("view", folder, "-o", tmp_path / "page.html")[0] == 0
