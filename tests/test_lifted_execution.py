"""Execution at scale against enumeration: the same first tuple, however states follow each other.

The executor keeps indexes and views as atoms come and go, and decides on the way what to keep. Here
atoms come, go and come back at random, far from what actions would do, and after each change the
answer is compared with that of the slow twin. Small problems never reach the sizes at which
anything is decided: the settings bring all of that about early.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest
from benchmarks.scale.cases import CASES, MOOSE_CASES
from benchmarks.scale.problems import miconic_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3 import Task, _native, execute, read_policy
from pg3.pddl import Atom, parse_domain, parse_problem
from pg3.pddl.model import EQUALS, Literal, Parameter, Problem, TypedObject
from pg3.policy.model import DecisionList, Rule
from tests.oracle import matching, semantics
from tests.strategies import scenarios

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tests.strategies import Scenario

# (few, partners, patience, fair work, grace, turn), see Tuning in native/lifted/view.hpp.
NEVER = 10**9
SETTINGS = {
    "as it is": (4, 4.0, 2048, 128.0, 256, 32),
    "no views": (4, -1.0, NEVER, 64.0, 256, 32),
    "no pivots": (-1, -1.0, NEVER, 64.0, 256, 32),
    "filters": (0, 1e9, NEVER, 1e9, NEVER, 32),
    "joins": (0, 1e9, -1, 1e9, NEVER, 32),
    "joins and pivots": (2, 1e9, -1, 1e9, NEVER, 32),
    "joins after a while": (1, 1.0, 10, 1e9, NEVER, 32),
    "views given up": (0, 1e9, -1, 1.0, 5, 32),
    "views given up at once": (0, 1e9, -1, 0.0, 0, 32),
    "all searches": (-1, -1.0, -1, 64.0, 256, 1),
    "all searches and views": (2, 1e9, -1, 1e9, NEVER, 1),
}


def _atoms(problem: Problem, predicates: Collection[str]) -> list[Atom]:
    return [
        Atom(predicate.name, tuple(binding.values()))
        for predicate in problem.domain.predicates
        if predicate.name in predicates
        for binding in semantics.bindings(problem, predicate.parameters)
    ]


def _changing_atoms(problem: Problem) -> list[Atom]:
    actions = problem.domain.actions
    return _atoms(problem, {e.atom.predicate for action in actions for e in action.effects})


def _answers(
    problem: Problem,
    policy: DecisionList,
    changes: Sequence[tuple[Atom, bool]],
    tuning: tuple[int, float, int, float, int, int],
) -> list[tuple[int, tuple[str, ...]] | None]:
    """What the kernel's executor would do before the changes and after each."""
    task = Task(problem)
    predicates = [predicate.name for predicate in problem.domain.predicates]
    coded = [
        (present, [predicates.index(atom.predicate), *map(task.names.index, atom.terms)])
        for atom, present in changes
    ]
    found = _native.answers(task.native, task.rules, task.rule_numbers(policy), coded, tuning)
    return [
        (answer[0], tuple(task.names[o] for o in answer[1:])) if answer else None
        for answer in found
    ]


@given(st.data())
def test_answers_after_any_changes(data: st.DataObject) -> None:
    problem, policy = data.draw(scenarios())
    atoms = _changing_atoms(problem)
    states = [set(semantics.initial_state(problem))]
    changes: list[tuple[Atom, bool]] = []
    if atoms:
        # Few atoms, so that they come back.
        some = data.draw(st.lists(st.sampled_from(atoms), min_size=1, max_size=8, unique=True))
        changes = data.draw(st.lists(st.tuples(st.sampled_from(some), st.booleans()), max_size=24))
    for atom, present in changes:
        states.append(states[-1] | {atom} if present else states[-1] - {atom})
    expected = []
    for state in states:
        match = matching.policy_action(problem, policy, frozenset(state))
        expected.append(match and (match.rule, match.objects))
    for name, tuning in SETTINGS.items():
        assert _answers(problem, policy, changes, tuning) == expected, name


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
    every = _atoms(empty, {predicate.name for predicate in SHIFTING.predicates})
    init = [atom for atom in every if chance.random() < density]
    goal = [Literal(atom) for atom in every if chance.random() < 0.3]
    problem = Problem.of("shifting", SHIFTING, objects, init, goal)
    changing = _changing_atoms(problem)
    state = semantics.initial_state(problem)
    expected = [_first(problem, policy, state)]
    changes: list[tuple[Atom, bool]] = []
    for _ in range(CHANGES):
        atom, present = chance.choice(changing), chance.random() < density
        changes.append((atom, present))
        state = state | {atom} if present else state - {atom}
        expected.append(_first(problem, policy, state))
    for name, tuning in SETTINGS.items():
        assert _answers(problem, policy, changes, tuning) == expected, name


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
    state = semantics.initial_state(problem)
    expected = [_first(problem, policy, state)]
    changes: list[tuple[Atom, bool]] = []
    for action in run.plan:
        answer = expected[-1]
        assert answer is not None
        rule = policy.rules[answer[0]]
        binding = dict(zip((p.name for p in rule.parameters), answer[1], strict=True))
        assert action == (rule.action, tuple(binding.get(term, term) for term in rule.arguments))
        schema = schemas[action.name]
        objects = dict(zip((p.name for p in schema.parameters), action.objects, strict=True))
        for atom, positive in sorted(schema.effects, key=lambda effect: effect.positive):
            ground = semantics.substitute(atom, objects)
            state = state | {ground} if positive else state - {ground}
            changes.append((ground, positive))
            expected.append(_first(problem, policy, state))
    for setting, tuning in SETTINGS.items():
        assert _answers(problem, policy, changes, tuning) == expected, setting


def _first(
    problem: Problem, policy: DecisionList, state: semantics.State
) -> tuple[int, tuple[str, ...]] | None:
    for number, rule in enumerate(policy.rules):
        match = matching.first_match_early(problem, rule, state)
        if match is not None:
            return number, tuple(match.values())
    return None
