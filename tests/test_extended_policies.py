"""Derived predicates and paths: the kernel, ground and lifted, against enumeration."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3 import Task, execute
from pg3.errors import Pg3Error
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.planning import policy_action
from pg3.policy import check_policy, parse_policy, policy_from_json, policy_to_json, write_policy
from tests.agreement import (
    assert_same_answers,
    assert_same_execution,
    assert_same_guidance,
    assert_same_matches,
)
from tests.derived_strategies import extended_scenarios
from tests.oracle import execution, matching
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


FROM_FEW = parse_policy(
    """
(define (policy from-few)
  (:rule cut-off :parameters (?x ?z)
    :preconditions (and (probe ?z ?x) (not (reach edge ?x ?z))) :action (open ?x ?z))
  (:rule go :parameters (?x ?z ?y)
    :preconditions (and (probe ?z ?x) (next edge ?x ?y ?z)) :action (open ?x ?y))
  (:rule stay :parameters (?x ?z)
    :preconditions (and (probe ?z ?x) (reach edge ?x ?z)) :action (open ?x ?z)))
""",
    MAZE,
)


@pytest.mark.parametrize("sides", [(2, 7), (7, 2)])
def test_paths_from_few_places_to_many_and_the_other_way_round(sides: tuple[int, int]) -> None:
    """Trees of paths grow from the side with fewer places, which shows after a change."""
    rng = random.Random(0)
    names = ["a", "b", "c", "d", "e", "f", "g"]
    pairs = list(itertools.product(names, repeat=2))
    starts, ends = (rng.sample(names, number) for number in sides)
    probes = [Atom("probe", (z, x)) for x in starts for z in ends]
    # A circle in one direction: all can be reached, so that none is left out.
    edges = [Atom("edge", pair) for pair in zip(names, [*names[1:], names[0]], strict=True)]
    objects = [TypedObject(name) for name in names]
    problem = Problem.of("maze", MAZE, objects, probes + edges, [])
    state, changes = {*probes, *edges}, []
    expected = [matching.policy_action(problem, FROM_FEW, frozenset(state))]
    for _ in range(60):
        # Another question, or another edge: some are asked of the same graph, most are not.
        atom = rng.choice([Atom("edge", rng.choice(pairs)), rng.choice([*edges, *probes])])
        state ^= {atom}
        changes.append((atom, atom in state))
        expected.append(matching.policy_action(problem, FROM_FEW, frozenset(state)))
    found = _answers(problem, FROM_FEW, changes, SETTINGS["as it is"])
    assert found == [match and (match.rule, match.objects) for match in expected]
    task = Task(problem)
    for atom, _ in changes:
        state ^= {atom}
    for atom, _ in changes:
        match = matching.policy_action(problem, FROM_FEW, frozenset(state))
        found_action = policy_action(task, FROM_FEW, frozenset(state))
        assert (found_action and tuple(found_action)) == (match and tuple(match))
        state ^= {atom}


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


FUEL = parse_domain("""
(define (domain fuel)
  (:types place level)
  (:predicates (road ?x ?y - place) (next ?low ?high - level) (at ?x - place) (left ?n - level))
  (:action drive :parameters (?x ?y - place ?n ?m - level)
    :precondition (and (at ?x) (road ?x ?y) (left ?n) (next ?m ?n))
    :effect (and (not (at ?x)) (at ?y) (not (left ?n)) (left ?m))))
""")

DRIVE = """
(define (policy drive)
  (:rule drive :parameters (?z ?x ?y - place ?n ?m - level)
    :preconditions (and (at ?x) (left ?n) (next ?m ?n) (next road ?x ?y ?z))
    :goals (at ?z) :action (drive ?x ?y ?n ?m)))
"""


def test_a_domain_with_its_own_next_still_has_the_built_in_one() -> None:
    """The number of terms tells them apart."""
    policy = parse_policy(DRIVE, FUEL)
    assert parse_policy(write_policy(policy), FUEL) == policy
    assert policy_from_json(policy_to_json(policy), FUEL) == policy
    places, levels = [f"p{i}" for i in range(5)], [f"n{i}" for i in range(4)]
    roads = [("p0", "p1"), ("p1", "p2"), ("p2", "p3"), ("p1", "p4"), ("p4", "p3"), ("p1", "p3")]
    problem = Problem.of(
        "journey",
        FUEL,
        [TypedObject(p, "place") for p in places] + [TypedObject(n, "level") for n in levels],
        [
            *(Atom("road", road) for road in roads),
            *(Atom("next", pair) for pair in itertools.pairwise(levels)),
            Atom("at", ("p0",)),
            Atom("left", ("n2",)),
        ],
        [Literal(Atom("at", ("p3",)))],
    )
    found = execute(problem, policy)
    assert found.solved
    assert tuple(found.plan) == tuple(execution.execute(problem, policy).plan)
    assert [step.objects[:2] for step in found.plan] == [("p0", "p1"), ("p1", "p3")]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("(next ?n)", "predicate 'next' takes 2 arguments, not 1"),
        ("(next road ?x ?z)", "predicate 'next' takes 2 arguments, not 3"),
        ("(next raod ?x ?y ?z)", "predicate 'raod' is not declared"),
    ],
)
def test_slips_where_the_domain_has_its_own_next(wrong: str, message: str) -> None:
    with pytest.raises(Pg3Error, match=message):
        parse_policy(DRIVE.replace("(next road ?x ?y ?z)", wrong), FUEL)
