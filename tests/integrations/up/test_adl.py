"""ADL and conditional effects: what unified-planning reads of ours is what we read of it."""

from __future__ import annotations

import random

import pytest
from benchmarks.adl.quantified import GENERATORS
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.io import PDDLReader

from pg3 import plan
from pg3.integrations.up.conversion import convert
from pg3.pddl import write_domain, write_problem


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("seed", range(3))
def test_plans_of_either_side_are_as_long_and_valid(name: str, seed: int) -> None:
    problem = GENERATORS[name](3, random.Random(seed))
    theirs = PDDLReader().parse_problem_string(write_domain(problem.domain), write_problem(problem))
    conversion = convert([theirs])
    ours, converted = plan(problem).plan, plan(conversion.problems[0]).plan
    assert ours is not None
    assert converted is not None
    assert len(ours) == len(converted)
    with SequentialPlanValidator() as validator:
        verdict = validator.validate(theirs, conversion.plan(converted))
    assert verdict.status == ValidationResultStatus.VALID
