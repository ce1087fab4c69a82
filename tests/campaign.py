"""`make campaign`: the kernel against its slow twins and Fast Downward on thousands of problems.

Each problem is of a random domain of its own and comes with a random policy. Asked of the kernel
and of the twins in `oracle`: successors, h_add, the policy's matches along a walk, A*'s plans and
expansions with three heuristics, guided plans, execution. Every plan goes to both validators, and a
guided solve must end with a plan or a true reason. Of all or a part of them, Fast Downward
is asked whether there is a plan at all. Prints figures; exit code 1 at the first disagreement.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from pg3.guided_solve import SolveStatus, solve_guided
from pg3.planning import Heuristic, Limits, execute, plan, plan_guided, policy_action
from pg3.task import Task
from tests.judges import Judges
from tests.oracle import execution, heuristic, matching, search, semantics
from tests.outsiders import texts
from tests.strategies import Scenario, scenarios, walks
from tests.test_kernel_against_oracle import assert_same_outcome
from tests.untyped import untyped

if TYPE_CHECKING:
    from pg3.pddl.model import Problem

EXPANSIONS = 40
HEURISTICS: tuple[Heuristic, ...] = ("add", "max", "blind")
REQUIREMENTS = (":strips", ":negative-preconditions", ":equality")
SECONDS = 10


class FastDownward:
    """Whether a plan exists, by Fast Downward's blind search (from PyPI, `up-fast-downward`)."""

    def __init__(self) -> None:
        package = importlib.util.find_spec("up_fast_downward")
        assert package is not None, "up-fast-downward is not installed"
        assert package.origin is not None
        self._bin = Path(package.origin).parent / "downward" / "builds" / "release" / "bin"

    def solvable(self, problem: Problem) -> bool | None:
        """None if it does not know in time."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / "domain.pddl", Path(folder) / "problem.pddl"]
            for file, text in zip(files, texts(untyped(problem), REQUIREMENTS), strict=True):
                file.write_text(text)
            environment = os.environ | {"PYTHONPATH": str(self._bin)}
            translator = [sys.executable, "-S", "-m", "fast_downward.translate", *map(str, files)]
            translated = subprocess.run(
                translator, cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            assert translated.returncode == 0, translated.stdout + translated.stderr
            with (Path(folder) / "output.sas").open() as task:
                found = subprocess.run(
                    [self._bin / "downward", "--search", f"astar(blind(),max_time={SECONDS})"],
                    cwd=folder,
                    stdin=task,
                    capture_output=True,
                    text=True,
                    check=False,
                )
        if "Solution found!" in found.stdout:
            return True
        if re.search("no solution|no plan exists|provably unsolvable", found.stdout):
            return False
        assert "Time limit" in found.stdout, found.stdout + found.stderr
        return None


class Campaign:
    """The questions, and how often each was asked."""

    def __init__(self, every: int) -> None:
        self.counts: Counter[str] = Counter()
        self._every = every
        self._fast_downward = FastDownward() if every else None

    def ask(self, scenario: Scenario, data: st.DataObject) -> None:
        """Everything, of one problem and policy."""
        problem, policy = scenario
        self.counts["problems"] += 1
        if self.counts["problems"] % 500 == 0:
            print(f"{self.counts['problems']} problems so far", file=sys.stderr, flush=True)
        task, judges = Task(problem), Judges()
        self._states(task, policy, data.draw(walks(problem)))
        for name in HEURISTICS:
            found = plan(task, heuristic=name, limits=Limits(expansions=EXPANSIONS))
            expected = search.astar(problem, heuristic=name, max_expansions=EXPANSIONS)
            assert_same_outcome(problem, found, expected)
            self.counts[f"A* with {name}: {found.status}"] += 1
            if found.plan is not None:
                judges.judge(problem, found.plan)
        guided = plan_guided(task, policy, limits=Limits(expansions=EXPANSIONS))
        twin = search.astar(problem, policy=policy, rollout_steps=50, max_expansions=EXPANSIONS)
        assert_same_outcome(problem, guided, twin)
        followed = execute(task, policy, max_steps=30)
        slowly = execution.execute(problem, policy, max_steps=30)
        assert (followed.status, followed.plan) == (slowly.status, slowly.plan)
        self.counts[f"policy alone: {followed.status}"] += 1
        solved = solve_guided(task, policy, limits=Limits(expansions=20_000))
        self.counts[f"guided solve: {solved.status}"] += 1
        if solved.plan is not None:
            judges.judge(problem, solved.plan)
        if self._fast_downward and self.counts["problems"] % self._every == 0:
            self._compare(problem, solved.status, self._fast_downward)

    def _states(self, task: Task, policy: object, states: list[semantics.State]) -> None:
        problem = task.problem
        grounded = semantics.instances(problem)
        for state in states:
            self.counts["states"] += 1
            applicable = [one for one in grounded if one.applicable(state)]
            assert task.applicable(state) == tuple(one.action for one in applicable)
            for one in applicable:
                assert task.successor(state, one.action) == one.successor(state)
            assert task.h_add(state) == heuristic.h_add(problem, grounded, state)
            found = policy_action(task, policy, state)  # type: ignore[arg-type]
            expected = matching.policy_action(problem, policy, state)  # type: ignore[arg-type]
            assert (found and tuple(found)) == (expected and tuple(expected))

    def _compare(self, problem: Problem, ours: SolveStatus, other: FastDownward) -> None:
        theirs = other.solvable(problem)
        if theirs is None or ours not in (SolveStatus.SOLVED, SolveStatus.UNSOLVABLE):
            self.counts["Fast Downward or ours does not know"] += 1
            return
        assert theirs == (ours is SolveStatus.SOLVED), f"Fast Downward: {theirs}, ours: {ours}"
        self.counts[f"Fast Downward agrees: {ours}"] += 1


def main() -> None:
    """Run what the command line asks for, and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--problems", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument(
        "--fast-downward", type=int, default=1, metavar="N", help="ask it of every Nth; 0: never"
    )
    chosen = options.parse_args()
    campaign = Campaign(chosen.fast_downward)
    start = time.monotonic()

    @seed(chosen.seed)
    @settings(
        max_examples=chosen.problems,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(scenarios(), st.data())
    def run(scenario: Scenario, data: st.DataObject) -> None:
        campaign.ask(scenario, data)

    try:
        run()
    finally:
        from tests.judges import judged

        for what, number in sorted((campaign.counts + judged).items()):
            print(f"{number:9,}  {what}")
        print(f"{time.monotonic() - start:9.0f}  seconds")
    print("no disagreement")


if __name__ == "__main__":
    main()
