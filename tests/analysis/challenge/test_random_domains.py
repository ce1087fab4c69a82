"""On small random domains: states counted against the oracle, and shrinking against brute force."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from hypothesis import assume, given

import pg3
from pg3.analysis.challenge import Trial, shrink
from pg3.analysis.challenge.reachable import check_reachable
from pg3.domains.chance import Chance
from pg3.learning.robustness.perturbations.permutations import permuted
from pg3.learning.robustness.perturbations.random_starts import started_from
from tests.analysis.challenge.test_counterexamples import smaller_by_one
from tests.oracle import execution, search
from tests.support.random_problems import Scenario, problems, scenarios

if TYPE_CHECKING:
    from pg3.pddl import Problem
    from pg3.semantics.task import State

MOST = 40


def reachable(problem: Problem) -> list[State] | None:
    """All states, the first one first; None if there are too many."""
    task = pg3.Task(problem)
    states, pending = {task.initial_state: None}, deque([task.initial_state])
    while pending:
        state = pending.popleft()
        for action in task.applicable(state):
            after = task.successor(state, action)
            if after not in states:
                states[after] = None
                pending.append(after)
        if len(states) > MOST:
            return None
    return list(states)


@given(scenarios())
def test_states_are_counted_as_the_oracle_counts_them(scenario: Scenario) -> None:
    problem, policy = scenario
    states = reachable(problem)
    found = check_reachable(pg3.Task(problem), Trial(policy), MOST)
    assert (found is None) == (states is None)
    assume(states is not None)
    assert states is not None
    assert found is not None
    solved = failed = unsolvable = 0
    for state in states:
        one = started_from(problem, state)
        if execution.execute(one, policy).status == "solved":
            solved += 1
        elif search.shortest_plan(one, 10 * MOST) is None:
            unsolvable += 1
        else:
            failed += 1
    assert (found.solved, len(found.failed), found.unsolvable) == (solved, failed, unsolvable)


@given(scenarios())
def test_what_is_shrunk_is_minimal(scenario: Scenario) -> None:
    problem, policy = scenario
    trial = Trial(policy)
    failure = trial.failure(trial.execute(problem))
    assume(failure is not None and trial.search(problem).solved)
    assert failure is not None
    shrunk = shrink(problem, trial, failure)
    assert shrunk.minimal
    for smaller in (shrunk.problem, *smaller_by_one(shrunk.problem)):
        outcome = trial.failure(trial.execute(smaller))
        same = outcome is not None and outcome.is_like(failure)
        is_counterexample = same and trial.search(smaller).solved
        assert is_counterexample == (smaller is shrunk.problem)


@given(problems())
def test_a_permuted_problem_has_plans_of_the_same_length(problem: Problem) -> None:
    other = permuted(problem, Chance("a seed"))
    assert sorted(other.objects) == sorted(problem.objects)
    lengths = []
    for one in (problem, other):
        found = pg3.plan(one, heuristic="blind", limits=pg3.Limits(expansions=2000))
        assume(found.status != "expansion limit")
        lengths.append(found.cost)
    assert lengths[0] == lengths[1]
