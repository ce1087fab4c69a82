"""`pg3 generate --like`: larger problems from the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.pddl import parse_domain, parse_problem
from tests.cli.test_cli import POLICY, Result, Run, pg3
from tests.cli.test_domains_cli import contents, inside, written
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["inside", "pg3"]  # fixtures

SMALL = ["--cars", "1..2", "--locations", "2..4"]


@pytest.fixture
def small(pg3: Run, inside: Path) -> Path:
    """A folder with small problems."""
    assert pg3("generate", "ferry", *SMALL, "-n", "4", "-o", "small").code == 0
    return inside / "small"


def test_problems_grow(pg3: Run, small: Path) -> None:
    arguments = ["small/domain.pddl", "--like", "small", "--scale", "3", "-n", "5"]
    result = pg3("generate", *arguments, "-o", "large")
    assert (result.code, result.out) == (0, "")
    first, *_ = result.err.splitlines()
    assert first.startswith("5 problems of ")
    assert first.endswith(" and domain.pddl are in large")
    assert "grown from 4 problems of " in first
    given, made = written(small), written(small.parent / "large")
    assert [p.name for p in made] == [f"{given[i % 4].name}-grown-{i + 1}" for i in range(5)]
    for i, problem in enumerate(made):
        assert 2.4 <= len(problem.objects) / len(given[i % 4].objects) <= 5
    # Each does not depend on how many there are, and further problems may follow --like.
    files = [f"small/p00{i}.pddl" for i in range(1, 5)]
    again = ["small/domain.pddl", "--like", *files, "--scale", "3", "-n", "2", "-o", "again"]
    assert pg3("generate", *again).code == 0
    assert written(small.parent / "again") == made[:2]
    assert pg3("generate", *arguments, "--seed", "1", "-o", "other").code == 0
    assert written(small.parent / "other") != made


def test_a_policy_solves_what_search_does_not(pg3: Run, small: Path) -> None:
    arguments = ["small/domain.pddl", "--like", "small", "--scale", "40", "-n", "1"]
    result = pg3("generate", *arguments, "--policy", POLICY, "-o", "large")
    assert result.code == 0
    evaluated = pg3("evaluate", "large/domain.pddl", "large", "--policy", POLICY)
    assert evaluated.out.endswith("solved 1/1 (1.00)\n")
    unchecked = pg3("generate", *arguments, "--unchecked", "-o", "unchecked")
    assert unchecked.code == 0
    assert " objects, not checked for solutions, and domain.pddl are in" in unchecked.err
    large, other = contents(small.parent / "large"), contents(small.parent / "unchecked")
    assert large == other


def test_one_problem_goes_to_stdout(pg3: Run, small: Path) -> None:
    result = pg3("generate", "small/domain.pddl", "--like", "small/p001.pddl", "-n", "1")
    assert result.code == 0
    domain = parse_domain((small / "domain.pddl").read_text())
    assert len(parse_problem(result.out, domain).objects) > 6


def test_what_cannot_be_solved_is_dropped(pg3: Run, inside: Path) -> None:
    domain = """(define (domain d) (:predicates (on ?x) (off ?x) (stuck ?x))
      (:action switch :parameters (?x) :precondition (and (off ?x) (not (stuck ?x)))
        :effect (and (on ?x) (not (off ?x)))))"""
    problem = """(define (problem p) (:domain d) (:objects a b)
      (:init (off a) (off b) (stuck a) (stuck b)) (:goal (and (on a) (on b))))"""
    (inside / "d.pddl").write_text(domain)
    (inside / "p.pddl").write_text(problem)
    result = pg3("generate", "d.pddl", "--like", "p.pddl", "-n", "2", "-o", "large")
    assert result == Result(
        1,
        "",
        "rejected 20 of 20 candidates: 20 unsolvable\n2 of 2 problems could not be made\n",
    )
    assert not (inside / "large").exists()


def test_what_cannot_grow_is_said(pg3: Run, inside: Path) -> None:
    (inside / "d.pddl").write_text("""(define (domain d) (:predicates (on) (off))
      (:action switch :parameters () :precondition (off) :effect (and (on) (not (off)))))""")
    (inside / "p.pddl").write_text("(define (problem p) (:domain d) (:init (off)) (:goal (on)))")
    result = pg3("generate", "d.pddl", "--like", "p.pddl", "-n", "1")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("rejected 10 of 10 candidates: 10 not larger\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.pddl", "--like", "small"], "none.pddl: no such file"),
        (["small/domain.pddl", "--like", "none"], "none: no such file"),
        (["small/domain.pddl", "--like", "."], ".: no problem files (*.pddl) in this folder"),
        (["small/domain.pddl", "--like", "small", "--scale", "1"], "must be more than 1, not 1"),
        (["small/domain.pddl", "--like", "small", "--scale", "9e9"], "objects are too many"),
        (["small/domain.pddl", "--like", "small", "--cars", "3"], "there is no option --cars"),
        (["small/domain.pddl", "--like", "small", "--split", "test"], "--split is for built-in"),
        (["ferry", "--scale", "3"], "--scale is for problems that are grown: --like PROBLEM"),
        (["ferry", "--unchecked"], "--unchecked is for problems that are grown: --like PROBLEM"),
    ],
)
def test_bad_input(pg3: Run, small: Path, arguments: list[str], message: str) -> None:
    result = pg3("generate", *arguments, "-n", "1", "-o", "large")
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not (small.parent / "large").exists()


def test_many_need_a_folder(pg3: Run, small: Path) -> None:
    result = pg3("generate", "small/domain.pddl", "--like", "small")
    assert result == Result(2, "", "10 problems need a folder: -o FOLDER\n")


def test_the_users_own_example(pg3: Run, inside: Path) -> None:
    warehouse = REPOSITORY / "examples" / "warehouse"
    problems = sorted(p for p in warehouse.rglob("*.pddl") if p.name != "domain.pddl")
    domain = str(warehouse / "domain.pddl")
    result = pg3("generate", domain, "--like", *map(str, problems), "-n", "2", "-o", "large")
    assert result.code == 0, result.err
