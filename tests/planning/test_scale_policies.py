"""The example policies and the scale benchmark: everything is solved, and every step validated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks.scale.built_in import DERIVED_CASES, LEARNED_CASES
from benchmarks.scale.cases import CASES, EFFECT_CASES, MOOSE_CASES, Case
from benchmarks.scale.plot import write_plot
from benchmarks.scale.rivals import carry_out

from pg3 import execute, read_policy, validate
from pg3.domains import DOMAINS
from pg3.pddl import parse_domain, parse_problem

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Domain, Problem
    from pg3.policy import DecisionList

ALL_CASES = [pytest.param(case, id=name) for name, case in CASES.items()]
ALL_CASES += [pytest.param(case, id=name) for name, case in EFFECT_CASES.items()]
ALL_CASES += [pytest.param(case, id=f"moose-{name}") for name, case in MOOSE_CASES.items()]


def _load(case: Case, objects: int) -> tuple[Problem, DecisionList]:
    domain = parse_domain(case.domain)
    return parse_problem(case.problem(objects, 1), domain), read_policy(case.policy, domain)


def _solves(problem: Problem, policy: DecisionList) -> None:
    execution = execute(problem, policy)
    assert execution.solved, f"{problem.name}: {execution.reason}"
    verdict = validate(problem, execution.plan)
    assert verdict.valid, f"{problem.name}: {verdict.message}"


@pytest.mark.parametrize("case", ALL_CASES)
def test_solves_a_thousand_objects(case: Case) -> None:
    problem, policy = _load(case, 1_000)
    assert 1_000 <= len(problem.objects) <= 1_024
    _solves(problem, policy)


@pytest.mark.parametrize("name", [*LEARNED_CASES, *DERIVED_CASES])
def test_learned_policies_solve_hundreds_of_objects(name: str) -> None:
    case, _ = (LEARNED_CASES | DERIVED_CASES)[name]
    problem, policy = _load(case, 400)
    assert 300 <= len(problem.objects) <= 410
    _solves(problem, policy)


@pytest.mark.parametrize("case", ALL_CASES)
def test_problems_are_the_same_every_time(case: Case) -> None:
    assert case.problem(1_000, 1) == case.problem(1_000, 1)
    assert case.domain and case.policy.is_file()


def _signatures(domain: Domain) -> tuple[object, object]:
    predicates = {p.name: [q.types for q in p.parameters] for p in domain.predicates}
    actions = {a.name: [p.types for p in a.parameters] for a in domain.actions}
    return predicates, actions


# Where a domain of MOOSE's is not called like ours.
TWINS = {"ferry": "ferry-typed", "miconic": "miconic-once"}


def test_domains_have_the_signatures_of_the_built_in_ones() -> None:
    cases = {name: case for name, case in CASES.items() if name != "ferry"}
    cases |= {TWINS.get(name, name): case for name, case in MOOSE_CASES.items()}
    for name, case in cases.items():
        assert _signatures(parse_domain(case.domain)) == _signatures(DOMAINS[name].domain), name


@pytest.mark.parametrize("name", ["ferry", "gripper", "spanner", "delivery", "forest"])
def test_pymimir_carries_out_the_same_policy(name: str, tmp_path: Path) -> None:
    problem, policy = _load(CASES[name], 36)
    run = carry_out(problem, policy, tmp_path, steps=1_000)
    assert run.solved
    assert 0 < len(run.seconds) < 1_000


def test_plot_is_an_svg_with_a_line_for_each_domain(tmp_path: Path) -> None:
    path = tmp_path / "images" / "growth.svg"
    ours = {"ferry": [(1_000, 0.5), (100_000, 0.9)], "gripper": [(1_000, 0.6), (100_000, 1.1)]}
    write_plot(path, ours, {"ferry": [(1_000, 1000.0), (10_000, 100_000.0)]})
    text = path.read_text()
    assert text.startswith("<svg") and text.endswith("</svg>\n")
    assert text.count("<polyline") == 3
    assert text.count("stroke-dasharray") == 1
