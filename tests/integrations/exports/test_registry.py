"""What holds for every form of export."""

from __future__ import annotations

import pytest

from pg3.integrations.exports import EXPORTS
from pg3.pddl import read_domain, read_problem
from pg3.policy import policy_from_json, read_policy
from tests.conftest import REPOSITORY

DOMAIN = read_domain(REPOSITORY / "examples" / "ferry" / "domain.pddl")
POLICY = read_policy(REPOSITORY / "examples" / "policies" / "ferry.policy", DOMAIN)
PROBLEM = read_problem(REPOSITORY / "examples" / "ferry" / "small.pddl", DOMAIN)


@pytest.mark.parametrize("name", EXPORTS)
def test_text_is_the_same_each_time_and_ends_its_last_line(name: str) -> None:
    export = EXPORTS[name]
    text = export.policy_text(POLICY, DOMAIN)
    assert text == export.policy_text(POLICY, DOMAIN)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    if export.problem_text is not None:
        assert export.problem_text(POLICY, PROBLEM).endswith(")\n")


def test_json_comes_back() -> None:
    assert policy_from_json(EXPORTS["json"].policy_text(POLICY, DOMAIN), DOMAIN) == POLICY
