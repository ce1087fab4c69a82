"""Derived predicates and paths: the kernel, ground and lifted, against enumeration."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pg3 import Task, execute, plan_guided
from pg3.planning import Limits, policy_action
from pg3.policy import check_policy, parse_policy, policy_from_json, policy_to_json, write_policy
from tests.derived_strategies import extended_policies, extended_scenarios
from tests.oracle import execution, matching, search, semantics
from tests.strategies import Scenario, problems, walks
from tests.test_lifted_execution import SETTINGS, _answers, _changing_atoms


@given(extended_scenarios())
def test_text_and_json_lose_nothing(scenario: Scenario) -> None:
    problem, policy = scenario
    check_policy(policy, problem.domain)
    assert parse_policy(write_policy(policy), problem.domain) == policy
    assert policy_from_json(policy_to_json(policy), problem.domain) == policy


@given(st.data())
def test_first_match(data: st.DataObject) -> None:
    problem = data.draw(problems())
    policy = data.draw(extended_policies(problem.domain))
    task = Task(problem)
    for state in data.draw(walks(problem)):
        found = policy_action(task, policy, state)
        expected = matching.policy_action(problem, policy, state)
        assert (found and tuple(found)) == (expected and tuple(expected))


@given(extended_scenarios())
def test_guided_plans(scenario: Scenario) -> None:
    problem, policy = scenario
    found = plan_guided(problem, policy, rollout_steps=5, limits=Limits(expansions=5))
    expected = search.astar(problem, policy=policy, rollout_steps=5, max_expansions=5)
    assert (found.status, found.plan) == (expected.status, expected.plan)


@given(extended_scenarios(), st.sampled_from([20, 0, 1, 2, 3, 5]))
def test_execution(scenario: Scenario, max_steps: int) -> None:
    problem, policy = scenario
    found = execute(problem, policy, max_steps=max_steps)
    expected = execution.execute(problem, policy, max_steps)
    assert (found.status, found.plan) == (expected.status, expected.plan)


@given(st.data())
def test_answers_after_any_changes(data: st.DataObject) -> None:
    problem, policy = data.draw(extended_scenarios())
    tuning = SETTINGS[data.draw(st.sampled_from(sorted(SETTINGS)))]
    atoms = _changing_atoms(problem)
    state = set(semantics.initial_state(problem))
    expected = [matching.policy_action(problem, policy, frozenset(state))]
    changes = []
    for _ in range(data.draw(st.integers(1, 12)) if atoms else 0):
        atom = data.draw(st.sampled_from(atoms))
        changes.append((atom, atom not in state))
        state ^= {atom}
        expected.append(matching.policy_action(problem, policy, frozenset(state)))
    found = _answers(problem, policy, changes, tuning)
    assert found == [match and (match.rule, match.objects) for match in expected]
