"""`pg3 domains` and `pg3 generate`: what they print and write, and what they refuse."""

from __future__ import annotations

import doctest
import re
import shlex
from typing import TYPE_CHECKING

import pytest

import pg3.domains as pg3_domains
from pg3.domains import DOMAINS
from pg3.pddl import parse_domain, parse_problem, write_problem
from tests.cli.test_cli import Result, Run, pg3
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Problem

__all__ = ["pg3"]  # the fixture that runs the command line

FERRY = DOMAINS["ferry"]


def written(folder: Path) -> list[Problem]:
    """The problems in a folder, in the order of their names."""
    names = sorted(p for p in folder.glob("*.pddl") if p.name != "domain.pddl")
    domain = parse_domain((folder / "domain.pddl").read_text())
    return [parse_problem(path.read_text(), domain) for path in names]


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- domains ---------------------------------------------------------------------------------------


def test_domains_lists_names_summaries_and_sizes(pg3: Run) -> None:
    result = pg3("domains")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert all(len(line) <= 100 for line in lines)
    headings = [line for line in lines if not line.startswith(" ")]
    for domain, line in zip(DOMAINS.values(), headings, strict=True):
        assert line.split()[0] == domain.name
        assert line.endswith(domain.summary)
    assert lines[14].split(maxsplit=1) == ["train", "10 problems: --locations 10..15 --cars 3..5"]
    assert lines[1].endswith("5 problems: --locations 5..9 --requests 2..4 --extra 0")
    assert lines[12].split()[:3] == ["--equal-buildings", "all", "buildings"]


@pytest.mark.parametrize("name", DOMAINS)
def test_domains_shows_the_pddl(pg3: Run, name: str) -> None:
    assert pg3("domains", name) == Result(0, DOMAINS[name].text, "")


def test_an_unknown_domain(pg3: Run) -> None:
    for command in ("domains", "generate"):
        assert pg3(command, "fery") == Result(
            2, "", "there is no built-in domain 'fery': did you mean 'ferry'?\n"
        )
        assert pg3(command, "xyz").err == (
            f"there is no built-in domain 'xyz': there are {', '.join(DOMAINS)}\n"
        )


@pytest.mark.parametrize("name", ["domains", "generate"])
def test_help(pg3: Run, name: str) -> None:
    result = pg3(name, "--help")
    assert result.code == 0
    assert f"Example: pg3 {name}" in result.out
    assert len(result.out.splitlines()) <= 30


# -- generate --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOMAINS)
def test_generate_writes_a_split_with_its_domain(pg3: Run, name: str, inside: Path) -> None:
    result = pg3("generate", name, "--seed", "3", "-o", "new/folder")
    count = DOMAINS[name].splits["train"].count
    problems = list(DOMAINS[name].problems(seed=3))
    sizes = [len(problem.objects) for problem in problems]
    what = f"{count} problems of {min(sizes)} to {max(sizes)} objects and domain.pddl"
    assert result == Result(0, "", f"{name}: {what} are in new/folder\n")
    assert written(inside / "new" / "folder") == problems
    names = sorted(path.name for path in (inside / "new" / "folder").iterdir())
    assert names == ["domain.pddl", *(f"p{i:03}.pddl" for i in range(1, count + 1))]


def test_generate_then_learn_then_evaluate(pg3: Run, inside: Path) -> None:
    assert pg3("generate", "ferry", "-o", "train").code == 0
    assert pg3("generate", "ferry", "--split", "test", "-n", "5", "-o", "test").code == 0
    assert pg3("learn", "train/domain.pddl", "train", "-o", "ferry.policy").code == 0
    result = pg3("evaluate", "train/domain.pddl", "test", "--policy", "ferry.policy")
    assert result.code == 0
    assert result.out.endswith("solved 5/5 (1.00)\n")


def test_one_problem_goes_to_stdout(pg3: Run, inside: Path) -> None:
    (problem,) = FERRY.problems("test", seed=0, count=1)
    for output in ([], ["-o", "-"]):
        result = pg3("generate", "ferry", "--split", "test", "-n", "1", *output)
        assert result == Result(0, write_problem(problem), "")
    assert not list(inside.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ["ferry", "--cars", "2", "--locations", "3..4"],
        ["--cars=2", "--locations=3..4", "ferry"],
        ["--locations", "3..4", "ferry", "--cars", "2..2"],
    ],
)
def test_sizes_of_ones_own_in_any_order(pg3: Run, inside: Path, words: list[str]) -> None:
    assert pg3("generate", *words, "-n", "6", "-o", "p").code == 0
    sizes = {"cars": (2, 2), "locations": (3, 4)}
    assert written(inside / "p") == list(FERRY.problems(seed=0, count=6, sizes=sizes))


@pytest.mark.parametrize(
    "words",
    [
        ["miconic", "--equal-buildings", "--floors", "3"],
        ["--equal-buildings", "miconic", "--floors", "3"],
        ["--floors", "3", "--equal-buildings", "miconic"],
    ],
)
def test_an_option_takes_no_value_and_stands_anywhere(
    pg3: Run, inside: Path, words: list[str]
) -> None:
    assert pg3("generate", *words, "-n", "6", "-o", "p").code == 0
    expected = DOMAINS["miconic"].problems(
        seed=0, count=6, sizes={"floors": (3, 3)}, options=["equal-buildings"]
    )
    assert written(inside / "p") == list(expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ferry"], "10 problems need a folder: -o FOLDER"),
        (["--cars", "3"], "expected one domain: delivery, forest, gripper, miconic, ferry, "),
        (["ferry", "7"], "expected one domain, not ferry and 7: delivery, "),
        (["ferry", "--split", "exam"], "--split: 'exam' is not one of train, test"),
        (
            ["ferry", "--crs", "3"],
            "ferry has no option --crs; its sizes are --locations, --cars: did you mean '--cars'?",
        ),
        (["ferry", "--balls", "3"], "ferry has no option --balls; its sizes are --locations, --c"),
        (["ferry", "-x", "3"], "ferry has no option -x; its sizes are --locations, --cars"),
        (["ferry", "--sed=3"], "--locations, --cars: did you mean '--seed'?"),
        (["ferry", "--equal-buildings"], "ferry has no option --equal-buildings; its sizes are "),
        (["miconic", "--equal-buildings=1"], "--equal-buildings takes no value"),
        (
            ["miconic", "--equal-building", "1"],
            "--passengers, its options --equal-buildings: did you mean '--equal-buildings'?",
        ),
        (["ferry", "--cars"], "--cars takes a number or a range such as 3..5"),
        (["ferry", "--cars="], "--cars takes a number or a range such as 3..5"),
        (["ferry", "--cars", "3-5"], "--cars takes a number or a range such as 3..5, not '3-5'"),
        (["ferry", "--cars", "-3"], "--cars takes a number or a range such as 3..5, not '-3'"),
        (["ferry", "--cars", "٣"], "--cars takes a number or a range such as 3..5, not '٣'"),
        (["ferry", "--cars", "3", "--cars", "4"], "--cars is given twice"),
        (["ferry", "--cars", "5..3"], "ferry: cars: the range 5..3 is empty"),
        (["ferry", "--cars", "0"], "ferry: cars: must be from 1 to 5000000, not 0"),
        (["ferry", "--cars", "9" * 50], "ferry: cars: must be from 1 to 5000000, not 999"),
        (["spanner", "--nuts", "9"], "impossible sizes: 9 nuts need at least 9 spanners, but at "),
        (
            ["ferry", "--cars", "1", "--locations", "2", "-n", "9"],
            "ferry: these sizes allow no more than 4 different problems: ask for fewer, or for ",
        ),
    ],
)
def test_what_cannot_be_made(pg3: Run, inside: Path, arguments: list[str], message: str) -> None:
    folder = [] if "need a folder" in message else ["-o", "p"]
    result = pg3("generate", *arguments, *folder)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not list(inside.iterdir()), "nothing is left behind"


# -- the folder ------------------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_the_same_set_can_be_made_again_and_grow(pg3: Run, inside: Path) -> None:
    assert pg3("generate", "ferry", "-n", "2", "-o", "p").code == 0
    first = contents(inside / "p")
    assert pg3("generate", "ferry", "-n", "2", "-o", "p").code == 0
    assert contents(inside / "p") == first
    assert pg3("generate", "ferry", "-n", "4", "-o", "p").code == 0
    grown = contents(inside / "p")
    assert set(grown) == {*first, "p003.pddl", "p004.pddl"}
    assert {name: grown[name] for name in first} == first


def test_other_problems_are_neither_overwritten_nor_mixed(pg3: Run, inside: Path) -> None:
    assert pg3("generate", "ferry", "-n", "4", "-o", "p").code == 0
    before = contents(inside / "p")
    for arguments, message in (
        (["ferry", "-n", "4", "--seed", "1"], "p/p001.pddl is there already and differs"),
        (["ferry", "-n", "2"], "p has other problems already (p003.pddl and 1 more)"),
        (["ferry", "-n", "3"], "p has other problems already (p004.pddl)"),
        (["gripper", "-n", "4"], "p/domain.pddl is there already and differs"),
    ):
        assert pg3("generate", *arguments, "-o", "p") == Result(
            2, "", f"{message}: choose another folder, or --force\n"
        )
        assert contents(inside / "p") == before


def test_force_overwrites(pg3: Run, inside: Path) -> None:
    assert pg3("generate", "ferry", "-n", "3", "-o", "p").code == 0
    last = (inside / "p" / "p003.pddl").read_text()
    assert pg3("generate", "ferry", "-n", "2", "--seed", "1", "-o", "p", "--force").code == 0
    assert written(inside / "p")[:2] == list(FERRY.problems(seed=1, count=2))
    assert (inside / "p" / "p003.pddl").read_text() == last
    assert sorted(contents(inside / "p")) == ["domain.pddl", "p001.pddl", "p002.pddl", "p003.pddl"]


def test_a_folder_that_is_none(pg3: Run, inside: Path) -> None:
    (inside / "file").write_text("mine")
    for output in ("file", "file/below"):
        result = pg3("generate", "ferry", "-o", output)
        assert (result.code, result.out) == (2, "")
        assert result.err == f"{output}: cannot write: not a directory\n"
    assert (inside / "file").read_text() == "mine"


def test_a_folder_with_other_files_is_welcome(pg3: Run, inside: Path) -> None:
    (inside / "notes.txt").write_text("mine")
    assert pg3("generate", "ferry", "-n", "1", "-o", ".").code == 0
    assert sorted(contents(inside)) == ["domain.pddl", "notes.txt", "p001.pddl"]


def test_names_sort_in_order_however_many(pg3: Run, inside: Path) -> None:
    arguments = ["--locations", "3", "--cars", "4", "-n", "1001"]
    assert pg3("generate", "ferry", *arguments, "-o", "p").code == 0
    assert [p.name for p in written(inside / "p")] == [f"ferry-train-0-{i}" for i in range(1, 1002)]


# -- the documentation -----------------------------------------------------------------------------


def test_the_commands_of_the_documentation(pg3: Run, inside: Path) -> None:
    text = (REPOSITORY / "docs" / "reference" / "domains.md").read_text(encoding="utf-8")
    commands = re.findall(r"^pg3 (.+?)(?: > \S+)? +#", text, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        result = pg3(*shlex.split(command))
        assert result.code == 0, result.err
    assert {path.name for path in inside.iterdir()} == {"train", "test", "mine", "equal"}


def test_the_example_of_the_package() -> None:
    outcome = doctest.testmod(pg3_domains)
    assert outcome.attempted == 3
    assert outcome.failed == 0
