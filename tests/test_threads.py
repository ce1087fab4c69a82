"""Calls from several threads at once give what one thread gets, also on one shared task."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pg3.planning import Limits, execute, plan, plan_guided, policy_action
from pg3.policy.model import DecisionList
from pg3.task import Task
from tests.conftest import REPOSITORY
from tests.errands import FETCHING, round_trip
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Problem

PROBLEM = round_trip(places=5, things=3)
THREADS = 8
# Every rotation of the rules is a policy of its own, so that threads also compile rules at once.
POLICIES = [
    DecisionList(f"fetching-{i}", FETCHING.rules[i:] + FETCHING.rules[:i])
    for i in range(len(FETCHING.rules))
]
LIMITS = Limits(expansions=300)


def answers(problem: Problem | Task, turn: int) -> list[object]:
    """What one caller asks for, beginning at another question than its neighbours."""
    questions: list[Callable[[], object]] = []
    for policy in POLICIES:
        questions += [
            lambda policy=policy: _guided(problem, policy),  # type: ignore[misc]
            lambda policy=policy: _executed(problem, policy),  # type: ignore[misc]
        ]
    questions += [lambda: _planned(problem), lambda: _states(problem)]
    found = {}
    for i in range(len(questions)):
        number = (i + turn) % len(questions)
        found[number] = questions[number]()
    return [found[number] for number in sorted(found)]


def _planned(problem: Problem | Task) -> object:
    outcome = plan(problem, limits=LIMITS)
    return outcome.status, outcome.plan, outcome.expansions


def _guided(problem: Problem | Task, policy: DecisionList) -> object:
    outcome = plan_guided(problem, policy, limits=LIMITS)
    return outcome.status, outcome.plan, outcome.from_policy, outcome.expansions


def _executed(problem: Problem | Task, policy: DecisionList) -> object:
    execution = execute(problem, policy)
    return execution.status, execution.plan


def _states(problem: Problem | Task) -> object:
    task = problem if isinstance(problem, Task) else Task(problem)
    state = task.initial_state
    seen: list[object] = []
    for _ in range(6):
        actions = task.applicable(state)
        match = policy_action(task, FETCHING, state)
        seen.append((actions, task.h_add(state), task.is_goal(state), match))
        state = task.successor(state, actions[-1])
    return seen


def asked_at_once(problem: Problem | Task) -> list[list[object]]:
    ready = threading.Barrier(THREADS)

    def ask(turn: int) -> list[object]:
        ready.wait()
        return answers(problem, turn)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(ask, range(THREADS)))


def test_threads_with_tasks_of_their_own() -> None:
    assert asked_at_once(PROBLEM) == [answers(PROBLEM, 0)] * THREADS


def test_threads_that_share_a_task() -> None:
    expected = answers(PROBLEM, 0)
    for _ in range(5):
        assert asked_at_once(Task(PROBLEM)) == [expected] * THREADS


# The search asks for a clique one larger than there is, and so never ends.
ENDLESS_SEARCH = """
import os, threading, time
from tests.test_hostile_input import clique, exponential_policy
from pg3.planning import plan_guided
from pg3.task import Task
task = Task(clique(12))
task.ground()
begins = threading.Event()
def search():
    begins.set()
    plan_guided(task, exponential_policy())
threading.Thread(target=search, daemon=True).start()
begins.wait()
for _ in range(20):
    time.sleep(0.005)
os.write(1, b"worked\\n")
os._exit(0)
"""


def test_a_search_lets_other_threads_work() -> None:
    """With the interpreter locked, the first sleep would last as long as the search."""
    process = subprocess.run(
        [sys.executable, "-c", ENDLESS_SEARCH],
        cwd=REPOSITORY,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert process.stdout == b"worked\n", process.stderr
