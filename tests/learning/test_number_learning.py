"""Policies with numbers are learned from small problems and solve larger ones."""

from __future__ import annotations

import pytest
from benchmarks.scale import domains, problems

from pg3 import learn
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import execute
from tests.support.number_domains import BARS, bars_problem


@pytest.mark.parametrize(
    ("text", "small", "large"),
    [
        (
            domains.FLEET,
            [problems.fleet_problem(n, n) for n in range(20, 26)],
            [problems.fleet_problem(200, 1)],
        ),
        (
            BARS,
            [bars_problem(2 + i % 2, 1 + i % 3, i) for i in range(6)],
            [bars_problem(20, 9, 1)],
        ),
    ],
    ids=["fleet", "bars"],
)
def test_learned_policies_solve_larger_problems(
    text: str, small: list[str], large: list[str]
) -> None:
    domain = parse_domain(text)
    result = learn(domain, [parse_problem(one, domain) for one in small])
    for one in large:
        assert execute(parse_problem(one, domain), result.policy).solved
