"""Negative goals: learned as positive ones of opposites, told in the user's words."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pg3 import execute, learn, validate
from pg3.learning.complements import Complements
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy import check_policy, parse_policy, policy_from_json, policy_to_json, write_policy
from pg3.semantics.task import Task
from tests.oracle import semantics
from tests.support.night_watch import NIGHT_WATCH, night_watch
from tests.support.random_problems import (
    AXIOMS,
    CONDITIONAL,
    CONDITIONAL_AND_AXIOMS,
    DERIVED,
    PAPER,
    action_sequences,
    ground_atoms,
    policies,
    problems,
)

if TYPE_CHECKING:
    from pg3.learning.config import Preset

LANGUAGES = (PAPER, AXIOMS, CONDITIONAL, CONDITIONAL_AND_AXIOMS)


def test_learned_from_small_problems() -> None:
    generator = random.Random(0)
    training = [night_watch(rooms, generator) for rooms in (3, 3, 4, 4, 5, 5)]
    result = learn(NIGHT_WATCH, training)
    assert result.status == "passed", result
    text = write_policy(result.policy, NIGHT_WATCH)
    assert "(goal (not (lit ?r)))" in text
    assert "(goal (not (locked ?r)))" in text
    assert "not-lit" not in text
    assert parse_policy(text, NIGHT_WATCH) == result.policy
    assert policy_from_json(policy_to_json(result.policy), NIGHT_WATCH) == result.policy
    for rooms in (25, 50):
        problem = night_watch(rooms, generator)
        found = execute(problem, result.policy)
        assert found.solved, found.reason
        assert found.plan is not None
        assert validate(problem, found.plan).valid


def test_learned_from_a_start_that_asks_for_negative_goals() -> None:
    start = parse_policy(
        """(define (policy mine)
             (:rule darken :parameters (?r - room) :preconditions (and (at ?r) (lit ?r))
               :goals (goal (not (lit ?r))) :action (switch-off ?r)))""",
        NIGHT_WATCH,
    )
    generator = random.Random(1)
    training = [night_watch(rooms, generator) for rooms in (3, 3, 4, 4)]
    result = learn(NIGHT_WATCH, training, start=start, keep=("darken",))
    assert start.rules[0] in result.policy.rules
    assert all(problem.steps is not None for problem in result.problems)


@pytest.mark.parametrize("preset", ["robust", "paper"])
@given(problem=st.sampled_from(LANGUAGES).flatmap(problems))
def test_whatever_the_goals(problem: Problem, preset: Preset) -> None:
    """What is learned fits the user's domain, and does there what is said of it."""
    result = learn(problem.domain, [problem], preset=preset, max_candidates=20, seed=3)
    check_policy(result.policy, problem.domain)
    (outcome,) = result.problems
    found = execute(problem, result.policy, max_steps=1000)
    if outcome.left_out is None:
        assert outcome.steps == (len(found.plan or ()) if found.solved else None)
    for failure in (*result.grown.counterexamples, *result.grown.altered):
        assert failure.domain == problem.domain


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # half have negative goals
@given(st.data())
def test_opposites_are_true_where_predicates_are_false(data: st.DataObject) -> None:
    """In every state that actions lead to; and the goal is reached in the same states."""
    problem = data.draw(st.sampled_from(LANGUAGES).flatmap(problems))
    complements = Complements.of(problem.domain, [problem])
    assume(complements.opposites)
    task = Task(complements.problem(problem))
    opposites = complements.opposites
    tuples = {name: {atom.terms for atom in ground_atoms(problem, [name])} for name in opposites}
    state, learned = semantics.initial_state(problem), task.initial_state
    for instance in (None, *data.draw(action_sequences(problem))):
        if instance is not None:
            state = instance.successor(state)
            learned = task.successor(learned, instance.action)
        assert {atom for atom in learned if atom.predicate not in opposites.values()} == state
        for name, opposite in opposites.items():
            true = {terms for predicate, terms in state if predicate == name}
            false = {terms for predicate, terms in learned if predicate == opposite}
            assert false == tuples[name] - true
        assert task.is_goal(learned) == semantics.is_goal(problem, state)
        assert set(task.applicable(learned)) == set(semantics.applicable(problem, state))


def test_an_action_that_adds_again_what_it_deletes() -> None:
    """Going from a room to itself leaves one there, and no opposite says otherwise."""
    objects = [TypedObject(name, "room") for name in ("a", "b")]
    facts = [Atom("at", ("a",)), Atom("linked", ("a", "a")), Atom("linked", ("a", "b"))]
    goal = [Literal(Atom("at", ("a",)), False)]
    problem = Problem.of("p", NIGHT_WATCH, objects, facts, goal)
    complements = Complements.of(NIGHT_WATCH, [problem])
    task = Task(complements.problem(problem))
    after = {
        str(action): {str(atom) for atom in task.successor(task.initial_state, action)}
        for action in task.applicable(task.initial_state)
        if action.name == "go"
    }
    assert "(at a)" in after["(go a a)"]
    assert "(not-at a)" not in after["(go a a)"]
    assert after["(go a b)"] >= {"(at b)", "(not-at a)"}
    assert "(not-at b)" not in after["(go a b)"]


def test_where_effects_cannot_be_turned_round() -> None:
    """Each item may be set aside by one effect and taken by another: no opposite of `in`."""
    domain = parse_domain(
        """(define (domain d) (:requirements :adl)
             (:predicates (in ?x) (big ?x) (red ?x))
             (:action sort :parameters ()
               :effect (and (forall (?x) (when (big ?x) (not (in ?x))))
                            (forall (?y) (when (red ?y) (in ?y))))))"""
    )
    objects = [TypedObject("a", "object")]
    facts = [Atom("in", ("a",)), Atom("big", ("a",))]
    goal = [Literal(Atom("in", ("a",)), False)]
    problem = Problem.of("p", domain, objects, facts, goal)
    complements = Complements.of(domain, [problem])
    assert not complements.opposites
    assert complements.problem(problem) is problem
    assert learn(domain, [problem]).solved


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # half have negative goals
@given(st.data())
def test_the_same_behaviour_in_both_languages(data: st.DataObject) -> None:
    """A policy over opposites does what its translation does, on the user's problem."""
    problem = data.draw(st.sampled_from((PAPER, CONDITIONAL)).flatmap(problems))
    complements = Complements.of(problem.domain, [problem])
    assume(complements.opposites)
    policy = data.draw(policies(complements.domain, data.draw(st.sampled_from((PAPER, DERIVED)))))
    assume("(goal (not (" not in str(policy))  # where there are opposites, no learner says that
    learned = execute(complements.problem(problem), policy, max_steps=20)
    told = execute(problem, complements.user_policy(policy), max_steps=20)
    assert (learned.status, learned.plan) == (told.status, told.plan)
