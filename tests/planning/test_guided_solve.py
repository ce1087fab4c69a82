"""Solving with a policy that fails: search takes over, and every plan has been checked."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3.domains import DOMAINS
from pg3.pddl import parse_domain, parse_problem, read_domain, read_problem
from pg3.planning import ExecutionStatus, Limits, execute, hybrid, plan
from pg3.planning.hybrid import solve_guided
from pg3.planning.search import PlanStatus
from pg3.policy import parse_policy, read_policy
from pg3.policy.model import DecisionList
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.conftest import REPOSITORY
from tests.support.judges import Translation
from tests.support.outsiders import UnifiedPlanning
from tests.support.random_problems import Scenario, scenarios

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Problem

FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN = read_domain(FERRY / "domain.pddl")
SMALL = read_problem(FERRY / "small.pddl", DOMAIN)
GOOD = read_policy(REPOSITORY / "examples" / "policies" / "ferry.policy", DOMAIN)
# Sails to and fro for ever.
RESTLESS = parse_policy(
    """(define (policy restless) (:rule sail :parameters (?from ?to)
      :preconditions (and (at-ferry ?from) (not-eq ?from ?to)) :action (sail ?from ?to)))""",
    DOMAIN,
)

# A trap door: who falls comes not up again.
TRAP = parse_domain("""
(define (domain trap)
  (:predicates (at ?x) (next ?x ?y) (pit ?x) (fallen))
  (:action step :parameters (?x ?y)
    :precondition (and (at ?x) (next ?x ?y) (not (fallen))) :effect (and (at ?y) (not (at ?x))))
  (:action fall :parameters (?x)
    :precondition (and (at ?x) (pit ?x)) :effect (fallen)))
""")
STRIDE_AND_FALL = parse_policy(
    """(define (policy fall)
      (:rule fall :parameters (?x) :preconditions (and (at ?x) (pit ?x)) :action (fall ?x))
      (:rule step :parameters (?x ?y) :preconditions (and (at ?x) (next ?x ?y))
        :action (step ?x ?y)))""",
    TRAP,
)


def corridor(length: int, goal: str) -> Problem:
    places = [f"c{i}" for i in range(length)]
    steps = " ".join(f"(next {a} {b})" for a, b in itertools.pairwise(places))
    return parse_problem(
        f"""(define (problem corridor) (:domain trap) (:objects {" ".join(places)})
          (:init (at c0) {steps} (pit {places[length // 2]})) (:goal {goal}))""",
        TRAP,
    )


def without(policy: DecisionList, rule: int) -> DecisionList:
    return DecisionList("gap", policy.rules[:rule] + policy.rules[rule + 1 :])


def test_a_good_policy_needs_no_search() -> None:
    outcome = solve_guided(SMALL, GOOD)
    assert outcome.solved
    assert outcome.expansions == 0
    assert outcome.plan == execute(SMALL, GOOD).plan
    assert outcome.kept == len(outcome.plan or ())
    assert outcome.found == ()
    assert outcome.from_policy == ()
    assert outcome.validation is not None
    assert outcome.validation.valid


@pytest.mark.parametrize("gap", range(len(GOOD.rules)))
@pytest.mark.parametrize("file", ["small.pddl", "train/p1.pddl"])
def test_a_policy_with_a_gap_still_solves(gap: int, file: str) -> None:
    problem = read_problem(FERRY / file, DOMAIN)
    outcome = solve_guided(problem, without(GOOD, gap))
    assert outcome.solved
    assert outcome.plan is not None
    assert validate(problem, outcome.plan).valid
    assert UnifiedPlanning(problem).accepts(outcome.plan)


@pytest.mark.parametrize("policy", [RESTLESS, DecisionList("empty", ())])
def test_a_useless_policy_still_solves(policy: DecisionList) -> None:
    outcome = solve_guided(SMALL, policy)
    assert outcome.solved
    assert outcome.kept == 0
    assert False in outcome.from_policy


def test_a_useless_policy_does_not_keep_the_planner_from_a_plan() -> None:
    """Search without it finds one, and has its share of the expansions."""
    [problem] = DOMAINS["ferry"].problems("test", seed=0, count=1)
    limits = Limits(expansions=40_000)
    assert plan(problem, search="satisficing", limits=Limits(expansions=4_000)).solved
    outcome = solve_guided(problem, without(GOOD, 0), limits=limits)
    assert outcome.solved
    assert outcome.validation is not None
    assert outcome.validation.valid


def test_broken_policies_for_the_paper_s_domains_still_solve() -> None:
    for name in ("delivery", "ferry", "forest", "gripper", "spanner"):
        [problem] = DOMAINS[name].problems("train", seed=0, count=1)
        path = REPOSITORY / "examples" / "policies" / f"{name}.policy"
        policy = read_policy(path, problem.domain)
        for gap in range(len(policy.rules)):
            outcome = solve_guided(problem, without(policy, gap))
            assert outcome.solved, (name, gap, outcome.status)


def test_steps_that_run_out_are_kept() -> None:
    outcome = solve_guided(SMALL, GOOD, max_steps=3)
    assert outcome.execution.status is ExecutionStatus.HORIZON
    assert outcome.solved
    assert outcome.kept == 3
    assert outcome.plan == execute(SMALL, GOOD).plan
    assert all(outcome.from_policy)


def test_a_way_into_a_dead_end_is_gone_back() -> None:
    problem = corridor(40, "(at c39)")
    alone = execute(problem, STRIDE_AND_FALL)
    assert not alone.solved
    outcome = solve_guided(problem, STRIDE_AND_FALL)
    assert outcome.solved
    assert 0 < outcome.kept <= 20
    assert len(outcome.plan or ()) == 39


def test_unsolvable_is_said_only_of_problems_without_a_plan() -> None:
    outcome = solve_guided(corridor(10, "(and (at c9) (fallen))"), STRIDE_AND_FALL)
    assert outcome.status is PlanStatus.UNSOLVABLE
    assert outcome.plan is None
    assert outcome.validation is None


def test_limits_are_statuses() -> None:
    for limits, status in (
        (Limits(seconds=0), PlanStatus.TIME_LIMIT),
        (Limits(megabytes=0), PlanStatus.MEMORY_LIMIT),
        (Limits(expansions=0), PlanStatus.EXPANSION_LIMIT),
        (Limits(expansions=3), PlanStatus.EXPANSION_LIMIT),
    ):
        outcome = solve_guided(SMALL, RESTLESS, limits=limits)
        assert outcome.status is status
        assert outcome.expansions <= 3


def test_the_expansion_limit_counts_all_searches_together() -> None:
    problem = corridor(3000, "(and (at c2999) (not (at c2998)))")
    outcome = solve_guided(
        problem, DecisionList("none", STRIDE_AND_FALL.rules[:1]), limits=Limits(expansions=1500)
    )
    assert outcome.solved or outcome.expansions == 1500


def test_a_problem_too_large_to_ground_is_a_status() -> None:
    domain = parse_domain("""
        (define (domain wide) (:predicates (p ?a ?b ?c ?d) (q))
          (:action a :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d)))""")
    objects = " ".join(f"o{i}" for i in range(200))
    problem = parse_problem(
        f"(define (problem p) (:domain wide) (:objects {objects}) (:init) (:goal (q)))", domain
    )
    outcome = solve_guided(problem, DecisionList("none", ()), limits=Limits(megabytes=30))
    assert outcome.status is PlanStatus.MEMORY_LIMIT
    outcome = solve_guided(problem, DecisionList("none", ()), limits=Limits(seconds=0.2))
    assert outcome.status is PlanStatus.TIME_LIMIT


def test_a_task_can_be_shared_and_the_plan_written(tmp_path: Path) -> None:
    task = Task(SMALL)
    for policy in (GOOD, RESTLESS):
        file = tmp_path / "plan"
        outcome = solve_guided(task, policy, plan_path=file)
        assert file.read_text() == "".join(f"{action}\n" for action in outcome.plan or ())


@settings(max_examples=40)
@given(scenarios())
def test_a_plan_or_an_honest_status(scenario: Scenario) -> None:
    problem, policy = scenario
    outcome = solve_guided(problem, policy, limits=Limits(expansions=3000))
    if outcome.plan is None:
        if outcome.status is PlanStatus.UNSOLVABLE:
            assert plan(problem, heuristic="blind").status == "unsolvable"
        else:
            assert outcome.status is PlanStatus.EXPANSION_LIMIT
        return
    assert validate(problem, outcome.plan).valid
    assert Translation(problem).accepts(outcome.plan)
    alone = execute(problem, policy)
    assert outcome.plan[: outcome.kept] == alone.plan[: outcome.kept]
    assert len(outcome.plan) == outcome.kept + len(outcome.from_policy) or alone.solved


# Deliberately broken: goes nowhere, has its rules the wrong way round, sails to and fro for ever.
BROKEN = {
    "never applies": DecisionList("never", ()),
    "upside down": DecisionList("reversed", tuple(reversed(GOOD.rules))),
    "restless": RESTLESS,
}


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("part", ["_POLICY_EFFORT", "_POLICY_MEMORY"])
def test_a_broken_policy_leaves_the_rest_to_a_search_without_it(
    broken: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When its part is used up, what follows is just what `plan` does."""
    alone = plan(SMALL, search="satisficing")
    monkeypatch.setattr(hybrid, part, 0.0)
    limits = Limits(expansions=alone.expansions, seconds=1e9, megabytes=1e6)
    outcome = solve_guided(SMALL, BROKEN[broken], limits=limits)
    assert outcome.plan == alone.plan
    assert outcome.expansions == alone.expansions


def test_no_time_goes_into_steps_that_nothing_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy that counts for ever does millions: they are not all made anew for the search."""
    domain = parse_domain("""
        (define (domain counting) (:predicates (done)) (:functions (ticks))
          (:action tick :effect (increase (ticks) 1))
          (:action finish :effect (done)))""")
    problem = parse_problem(
        "(define (problem p) (:domain counting) (:init (= (ticks) 0)) (:goal (done)))", domain
    )
    ticking = parse_policy("(define (policy t) (:rule t :action (tick)))", domain)
    monkeypatch.setattr(hybrid, "_POLICY_MEMORY", 0.0)
    outcome = solve_guided(problem, ticking, max_steps=10_000, limits=Limits(megabytes=1e6))
    assert outcome.execution.steps == 10_000
    assert [str(action) for action in outcome.plan or ()] == ["(finish)"]
    assert "plan" not in vars(outcome.execution)


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("seed", range(2))
def test_a_broken_policy_loses_no_plan(broken: str, seed: int) -> None:
    for problem in DOMAINS["ferry"].problems("test", seed=seed, count=3):
        assert plan(problem, search="satisficing").solved
        assert solve_guided(problem, BROKEN[broken], max_steps=1000).solved


@pytest.mark.parametrize("broken", BROKEN)
def test_four_fifths_of_the_expansions_are_for_the_search_alone(broken: str) -> None:
    for problem in DOMAINS["ferry"].problems("test", seed=0, count=3):
        alone = plan(problem, search="satisficing")
        most = math.ceil(alone.expansions / 0.8)
        outcome = solve_guided(
            problem, BROKEN[broken], max_steps=1000, limits=Limits(expansions=most)
        )
        assert outcome.solved
        assert outcome.expansions <= most


@settings(max_examples=40)
@given(scenarios(), st.integers(0, 30))
def test_four_fifths_are_for_the_search_alone_whatever_the_policy(
    scenario: Scenario, expansions: int
) -> None:
    """What `plan` solves with some expansions `solve_guided` solves with a quarter more."""
    problem, policy = scenario
    alone = plan(problem, search="satisficing", limits=Limits(expansions=expansions))
    limits = Limits(expansions=math.ceil(expansions / 0.8))
    outcome = solve_guided(problem, policy, max_steps=100, limits=limits)
    assert outcome.solved or not alone.solved
    assert limits.expansions is not None
    assert outcome.expansions <= limits.expansions
