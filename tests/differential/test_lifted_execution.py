"""Execution at scale against enumeration: the same first tuple, however states follow each other.

The executor keeps indexes and views as atoms come and go, and decides on the way what to keep. Here
are rules, paths and problems that make it decide; wholly random ones are in
`test_kernel_against_oracle`.
"""

from __future__ import annotations

import itertools
import random

import pytest
from benchmarks.scale.cases import CASES, MOOSE_CASES
from benchmarks.scale.problems import miconic_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3 import Task, execute, read_policy
from pg3.pddl import Atom, parse_domain, parse_problem
from pg3.pddl.model import EQUALS, Literal, Parameter, Problem, TypedObject
from pg3.policy import parse_policy
from pg3.policy.model import DecisionList, Rule
from tests.oracle import matching, semantics
from tests.support.comparisons import Changes, assert_same_answers, assert_same_matches, toggles
from tests.support.random_problems import Scenario, changing_atoms, ground_atoms, scenarios

# Everything that a condition can be: no, one, two and three arguments, true for ever or not.
SHIFTING = parse_domain("""
(define (domain shifting)
  (:requirements :typing :negative-preconditions :equality)
  (:types thing place - object)
  (:constants home - place)
  (:predicates (on) (big ?x - thing) (far ?y - place) (at ?x - thing ?y - place)
    (near ?a ?b - place) (path ?a ?b - place) (moved ?x - thing ?a ?b - place))
  (:action shift
    :parameters (?x - thing ?a ?b - place)
    :effect (and (on) (not (big ?x)) (far ?a) (at ?x ?a) (not (near ?a ?b)) (moved ?x ?a ?b))))
""")
CHANGES = 40


@st.composite
def shifting_rules(draw: st.DrawFn, number: int) -> Rule:
    """A rule with many conditions on few variables, so that they have to do with each other."""
    parameters = [
        Parameter(f"?{kind[0]}{i}", (kind,))
        for i, kind in enumerate(draw(st.lists(st.sampled_from(["thing", "place"]), max_size=4)))
    ]
    by_type = {
        kind: [p.name for p in parameters if p.types == (kind,)] for kind in ("thing", "place")
    }
    by_type["place"].append("home")
    atoms = [
        Atom(predicate.name, terms)
        for predicate in SHIFTING.predicates
        for terms in itertools.product(*(by_type[p.types[0]] for p in predicate.parameters))
    ]
    literal = st.builds(Literal, st.sampled_from(atoms), st.sampled_from([True, True, False]))
    once = st.lists(literal, max_size=6, unique_by=lambda one: one.atom)
    conditions = draw(once)
    if len(parameters) > 1 and draw(st.integers(0, 3)) == 3:
        pair = draw(st.permutations([p.name for p in parameters]))[:2]
        conditions.append(Literal(Atom(EQUALS, tuple(pair)), draw(st.booleans())))
    goals = draw(st.lists(literal, max_size=2, unique_by=lambda one: one.atom))
    # Without a goal's opposite there are no open goals.
    for atom, positive in goals:
        if positive and all(atom != one.atom for one in conditions) and draw(st.booleans()):
            conditions.append(Literal(atom, False))
    if not by_type["thing"]:
        parameters.append(Parameter("?t", ("thing",)))
    thing = draw(st.sampled_from(by_type["thing"] or ["?t"]))
    places = [draw(st.sampled_from(by_type["place"])) for _ in range(2)]
    return Rule(
        f"r{number}",
        tuple(parameters),
        tuple(conditions),
        tuple(goals),
        "shift",
        (thing, *places),
    )


@given(st.data(), st.integers(0, 2**32), st.sampled_from([0.2, 0.5, 0.8]))
def test_answers_where_everything_shifts(data: st.DataObject, seed: int, density: float) -> None:
    count = data.draw(st.integers(1, 3))
    policy = DecisionList("random", tuple(data.draw(shifting_rules(i)) for i in range(count)))
    chance = random.Random(seed)
    objects = [TypedObject(f"t{i}", "thing") for i in range(4)]
    objects += [TypedObject(f"p{i}", "place") for i in range(3)]
    empty = Problem.of("shifting", SHIFTING, objects, [], [])
    every = ground_atoms(empty, {predicate.name for predicate in SHIFTING.predicates})
    init = [atom for atom in every if chance.random() < density]
    goal = [Literal(atom) for atom in every if chance.random() < 0.3]
    problem = empty.replace(init=init, goal=goal)
    changing = changing_atoms(problem)
    changes = [(chance.choice(changing), chance.random() < density) for _ in range(CHANGES)]
    assert_same_answers(problem, policy, changes, early=True)


@settings(max_examples=settings().max_examples // 2)
@given(scenarios())
def test_backtracking_finds_what_enumeration_finds(scenario: Scenario) -> None:
    problem, policy = scenario
    state = semantics.initial_state(problem)
    for rule in policy.rules:
        early = matching.first_match_early(problem, rule, state)
        assert early == matching.first_match(problem, rule, state)


def _problem(name: str, seed: int) -> tuple[Problem, DecisionList]:
    """A problem of one of the example domains, small, but with more than a few of everything."""
    case = MOOSE_CASES[name[6:]] if name.startswith("moose-") else CASES[name]
    domain = parse_domain(case.domain)
    if name.endswith("miconic"):
        text = miconic_problem(30, seed, buildings=2, floors=6)
    else:
        text = case.problem(40, seed)
    return parse_problem(text, domain), read_policy(case.policy, domain)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", [*CASES, *(f"moose-{name}" for name in MOOSE_CASES)])
def test_the_example_domains_atom_by_atom(name: str, seed: int) -> None:
    problem, policy = _problem(name, seed)
    run = execute(problem, policy)
    assert run.solved
    schemas = {action.name: action for action in problem.domain.actions}
    changes: Changes = []
    before = []  # how many changes have been made before each action
    for action in run.plan:
        before.append(len(changes))
        schema = schemas[action.name]
        objects = dict(zip((p.name for p in schema.parameters), action.objects, strict=True))
        changes += [
            (semantics.substitute(atom, objects), positive)
            for atom, positive in sorted(schema.effects, key=lambda effect: effect.positive)
        ]
    answers = assert_same_answers(problem, policy, changes, early=True)
    for action, place in zip(run.plan, before, strict=True):
        answer = answers[place]
        assert answer is not None
        rule = policy.rules[answer[0]]
        binding = dict(zip((p.name for p in rule.parameters), answer[1], strict=True))
        assert action == (rule.action, tuple(binding.get(term, term) for term in rule.arguments))


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


def _asked(atoms: list[Atom], rng: random.Random) -> list[Atom]:
    """Some of the atoms, each twice: what becomes true to ask a question is false afterwards."""
    return [atom for atom in rng.sample(atoms, 3) for _ in range(2)]


@pytest.mark.parametrize("seed", range(4))
def test_what_derives_itself_in_a_circle_ends_with_its_support(seed: int) -> None:
    """Edges come and go in a graph full of circles; after each, some pairs are asked about."""
    rng = random.Random(seed)
    names = ["a", "b", "c", "d", "e"]
    pairs = list(itertools.product(names, repeat=2))
    probes = [Atom("probe", pair) for pair in pairs]
    problem = Problem.of("maze", MAZE, [TypedObject(name) for name in names], [], [])
    toggled = []
    for _ in range(25):
        toggled += [Atom("edge", rng.choice(pairs)), *_asked(probes, rng)]
    assert_same_answers(problem, PATHS, toggles(toggled))


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
    # Another question, or another edge: some are asked of the same graph, most are not.
    toggled = [
        rng.choice([Atom("edge", rng.choice(pairs)), rng.choice([*edges, *probes])])
        for _ in range(60)
    ]
    changes = toggles(toggled, problem.init)
    assert_same_answers(problem, FROM_FEW, changes)
    states = [semantics.initial_state(problem)]
    for atom in toggled:
        states.append(states[-1] ^ {atom})
    assert_same_matches(Task(problem), FROM_FEW, states)


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
    ways, probes = ([Atom(name, triple) for triple in triples] for name in ("way", "probe"))
    toggled = []
    for _ in range(25):
        toggled += [*rng.sample(ways, 2), *_asked(probes, rng)]
    answers = assert_same_answers(problem, WAYS, toggles(toggled))
    assert len({answer and answer[0] for answer in answers}) == 5  # every rule, and none
    every = frozenset(rng.sample(ways, 20))
    assert_same_matches(Task(problem), WAYS, (every | {probe} for probe in probes))
