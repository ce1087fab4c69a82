"""Comparisons of the kernel with its slow twins."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pg3 import _native
from pg3.planning import (
    Limits,
    execute,
    plan,
    plan_guided,
    policy_action,
)
from pg3.semantics.datalog import Program
from pg3.semantics.task import Task
from pg3.semantics.validation import validate, validate_codes
from tests.oracle import execution, heuristic, matching, search, semantics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Atom, Problem
    from pg3.pddl.plans import GroundAction
    from pg3.planning import Execution, Heuristic, PlanOutcome
    from pg3.policy.model import DecisionList

# How the executor is tuned: (few, partners, patience, fair work, grace, turn), see Tuning in
# native/lifted/view.hpp. Small problems never reach the sizes at which anything is decided: these
# bring all of that about early.
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

# The number of the rule that fires, and its objects.
Answer = tuple[int, tuple[str, ...]] | None
Changes = list[tuple["Atom", bool]]


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


def assert_same_derived_atoms(task: Task, states: Iterable[semantics.State]) -> None:
    """What the domain's axioms derive in them: the kernel, and the evaluator in Python."""
    axioms = Program(task.domain.axioms, task.problem)
    for state in states:
        closed = semantics.closed(task.problem, state)
        assert axioms.closed(state) == closed
        assert state | task.derived_atoms(state) == closed
        assert set(task.all_atoms(task.number(state))) == closed


def assert_same_matches(
    task: Task, policy: DecisionList, states: Iterable[semantics.State]
) -> None:
    """What a policy does in them, and by which rule."""
    for state in states:
        found = policy_action(task, policy, state)
        expected = matching.policy_action(task.problem, policy, state)
        assert (found and tuple(found)) == (expected and tuple(expected))


def assert_same_answers(
    problem: Problem, policy: DecisionList, changes: Changes, *, early: bool = False
) -> list[Answer]:
    """What the executor that is never grounded would do as atoms come and go, however tuned.

    Returns the answers before the changes and after each. The twin may backtrack (`early`) where
    enumeration takes too long.
    """

    def first(state: semantics.State) -> Answer:
        if early:
            return matching.policy_answer_early(problem, policy, state)
        match = matching.policy_action(problem, policy, state)
        return match and (match.rule, match.objects)

    state = semantics.initial_state(problem)
    expected = [first(state)]
    goals = [semantics.is_goal(problem, state)]
    for atom, present in changes:
        state = state | {atom} if present else state - {atom}
        expected.append(first(state))
        goals.append(semantics.is_goal(problem, state))
    task = Task(problem)
    predicates = [predicate.name for predicate in problem.domain.predicates]
    coded = [
        (present, [predicates.index(atom.predicate), *map(task.names.index, atom.terms)])
        for atom, present in changes
    ]
    rules = task.rule_numbers(policy)
    for name, tuning in SETTINGS.items():
        agent = _native.start_agent(task.native, task.rules, rules, tuning)
        assert isinstance(agent, _native.Agent)
        found: list[Answer] = []
        for change in [[], *([one] for one in coded)]:
            told = agent.ask(change)
            assert not isinstance(told, str)
            is_goal, answer = told
            found.append((answer[0], tuple(task.names[o] for o in answer[1:])) if answer else None)
            assert is_goal == goals[len(found) - 1]
        assert found == expected, name
    return expected


def toggles(atoms: Sequence[Atom], start: Iterable[Atom] = ()) -> Changes:
    """Changes that make each atom in turn true if it is false, and false if it is true."""
    state = set(start)
    found: Changes = []
    for atom in atoms:
        state ^= {atom}
        found.append((atom, atom in state))
    return found


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


def assert_same_outcome(problem: Problem, found: PlanOutcome, expected: search.Outcome) -> None:
    """The same plan after the same number of states; a plan is valid and its cost is right."""
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


def assert_same_verdict(task: Task, actions: Sequence[GroundAction]) -> None:
    """Whether they are a plan: the validator in Python, and where there are no axioms the kernel's.

    The kernel's says the same word for word.
    """
    problem = task.problem
    found = validate(problem, actions)
    assert (found.valid, found.failed_step) == execution.check_plan(problem, actions)
    if not problem.domain.axioms:
        assert validate_codes(task, _encoded_plan(task, actions)) == found


def _encoded_plan(task: Task, actions: Sequence[GroundAction]) -> bytes:
    """Actions as the kernel's plan checker takes them."""
    codes = array("i")
    for action in actions:
        codes.append(task.domain.action_index[action.name])
        codes.extend(map(task.names.index, action.objects))
    return codes.tobytes()


def _problem(task: Problem | Task) -> Problem:
    return task.problem if isinstance(task, Task) else task
