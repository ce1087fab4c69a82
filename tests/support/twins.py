"""The harness: what the kernel and its slow twins in `oracle` must agree on.

`ENTRY_POINTS` is the table of what the kernel is asked. Each entry draws a question about a problem
and a policy, and asserts that the kernel and the twin give the same answer, to the last detail: of
A* also the number of expansions, since the order in which it looks at states is documented. The
`assert_same_...` functions can be called on their own with questions made by hand.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from pg3.errors import InputWarning
from pg3.learning.regression.problems import RegressionProblem
from pg3.pddl import parse_domain, parse_problem, write_domain, write_problem
from pg3.pddl.model import Literal
from pg3.planning import (
    Limits,
    SatisficingOptions,
    compare_plan,
    execute,
    plan,
    satisficing,
)
from pg3.policy import check_policy, parse_policy, policy_from_json, policy_to_json, write_policy
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.oracle import execution, lazy_search, search, semantics
from tests.oracle.reader import read_lists
from tests.support.comparisons import (
    assert_same_answers,
    assert_same_derived_atoms,
    assert_same_execution,
    assert_same_guidance,
    assert_same_matches,
    assert_same_search,
    assert_same_states,
    assert_same_verdict,
)
from tests.support.number_problems import counting_scenarios, number_scenarios
from tests.support.random_problems import (
    AXIOMS,
    AXIOMS_AND_DERIVED,
    CONDITIONAL,
    CONDITIONAL_AND_AXIOMS,
    DERIVED,
    PAPER,
    action_sequences,
    changes,
    policies,
    problems,
    scenarios,
    walks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.planning import Heuristic
    from tests.support.random_problems import Scenario

EXPANSIONS = st.sampled_from([40, 0, 1, 3, 10])
STEPS = st.sampled_from([20, 0, 1, 2, 3, 5])
WEIGHTS = st.tuples(*[st.sampled_from([0, 1, 3, 30])] * 2)
HEURISTICS: st.SearchStrategy[Heuristic] = st.sampled_from(["add", "max", "blind"])


# -- entry points ----------------------------------------------------------------------------------


def _states(data: st.DataObject, scenario: Scenario) -> None:
    task = Task(scenario.problem)
    assert task.initial_state == semantics.initial_state(scenario.problem)
    assert_same_states(task, data.draw(walks(scenario.problem)))


def _derived_atoms(data: st.DataObject, scenario: Scenario) -> None:
    assert_same_derived_atoms(Task(scenario.problem), data.draw(walks(scenario.problem)))


def _astar(data: st.DataObject, scenario: Scenario) -> None:
    name, expansions = data.draw(HEURISTICS), data.draw(EXPANSIONS)
    assert_same_search(scenario.problem, name, expansions, use_costs=data.draw(st.booleans()))


def _shortest_plans(data: st.DataObject, scenario: Scenario) -> None:
    del data
    try:
        shortest = search.shortest_plan(scenario.problem, max_states=150)
    except search.TooManyStatesError:
        return
    assert plan(scenario.problem).solved == (shortest is not None)
    for name in ("blind", "max"):  # neither overestimates
        found = plan(scenario.problem, heuristic=name)
        assert (found.plan and len(found.plan)) == (shortest and len(shortest))


def _weighted_search(data: st.DataObject, scenario: Scenario) -> None:
    problem = scenario.problem
    weights, expansions = data.draw(WEIGHTS), data.draw(EXPANSIONS)
    policy = data.draw(st.none() | st.just(scenario.policy))
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
    assert status != "solved" or validate(problem, found).valid


def _search_for_some_fluents(data: st.DataObject, scenario: Scenario) -> None:
    task = Task(scenario.problem)
    weights, expansions = data.draw(WEIGHTS), data.draw(EXPANSIONS)
    # Those that an action can make true or false; the twin gets a problem without the others.
    goals = RegressionProblem(task).goals
    assume(goals)
    status, steps = task.space.plan_to(
        task.space.initial, list(goals), expansions, None, None, weights
    )
    found = tuple(map(task.decode_action, steps))
    part = scenario.problem.replace(goal=[Literal(atom) for atom in goals.values()])
    expected = search.astar(part, max_expansions=expansions, weights=weights)
    assert (status, found) == (expected.status, expected.plan or ())
    assert status != "solved" or validate(part, found).valid


def _lazy_search(data: st.DataObject, scenario: Scenario) -> None:
    """All of its options together, from the start and for the whole goal."""
    problem = scenario.problem
    policy = data.draw(st.none() | st.just(scenario.policy))
    weight, use_costs = data.draw(st.sampled_from([0, 1, 3])), data.draw(st.booleans())
    bound = data.draw(st.none() | st.integers(0, 12))
    expansions, generated = data.draw(EXPANSIONS), data.draw(st.none() | st.integers(0, 30))
    expected = lazy_search.lazy_search(
        problem,
        policy=policy,
        use_costs=use_costs,
        weight=weight,
        bound=math.inf if bound is None else bound,
        max_expansions=expansions,
        max_generated=math.inf if generated is None else generated,
    )
    task = Task(problem)
    options = SatisficingOptions(
        policy=() if policy is None else task.rule_numbers(policy),
        use_costs=use_costs,
        weight=weight,
        bound=bound,
        expansions=expansions,
        generated=generated,
    )
    found = satisficing(task.space, options)
    assert found == satisficing(task.space, options)  # whatever the space knows by now
    assert (found.status, found.expansions, found.generated) == (
        expected.status,
        expected.expansions,
        expected.generated,
    )
    steps = tuple(task.decode_action(action) for action, _ in found.steps)
    assert steps == (expected.plan or ())
    assert tuple(by_policy for _, by_policy in found.steps) == expected.from_policy
    if expected.plan is not None:
        verdict = validate(problem, steps)
        assert verdict.valid, verdict.message
        assert found.cost == verdict.cost
        assert bound is None or (verdict.cost if use_costs else len(steps)) < bound


def _lazy_search_for_some_fluents(data: st.DataObject, scenario: Scenario) -> None:
    """From some state, for some of the goals that can come and go."""
    task = Task(scenario.problem)
    goals = RegressionProblem(task).goals
    assume(goals)
    start = data.draw(st.sampled_from(data.draw(walks(scenario.problem))))
    expansions = data.draw(EXPANSIONS)
    options = SatisficingOptions(goal=list(goals), start=task.number(start), expansions=expansions)
    found = satisficing(task.space, options)
    wanted = [Literal(atom) for atom in goals.values()]
    expected = lazy_search.lazy_search(
        scenario.problem, max_expansions=expansions, start=start, goal=wanted
    )
    steps = tuple(task.decode_action(action) for action, _ in found.steps)
    assert (found.status, steps) == (expected.status, expected.plan or ())


def _first_match(data: st.DataObject, scenario: Scenario) -> None:
    states = data.draw(walks(scenario.problem))
    assert_same_matches(Task(scenario.problem), scenario.policy, states)


def _guided_plans(data: st.DataObject, scenario: Scenario) -> None:
    """One task answers several questions in a row, so that what it keeps is tested too."""
    problem, policy = scenario
    task = Task(problem)
    others = st.lists(policies(problem.domain), max_size=2)
    for one in (policy, *data.draw(others)):
        rollout = data.draw(st.sampled_from([50, 0, 1, 2]))
        found = assert_same_guidance(task, one, rollout, data.draw(EXPANSIONS))
        if found.plan is not None:
            agreements = execution.compare_plan(problem, one, found.plan)
            assert compare_plan(task, one, found.plan) == agreements


def _tasks_with_the_same_rules(data: st.DataObject, scenario: Scenario) -> None:
    """Tasks of one domain may share a table of rules."""
    first, policy = scenario
    second = data.draw(problems(domain=first.domain))
    task = Task(first)
    for one in (task, Task(second, rules=task.rules)):
        assert_same_guidance(one, policy, rollout=50, expansions=4)


def _comparison(data: st.DataObject, scenario: Scenario) -> None:
    problem, policy = scenario
    done = [one.action for one in data.draw(action_sequences(problem))]
    assert compare_plan(problem, policy, done) == execution.compare_plan(problem, policy, done)


def _execution(data: st.DataObject, scenario: Scenario) -> None:
    problem, policy = scenario
    found = assert_same_execution(problem, policy, data.draw(STEPS))
    assert found.steps == len(found.plan)
    assert (found.reason is None) == found.solved
    assert found.check().valid == found.solved
    if found.status != "horizon":
        unlimited = execute(problem, policy)
        assert (unlimited.status, unlimited.plan) == (found.status, found.plan)


def _lifted_execution(data: st.DataObject, scenario: Scenario) -> None:
    problem, policy = scenario
    # Enumeration is slow with derived predicates.
    most = 10 if policy.definitions or problem.domain.axioms else 24
    assert_same_answers(problem, policy, data.draw(changes(problem, most)))


def _plan_check(data: st.DataObject, scenario: Scenario) -> None:
    """Plans, what walks do, both in a row, and the same with a step left out."""
    task = Task(scenario.problem)
    actions = [one.action for one in data.draw(action_sequences(scenario.problem))]
    if data.draw(st.booleans()):
        actions = [*(plan(task, limits=Limits(expansions=50)).plan or ()), *actions]
    left_out = data.draw(st.none() | st.integers(0, 8))
    if left_out is not None:
        del actions[left_out : left_out + 1]
    assert_same_verdict(task, actions)


def _reader(data: st.DataObject, scenario: Scenario) -> None:
    """What is written is read as the same value, by the kernel and by the slow reader."""
    del data
    problem = scenario.problem
    text = write_problem(problem)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* no value of", InputWarning)
        assert parse_domain(write_domain(problem.domain)) == problem.domain
        found = parse_problem(text, problem.domain)
    assert found == problem
    lists = read_lists(text, problem.domain)
    assert lists.objects == list(found.objects)
    assert lists.init == list(found.init)
    assert lists.goal == list(found.goal)
    assert lists.negative_goal == list(found.negative_goal)
    assert lists.values == found.function_values


def _policy_reader(data: st.DataObject, scenario: Scenario) -> None:
    """A policy's text and its JSON lose nothing."""
    del data
    domain, policy = scenario.problem.domain, scenario.policy
    check_policy(policy, domain)
    assert parse_policy(write_policy(policy), domain) == policy
    assert policy_from_json(policy_to_json(policy), domain) == policy


class EntryPoint(NamedTuple):
    """Something that the kernel is asked, and the languages in which it is asked that."""

    check: Callable[[st.DataObject, Scenario], None]
    languages: Sequence[str]


LANGUAGES: dict[str, st.SearchStrategy[Scenario]] = {
    "paper": scenarios(PAPER),
    "derived": scenarios(DERIVED),
    "axioms": scenarios(AXIOMS, AXIOMS_AND_DERIVED),
    "conditional effects": scenarios(CONDITIONAL, CONDITIONAL_AND_AXIOMS),
    "numbers": number_scenarios(),
    "counting": counting_scenarios(),
}
_OF_PROBLEMS = ("paper", "axioms", "conditional effects")
_OF_POLICIES = ("paper", "derived", "axioms", "conditional effects")
# Others draw more problems or policies of a domain, which here have no numbers: see
# tests/differential/test_numbers.py.
_NUMBERS = ("numbers",)

ENTRY_POINTS = {
    "applicable, successor, goal, h_add": EntryPoint(_states, (*_OF_PROBLEMS, *_NUMBERS)),
    "derived atoms": EntryPoint(_derived_atoms, ("axioms",)),
    "A*": EntryPoint(_astar, (*_OF_PROBLEMS, *_NUMBERS)),
    "shortest plans": EntryPoint(_shortest_plans, (*_OF_PROBLEMS, *_NUMBERS)),
    "weighted search": EntryPoint(_weighted_search, (*_OF_POLICIES, *_NUMBERS)),
    "search for some fluents": EntryPoint(_search_for_some_fluents, ("paper",)),
    "lazy search": EntryPoint(_lazy_search, (*_OF_POLICIES, *_NUMBERS, "counting")),
    "lazy search for some fluents": EntryPoint(_lazy_search_for_some_fluents, ("paper",)),
    "first match": EntryPoint(_first_match, (*_OF_POLICIES, *_NUMBERS)),
    "guided plan": EntryPoint(_guided_plans, _OF_POLICIES),
    "tasks with the same rules": EntryPoint(_tasks_with_the_same_rules, _OF_POLICIES),
    "compare": EntryPoint(_comparison, (*_OF_POLICIES, *_NUMBERS)),
    "execute": EntryPoint(_execution, (*_OF_POLICIES, *_NUMBERS)),
    "execute, atom by atom": EntryPoint(_lifted_execution, _OF_POLICIES),
    "plan check": EntryPoint(_plan_check, (*_OF_PROBLEMS, *_NUMBERS)),
    "reader": EntryPoint(_reader, _OF_PROBLEMS),
    "policy reader": EntryPoint(_policy_reader, _OF_POLICIES),
}
