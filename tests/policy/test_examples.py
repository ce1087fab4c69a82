"""The hand-written policies of the paper's domains, whatever the order of a problem's objects."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.pddl import Problem
from pg3.pddl.model import Literal
from pg3.planning import execute
from pg3.policy import (
    parse_policy,
    policy_from_json,
    policy_to_json,
    read_policy,
    write_policy,
)
from pg3.semantics.validation import validate

POLICIES = Path(__file__).parents[2] / "examples" / "policies"


def shuffled(problem: Problem, generator: random.Random) -> Problem:
    """The same problem with its objects listed in another order."""
    objects = list(problem.objects)
    generator.shuffle(objects)
    goal = [Literal(atom) for atom in problem.goal]
    goal += [Literal(atom, positive=False) for atom in problem.negative_goal]
    return Problem.of(problem.name, problem.domain, objects, problem.init, goal)


@pytest.mark.parametrize("name", PAPER_DOMAINS)
def test_policy_solves_every_problem(name: str) -> None:
    source = DOMAINS[name]
    policy = read_policy(POLICIES / f"{name}.policy", source.domain)
    generator = random.Random(name)
    for split, seed in product(("train", "test"), range(5)):
        for problem in source.problems(split, seed=seed, count=5):
            for one in (problem, shuffled(problem, generator)):
                execution = execute(one, policy, max_steps=source.horizon)
                assert execution.solved, f"{problem.name}: {execution.reason}"
                assert validate(one, execution.plan).valid, problem.name


@pytest.mark.parametrize("name", PAPER_DOMAINS)
def test_policy_comes_back_from_both_formats(name: str) -> None:
    domain = DOMAINS[name].domain
    policy = read_policy(POLICIES / f"{name}.policy", domain)
    assert policy.name == name
    assert parse_policy(write_policy(policy, domain), domain) == policy
    assert policy_from_json(policy_to_json(policy, domain), domain) == policy
