"""The kernel against its slow twins on random problems: everything must agree exactly.

A* is compared down to the plan and the number of expansions, since the order in which it looks at
states is documented. One task answers several questions in a row, so that what it caches between
them is tested too.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pg3.learning.regression.problems import RegressionProblem
from pg3.pddl.model import Literal, Problem
from pg3.planning import compare_plan, execute, plan
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.agreement import (
    assert_same_execution,
    assert_same_guidance,
    assert_same_matches,
    assert_same_search,
    assert_same_states,
)
from tests.oracle import execution, search, semantics
from tests.strategies import policies, problems, scenarios, walks

if TYPE_CHECKING:
    from pg3.planning import Heuristic
    from pg3.policy.model import DecisionList

EXPANSIONS = st.sampled_from([40, 0, 1, 3, 10])
WEIGHTS = st.sampled_from([0, 1, 3, 30])
HEURISTICS: st.SearchStrategy[Heuristic] = st.sampled_from(["add", "max", "blind"])


@given(st.data())
def test_states(data: st.DataObject) -> None:
    problem = data.draw(problems())
    task = Task(problem)
    assert task.initial_state == semantics.initial_state(problem)
    assert_same_states(task, data.draw(walks(problem)))


@given(st.data())
def test_first_match(data: st.DataObject) -> None:
    problem, policy = data.draw(scenarios())
    assert_same_matches(Task(problem), policy, data.draw(walks(problem)))


@given(problems(), HEURISTICS, EXPANSIONS, st.booleans())
def test_astar(problem: Problem, name: Heuristic, expansions: int, use_costs: bool) -> None:
    assert_same_search(problem, name, expansions, use_costs=use_costs)


@given(st.data())
def test_weighted_search(data: st.DataObject) -> None:
    problem = data.draw(problems())
    weights = data.draw(st.tuples(WEIGHTS, WEIGHTS))
    expansions = data.draw(EXPANSIONS)
    policy = data.draw(st.none() | policies(problem.domain))
    generated = data.draw(st.none() | st.integers(0, 20))
    expected = search.astar(
        problem,
        policy=policy,
        max_expansions=expansions,
        weights=weights,
        max_generated=generated,
    )
    book = RuleBook(problem.domain)
    task = Task(problem, book.table)
    key = () if policy is None else book.take(policy)
    status, steps, _, *effort = task.space.search(
        key, 50, "add", False, expansions, None, None, weights=weights, generated=generated
    )
    assert status == expected.status
    assert effort == [expected.expansions, expected.generated]
    found = tuple(task.decode_action(action) for action, _ in steps)
    assert found == (expected.plan or ())
    assert tuple(by_policy for _, by_policy in steps) == expected.from_policy
    if status == "solved":
        assert validate(problem, found).valid


@given(problems(), st.tuples(WEIGHTS, WEIGHTS), EXPANSIONS)
def test_weighted_search_for_some_fluents(
    problem: Problem, weights: tuple[int, int], expansions: int
) -> None:
    task = Task(problem)
    goals = RegressionProblem(task).goals
    assume(goals)
    status, plan = task.space.plan_to(
        task.space.initial, list(goals), expansions, None, None, weights
    )
    found = tuple(map(task.decode_action, plan))
    # Those that an action can make true or false; the twin gets a problem without the others.
    literals = [Literal(atom) for atom in goals.values()]
    part = Problem.of(
        problem.name,
        problem.domain,
        problem.objects,
        problem.init,
        literals,
        function_values=problem.function_values,
    )
    expected = search.astar(part, max_expansions=expansions, weights=weights)
    assert (status, found) == (expected.status, expected.plan or ())
    assert status != "solved" or validate(part, found).valid


@given(problems())
def test_solvability(problem: Problem) -> None:
    try:
        shortest = search.shortest_plan(problem, max_states=200)
    except search.TooManyStatesError:
        return
    assert plan(problem).solved == (shortest is not None)
    blind = plan(problem, heuristic="blind")
    assert (blind.plan and len(blind.plan)) == (shortest and len(shortest))


@given(st.data())
def test_guided_plans(data: st.DataObject) -> None:
    problem = data.draw(problems())
    task = Task(problem)
    for policy in data.draw(st.lists(policies(problem.domain), min_size=1, max_size=3)):
        rollout = data.draw(st.sampled_from([50, 0, 1, 2]))
        expansions = data.draw(EXPANSIONS)
        found = assert_same_guidance(task, policy, rollout, expansions)
        if found.plan is not None:
            agreements = execution.compare_plan(problem, policy, found.plan)
            assert compare_plan(task, policy, found.plan) == agreements


@settings(max_examples=settings().max_examples // 2)
@given(st.data())
def test_tasks_of_one_domain_share_their_rules(data: st.DataObject) -> None:
    first = data.draw(problems())
    second = data.draw(problems(first.domain))
    policy = data.draw(policies(first.domain))
    task = Task(first)
    other = Task(second, rules=task.rules)
    for one in (task, other):
        assert_same_guidance(one, policy, rollout=50, expansions=4)


@given(scenarios(), st.sampled_from([20, 0, 1, 2, 3, 5]))
def test_execution(scenario: tuple[Problem, DecisionList], max_steps: int) -> None:
    problem, policy = scenario
    found = assert_same_execution(problem, policy, max_steps)
    assert found.steps == len(found.plan)
    assert (found.reason is None) == found.solved
    if found.status != "horizon":
        unlimited = execute(problem, policy)
        assert (unlimited.status, unlimited.plan) == (found.status, found.plan)


@given(st.data())
def test_comparison_with_any_plan(data: st.DataObject) -> None:
    problem, policy = data.draw(scenarios())
    states = data.draw(walks(problem, max_steps=8))
    grounded = semantics.instances(problem)
    done = []
    for before, after in itertools.pairwise(states):
        choices = [
            one.action
            for one in grounded
            if one.applicable(before) and one.successor(before) == after
        ]
        done.append(data.draw(st.sampled_from(choices)))
    assert compare_plan(problem, policy, done) == execution.compare_plan(problem, policy, done)
