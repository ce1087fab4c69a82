"""Derived predicates and paths: the kernel, ground and lifted, against enumeration."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3 import Task
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Problem, TypedObject
from pg3.planning import policy_action
from pg3.policy import check_policy, parse_policy, policy_from_json, policy_to_json, write_policy
from tests.agreement import (
    assert_same_answers,
    assert_same_execution,
    assert_same_guidance,
    assert_same_matches,
)
from tests.derived_strategies import extended_scenarios
from tests.oracle import matching
from tests.strategies import Scenario, walks
from tests.test_lifted_execution import SETTINGS, _answers, _changing_atoms


@given(extended_scenarios())
def test_text_and_json_lose_nothing(scenario: Scenario) -> None:
    problem, policy = scenario
    check_policy(policy, problem.domain)
    assert parse_policy(write_policy(policy), problem.domain) == policy
    assert policy_from_json(policy_to_json(policy), problem.domain) == policy


@given(st.data())
def test_first_match(data: st.DataObject) -> None:
    problem, policy = data.draw(extended_scenarios())
    assert_same_matches(Task(problem), policy, data.draw(walks(problem)))


@given(extended_scenarios())
def test_guided_plans(scenario: Scenario) -> None:
    assert_same_guidance(*scenario, rollout=5, expansions=5)


@given(extended_scenarios(), st.sampled_from([20, 0, 1, 2, 3, 5]))
def test_execution(scenario: Scenario, max_steps: int) -> None:
    assert_same_execution(*scenario, max_steps)


@given(st.data())
def test_answers_after_any_changes(data: st.DataObject) -> None:
    problem, policy = data.draw(extended_scenarios())
    atoms = _changing_atoms(problem)
    toggled = data.draw(st.lists(st.sampled_from(atoms), max_size=12)) if atoms else []
    assert_same_answers(problem, policy, toggled, data.draw(st.sampled_from(sorted(SETTINGS))))


MAZE = parse_domain("""
(define (domain maze)
  (:predicates (edge ?x ?y) (probe ?x ?y))
  (:action open :parameters (?x ?y) :precondition () :effect (edge ?x ?y))
  (:action ask :parameters (?x ?y) :precondition () :effect (probe ?x ?y)))
""")

PATHS = parse_policy(
    """
(define (policy paths)
  (:derived (path ?x ?y) (edge ?x ?y))
  (:derived (path ?x ?y) (exists (?z) (and (edge ?x ?z) (path ?z ?y))))
  (:derived (apart ?x ?y) (and (not (path ?x ?y)) (not (path ?y ?x))))
  (:derived (lonely ?x) (not (path ?x _)))
  (:derived (loop ?x ?y) (and (path ?x ?y) (path ?y ?x)))
  (:rule both-ways :parameters (?x ?y)
    :preconditions (and (probe ?x ?y) (loop ?x ?y)) :action (open ?x ?y))
  (:rule one-way :parameters (?x ?y)
    :preconditions (and (probe ?x ?y) (path ?x ?y)) :action (open ?x ?y))
  (:rule lonely :parameters (?x ?y)
    :preconditions (and (probe ?x ?y) (lonely ?x)) :action (open ?x ?y))
  (:rule apart :parameters (?x ?y)
    :preconditions (and (probe ?x ?y) (apart ?x ?y)) :action (open ?x ?y))
  (:rule close :parameters (?x ?y ?z)
    :preconditions (and (probe ?x ?y) (next edge ?y ?z ?x)) :action (open ?x ?y)))
""",
    MAZE,
)


@pytest.mark.parametrize("seed", range(4))
def test_what_derives_itself_in_a_circle_ends_with_its_support(seed: int) -> None:
    """Edges come and go in a graph full of circles; after each, some pairs are asked about."""
    rng = random.Random(seed)
    names = ["a", "b", "c", "d", "e"]
    pairs = list(itertools.product(names, repeat=2))
    problem = Problem.of("maze", MAZE, [TypedObject(name) for name in names], [], [])
    state: set[Atom] = set()
    changes: list[tuple[Atom, bool]] = []
    expected = [matching.policy_action(problem, PATHS, frozenset())]

    def toggle(atom: Atom) -> None:
        state.symmetric_difference_update({atom})
        changes.append((atom, atom in state))
        expected.append(matching.policy_action(problem, PATHS, frozenset(state)))

    for _ in range(25):
        toggle(Atom("edge", rng.choice(pairs)))
        for pair in rng.sample(pairs, 3):
            toggle(Atom("probe", pair))
            toggle(Atom("probe", pair))
    tuning = SETTINGS[rng.choice(sorted(SETTINGS))]
    found = _answers(problem, PATHS, changes, tuning)
    assert found == [match and (match.rule, match.objects) for match in expected]


DEPOTS = parse_domain("""
(define (domain depots)
  (:types truck place)
  (:constants own - truck)
  (:predicates (way ?t - truck ?x ?y - place) (probe ?t - truck ?x ?y - place))
  (:action build :parameters (?t - truck ?x ?y - place) :precondition () :effect (way ?t ?x ?y))
  (:action ask :parameters (?t - truck ?x ?y - place) :precondition () :effect (probe ?t ?x ?y)))
""")

WAYS = parse_policy(
    """
(define (policy ways)
  (:derived (both ?t - truck ?x ?y - place) (and (way ?t ?x ?y) (way own ?x ?y)))
  (:rule by-both :parameters (?t - truck ?x ?z ?y - place)
    :preconditions (and (probe ?t ?x ?z) (next both ?t ?x ?y ?z)) :action (build ?t ?x ?y))
  (:rule by-own :parameters (?t - truck ?x ?z ?y - place)
    :preconditions (and (probe ?t ?x ?z) (next way own ?x ?y ?z)) :action (build own ?x ?y))
  (:rule nowhere :parameters (?t - truck ?x ?y - place)
    :preconditions (and (probe ?t ?x ?y) (not (reach way ?t ?x ?y))) :action (build ?t ?x ?y))
  (:rule somehow :parameters (?t ?other - truck ?x ?y - place)
    :preconditions (and (probe ?t ?x ?y) (reach way ?other ?x ?y)) :action (build ?other ?x ?y)))
""",
    DEPOTS,
)


@pytest.mark.parametrize("seed", range(4))
def test_each_truck_has_paths_of_its_own(seed: int) -> None:
    """Relations with a place before the edge: one graph for each truck, a constant among them."""
    rng = random.Random(seed)
    trucks, places = ["own", "red", "blue"], ["a", "b", "c", "d"]
    objects = [TypedObject(name, "truck") for name in trucks[1:]]
    objects += [TypedObject(name, "place") for name in places]
    problem = Problem.of("depots", DEPOTS, objects, [], [])
    triples = list(itertools.product(trucks, places, places))
    state: set[Atom] = set()
    changes: list[tuple[Atom, bool]] = []
    expected = [matching.policy_action(problem, WAYS, frozenset())]

    def toggle(atom: Atom) -> None:
        state.symmetric_difference_update({atom})
        changes.append((atom, atom in state))
        expected.append(matching.policy_action(problem, WAYS, frozenset(state)))

    for _ in range(25):
        for triple in rng.sample(triples, 2):
            toggle(Atom("way", triple))
        for triple in rng.sample(triples, 3):
            toggle(Atom("probe", triple))
            toggle(Atom("probe", triple))
    assert len({match and match.rule for match in expected}) == 5  # every rule, and none
    tuning = SETTINGS[rng.choice(sorted(SETTINGS))]
    found = _answers(problem, WAYS, changes, tuning)
    assert found == [match and (match.rule, match.objects) for match in expected]
    task = Task(problem)
    every = frozenset(Atom("way", triple) for triple in rng.sample(triples, 20))
    for triple in triples:
        now = every | {Atom("probe", triple)}
        ground, slow = policy_action(task, WAYS, now), matching.policy_action(problem, WAYS, now)
        assert (ground and tuple(ground)) == (slow and tuple(slow))
