"""The paper's first column, and what stands beside it: PG3 solves every test problem."""

from __future__ import annotations

import pytest

from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.experiments.measurement import perform
from pg3.experiments.methods.table import DEFAULT_METHODS, OPERATORS_OF, plan_runs
from pg3.learning.learner import learn
from pg3.planning import execute


def solved(name: str, seed: int) -> int:
    """How many of the thirty test problems the preset `paper` solves."""
    source = DOMAINS[name]
    result = learn(
        source.domain,
        source.problems("train", seed=seed),
        preset="paper",
        operators=OPERATORS_OF.get(source.name),
    )
    tests = source.problems("test", seed=seed)
    return sum(execute(p, result.policy, max_steps=source.horizon).solved for p in tests)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        # Without what the achieving action needs, rules move although no ball is carried.
        ("gripper", 1),
        # From the shortest failing plan, a lift moves for no reason.
        ("miconic", 8),
        pytest.param("miconic", 134, marks=pytest.mark.thorough),
        # The largest score alone does not see that one of several worst problems is solved.
        ("ferry", 30),
        *(
            pytest.param(name, seed, marks=pytest.mark.thorough)
            for name, seed in (("gripper", 65), ("gripper", 115), ("miconic", 59), ("miconic", 151))
        ),
    ],
)
def test_seeds_that_other_readings_fail(name: str, seed: int) -> None:
    assert solved(name, seed) == 30


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", PAPER_DOMAINS)
def test_forty_seeds(name: str, seed: int) -> None:
    assert solved(name, seed) == 30


# Seed 0 of each method of the table: how many of the thirty test problems are solved.
SEED_0 = {
    "pg3": (30, 30, 30, 30, 30, 30),
    "policy-evaluation": (0, 30, 0, 15, 0, 30),
    "plan-comparison": (0, 4, 30, 0, 30, 30),
    "combo": (0, 30, 0, 15, 0, 30),
    "goal-count": (0, 30, 0, 15, 30, 30),
    "robust": (30, 30, 30, 30, 30, 30),
}


@pytest.mark.thorough
@pytest.mark.parametrize("method", [name for name in DEFAULT_METHODS if name != "random"])
def test_one_seed_of_the_table(method: str) -> None:
    runs = plan_runs(PAPER_DOMAINS, [method], [0], max_candidates=2500, epochs=0)
    results = [perform(run) for run in runs]
    counts = tuple(sum(s is not None for s in result.steps) for result in results)
    assert counts == SEED_0[method]
