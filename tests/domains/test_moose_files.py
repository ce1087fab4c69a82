"""Our domains next to the files of MOOSE's authors: policies and problems can be exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pg3
from pg3.domains import DOMAINS
from tests.conftest import REPOSITORY
from tests.domains.test_paper_files import meaning

if TYPE_CHECKING:
    from pathlib import Path

# Theirs under the names of ours.
OURS = {
    "barman": "barman",
    "ferry": "ferry-typed",
    "gripper": "gripper",
    "logistics": "logistics",
    "miconic": "miconic-once",
    "rovers": "rovers",
    "satellite": "satellite",
    "transport": "transport",
}


@pytest.mark.parametrize("theirs", OURS)
def test_the_same_names_signatures_and_meaning(theirs: str, shared_problems: Path) -> None:
    domain = pg3.read_domain(shared_problems / "moose" / theirs / "domain.pddl")
    assert meaning(DOMAINS[OURS[theirs]].domain) == meaning(domain)


@pytest.mark.parametrize("theirs", ["rovers", "satellite"])
def test_our_policies_solve_their_problems(theirs: str, shared_problems: Path) -> None:
    domain = DOMAINS[OURS[theirs]].domain
    path = REPOSITORY / "examples" / "policies" / "moose" / f"{theirs}.policy"
    policy = pg3.read_policy(path, domain)
    for file in sorted((shared_problems / "moose" / theirs / "testing").iterdir()):
        assert pg3.execute(pg3.read_problem(file, domain), policy).solved, file.name


@pytest.mark.parametrize("theirs", OURS)
def test_their_problems_can_be_read_with_our_domains(theirs: str, shared_problems: Path) -> None:
    for file in sorted((shared_problems / "moose" / theirs / "testing").iterdir())[:3]:
        assert pg3.read_problem(file, DOMAINS[OURS[theirs]].domain).goal
