"""What the kernel and its slow twins must agree on, whatever the problem and the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.planning import Limits, execute, plan, plan_guided, policy_action
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.oracle import execution, heuristic, matching, search, semantics
from tests.test_lifted_execution import SETTINGS, _answers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl.model import Atom, Problem
    from pg3.planning import Execution, Heuristic, PlanOutcome
    from pg3.policy.model import DecisionList
    from tests.oracle.search import Outcome


def assert_same_states(task: Task, states: Iterable[semantics.State]) -> None:
    """What can be done in them, what that leads to, whether they are goals, and h_add."""
    problem = task.problem
    grounded = semantics.instances(problem)
    for state in states:
        applicable = [one for one in grounded if one.applicable(state)]
        assert task.applicable(state) == tuple(one.action for one in applicable)
        for one in applicable:
            assert task.successor(state, one.action) == one.successor(state)
        assert task.is_goal(state) == semantics.is_goal(problem, state)
        assert task.h_add(state) == heuristic.h_add(problem, grounded, state)


def assert_same_matches(
    task: Task, policy: DecisionList, states: Iterable[semantics.State]
) -> None:
    """What a policy does in them, and by which rule."""
    for state in states:
        found = policy_action(task, policy, state)
        expected = matching.policy_action(task.problem, policy, state)
        assert (found and tuple(found)) == (expected and tuple(expected))


def assert_same_answers(
    problem: Problem, policy: DecisionList, toggled: Iterable[Atom], tuning: str
) -> None:
    """What the executor that is never grounded would do, while atoms come and go one by one."""
    state = set(semantics.initial_state(problem))
    expected = [matching.policy_action(problem, policy, frozenset(state))]
    changes: list[tuple[Atom, bool]] = []
    for atom in toggled:
        changes.append((atom, atom not in state))
        state ^= {atom}
        expected.append(matching.policy_action(problem, policy, frozenset(state)))
    found = _answers(problem, policy, changes, SETTINGS[tuning])
    assert found == [match and (match.rule, match.objects) for match in expected]


def assert_same_search(
    task: Problem | Task, name: Heuristic, expansions: int, *, use_costs: bool = False
) -> PlanOutcome:
    """A* without a policy."""
    problem = _problem(task)
    found = plan(task, heuristic=name, limits=Limits(expansions=expansions), use_costs=use_costs)
    expected = search.astar(problem, heuristic=name, max_expansions=expansions, use_costs=use_costs)
    assert_same_outcome(problem, found, expected)
    return found


def assert_same_guidance(
    task: Problem | Task, policy: DecisionList, rollout: int, expansions: int
) -> PlanOutcome:
    """A* with a policy."""
    problem = _problem(task)
    limits = Limits(expansions=expansions)
    found = plan_guided(task, policy, rollout_steps=rollout, limits=limits)
    expected = search.astar(
        problem, policy=policy, rollout_steps=rollout, max_expansions=expansions
    )
    assert_same_outcome(problem, found, expected)
    return found


def assert_same_outcome(problem: Problem, found: PlanOutcome, expected: Outcome) -> None:
    """The order in which A* looks at states is documented: down to how many it meets."""
    assert found.status == expected.status
    assert found.plan == expected.plan
    assert found.from_policy == expected.from_policy
    assert (found.expansions, found.generated) == (expected.expansions, expected.generated)
    if found.plan is not None:
        validation = validate(problem, found.plan)
        assert validation.valid, validation.message
        costs = {one.action: one.cost for one in semantics.instances(problem)}
        assert found.cost == sum(costs[action] for action in found.plan)


def assert_same_execution(task: Problem | Task, policy: DecisionList, max_steps: int) -> Execution:
    """A policy, carried out."""
    found = execute(task, policy, max_steps=max_steps)
    expected = execution.execute(_problem(task), policy, max_steps)
    assert (found.status, found.plan) == (expected.status, expected.plan)
    return found


def _problem(task: Problem | Task) -> Problem:
    return task.problem if isinstance(task, Task) else task
