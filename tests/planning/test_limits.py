"""Limits of time and memory: reaching one is a status with the best result so far, in every phase.

Time is made by hand where it can be: a clock that goes on by one second each time it is read lets
the limit come at every point of a run, whatever the speed of the machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from pg3 import _native
from pg3.learning.budget import Budget, LimitReached
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.learner import learn
from pg3.learning.regression import Regression, RegressionResult
from pg3.learning.training import Training
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import Limits, PlanStatus, plan
from pg3.policy import check_policy
from pg3.semantics.task import Task
from pg3.storage.schema import Whole
from tests.support.ferry_problems import FERRY, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Problem

PROBLEMS = small_ferry_problems(4)

MANY = parse_domain("""
    (define (domain many) (:predicates (on ?x) (met ?a ?b ?c ?d ?e ?f))
      (:action switch :parameters (?x) :precondition (not (on ?x)) :effect (on ?x))
      (:action meet :parameters (?a ?b ?c ?d ?e ?f) :effect (met ?a ?b ?c ?d ?e ?f)))""")


def switches(size: int, goals: int = 1) -> Problem:
    """A problem of size ** 6 ground actions."""
    objects = " ".join(f"o{i}" for i in range(size))
    goal = " ".join(f"(on o{i})" for i in range(goals))
    return parse_problem(
        f"(define (problem p) (:domain many) (:objects {objects}) (:init) (:goal (and {goal})))",
        MANY,
    )


class CountingClock(Journal):
    """A journal whose clock goes on each time it is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    @property
    def elapsed(self) -> float:
        """The number of times it was read."""
        self.reads += 1
        return float(self.reads)


# -- learning --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "paper", "max_candidates": 200},
        {"preset": "paper", "score": "combo", "max_candidates": 200},
        {},
        # Searches without regression.
        {"operators": ["add-rule", "add-condition"], "max_candidates": 20},
    ],
)
def test_the_time_can_be_over_at_any_point(options: dict[str, Any]) -> None:
    clock = CountingClock()
    whole = learn(FERRY, PROBLEMS, journal=clock, time_limit=1e9, **options)
    assert whole.reason != "time limit"
    reasons = set()
    parts = settings().max_examples // 3  # 8, and 100 in the thorough run
    for part in range(parts):
        limit = 1 + clock.reads * part // parts
        result = learn(FERRY, PROBLEMS, journal=CountingClock(), time_limit=limit, **options)
        check_policy(result.policy, FERRY)
        reasons.add(result.reason)
        if result.reason == "time limit":
            assert result.candidates <= whole.candidates
    assert "time limit" in reasons


def test_regression_that_is_cut_short_gives_what_it_has() -> None:
    clock = CountingClock()
    training = Training(PROBLEMS, budget=Budget(1e9, journal=clock))
    whole = Regression(training, seed=0).learn(training)
    assert whole.limit is None
    for part in (0.0, 0.1, 0.5, 0.9):
        budget = Budget(1 + part * clock.reads, journal=CountingClock())
        try:
            training = Training(PROBLEMS, budget=budget)
        except LimitReached:
            continue
        result = Regression(training, seed=0).learn(training)
        assert result.limit == "time limit"
        check_policy(training.book.policy(result.policy, "p"), FERRY)


def test_a_limit_in_regression_counts_though_its_policy_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Plans have long runs of like actions, and there is no time for more."""
    cut_short = RegressionResult((), (), 99, 0, 0, 0, 0, limit="time limit")
    monkeypatch.setattr(Regression, "learn", lambda *_, **__: cut_short)
    assert learn(FERRY, PROBLEMS, max_candidates=5).reason == "time limit"


def test_a_time_limit_that_is_over_from_the_start() -> None:
    for preset in ("robust", "paper"):
        result = learn(FERRY, PROBLEMS, preset=preset, time_limit=0.0)
        assert result.reason == "time limit"
        assert result.policy.rules == ()
        assert {p.left_out for p in result.problems} == {"there was no time for it"}


def test_a_memory_limit_that_is_over_from_the_start() -> None:
    result = learn(FERRY, PROBLEMS, memory_limit=1.0)
    assert result.reason == "memory limit"
    assert {p.left_out for p in result.problems} == {"there was no memory for it"}


def test_one_problem_does_not_take_the_time_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grounding the large one is cut off at once here, with the time that it was given."""
    ground = Task.ground
    given: list[float | None] = []

    def cut_off(task: Task, seconds: float | None = None, *more: Any, **named: Any) -> str | None:
        if len(task.problem.objects) < 60:
            return ground(task, seconds, *more, **named)
        given.append(seconds)
        return "time limit"

    monkeypatch.setattr(Task, "ground", cut_off)
    result = learn(MANY, [switches(60), switches(2)], time_limit=1e6)
    # It cannot be learned from; the policy is tried on it all the same.
    assert [problem.learned_from for problem in result.problems] == [False, True]
    assert [problem.steps for problem in result.problems] == [1, 1]
    assert given
    assert all(seconds is not None and seconds <= 0.5e6 for seconds in given)


# In a process of its own, as memory is counted by process; prints the result and the peak.
LEARN = """
import json, sys
from pg3.experiments.measurement import peak_megabytes
from pg3.learning.learner import learn
from tests.support.ferry_problems import FERRY
from tests.planning.test_limits import large_ferry_problems
seen = []
result = learn(FERRY, large_ferry_problems(), preset="paper", max_candidates=10**9,
               operators=["add-rule", "add-condition"], memory_limit=float(sys.argv[1]),
               astar_expansions=3000, observe=lambda *a: seen.append(a[1].is_best))
peak = peak_megabytes()  # not what getrusage says, which begins with the parent's memory
print(json.dumps([result.reason, result.candidates, peak]))
"""


def large_ferry_problems() -> list[Problem]:
    """Problems whose state spaces grow by megabytes a second."""
    names = [f"c{i}" for i in range(12)]
    places = [f"l{i}" for i in range(12)]
    facts = [
        *(f"(car {name})" for name in names),
        *(f"(location {place})" for place in places),
        *(f"(not-eq {a} {b})" for a in places for b in places if a != b),
        *(f"(at {name} {place})" for name, place in zip(names, places, strict=True)),
        "(empty-ferry) (at-ferry l0)",
    ]
    problems = []
    for shift in range(1, 5):
        goals = [f"(at c{i} l{(i + shift) % 12})" for i in range(12)]
        problems.append(
            parse_problem(
                f"(define (problem p{shift}) (:domain ferry) (:objects {' '.join(names + places)})"
                f" (:init {' '.join(facts)}) (:goal (and {' '.join(goals)})))",
                FERRY,
            )
        )
    return problems


def test_a_memory_limit_is_kept_by_learning() -> None:
    limit = 75
    process = subprocess.run(
        [sys.executable, "-c", LEARN, str(limit)], capture_output=True, text=True, check=True
    )
    reason, candidates, peak = json.loads(process.stdout)
    assert reason == "memory limit"
    assert candidates > 0
    assert peak < 1.1 * limit


PLAN = """
import json, sys
from pg3.experiments.measurement import peak_megabytes
from pg3 import _native
from pg3.planning import Limits, plan
from pg3.semantics.task import Task
from tests.planning.test_limits import large_ferry_problems, switches
task = Task(switches(60) if sys.argv[1] == "ground" else large_ferry_problems()[0])
task.native
before = _native.resident_bytes() / 2**20
outcome = plan(task, heuristic="blind", limits=Limits(megabytes=float(sys.argv[2])))
peak = peak_megabytes()  # not what getrusage says, which begins with the parent's memory
print(json.dumps([outcome.status, outcome.expansions, peak - before]))
"""


@pytest.mark.parametrize("phase", ["ground", "search"])
def test_a_memory_limit_is_kept_by_planning(phase: str) -> None:
    limit = 60
    process = subprocess.run(
        [sys.executable, "-c", PLAN, phase, str(limit)], capture_output=True, text=True, check=True
    )
    status, expansions, grown = json.loads(process.stdout)
    assert status == "memory limit"
    assert (expansions > 0) == (phase == "search")
    # The system's own tables and the interpreter's take a few megabytes as well.
    assert grown < 1.1 * limit + 5


# -- planning --------------------------------------------------------------------------------------


def test_the_time_of_planning_can_be_over_in_every_phase() -> None:
    outcome = plan(switches(60), limits=Limits(seconds=0.3))
    assert (outcome.status, outcome.expansions) == (PlanStatus.TIME_LIMIT, 0)
    task = Task(large_ferry_problems()[0])
    task.ground()
    outcome = plan(task, heuristic="blind", limits=Limits(seconds=0.3))
    assert outcome.status is PlanStatus.TIME_LIMIT


def test_the_kernel_takes_the_limits_everywhere() -> None:
    training = Training(PROBLEMS)
    policy = training.book.key(learn(FERRY, PROBLEMS).policy)
    states = training.states_of_interest
    native = training.native
    plans = [plan or () for plan in training.plans]
    calls: list[Callable[[float | None, float | None], tuple[Any, ...]]] = [
        lambda *limits: native.guided([policy], 50, 1000, *limits),
        lambda *limits: native.executed([policy], 1000, *limits),
        lambda *limits: native.executed_from([policy], states, 1000, *limits),
        lambda *limits: native.compared([policy], plans, *limits),
        lambda *limits: native.identified([policy], states, *limits),
    ]
    for call in calls:
        assert call(0.0, None)[0] == "time limit"
        assert call(None, 1.0)[0] == "memory limit"
        assert call(None, None)[0] == "solved"
    space = training.tasks[0].space
    assert space.plan_to(space.initial, [1], 1000, 0.0)[0] == "time limit"
    assert space.plan_to(space.initial, [1], 1000, None, 1.0)[0] == "memory limit"
    assert space.search((), 0, "add", False, None, None, None, 1.0)[0] == "memory limit"
    task = Task(PROBLEMS[0])
    assert task.ground(process_megabytes=1.0) == "memory limit"


def test_the_memory_of_the_process_is_known() -> None:
    assert 5 * 2**20 < _native.resident_bytes() < 2**40


def test_effort_does_not_depend_on_what_is_kept() -> None:
    """A search that was done before is no effort, even if its result has been forgotten."""
    training = Training(PROBLEMS)
    policies = [(), training.book.key(learn(FERRY, PROBLEMS).policy)]
    training.guided(policies, 50)
    effort = training.effort
    assert effort > 0
    training.native.forget(everything=True)
    training.guided(policies, 50)
    assert training.effort == effort


def test_a_status_is_a_limit_or_not() -> None:
    budget = Budget(10.0, journal=Journal([Entry(20.0, "a", 1)], print))
    assert budget.reached is None
    assert budget.journal.recall("a", Whole()) == 1
    assert budget.reached == "time limit"
    assert budget.limits == (0.0, None)
    with pytest.raises(LimitReached):
        budget.check()
    assert budget.checked("solved") == "solved"
    for status in ("time limit", "memory limit"):
        with pytest.raises(LimitReached) as raised:
            budget.checked(status)
        assert raised.value.reason == status
