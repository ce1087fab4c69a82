"""Domains with axioms (`:derived`), worked out by hand, and against Fast Downward."""

from __future__ import annotations

from array import array
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from pg3 import Task, _native, plan
from pg3.pddl import parse_domain, parse_problem, write_domain, write_problem
from pg3.pddl.model import Literal
from pg3.pddl.plans import parse_plan
from pg3.planning import Limits
from pg3.policy import parse_policy
from pg3.semantics.validation import validate
from pg3.viewer.play_data import play_data
from tests.oracle import semantics
from tests.support.axiom_domains import TOWER
from tests.support.comparisons import assert_same_states
from tests.support.fast_downward import fast_downward
from tests.support.random_problems import Features, problems

if TYPE_CHECKING:
    from pg3.pddl.model import Problem


def test_blocks_with_axioms() -> None:
    task = Task(TOWER)
    above = {a.terms for a in task.derived_atoms(task.initial_state) if a.predicate == "above"}
    assert above == {("b", "a"), ("c", "b"), ("c", "a")}
    found = plan(TOWER, heuristic="max")
    assert found.plan is not None
    assert len(found.plan) == 8
    verdict = validate(TOWER, found.plan[:-2])
    assert verdict.missing_goals == (Literal(TOWER.goal[1]),)
    assert TOWER.domain.derived == {"above", "covered", "clear", "busy"}


# It reads no `either`, and no type below two others.
@settings(max_examples=5)
@given(problems(Features(axioms=True, either=False)))
def test_fast_downward_finds_plans_of_the_same_cost(problem: Problem) -> None:
    with TemporaryDirectory() as folder:
        text = fast_downward(
            write_domain(problem.domain),
            write_problem(problem),
            Path(folder),
            "astar(blind())",
        )
    found = plan(problem, heuristic="blind", use_costs=True)
    assert found.solved == (text is not None)
    if text is not None:
        verdict = validate(problem, parse_plan(text, problem))
        assert verdict.valid, verdict.message
        assert verdict.cost == found.cost


def test_fast_downward_builds_the_tower(tmp_path: Path) -> None:
    text = fast_downward(
        write_domain(TOWER.domain), write_problem(TOWER), tmp_path, "astar(blind())"
    )
    assert text is not None
    verdict = validate(TOWER, parse_plan(text, TOWER))
    assert (verdict.valid, verdict.cost) == (True, 8)


def test_conditions_that_become_the_same_count_once() -> None:
    """With one thing for both variables, an axiom has one condition, of cost 1."""
    domain = parse_domain("""(define (domain lamps)
      (:predicates (on ?x) (dark))
      (:derived (dark) (exists (?x ?y) (and (not (on ?x)) (not (on ?y)))))
      (:action off :parameters (?x) :precondition (on ?x) :effect (not (on ?x))))""")
    problem = parse_problem(
        "(define (problem p) (:domain lamps) (:objects a) (:init (on a)) (:goal (dark)))", domain
    )
    state = semantics.initial_state(problem)
    assert Task(problem).h_add(state) == 1
    assert_same_states(Task(problem), [state])


@pytest.mark.parametrize("cut", [0, 1])
def test_a_plan_that_needs_what_is_derived_fails_without_it(cut: int) -> None:
    found = plan(TOWER)
    assert found.plan is not None
    verdict = validate(TOWER, found.plan[cut + 1 :])
    assert not verdict.valid
    assert verdict.failed_step == 1


def _numbers(*values: int) -> bytes:
    return array("i", values).tobytes()


# Two predicates of one place each, "p" and the derived "q"; one action that makes p true.
_HAS = [(0, True, 0, [0])]
_ACTION: _native.ActionCode = ([[0]], [], [(0, True, 0, [0])], 1, -1, [], [])


@pytest.mark.parametrize(
    ("axioms", "changes", "init", "fault"),
    [
        ([[(1, [[0]], _HAS)]], _ACTION, [0, 0], ""),
        ([[(2, [[0]], _HAS)]], _ACTION, [0, 0], "predicate out of range"),
        ([[]], _ACTION, [0, 0], "group without axioms"),
        ([[(1, [], _HAS)]], _ACTION, [0, 0], "too few parameters"),
        ([[(1, [[1]], _HAS)]], _ACTION, [0, 0], "type out of range"),
        ([[(1, [[0]], [(1, True, 0, [0])])]], _ACTION, [0, 0], "goal condition"),
        ([[(1, [[0]], [(0, False, 1, [0])])]], _ACTION, [0, 0], "not stratified"),
        ([[(1, [[0]], _HAS)], [(1, [[0]], _HAS)]], _ACTION, [0, 0], "derived twice"),
        ([[(0, [[0]], [])], [(1, [[0]], [])]], _ACTION, [], "effect on a derived"),
        ([[(1, [[0]], [(0, True, 1, [0])])]], _ACTION, [1, 0], "in the initial state"),
    ],
)
def test_the_kernel_checks_axioms(
    axioms: list[list[_native.AxiomCode]],
    changes: _native.ActionCode,
    init: list[int],
    fault: str,
) -> None:
    def make() -> _native.Task:
        return _native.Task(
            1, _numbers(0), [1, 1], [changes], _numbers(*init), b"", b"", [], axioms
        )

    if not fault:
        with pytest.raises(ValueError, match="axioms"):
            _native.check_plan(make(), b"")  # is for the validator in Python
        return
    with pytest.raises(ValueError, match=fault):
        make()


def test_pages_show_what_is_derived() -> None:
    policy = parse_policy(
        """(define (policy p)
      (:rule stack :parameters (?x ?y) :preconditions (and (holding ?x) (clear ?y)
       (not (above ?x ?y))) :goals (above ?x ?y) :action (stack ?x ?y))
      (:rule put-down :parameters (?x) :preconditions (holding ?x) :action (put-down ?x))
      (:rule fetch :parameters (?x ?y) :preconditions (and (ontable ?x) (clear ?x) (clear ?y)
       (not (above ?x ?y))) :goals (above ?x ?y) :action (pick-up ?x))
      (:rule dig :parameters (?x ?y ?z ?w) :preconditions (and (on ?x ?y) (clear ?x)
       (not (above ?w ?z))) :goals (above ?w ?z) :action (unstack ?x ?y)))""",
        TOWER.domain,
    )
    page = play_data(TOWER, policy, limits=Limits())
    assert page["status"] == "solved"
    shown = set(page["init"])
    for step in page["steps"]:
        shown = (shown - set(step["del"])) | set(step["add"])
    assert set(page["goal"]) <= shown
    assert not set(page["unwanted"]) & shown
