"""Broken policies are found out, with a smallest problem each; correct ones survive."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

import pg3
from pg3.analysis.challenge import (
    Case,
    Kind,
    Trial,
    find_counterexample,
    generated_cases,
    given_cases,
    shrink,
)
from pg3.domains import DOMAINS
from pg3.domains.chance import Chance
from pg3.learning.robustness.perturbations.permutations import permuted
from pg3.pddl import Problem, parse_problem, write_problem
from pg3.planning import ExecutionStatus
from tests.conftest import REPOSITORY

HERE = Path(__file__).parent

# For each broken policy: how it fails, and the objects, facts and goals of a smallest problem.
BROKEN = {
    "delivery-enters-traps": ("not applicable", (4, 4, 1)),
    "ferry-boards-anything": ("cycle", (5, 12, 2)),
    "forest-never-climbs": ("not applicable", (5, 5, 1)),
    "gripper-picks-anything": ("cycle", (6, 11, 2)),
    "miconic-only-up": ("not applicable", (3, 4, 1)),
    "spanner-takes-one": ("not applicable", (8, 11, 2)),
}
# Domains with the policies of `examples/policies/moose` for them.
MOOSE = {
    "ferry-typed": "ferry",
    "logistics": "logistics",
    "miconic-once": "miconic",
    "rovers": "rovers",
    "satellite": "satellite",
    "transport": "transport",
}
PAPER = ("delivery", "forest", "gripper", "miconic", "ferry", "spanner")


def broken(name: str) -> Trial:
    domain = DOMAINS[name.split("-", maxsplit=1)[0]].domain
    return Trial(pg3.read_policy(HERE / f"{name}.policy", domain))


def correct(name: str) -> Trial:
    path = REPOSITORY / "examples" / "policies" / f"{name}.policy"
    return Trial(pg3.read_policy(path, DOMAINS[name].domain))


def sizes(problem: Problem) -> tuple[int, int, int]:
    return len(problem.objects), len(problem.init), len(problem.goal_literals)


def is_failed(problem: Problem, trial: Trial, status: str) -> bool:
    return pg3.execute(problem, trial.policy).status == status and pg3.plan(problem).solved


def smaller_by_one(problem: Problem) -> list[Problem]:
    """The problem without one object, one fact or one goal, in every way."""
    found = []
    for gone in problem.objects:
        left = [a for a in problem.init if gone.name not in a.terms]
        open_ = [g for g in problem.goal_literals if gone.name not in g.atom.terms]
        objects = [o for o in problem.objects if o != gone]
        values = {a: n for a, n in problem.function_values.items() if gone.name not in a.terms}
        smaller = problem.replace(objects=objects, init=left, goal=open_, function_values=values)
        found.append(smaller)
    facts, goals = list(problem.init), problem.goal_literals
    found += [problem.replace(init=facts[:i] + facts[i + 1 :]) for i in range(len(facts))]
    found += [problem.replace(goal=goals[:i] + goals[i + 1 :]) for i in range(len(goals))]
    return found


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_policy_is_found_out_with_a_smallest_problem(name: str) -> None:
    status, size = BROKEN[name]
    source, trial = DOMAINS[name.split("-", maxsplit=1)[0]], broken(name)
    first, again = (
        find_counterexample(
            generated_cases(source, trial, seed=0, walks=False), trial, problems=300
        ).counterexample
        for _ in range(2)
    )
    assert first is not None
    assert first == again
    problem = parse_problem(write_problem(first.problem), source.domain)
    assert sizes(problem) == size
    assert first.minimal
    assert first.outcome.status == first.failure.status == status
    assert is_failed(problem, trial, status)
    assert pg3.validate(problem, first.plan).valid
    for smaller in smaller_by_one(problem):
        # Another sort of failure is another counterexample, not a smaller one.
        outcome = trial.failure(trial.execute(smaller))
        same = outcome is not None and outcome.is_like(first.outcome)
        assert not (same and pg3.plan(smaller).solved), write_problem(smaller)


@pytest.mark.parametrize("name", BROKEN)
def test_a_counterexample_is_found_among_variations_of_given_problems(name: str) -> None:
    source, trial = DOMAINS[name.split("-", maxsplit=1)[0]], broken(name)
    problems = source.problems("train", seed=1, count=4)
    search = find_counterexample(given_cases(problems, trial, seed=0), trial, problems=100)
    assert search.counterexample is not None
    assert search.counterexample.found.origin in {problem.name for problem in problems}


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.thorough
def test_correct_policies_survive(name: str, seed: int) -> None:
    trial = correct(name)
    cases = generated_cases(DOMAINS[name], trial, seed=seed, walks=False)
    search = find_counterexample(cases, trial, problems=200)
    assert search == (None, 200, 0)


@pytest.mark.parametrize("name", ["delivery", "miconic", "ferry"])
def test_some_survive_from_wherever_actions_lead_to(name: str) -> None:
    trial = correct(name)
    search = find_counterexample(generated_cases(DOMAINS[name], trial, seed=0), trial, problems=150)
    assert search.counterexample is None


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "file"), MOOSE.items())
def test_policies_for_the_domains_of_moose_survive(name: str, file: str) -> None:
    path = REPOSITORY / "examples" / "policies" / "moose" / f"{file}.policy"
    trial = Trial(pg3.read_policy(path, DOMAINS[name].domain))
    search = find_counterexample(generated_cases(DOMAINS[name], trial, seed=0), trial, problems=150)
    assert search == (None, 150, 0)
    for problem in DOMAINS[name].problems("test", seed=1, count=5):
        assert pg3.execute(problem, trial.policy, max_steps=DOMAINS[name].horizon).solved


def test_a_policy_can_be_right_from_the_start_only() -> None:
    # Who leaves the trail never comes back to it.
    trial = correct("forest")
    search = find_counterexample(
        generated_cases(DOMAINS["forest"], trial, seed=0), trial, problems=150
    )
    assert search.counterexample is not None
    assert search.counterexample.found.kind in (Kind.WALKED, Kind.ON_THE_WAY)


def test_what_cannot_be_solved_is_no_counterexample() -> None:
    domain = DOMAINS["ferry"].domain
    text = """(define (problem p) (:domain ferry) (:objects a b c)
      (:init (location a) (location b) (car c) (at c a) (at-ferry b) (empty-ferry))
      (:goal (at c b)))"""
    trial = correct("ferry")
    problem = parse_problem(text, domain)
    assert pg3.execute(problem, trial.policy).status == "not applicable"
    search = find_counterexample(iter([Case(problem, "p", Kind.AS_IT_IS)]), trial)
    assert search == (None, 1, 0)


def test_what_nobody_knows_to_be_solvable_is_no_counterexample() -> None:
    trial = Trial(broken("spanner-takes-one").policy, expansions=1)
    (problem,) = DOMAINS["spanner"].problems("test", seed=0, count=1)
    search = find_counterexample(iter([Case(problem, "p", Kind.AS_IT_IS)]), trial)
    assert search == (None, 1, 1)


def test_a_horizon_counts_only_if_one_is_set() -> None:
    (problem,) = DOMAINS["ferry"].problems("train", seed=0, count=1)
    policy = correct("ferry").policy
    strict = Trial(policy, max_steps=3)
    failure = strict.failure(strict.execute(problem))
    assert failure is not None
    assert failure.status is ExecutionStatus.HORIZON
    assert Trial(policy).failure(pg3.execute(problem, policy, max_steps=3)) is None


def test_shrinking_ends_after_its_tries() -> None:
    trial = broken("miconic-only-up")
    (problem,) = DOMAINS["miconic"].problems("test", seed=0, count=1)
    failure = trial.failure(trial.execute(problem))
    assert failure is not None
    shrunk = shrink(problem, trial, failure, tries=3)
    assert (shrunk.tries, shrunk.minimal) == (3, False)
    assert is_failed(shrunk.problem, trial, failure.status)
    assert shrink(problem, trial, failure).minimal


def test_time_is_a_budget_too() -> None:
    trial = correct("ferry")
    cases = generated_cases(DOMAINS["ferry"], trial, seed=0)
    assert find_counterexample(cases, trial, seconds=0) == (None, 0, 0)


@pytest.mark.parametrize("name", PAPER)
def test_generated_cases_grow_up_to_the_test_split(name: str) -> None:
    cases = generated_cases(DOMAINS[name], correct(name), seed=3, walks=False)
    numbers = [len(case.problem.objects) for case in islice(cases, 140)]
    largest = max(len(p.objects) for p in DOMAINS[name].problems("test", seed=3))
    assert max(numbers[:20]) < max(numbers[-20:])
    assert max(numbers) > 0.6 * largest


def test_a_permuted_problem_is_the_same_problem() -> None:
    for name in PAPER:
        (problem,) = DOMAINS[name].problems("train", seed=5, count=1)
        other = permuted(problem, Chance("one"))
        assert other == permuted(problem, Chance("one"))
        assert set(other.objects) == set(problem.objects)
        assert other.objects != problem.objects
        assert Counter(a.predicate for a in other.init) == Counter(
            a.predicate for a in problem.init
        )
        assert len(set(other.goal) & set(other.init)) == len(set(problem.goal) & set(problem.init))
        limits = pg3.Limits(expansions=20_000)
        lengths = {pg3.plan(one, heuristic="max", limits=limits).cost for one in (problem, other)}
        assert len(lengths - {None}) <= 1
        if name == "ferry":  # no types: what is said of an object alone keeps names apart
            assert {a for a in other.init if a.predicate == "car"} == {
                a for a in problem.init if a.predicate == "car"
            }
