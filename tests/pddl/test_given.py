"""Domains, problems and folders as callers give them: values or paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import pg3
from pg3.errors import Pg3Error
from pg3.pddl.given import as_domain, as_problem, as_sources, problem_files
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN = (FERRY / "domain.pddl").read_text()
PROBLEM = (FERRY / "small.pddl").read_text()


def test_values_are_returned_as_they_are() -> None:
    domain = pg3.read_domain(FERRY / "domain.pddl")
    problem = pg3.read_problem(FERRY / "small.pddl", domain)
    assert as_domain(domain) is domain
    assert as_problem(problem) is problem
    assert pg3.read_problems(problem) == [problem]


def test_a_domain_is_found_beside_the_problem_or_above() -> None:
    small = pg3.read_problem(FERRY / "small.pddl")
    assert small.domain == pg3.read_domain(FERRY / "domain.pddl") == as_domain(FERRY)
    train = pg3.read_problems(str(FERRY / "train"))
    assert [one.domain for one in train] == [small.domain] * 6
    assert pg3.read_problems([small, FERRY / "small.pddl"]) == [small, small]


def test_without_a_domain_anywhere(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    lonely = tmp_path / "deep" / "p.pddl"
    lonely.write_text(PROBLEM)
    with pytest.raises(Pg3Error, match=r"p\.pddl: there is no domain\.pddl beside it"):
        pg3.read_problem(lonely)
    with pytest.raises(Pg3Error, match=r"nowhere\.pddl: no such file"):
        pg3.read_problem(tmp_path / "deep" / "nowhere.pddl")


@pytest.mark.parametrize("value", [3, None, 2.5, object()])
def test_what_is_neither_a_value_nor_a_path_gets_a_message(value: Any) -> None:
    for read in (as_domain, as_problem, as_sources, pg3.load):
        with pytest.raises(Pg3Error, match="or its path is expected, not a value of type"):
            read(value)


def folder(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(DOMAIN if path.name.startswith("domain") else PROBLEM)
    return root


@pytest.mark.parametrize(
    ("names", "train", "test"),
    [
        (["train/p2.pddl", "train/p10.pddl", "test/a.pddl"], ["p2", "p10"], ["a"]),
        (["training/p1.pddl", "testing/p0_1.pddl"], ["p1"], ["p0_1"]),
        (
            ["training/easy/p1.pddl", "testing/easy/p1.pddl", "testing/hard/p1.pddl"],
            ["p1"],
            ["p1", "p1"],
        ),
        (["p01.pddl", "p02.pddl", "p03.pddl"], ["p01"], ["p02", "p03"]),
    ],
)
def test_layouts_of_folders(
    tmp_path: Path, names: list[str], train: list[str], test: list[str]
) -> None:
    data = pg3.load(folder(tmp_path / "ferry", "domain.pddl", *names))
    assert data.name == "ferry"
    assert [file.stem for file in data.train_files] == train
    assert [file.stem for file in data.test_files] == test
    assert len(data.train) == len(train)
    assert all(problem.domain is data.domain for problem in data.test)
    assert repr(data).startswith(f"<benchmark ferry: {len(train)} problem")


def test_a_folder_with_a_domain_for_each_problem(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match="each problem has a domain of its own"):
        pg3.load(folder(tmp_path, "domain-p1.pddl", "p1.pddl"))
    with pytest.raises(Pg3Error, match=r"there is no domain\.pddl"):
        pg3.load(folder(tmp_path / "other", "p1.pddl"))
    with pytest.raises(Pg3Error, match="no such folder"):
        pg3.load(tmp_path / "nothing")


def test_numbers_in_names_are_compared_as_numbers(tmp_path: Path) -> None:
    found = problem_files([folder(tmp_path, "domain.pddl", "p10.pddl", "p2.pddl", "p1.pddl")])
    assert [path.rpartition("/")[2] for path in found] == ["p1.pddl", "p2.pddl", "p10.pddl"]
