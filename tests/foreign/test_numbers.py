"""MOOSE's domains with numbers: unified-planning reads them as we do, and judges our plans."""

from __future__ import annotations

import pytest
from benchmarks.foreign import NUMERIC_PROBLEMS
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.io import PDDLReader

import pg3
from pg3.integrations.up import convert
from pg3.planning import Limits, plan

if not NUMERIC_PROBLEMS.is_dir():
    pytest.skip(
        "problems that other people wrote do not come with pg3 (PG3_FOREIGN names their folder)",
        allow_module_level=True,
    )


# Three of the four problems name another domain than their file does.
@pytest.mark.filterwarnings("ignore::pg3.errors.InputWarning")
@pytest.mark.parametrize("name", ["ferry", "miconic", "minecraft", "transport"])
def test_unified_planning(name: str) -> None:
    folder = NUMERIC_PROBLEMS / name
    domain = pg3.read_domain(folder / "domain.pddl")
    for file in sorted((folder / "training").glob("*.pddl"))[:3]:
        theirs = PDDLReader().parse_problem(str(folder / "domain.pddl"), str(file))
        conversion = convert([theirs])
        ours = pg3.read_problem(file, domain)
        # A function that no action asks for is left out when problems are converted.
        values = conversion.problems[0].function_values
        used = {atom.predicate for atom in values}
        assert values == {
            atom: value for atom, value in ours.function_values.items() if atom.predicate in used
        }
        for problem in (conversion.problems[0], ours):
            found = plan(problem, limits=Limits(expansions=20_000))
            assert found.plan is not None
            with SequentialPlanValidator() as validator:
                verdict = validator.validate(theirs, conversion.plan(found.plan))
            assert verdict.status == ValidationResultStatus.VALID
