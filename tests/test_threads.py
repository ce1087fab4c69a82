"""Calls from several threads at once give what one thread gets, also on one shared task."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pg3.planning import Limits, execute, plan, plan_guided, policy_action
from pg3.policy.model import DecisionList
from pg3.task import Task
from tests.errands import FETCHING, round_trip

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


def test_a_search_lets_other_threads_work() -> None:
    large = round_trip(places=12, things=12)
    search = threading.Thread(
        target=plan, args=(large,), kwargs={"heuristic": "blind", "limits": Limits(seconds=0.5)}
    )
    search.start()
    turns = 0
    while search.is_alive():
        time.sleep(0.005)
        turns += 1
    # With the interpreter locked, the first sleep would have lasted as long as the search.
    assert turns > 10
