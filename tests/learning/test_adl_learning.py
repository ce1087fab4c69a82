"""Learning in domains with ADL conditions and conditional effects, with the default options."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from benchmarks.adl.quantified import GENERATORS, TRAINING_SIZES
from hypothesis import given
from hypothesis import strategies as st

from pg3 import execute, learn, validate
from pg3.policy import parse_policy, policy_from_json, policy_to_json, write_policy
from tests.support.random_problems import CONDITIONAL, CONDITIONAL_AND_AXIOMS, problems

if TYPE_CHECKING:
    from pg3.learning.config import Preset
    from pg3.pddl.model import Problem

# What the policy must say.
CASES = {
    "lift": "(stop ",
    "briefcase": "(not (exists (?j - item) (in ?j)))",
    "stacks": "(forall (?o - order) (imply (includes ?o ?p) (begun ?o)))",
    "switches": "(press ",
    "paint": "(spray ",
    "cleaning": "(clean-room ",
}


@pytest.mark.parametrize("name", CASES)
def test_learned_from_small_problems(name: str) -> None:
    said = CASES[name]
    make, generator = GENERATORS[name], random.Random(0)
    training = [make(size, generator) for size in TRAINING_SIZES[name]]
    domain = training[0].domain
    result = learn(domain, training)
    assert result.status == "passed"
    text = write_policy(result.policy, domain)
    assert said in text
    assert parse_policy(text, domain) == result.policy
    assert policy_from_json(policy_to_json(result.policy), domain) == result.policy
    for size in (20, 30):
        problem = make(size, generator)
        found = execute(problem, result.policy, max_steps=20_000)
        assert found.solved, (size, found.reason)
        assert found.plan is not None
        assert validate(problem, found.plan).valid


def assert_learned(problem: Problem, preset: Preset) -> None:
    """A policy comes of it, and it does on the problem what is said of it."""
    result = learn(problem.domain, [problem], preset=preset, max_candidates=20, seed=3)
    (outcome,) = result.problems
    found = execute(problem, result.policy, max_steps=1000)
    assert outcome.steps == (found.steps if found.solved else None)
    text = write_policy(result.policy, problem.domain)
    assert parse_policy(text, problem.domain) == result.policy


@given(
    st.one_of(problems(CONDITIONAL), problems(CONDITIONAL_AND_AXIOMS)),
    st.sampled_from(["robust", "paper"]),
)
def test_whatever_the_effects(problem: Problem, preset: Preset) -> None:
    assert_learned(problem, preset)
