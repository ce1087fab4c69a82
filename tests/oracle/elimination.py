"""Action elimination as it is printed (Nakhost and Müller 2010): every trial goes to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.semantics import initial_state, is_goal

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from tests.oracle.semantics import Instance


def eliminate(problem: Problem, plan: list[Instance]) -> list[Instance]:
    """The plan without the actions that are left out."""
    number = 0
    while number < len(plan):
        state = initial_state(problem)
        rest = []
        for place, one in enumerate(plan):
            if place != number and one.applicable(state):
                state = one.successor(state)
                rest.append(one)
        if is_goal(problem, state):
            plan = rest
        else:
            number += 1
    return plan
