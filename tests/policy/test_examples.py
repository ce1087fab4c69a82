"""The hand-written policies solve every problem of the paper, whatever the order of its objects."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest

from pg3.errors import InputWarning
from pg3.pddl import Problem, read_domain, read_problem
from pg3.pddl.model import Literal
from pg3.planning import execute
from pg3.policy import (
    parse_policy,
    policy_from_json,
    policy_to_json,
    read_policy,
    write_policy,
)
from pg3.validation import validate

POLICIES = Path(__file__).parents[2] / "examples" / "policies"
HORIZONS = {
    "forest": 100,
    "delivery": 1000,
    "miconic": 1000,
    "gripper": 1000,
    "ferry": 1000,
    "spanner": 1000,
}


def shuffled(problem: Problem, generator: random.Random) -> Problem:
    """The same problem with its objects listed in another order."""
    objects = list(problem.objects)
    generator.shuffle(objects)
    goal = [Literal(atom) for atom in problem.goal]
    goal += [Literal(atom, positive=False) for atom in problem.negative_goal]
    return Problem.of(problem.name, problem.domain, objects, problem.init, goal)


# `make test-thorough` solves all of them, in `test_evaluation`; here also with shuffled objects.
@pytest.mark.parametrize("name", HORIZONS)
def test_policy_solves_every_problem(name: str, shared_problems: Path) -> None:
    folder = shared_problems / "paper" / name
    domain = read_domain(folder / "domain.pddl")
    policy = read_policy(POLICIES / f"{name}.policy", domain)
    paths = sorted(folder.glob("*/seed*/*.pddl"))
    assert len(paths) >= 150
    paths = paths[::5]
    generator = random.Random(name)
    for path in paths:
        with warnings.catch_warnings():
            # The authors' Miconic files lack their last parenthesis.
            warnings.simplefilter("ignore", InputWarning)
            problem = read_problem(path, domain)
        for one in (problem, shuffled(problem, generator)):
            execution = execute(one, policy, max_steps=HORIZONS[name])
            assert execution.solved, f"{path}: {execution.reason}"
            assert validate(one, execution.plan).valid, path


@pytest.mark.parametrize("name", HORIZONS)
def test_policy_comes_back_from_both_formats(name: str, shared_problems: Path) -> None:
    domain = read_domain(shared_problems / "paper" / name / "domain.pddl")
    policy = read_policy(POLICIES / f"{name}.policy", domain)
    assert policy.name == name
    assert parse_policy(write_policy(policy, domain), domain) == policy
    assert policy_from_json(policy_to_json(policy, domain), domain) == policy
