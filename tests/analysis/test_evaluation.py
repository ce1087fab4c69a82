"""A policy on many files: one line each, in order, whatever the number of jobs."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from pg3.analysis.evaluation import EvaluationLine, evaluate_policy
from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.pddl import Domain, read_domain, write_problem
from pg3.planning import Limits
from pg3.policy import DecisionList, read_policy

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "examples" / "ferry" / "small.pddl"


@pytest.fixture(scope="module")
def domain() -> Domain:
    return read_domain(ROOT / "examples" / "ferry" / "domain.pddl")


@pytest.fixture(scope="module")
def policy(domain: Domain) -> DecisionList:
    return read_policy(ROOT / "examples" / "policies" / "ferry.policy", domain)


def test_json_line() -> None:
    line = EvaluationLine("p", "solved", 3, 0.5, 0.25, 7)
    assert json.loads(line.to_json()) == {
        "path": "p",
        "status": "solved",
        "steps": 3,
        "seconds": 0.5,
        "load_seconds": 0.25,
        "objects": 7,
    }
    assert line.solved
    failed = EvaluationLine("p", "cycle", 3, 0.5, 0.25, 7, "here\nagain")
    assert json.loads(failed.to_json())["reason"] == "here\nagain"
    assert "\n" not in failed.to_json()
    assert not failed.solved


def test_lines_come_in_order_and_one_at_a_time(domain: Domain, policy: DecisionList) -> None:
    lines = evaluate_policy(domain, [SMALL, "nowhere.pddl", SMALL], policy)
    first = next(lines)
    assert (first.path, first.status, first.objects) == (str(SMALL), "solved", 6)
    second = next(lines)
    assert (second.status, second.reason) == ("error", "nowhere.pddl: no such file")
    assert next(lines).steps == first.steps
    assert list(lines) == []


def test_stopping_early(domain: Domain, policy: DecisionList) -> None:
    lines = evaluate_policy(domain, [SMALL] * 1000, policy, jobs=2)
    assert next(lines).solved
    lines.close()  # type: ignore[attr-defined]  # it is a generator; nothing may hang here


def test_limits_and_horizon(domain: Domain, policy: DecisionList) -> None:
    (line,) = evaluate_policy(domain, [SMALL], policy, max_steps=3)
    assert (line.status, line.steps) == ("horizon", 3)
    assert line.reason
    (line,) = evaluate_policy(domain, [SMALL], policy, limits=Limits(megabytes=0))
    assert line.status == "memory limit"
    assert line.reason


def test_no_problems(domain: Domain, policy: DecisionList) -> None:
    assert list(evaluate_policy(domain, [], policy, jobs=3)) == []


@pytest.mark.parametrize("name", PAPER_DOMAINS)
@pytest.mark.thorough
def test_the_hand_written_policies_solve_problems_of_the_papers_domains(
    name: str, tmp_path: Path
) -> None:
    source = DOMAINS[name]
    domain = source.domain
    policy = read_policy(ROOT / "examples" / "policies" / f"{name}.policy", domain)
    paths = []
    for split, seed in product(("train", "test"), range(5)):
        for problem in source.problems(split, seed=seed):
            paths.append(tmp_path / f"{problem.name}.pddl")
            paths[-1].write_text(write_problem(problem))
    assert len(paths) > 150
    failed = [line for line in evaluate_policy(domain, paths, policy, jobs=2) if not line.solved]
    assert failed == []
