"""Nothing depends on the hash seed: every process gives the same answers."""

from __future__ import annotations

import pytest

from pg3.planning import Limits, compare_plan, execute, plan, plan_guided, policy_action
from pg3.semantics.task import Task
from tests.support.errands import AWAKE, FETCH, FETCHING, errand, round_trip
from tests.support.processes import run_python


def report() -> str:
    """Everything that planning says about some problems, down to the number of expansions."""
    lines = []
    for problem in (FETCH, errand(AWAKE, "at box home"), round_trip(places=5, things=4)):
        task = Task(problem)
        for outcome in (
            plan(problem, limits=Limits(expansions=2000)),
            plan(task, heuristic="max", limits=Limits(expansions=500)),
            plan_guided(task, FETCHING),
            plan_guided(task, FETCHING, rollout_steps=1),
        ):
            actions = [str(action) for action in outcome.plan or ()]
            lines.append(f"{outcome.status} {outcome.expansions} {outcome.generated}")
            lines.append(f"{actions} {outcome.from_policy} {outcome.cost}")
            if outcome.plan is not None:
                lines.append(str(compare_plan(task, FETCHING, outcome.plan)))
        execution = execute(problem, FETCHING)
        lines.append(f"{execution.status} {execution.reason} {list(map(str, execution.plan))}")
        state = task.initial_state
        applicable = list(map(str, task.applicable(state)))
        lines.append(f"{applicable} {task.h_add(state)} {policy_action(task, FETCHING, state)}")
    return "\n".join(lines)


@pytest.mark.parametrize("hash_seed", ["0", "1", "2", "12345"])
def test_every_hash_seed_gives_the_same(hash_seed: str) -> None:
    script = "from tests.kernel.test_determinism import report; print(report())"
    other = run_python(script, hash_seed=hash_seed)
    assert other.stdout.strip() == report(), other.stderr
