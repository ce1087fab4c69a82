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
from pg3.pddl import read_domain, read_problem
from pg3.planning import execute
from pg3.policy import parse_policy, read_policy
from tests.conftest import REPOSITORY
from tests.extended.problems import MAKERS
from tests.oracle import matching, semantics
from tests.support.night_watch import NIGHT_WATCH, night_watch
from tests.support.random_problems import EVERY_LANGUAGE, Scenario, scenarios, walks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl import Domain, Problem
    from pg3.pddl.model import Atom
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
        self.facts: frozenset[Atom] = frozenset()
        for atom in problem.goal:
            self.tell("pg3_want", atom, 1)
        for atom in problem.negative_goal:
            self.tell("pg3_want", atom, -1)

    @staticmethod
    def numbers(values: Iterable[int]) -> ctypes.Array[ctypes.c_int]:
        values = [*values, 0]
        return (ctypes.c_int * len(values))(*values)

    def tell(self, function: str, atom: Atom, value: int) -> None:
        predicate = self.problem.domain.predicate_index[atom.predicate]
        objects = self.numbers(self.number[term] for term in atom.terms)
        getattr(self.c, function)(self.agent, predicate, objects, value)

    def observe(self, state: frozenset[Atom]) -> None:
        for atom in sorted(self.facts ^ state):
            self.tell("pg3_set", atom, int(atom in state))
        self.facts = state

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
