"""What docs/learned-policies.md shows is what `pg3 learn` learns."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import pytest

from pg3.learner import learn
from pg3.pddl import read_domain, read_problem
from pg3.planning import execute
from pg3.policy import parse_policy
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (REPOSITORY / "docs" / "learned-policies.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["forest", "delivery", "miconic", "gripper", "ferry", "spanner"])
def test_the_policy_of_the_page(name: str, shared_problems: Path) -> None:
    folder = shared_problems / "paper" / name
    section = PAGE.split(f"## {name.capitalize()}\n")[1]
    shown = re.search(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert shown is not None
    with warnings.catch_warnings():
        # The authors' files lack parentheses at the end.
        warnings.simplefilter("ignore")
        domain = read_domain(folder / "domain.pddl")
        train, test = (
            [read_problem(p, domain) for p in sorted((folder / part / "seed0").glob("*.pddl"))]
            for part in ("train", "test")
        )
    result = learn(domain, train)
    assert parse_policy(shown.group(1), domain) == result.policy
    assert all(execute(problem, result.policy).solved for problem in test)
