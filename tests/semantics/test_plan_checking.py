"""The kernel's plan checker against the slow, obvious one: the same verdict, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.errors import PlanError
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.plans import GroundAction, format_plan
from pg3.planning import execute
from pg3.policy import parse_policy
from pg3.semantics.task import Task
from pg3.semantics.validation import validate, validate_file
from tests.support.comparisons import assert_same_verdict

if TYPE_CHECKING:
    from pathlib import Path

DOMAIN = parse_domain("""
    (define (domain hop) (:types place rock - object)
      (:predicates (at ?p - place) (road ?a ?b - place) (wet ?p - place))
      (:action hop :parameters (?a ?b - place)
        :precondition (and (at ?a) (road ?a ?b) (not (wet ?b)) (not (= ?a ?b)))
        :effect (and (not (at ?a)) (at ?b))))""")
PROBLEM = parse_problem(
    """(define (problem p) (:domain hop) (:objects a b c - place r - rock)
         (:init (at a) (road a b) (road b c) (road b a) (wet a))
         (:goal (and (at c) (not (at a)))))""",
    DOMAIN,
)


@pytest.mark.parametrize(
    "steps",
    ["", "ab", "ab bc", "ab ba", "ac", "ab bc cc", "aa", "bc", "ab bc cb"],
)
def test_it_says_what_the_slow_one_says(steps: str) -> None:
    actions = [GroundAction("hop", tuple(step)) for step in steps.split()]
    assert_same_verdict(Task(PROBLEM), actions)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "p.plan"
    task = Task(PROBLEM)
    good = [GroundAction("hop", ("a", "b")), GroundAction("hop", ("b", "c"))]
    path.write_text(format_plan(good))
    assert validate_file(task, path) == validate(PROBLEM, good)
    path.write_text("0.1: (HOP a b) [1]\n0.2: (hop b c)\n")
    assert validate_file(task, path).valid
    path.write_text("(hop a r)")
    with pytest.raises(PlanError, match="'r' is of type rock"):
        validate_file(task, path)
    path.write_text("(hop a)")
    with pytest.raises(PlanError, match="takes 2 arguments"):
        validate_file(task, path)


def test_a_plan_is_written_while_it_grows(tmp_path: Path) -> None:
    policy = parse_policy(
        "(define (policy p) (:rule go :parameters (?b ?a - place)"
        " :preconditions (and (at ?a) (road ?a ?b) (not (wet ?b))) :action (hop ?a ?b)))",
        DOMAIN,
    )
    path = tmp_path / "grown.plan"
    execution = execute(PROBLEM, policy, plan_path=path)
    assert execution.solved
    assert path.read_text() == "(hop a b)\n(hop b c)\n"
    assert execution.check() == validate(PROBLEM, execution.plan)
    with pytest.raises(OSError, match="No such file"):
        execute(PROBLEM, policy, plan_path=tmp_path / "missing" / "p.plan")
