"""Matching in Python against the kernel, and the nearest binding against trying everything."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from pg3.analysis.explain.matching import RuleMatcher
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.planning import policy_action
from pg3.policy import DecisionList, read_policy
from pg3.semantics.task import State, Task

if TYPE_CHECKING:
    from pg3.pddl import Problem

POLICIES = Path(__file__).parents[3] / "examples" / "policies"


def walk(problem: Problem, steps: int) -> list[State]:
    task, chance = Task(problem), Random(7)
    states = [task.initial_state]
    for _ in range(steps):
        actions = task.applicable(states[-1])
        if not actions:
            break
        states.append(task.successor(states[-1], chance.choice(actions)))
    return states


def setting(name: str) -> tuple[Problem, DecisionList, list[State]]:
    built_in = DOMAINS[name]
    policy = read_policy(POLICIES / f"{name}.policy", built_in.domain)
    problem = built_in.problems("train", seed=1, count=1)[0]
    return problem, policy, walk(problem, 12)


@pytest.mark.parametrize("name", list(DOMAINS))
def test_the_first_match_is_that_of_the_kernel(name: str) -> None:
    problem, policy, states = setting(name)
    task = Task(problem)
    for state in states:
        for rule in policy.rules:
            expected = policy_action(task, DecisionList("one", (rule,)), state)
            found = RuleMatcher(rule, problem).first_match(state)
            assert (None if expected is None else expected.objects) == (
                None if found is None else tuple(found.values())
            )


@pytest.mark.parametrize("name", ["ferry", "delivery", "spanner", "miconic", "forest"])
def test_the_nearest_binding_is_the_first_with_the_fewest_faults(name: str) -> None:
    problem, policy, states = setting(name)
    for state in states[:6]:
        for rule in policy.rules:
            matcher = RuleMatcher(rule, problem)
            if matcher.first_match(state) is not None:
                continue
            best = None
            for objects in product(*matcher._objects):
                binding = dict(zip(matcher.variables, objects, strict=True))
                false = [
                    c for c in matcher.conditions if not matcher.holds(c.ground(binding), state)
                ]
                off = any(id(c) in matcher._about for c in false)
                first = matcher.conditions.index(false[0])
                wanted = [goal for goal in rule.goals if goal not in rule.preconditions]
                reached = any(goal.substitute(binding).atom in state for goal in wanted)
                if best is None or (off, reached, len(false), -first) < best[0]:
                    best = (off, reached, len(false), -first), binding
            assert best is not None
            miss = matcher.nearest(state, budget=10**9)
            assert miss.certain
            if not best[0][0]:
                assert miss.binding == best[1]
            assert len(miss.false) > 0


def test_goals_that_are_open_come_first() -> None:
    """Whoever asks why a rule does not act asks about what is left to do."""
    problem, policy, states = setting("ferry")
    reached, *others = problem.goal
    car = reached.terms[0]
    state = {atom for atom in states[0] if atom.predicate != "at" or atom.terms[0] != car}
    for rule in policy.rules:
        if not rule.goals:
            continue
        matcher = RuleMatcher(rule, problem)
        if matcher.first_match({*state, reached}) is None:
            miss = matcher.nearest({*state, reached})
            assert miss.binding is not None
            assert rule.goals[0].substitute(miss.binding).atom in others


def test_a_small_budget_still_finds_something_and_says_so() -> None:
    problem, policy, states = setting("ferry")
    miss = RuleMatcher(policy.rules[0], problem).nearest(states[0], budget=1)
    assert miss.binding is not None
    assert not miss.certain
