"""Queries that take for ever and problems whose grounding explodes end with a status."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from pg3.pddl import parse_domain, parse_problem
from pg3.planning import Limits, execute, plan, plan_guided, policy_action
from pg3.policy import parse_policy, policy_from_json, policy_to_json, write_policy
from pg3.semantics.task import Task
from tests.conftest import REPOSITORY
from tests.pddl.test_hostile_input import DOMAIN, declarations, refused
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Problem
    from pg3.policy.model import DecisionList


# -- policies --------------------------------------------------------------------------------------


def chain_policy(parameters: int, last: str) -> DecisionList:
    """A rule with many parameters, each tied to the next, and a last condition."""
    names = [f"?x{i}" for i in range(parameters)]
    ties = " ".join(f"(not-eq {a} {b})" for a, b in itertools.pairwise(names))
    return parse_policy(
        f"""(define (policy chain) (:rule r :parameters ({" ".join(names)})
          :preconditions (and {ties} {last}) :action (sail {names[0]} {names[1]})))""",
        DOMAIN,
    )


def clique(places: int) -> Problem:
    names = [f"l{i}" for i in range(places)]
    pairs = " ".join(f"(not-eq {a} {b})" for a in names for b in names if a != b)
    located = " ".join(f"(location {name})" for name in names)
    return parse_problem(
        f"""(define (problem p) (:domain ferry) (:objects {" ".join(names)} c)
          (:init (car c) (at c l0) (empty-ferry) (at-ferry l0) {pairs} {located})
          (:goal (at c l1)))""",
        DOMAIN,
    )


def test_a_policy_with_two_hundred_parameters() -> None:
    policy = chain_policy(200, "(at-ferry ?x0)")
    assert parse_policy(write_policy(policy), DOMAIN) == policy
    assert policy_from_json(policy_to_json(policy), DOMAIN) == policy
    problem = clique(6)
    limits = Limits(seconds=PATIENCE)
    assert execute(problem, policy, max_steps=5, limits=limits).status in ("cycle", "horizon")
    assert plan_guided(problem, policy, limits=limits).solved
    step = policy_action(problem, policy, Task(problem).initial_state)
    assert step is not None
    assert len(step.objects) == 200


def test_a_policy_with_too_many_parameters_is_refused() -> None:
    names = " ".join(f"?x{i}" for i in range(1001))
    text = f"(define (policy p) (:rule r :parameters ({names}) :action (sail ?x0 ?x1)))"
    assert "more than 1000 parameters" in refused("policy", text.encode()).message


def exponential_policy() -> DecisionList:
    """A rule that asks for a clique one larger than there is: no join order helps."""
    names = [f"?x{i}" for i in range(13)]
    different = " ".join(f"(not-eq {a} {b})" for i, a in enumerate(names) for b in names[:i])
    return parse_policy(
        f"""(define (policy clique) (:rule r :parameters ({" ".join(names)})
          :preconditions (and {different}) :action (sail ?x0 ?x1)))""",
        DOMAIN,
    )


def test_a_query_that_takes_for_ever_ends_with_the_time_limit() -> None:
    policy, problem = exponential_policy(), clique(12)
    assert execute(problem, policy, limits=Limits(seconds=0.5)).status == "time limit"
    assert plan_guided(problem, policy, limits=Limits(seconds=0.5)).status == "time limit"


def test_such_a_query_ends_in_a_batch_too() -> None:
    from pg3 import _native

    task = Task(clique(12))
    rules = list(task.rule_numbers(exponential_policy()))
    batch = _native.TrainingSet([task.space, Task(clique(12), task.rules).space], 2)
    for score in (
        lambda: batch.guided([rules], 50, 1000, 0.3),
        lambda: batch.executed([rules], 100, 0.3),
        lambda: batch.identified([rules], [[0], [0]], 0.3),
    ):
        assert score()[0] == "time limit"


def test_a_query_can_be_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends it also where there is no limit."""
    script = tmp_path / "ask.py"
    script.write_text(
        "import signal\n"
        "from tests.planning.test_hostile_work import *\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "problem = clique(12)\n"
        "policy = exponential_policy()\n"
        "task = Task(problem)\n"
        "task.ground()\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "policy_action(task, policy, task.initial_state)\n"
    )
    ended = subprocess.run(
        [sys.executable, script],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert b"KeyboardInterrupt" in ended.stderr


# -- problems whose grounding explodes -------------------------------------------------------------


def test_grounding_that_explodes_is_a_status() -> None:
    domain = parse_domain("""
        (define (domain wide) (:predicates (p ?a ?b ?c ?d ?e) (q))
          (:action a :parameters (?a ?b ?c ?d ?e) :effect (p ?a ?b ?c ?d ?e)))""")
    objects = declarations(1000, "o{}")
    problem = parse_problem(
        b"(define (problem p) (:domain wide) (:objects " + objects + b") (:init) (:goal (q)))",
        domain,
    )
    assert plan(problem, limits=Limits(megabytes=50)).status == "memory limit"
    assert plan(problem, limits=Limits(seconds=0.3)).status == "time limit"


def test_one_wide_atom_keeps_to_the_memory_limit() -> None:
    """The index of a predicate has a list for each place and object, whatever holds."""
    places = declarations(1000, "?x{}")
    domain = parse_domain(
        b"(define (domain wide) (:predicates (p " + places + b") (q))"
        b"(:action a :parameters () :precondition (q) :effect (not (q))))"
    )
    problem = parse_problem(
        b"(define (problem p) (:domain wide) (:objects "
        + declarations(20_000, "o{}")
        + b") (:init (q) (p"
        + b" o1" * 1000
        + b")) (:goal (not (q))))",
        domain,
    )
    assert plan(problem, limits=Limits(megabytes=100)).status == "memory limit"
    assert execute(problem, parse_policy("(define (policy e))", domain)).status == "not applicable"


def test_an_action_with_thousands_of_preconditions() -> None:
    constants = declarations(30, "k{}")
    needs = b" ".join(b"(p k%d k%d k%d)" % (i % 30, i // 30 % 30, i // 900) for i in range(5000))
    domain = parse_domain(
        b"(define (domain long) (:constants " + constants + b") (:predicates (p ?x ?y ?z) (q))"
        b"(:action a :parameters () :precondition (and " + needs + b") :effect (q)))"
    )
    problem = parse_problem(
        b"(define (problem p) (:domain long) (:init " + needs + b") (:goal (q)))", domain
    )
    # A recursion for each precondition would need more than this thread's stack.
    before = threading.stack_size(128 * 1024)
    try:
        outcome: list[object] = []
        thread = threading.Thread(
            target=lambda: outcome.append(plan(problem, limits=Limits(seconds=2)).status)
        )
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert outcome in (["solved"], ["time limit"])
