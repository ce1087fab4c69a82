"""`(goal (not (p ?x)))`: in text and JSON, carried out, explained, exported and proved."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pg3 import execute, explain
from pg3.analysis.explain import read_policy_aloud
from pg3.analysis.prove.proving import Verdict, prove
from pg3.errors import PolicyError
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy import (
    canonical,
    check_policy,
    parse_policy,
    policy_from_json,
    policy_to_json,
    write_policy,
)
from pg3.semantics.task import Task
from tests.oracle import matching
from tests.support.night_watch import NIGHT_WATCH

LAMPS = parse_domain(
    """(define (domain lamps) (:requirements :typing :negative-preconditions) (:types lamp)
         (:predicates (lit ?l - lamp))
         (:action off :parameters (?l - lamp) :precondition (lit ?l) :effect (not (lit ?l)))
         (:action on :parameters (?l - lamp) :precondition (not (lit ?l)) :effect (lit ?l)))"""
)

TEXT = """(define (policy lamps)
  (:domain lamps)

  (:derived (glaring ?l - lamp) (and (lit ?l) (goal (not (lit ?l)))))

  (:rule off
    :parameters (?l - lamp)
    :preconditions (and (glaring ?l))
    :goals (and (goal (not (lit ?l))))
    :action (off ?l))

  (:rule on
    :parameters (?l - lamp)
    :preconditions (and (not (lit ?l)))
    :goals (and (lit ?l) (not (goal (not (lit ?l)))))
    :action (on ?l)))
"""
POLICY = parse_policy(TEXT, LAMPS)


def lamps(lit: str, on: str, off: str) -> Problem:
    """Lamps a to e, of which some are lit, some to be on and some to be off."""
    objects = [TypedObject(name, "lamp") for name in "abcde"]
    goal = [Literal(Atom("lit", (name,))) for name in on]
    goal += [Literal(Atom("lit", (name,)), False) for name in off]
    return Problem.of("p", LAMPS, objects, [Atom("lit", (name,)) for name in lit], goal)


def test_text_and_json() -> None:
    assert write_policy(POLICY, LAMPS) == TEXT
    text = policy_to_json(POLICY, LAMPS)
    assert '{"positive": true, "predicate": "(goal (not (lit $1)))", "terms": ["?l"]}' in text
    assert policy_from_json(text, LAMPS) == POLICY
    check_policy(canonical(POLICY), LAMPS)


@pytest.mark.parametrize("ground", [True, False])
def test_acts_on_what_must_be_false(ground: bool) -> None:
    problem = lamps("abc", "cd", "be")
    task = Task(problem)
    if ground:
        task.ground()
    found = execute(task, POLICY)
    assert found.solved
    assert list(map(str, found.plan or ())) == ["(off b)", "(on d)"]
    choice = matching.policy_action(problem, POLICY, task.initial_state)
    assert choice is not None
    assert str(choice.action) == "(off b)"


def test_what_is_wanted_true_and_false_is_both() -> None:
    found = execute(lamps("a", "a", "a"), POLICY, max_steps=5)
    assert list(map(str, found.plan or ())) == ["(off a)"]


def test_explained_in_words() -> None:
    told = str(explain(lamps("ab", "c", "b"), POLICY))
    assert "for the goal (not (lit b)), now reached" in told
    aloud = str(read_policy_aloud(POLICY, LAMPS))
    assert "the goal wants the lamp not to be lit" in aloud


def test_exported_to_python() -> None:
    from pg3 import export

    space: dict[str, Any] = {"__name__": "exported"}
    exec(export(POLICY, "python"), space)
    objects = dict.fromkeys("abcde", "lamp")
    state, unwanted = {("lit", "a"), ("lit", "b")}, {("lit", "b")}
    assert space["next_action"](state, set(), objects, unwanted) == ("off", ("b",))
    assert space["next_action"](state, set(), objects) is None
    assert space["run"](state, {("lit", "c")}, objects, unwanted).status == "solved"


def test_proved() -> None:
    problems = [lamps("abc", "cd", "be"), lamps("ade", "b", "ac"), lamps("", "e", "a")]
    assert prove(LAMPS, problems, POLICY).verdict == Verdict.PROVED
    swapped = parse_policy(
        TEXT.replace("(and (goal (not (lit ?l))))", "(and (not (goal (not (lit ?l)))))"), LAMPS
    )
    assert prove(LAMPS, problems, swapped).verdict != Verdict.PROVED


def test_a_domain_with_a_predicate_goal_does_without() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (p ?x) (goal ?x))
             (:action a :parameters (?x) :effect (not (p ?x))))"""
    )
    rule = "(:rule r :parameters (?x) :goals (goal (not (p ?x))) :action (a ?x))"
    with pytest.raises(PolicyError):
        parse_policy(f"(define (policy p) {rule})", domain)


def test_large_problems_agree_with_the_oracle() -> None:
    """The lifted execution, with its views, on problems where most goals are negative."""
    policy = parse_policy(
        """(define (policy p)
             (:rule darken :parameters (?r - room) :preconditions (and (at ?r) (lit ?r))
               :goals (goal (not (lit ?r))) :action (switch-off ?r))
             (:rule go :parameters (?to ?a ?b - room)
               :preconditions (and (at ?a) (lit ?to) (next linked ?a ?b ?to))
               :goals (and (goal (not (lit ?to))) (not (goal (not (locked _)))))
               :action (go ?a ?b)))""",
        NIGHT_WATCH,
    )
    generator = random.Random(4)
    names = [f"r{i}" for i in range(12)]
    init = [Atom("at", ("r0",)), *(Atom("lit", (name,)) for name in names)]
    for i in range(1, 12):
        other = generator.choice(names[:i])
        init += [Atom("linked", (names[i], other)), Atom("linked", (other, names[i]))]
    goal = [Literal(Atom("lit", (name,)), False) for name in names[::2]]
    objects = [TypedObject(name, "room") for name in names]
    problem = Problem.of("p", NIGHT_WATCH, objects, init, goal)
    found = execute(problem, policy)
    assert found.solved
    state = problem.initial_state
    task = Task(problem)
    for step in found.plan or ():
        choice = matching.policy_action(problem, policy, state)
        assert choice is not None
        assert choice.action == step
        state = task.successor(state, step)
