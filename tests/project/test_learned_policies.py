"""What docs/results/learned-policies.md shows is what `pg3 learn` learns."""

from __future__ import annotations

import re

import pytest

from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.experiments.methods.table import OPERATORS_OF
from pg3.learning.learner import learn
from pg3.planning import execute
from pg3.policy import parse_policy
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "results" / "learned-policies.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAPER_DOMAINS)
def test_the_policy_of_the_page(name: str) -> None:
    source = DOMAINS[name]
    section = PAGE.split(f"## {name.capitalize()}\n")[1]
    shown = re.search(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert shown is not None
    result = learn(source.domain, source.problems("train", seed=0))
    assert parse_policy(shown.group(1), source.domain) == result.policy
    words = f"“{result.method}”; {result.candidates} candidates"
    assert words in section.split("\n## ")[0].replace("\n", " ")
    for problem in source.problems("test", seed=0):
        assert execute(problem, result.policy, max_steps=source.horizon).solved


@pytest.mark.parametrize("name", PAPER_DOMAINS)
def test_the_papers_own_beside_it(name: str) -> None:
    source = DOMAINS[name]
    section = PAGE.split(f"## {name.capitalize()}\n")[1].split("\n## ")[0]
    shown = re.findall(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    result = learn(
        source.domain,
        source.problems("train", seed=0),
        preset="paper",
        operators=OPERATORS_OF.get(source.name),
    )
    # Where both are the same it is printed once.
    assert parse_policy(shown[-1], source.domain) == result.policy
    assert ("The same policy" in section) == (len(shown) == 1)
    assert f"({result.candidates} candidates)" in section
    for problem in source.problems("test", seed=0):
        assert execute(problem, result.policy, max_steps=source.horizon).solved
