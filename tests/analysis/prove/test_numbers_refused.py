"""Proofs know nothing of numbers: a comparison would look like a condition that never changes."""

from __future__ import annotations

import pytest

from pg3.analysis.prove.checker.terms import Refused, Terms
from pg3.analysis.prove.logic.theory import Theory, Unsupported
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import parse_policy
from tests.support.number_domains import BARS, bars_problem

DOMAIN = parse_domain(BARS)
POLICY = parse_policy(
    "(define (policy p) (:rule r :parameters (?b - bar) :preconditions (at ?b) :action (take ?b)))",
    DOMAIN,
)


def test_the_search_and_the_checker_refuse() -> None:
    problem = parse_problem(bars_problem(2, 1, 0), DOMAIN)
    with pytest.raises(Unsupported, match="numbers"):
        Theory.of_problems(DOMAIN, POLICY, [problem])
    with pytest.raises(Refused, match="numbers"):
        Terms(DOMAIN, POLICY, {})
