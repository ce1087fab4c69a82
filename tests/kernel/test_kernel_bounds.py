"""The kernel at its bounds: large costs, empty types, wide states, numbers out of range."""

from __future__ import annotations

import pytest

from pg3 import _native
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import Limits, PlanStatus, plan
from pg3.semantics.task import Task

LARGEST_COST = 2**31 - 1


@pytest.mark.parametrize("first", [0, 5, 10**9, LARGEST_COST])
@pytest.mark.parametrize("second", [0, 10**9, LARGEST_COST])
def test_any_cost_that_the_reader_accepts_can_be_searched_with(first: int, second: int) -> None:
    domain = parse_domain(f"""
        (define (domain costly) (:requirements :action-costs)
          (:predicates (half) (done)) (:functions (total-cost))
          (:action one :parameters () :effect (and (half) (increase (total-cost) {first})))
          (:action two :parameters () :precondition (half)
            :effect (and (done) (increase (total-cost) {second}))))""")
    problem = parse_problem("(define (problem p) (:domain costly) (:init) (:goal (done)))", domain)
    for heuristic in ("add", "max", "blind"):
        outcome = plan(problem, use_costs=True, heuristic=heuristic)
        assert outcome.solved
        assert outcome.cost == first + second


def test_an_action_over_an_empty_type_is_given_up_at_once() -> None:
    domain = parse_domain("""
        (define (domain sparse) (:types thing ghost) (:predicates (seen ?g - ghost))
          (:action look :parameters (?a ?b ?c ?d ?e ?f - thing ?g - ghost) :effect (seen ?g)))""")
    things = " ".join(f"t{i}" for i in range(1000))
    problem = parse_problem(
        f"(define (problem p) (:domain sparse) (:objects {things} - thing) (:init) (:goal (and)))",
        domain,
    )
    assert plan(problem).status is PlanStatus.SOLVED


def wide_problem(width: int) -> Task:
    domain = parse_domain("""
        (define (domain wide) (:predicates (touched ?a ?b) (end))
          (:action touch :parameters (?a ?b) :precondition (not (touched ?a ?b))
            :effect (touched ?a ?b))
          (:action stop :parameters () :precondition (end) :effect (not (end))))""")
    objects = " ".join(f"o{i}" for i in range(width))
    goal = " ".join(f"(touched o{i} o{j})" for i in range(width) for j in range(width))
    return Task(
        parse_problem(
            f"(define (problem p) (:domain wide) (:objects {objects}) (:init)"
            f" (:goal (and {goal})))",
            domain,
        )
    )


def test_one_wide_state_keeps_to_the_memory_limit() -> None:
    task = wide_problem(120)
    outcome = plan(task, limits=Limits(megabytes=20))
    assert outcome.status is PlanStatus.MEMORY_LIMIT
    assert outcome.expansions <= 1
    assert task.ground() is None
    assert task.space.bytes() < 40 * 2**20


def test_no_time_is_no_step() -> None:
    outcome = plan(wide_problem(20), limits=Limits(seconds=0))
    assert outcome.status is PlanStatus.TIME_LIMIT
    assert outcome.expansions == 0


def test_numbers_out_of_range_are_refused() -> None:
    space = wide_problem(2).space
    for rule in (-1, 0, 10**6):
        with pytest.raises(ValueError, match="no such rule"):
            space.policy_action([rule], space.initial)
    for state in (-1, 10**6):
        with pytest.raises(IndexError):
            space.successors(state)
    with pytest.raises(IndexError):
        space.action(10**6)
    tokens = _native.Tokens(b"(a)")
    for question in (tokens.word, tokens.begin, tokens.end, tokens.closing):
        with pytest.raises(IndexError):
            question(3)


def test_a_task_with_wrong_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="malformed task"):
        _native.Task(1, b"\x05\0\0\0", [], [], b"", b"", b"", [])
    with pytest.raises(ValueError, match="malformed task"):
        _native.Task(1, b"\0\0\0\0", [1], [], b"\0\0\0\0\x07\0\0\0", b"", b"", [])
