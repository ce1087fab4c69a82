"""The exported C does what the executor does; compiled here, if there is a compiler."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3.integrations.exports import EXPORTS
from pg3.pddl import parse_domain, parse_problem, read_domain, read_problem
from pg3.pddl.model import Atom, value_of
from pg3.pddl.numbers import COMPARISONS
from pg3.planning import execute
from pg3.policy import parse_policy, read_policy
from tests.conftest import REPOSITORY
from tests.extended.problems import MAKERS
from tests.oracle import matching, semantics
from tests.support.night_watch import NIGHT_WATCH, night_watch
from tests.support.number_domains import BARS, VANS, bars_problem, vans_problem
from tests.support.number_problems import (
    goal_facts,
    number_policies,
    number_problems,
    state_facts,
)
from tests.support.random_problems import EVERY_LANGUAGE, Scenario, scenarios, walks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl import Domain, Problem
    from pg3.pddl.numbers import Number
    from pg3.pddl.plans import GroundAction
    from pg3.policy import DecisionList

COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-shared", "-fPIC")


class Exported:
    """The policy as the compiled file has it, for one problem."""

    def __init__(self, policy: DecisionList, problem: Problem) -> None:
        self.problem = problem
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "policy.c"), Path(folder, "policy.so")
            source.write_text(EXPORTS["c"].policy_text(policy, problem.domain), encoding="utf-8")
            assert COMPILER is not None
            command = [COMPILER, *FLAGS, "-o", str(library), str(source)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            self.c = ctypes.CDLL(str(library))
        self.c.pg3_start.restype = ctypes.c_void_p
        self.number = {name: i for i, name in enumerate(problem.object_names)}
        types = [type_.name for type_ in problem.domain.types]
        own = [types.index(one.type) for one in problem.objects]
        self.agent = ctypes.c_void_p(self.c.pg3_start(len(own), self.numbers(own)))
        assert self.agent.value is not None
        self.c.pg3_number.restype = ctypes.c_double
        self.facts: frozenset[Atom] = frozenset()
        self.want(problem)
        for fact in state_facts(problem, ()):
            self.tell_number("pg3_set_number", fact[1], fact[2])

    @staticmethod
    def numbers(values: Iterable[int]) -> ctypes.Array[ctypes.c_int]:
        values = [*values, 0]
        return (ctypes.c_int * len(values))(*values)

    def tell(self, function: str, atom: Atom, value: int) -> None:
        predicate = self.problem.domain.predicate_index[atom.predicate]
        objects = self.numbers(self.number[term] for term in atom.terms)
        getattr(self.c, function)(self.agent, predicate, objects, value)

    def want(self, problem: Problem) -> None:
        for value, positive in ((1, True), (-1, False)):
            for fact in goal_facts(problem, positive=positive):
                if fact[0] in COMPARISONS:
                    word = COMPARISONS.index(fact[0])
                    self.tell_number("pg3_want_number", fact[1], fact[2], word, value)
                else:
                    self.tell("pg3_want", Atom(fact[0], fact[1:]), value)

    def tell_number(
        self, call: str, of: tuple[str, ...], number: Number, word: int = 0, value: int = 0
    ) -> None:
        function = self.problem.domain.function_index[of[0]]
        objects = self.numbers(self.number[term] for term in of[1:])
        parts = (ctypes.c_int64(number.numerator), ctypes.c_int64(number.denominator))
        if call == "pg3_set_number":
            assert self.c.pg3_set_number(self.agent, function, objects, *parts)
        else:
            assert self.c.pg3_want_number(self.agent, function, objects, word, *parts, value)

    def observe(self, state: frozenset[Atom]) -> None:
        for atom in sorted(self.facts ^ state):
            if (valued := value_of(atom)) is None:
                self.tell("pg3_set", atom, int(atom in state))
            elif atom in state:
                (name, terms), value = valued
                self.tell_number("pg3_set_number", (name, *terms), value)
        self.facts = state

    def values(self, state: frozenset[Atom]) -> dict[Atom, float]:
        """What it says of the functions that have values in a state."""
        index = self.problem.domain.function_index
        found = {}
        for atom, _ in filter(None, map(value_of, state)):
            objects = self.numbers(self.number[term] for term in atom.terms)
            found[atom] = self.c.pg3_number(self.agent, index[atom.predicate], objects)
        return found

    def act(self) -> tuple[str, tuple[str, ...]] | None:
        objects = (ctypes.c_int * 16)()
        number = self.c.pg3_act(self.agent, objects)
        if number < 0:
            return None
        action = self.problem.domain.actions[number]
        names = self.problem.object_names
        return action.name, tuple(names[objects[i]] for i in range(len(action.parameters)))

    def apply(self, action: GroundAction | tuple[str, tuple[str, ...]]) -> bool:
        number = self.problem.domain.action_index[action[0]]
        objects = self.numbers(self.number[name] for name in action[1])
        return bool(self.c.pg3_apply(self.agent, number, objects))

    def solved(self) -> bool:
        return bool(self.c.pg3_solved(self.agent))

    def run(self, most: int) -> list[tuple[str, tuple[str, ...]]]:
        """What it does by itself until the goal, at most so many steps."""
        self.observe(frozenset(self.problem.init))
        plan: list[tuple[str, tuple[str, ...]]] = []
        while len(plan) < most and not self.solved():
            action = self.act()
            if action is None or not self.apply(action):
                break
            plan.append(action)
        return plan


# A compiler takes a second for each.
FEW = settings(max_examples=max(10, settings().max_examples // 2))


@FEW
@given(st.data(), scenarios(*EVERY_LANGUAGE))
def test_same_action_in_every_state(data: st.DataObject, scenario: Scenario) -> None:
    problem, policy = scenario
    exported = Exported(policy, problem)
    for state in data.draw(walks(problem)):
        exported.observe(state)
        match = matching.policy_action(problem, policy, state)
        assert exported.act() == (None if match is None else tuple(match.action))
        if not problem.disjunctions:
            assert exported.solved() == semantics.is_goal(problem, state)
        for instance in semantics.instances(problem)[:20]:
            if problem.domain.has_costs:
                break
            exported.observe(state)
            assert exported.apply(instance.action) == instance.applicable(state)
            exported.facts = instance.successor(state) if instance.applicable(state) else state


@FEW
@given(st.data())
def test_same_with_numbers(data: st.DataObject) -> None:
    problem = data.draw(number_problems())
    policy = data.draw(number_policies(problem.domain))
    exported = Exported(policy, problem)
    state = semantics.initial_state(problem)
    for _ in range(6):
        exported.observe(state)
        match = matching.policy_action(problem, policy, state)
        assert exported.act() == (None if match is None else tuple(match.action))
        if not problem.disjunctions:
            assert exported.solved() == semantics.is_goal(problem, state)
        following = [state]
        for instance in semantics.instances(problem):
            exported.observe(state)
            assert exported.apply(instance.action) == instance.applicable(state)
            if instance.applicable(state):
                exported.facts = instance.successor(state)
                following.append(exported.facts)
            valued = dict(filter(None, map(value_of, exported.facts)))
            assert exported.values(exported.facts) == {a: float(v) for a, v in valued.items()}
        state = data.draw(st.sampled_from(following))


def test_numbers_that_are_no_whole_parts() -> None:
    problem = parse_problem(bars_problem(3, 2, 7), parse_domain(BARS))
    exported = Exported(parse_policy("(define (policy p))", problem.domain), problem)
    load = problem.domain.function_index["load"]
    objects = exported.numbers([])
    give, number = exported.c.pg3_set_number, exported.c.pg3_number
    for above, below, fits in ((1, 8, 1), (1, 3, 0), (-7, 2, 1), (5, 0, 1), (10**9, 10, 1)):
        parts = (ctypes.c_int64(above), ctypes.c_int64(below))
        assert give(exported.agent, load, objects, *parts) == fits
        if fits:
            assert number(exported.agent, load, objects) == (above / below if below else 0)
    assert not exported.c.pg3_want_number(
        exported.agent, load, objects, 3, ctypes.c_int64(1), ctypes.c_int64(3), 1
    )


def test_a_whole_run_with_numbers() -> None:
    domain = parse_domain(VANS)
    policy = parse_policy(VANS_POLICY, domain)
    for seed in range(3):
        problem = parse_problem(vans_problem(4, 5, seed), domain)
        execution = execute(problem, policy, max_steps=60)
        assert len(execution.plan) > 5
        assert Exported(policy, problem).run(len(execution.plan)) == [
            tuple(step) for step in execution.plan
        ]


@pytest.mark.parametrize("name", ["blocksworld", "childsnack", "floortile", "transport"])
def test_policies_with_definitions(name: str) -> None:
    problem = MAKERS[name](4, random.Random(5))
    policy = read_policy(REPOSITORY / "tests" / "extended" / f"{name}.policy", problem.domain)
    execution = execute(problem, policy)
    assert execution.solved
    assert Exported(policy, problem).run(1000) == [tuple(step) for step in execution.plan]


WATCH = """(define (policy watch)
  (:derived (glaring ?r - room) (and (lit ?r) (goal (not (lit ?r)))))
  (:rule darken :parameters (?r - room) :preconditions (and (at ?r) (lit ?r) (glaring ?r))
    :action (switch-off ?r))
  (:rule open :parameters (?r - room) :preconditions (and (at ?r) (locked ?r))
    :goals (goal (not (locked ?r))) :action (unlock ?r))
  (:rule light :parameters (?r - room) :preconditions (and (at ?r) (not (lit ?r)))
    :goals (and (lit ?r) (not (goal (not (lit ?r))))) :action (switch-on ?r))
  (:rule close :parameters (?r - room) :preconditions (and (at ?r) (not (locked ?r)))
    :goals (locked ?r) :action (lock ?r))
  (:rule to-glare :parameters (?to ?a ?b - room)
    :preconditions (and (at ?a) (linked ?a ?b) (glaring ?to) (next linked ?a ?b ?to))
    :action (go ?a ?b))
  (:rule to-locked :parameters (?to ?a ?b - room)
    :preconditions (and (at ?a) (linked ?a ?b) (locked ?to) (next linked ?a ?b ?to))
    :goals (goal (not (locked ?to))) :action (go ?a ?b))
  (:rule to-dark :parameters (?to ?a ?b - room)
    :preconditions (and (at ?a) (linked ?a ?b) (not (lit ?to)) (next linked ?a ?b ?to))
    :goals (lit ?to) :action (go ?a ?b))
  (:rule to-open :parameters (?to ?a ?b - room)
    :preconditions (and (at ?a) (linked ?a ?b) (not (locked ?to)) (next linked ?a ?b ?to))
    :goals (locked ?to) :action (go ?a ?b)))"""


def test_negative_goals() -> None:
    """`(goal (not ...))`, in a rule, negated, and in a definition."""
    policy = parse_policy(WATCH, NIGHT_WATCH)
    for seed in range(3):
        problem = night_watch(8, random.Random(seed))
        execution = execute(problem, policy)
        assert execution.solved
        assert Exported(policy, problem).run(1000) == [tuple(step) for step in execution.plan]


VANS_POLICY = """(define (policy vans)
  (:rule unload :parameters (?o - parcel ?v - van ?p - place)
    :preconditions (and (in ?o ?v) (van-at ?v ?p)) :goals (at ?o ?p) :action (unload ?o ?v ?p))
  (:rule load :parameters (?o - parcel ?v - van ?p ?c - place)
    :preconditions (and (at ?o ?p) (van-at ?v ?p) (not (= ?c ?p)) (>= (room ?v) 1))
    :goals (at ?o ?c) :action (load ?o ?v ?p))
  (:rule bring :parameters (?o - parcel ?v - van ?a ?b - place)
    :preconditions (and (in ?o ?v) (van-at ?v ?a) (not (= ?a ?b))
      (>= (fuel ?v) (+ (far ?a ?b) 0.5)))
    :goals (at ?o ?b) :action (go ?v ?a ?b))
  (:rule fill :parameters (?v - van) :preconditions (< (* 2 (fuel ?v)) (tank ?v)) :action (fill ?v))
  (:rule fetch :parameters (?o - parcel ?v - van ?a ?b ?c - place)
    :preconditions (and (at ?o ?b) (van-at ?v ?a) (not (= ?a ?b)) (not (= ?c ?b))
      (>= (room ?v) 1) (>= (fuel ?v) (+ (far ?a ?b) 0.5)))
    :goals (at ?o ?c) :action (go ?v ?a ?b)))"""


FERRY = REPOSITORY / "examples" / "ferry"


def ferry() -> tuple[Domain, DecisionList]:
    domain = read_domain(FERRY / "domain.pddl")
    return domain, read_policy(REPOSITORY / "examples" / "policies" / "ferry.policy", domain)


def test_a_whole_run() -> None:
    domain, policy = ferry()
    problem = read_problem(FERRY / "small.pddl", domain)
    plan = execute(problem, policy).plan
    assert Exported(policy, problem).run(100) == [tuple(step) for step in plan]


def test_no_memory_is_asked_for_after_the_start() -> None:
    text = EXPORTS["c"].policy_text(ferry()[1], ferry()[0])
    assert text.count("calloc(") == 1
    assert "malloc(" not in text
    start, end = text.index("Pg3* pg3_start("), text.index("void pg3_end(")
    assert start < text.index("calloc(1") < end
