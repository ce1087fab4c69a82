"""Numbers as the kernel and the Python semantics see them against the twin, on random domains."""

from __future__ import annotations

import math
from array import array
from functools import partial
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pg3.pddl import parse_domain, parse_problem, write_domain, write_problem
from pg3.planning import Limits, execute, plan
from pg3.policy import parse_policy, policy_from_json, policy_to_json, write_policy
from pg3.semantics.effects import Effects
from pg3.semantics.task import Task
from pg3.semantics.validation import validate, validate_codes
from tests.oracle import execution as twin_execution
from tests.oracle import search as twin_search
from tests.oracle.heuristic import h_add, h_max
from tests.oracle.matching import policy_action
from tests.oracle.semantics import applicable, find, initial_state, instances, is_goal
from tests.support.judges import Translation
from tests.support.number_problems import number_policies, number_problems

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction


@given(st.data())
def test_states(data: st.DataObject) -> None:
    """Applicable actions, successors, goals and heuristics along a random walk."""
    problem = data.draw(number_problems())
    task, effects = Task(problem), Effects(problem)
    state = initial_state(problem)
    assert task.initial_state == state
    ground = instances(problem)
    for _ in range(5):
        possible = applicable(problem, state)
        assert list(task.applicable(state)) == possible
        assert task.is_goal(state) == is_goal(problem, state)
        expected = h_add(problem, ground, state)
        assert task.h_add(state) == expected
        value = task.space.heuristic(task.number(state), "max")
        assert (math.inf if value is None else value) == h_max(problem, ground, state)
        if not possible:
            break
        action = data.draw(st.sampled_from(possible))
        instance = find(problem, action, state)
        assert instance is not None
        after = instance.successor(state)
        assert task.successor(state, action) == after
        assert effects.after(action, state) == after
        state = after


@given(st.data())
def test_policies(data: st.DataObject) -> None:
    """Ground and lifted execution, with comparisons that the domain does not have."""
    problem = data.draw(number_problems())
    policy = data.draw(number_policies(problem.domain))
    text = write_policy(policy, problem.domain)
    assert parse_policy(text, problem.domain) == policy
    assert policy_from_json(policy_to_json(policy, problem.domain), problem.domain) == policy
    expected = twin_execution.execute(problem, policy, max_steps=12)
    found = execute(problem, policy, max_steps=12)
    assert (found.status, found.plan) == (expected.status, expected.plan)
    task = Task(problem)
    numbers = task.rule_numbers(policy)
    state = initial_state(problem)
    for action in found.plan:
        match = policy_action(problem, policy, state)
        assert match is not None
        answer = task.space.policy_action(numbers, task.number(state))
        assert task.decode_action(answer) == action == match.action
        instance = find(problem, action, state)
        assert instance is not None
        state = instance.successor(state)


@given(st.data())
def test_plans(data: st.DataObject) -> None:
    """A* finds what the twin finds; validators agree, unified-planning's among them."""
    problem = data.draw(number_problems())
    for heuristic in ("add", "max"):
        found = plan(problem, heuristic=heuristic, limits=Limits(expansions=40))
        expected = twin_search.astar(problem, heuristic=heuristic, max_expansions=40)
        assert (found.status, found.plan, found.expansions) == (
            expected.status,
            expected.plan,
            expected.expansions,
        )
    actions = [one.action for one in instances(problem)]
    tried = data.draw(st.lists(st.sampled_from(actions), max_size=5)) if actions else []
    task = Task(problem)
    codes = b"".join(task_code(task, one) for one in (*(found.plan or ()), *tried))
    sequence = [*(found.plan or ()), *tried]
    verdict = validate(problem, sequence)
    assert validate_codes(task, codes) == verdict
    if not problem.disjunctions and not any(map(partial(_is_conflicting, problem), sequence)):
        assert Translation(problem).accepts(sequence) == verdict.valid


def _is_conflicting(problem: Problem, action: GroundAction) -> bool:
    """Whether an action assigns a value to what it also changes: PDDL does not say what happens."""
    effects = problem.domain.action(action.name).ground(action.objects).numeric
    changed = [effect.function for effect in effects]
    return any(one.word == "assign" and changed.count(one.function) > 1 for one in effects)


def task_code(task: Task, action: GroundAction) -> bytes:
    """A ground action in the kernel's code."""
    name, objects = action
    numbers = [task.names.index(one) for one in objects]
    return array("i", [task.domain.action_index[name], *numbers]).tobytes()


@given(number_problems())
def test_what_is_written_is_read_as_the_same(problem: Problem) -> None:
    assert parse_domain(write_domain(problem.domain)) == problem.domain
    again = parse_problem(write_problem(problem), problem.domain)
    assert again.content == problem.content
