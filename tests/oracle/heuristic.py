"""h_add and h_max by a naive fixpoint over all ground actions.

The cost of a literal in a state is 0 if it holds, else the least over the actions that achieve it
of the action's cost plus the combined cost of its preconditions. A negative literal is a fact of
its own (a "complement atom"): an action that deletes p, and does not add it, achieves (not p).

Axioms achieve what they derive, at no cost. That a derived atom is false costs nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pg3.pddl.model import Literal
from tests.oracle.semantics import axiom_instances, closed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pg3.pddl.model import Problem
    from tests.oracle.semantics import Instance, State


def h_add(problem: Problem, instances: list[Instance], state: State, unit: bool = True) -> float:
    """The additive heuristic: the summed costs of the goal's literals; infinity if unreachable."""
    return _relaxed_cost(problem, instances, state, sum, unit)


def h_max(problem: Problem, instances: list[Instance], state: State, unit: bool = True) -> float:
    """The max heuristic: the largest cost of a goal literal. It never overestimates."""
    return _relaxed_cost(problem, instances, state, lambda costs: max(costs, default=0), unit)


def blind(problem: Problem, instances: list[Instance], state: State, unit: bool = True) -> float:
    """The heuristic that knows nothing."""
    del problem, instances, state, unit
    return 0


def _relaxed_cost(
    problem: Problem,
    instances: list[Instance],
    state: State,
    combine: Callable[[Iterable[float]], float],
    unit: bool,
) -> float:
    costs: dict[Literal, float] = {}
    derived = problem.domain.derived
    state = closed(problem, state)
    steps = [(1 if unit else one.cost, one.conditions, one.achieved) for one in instances] + [
        (0, conditions, [Literal(head)]) for conditions, head in axiom_instances(problem)
    ]

    def cost(literal: Literal) -> float:
        if (literal.atom in state) == literal.positive:
            return 0
        if literal.atom.predicate in derived and not literal.positive:
            return 0
        return costs.get(literal, math.inf)

    changed = True
    while changed:
        changed = False
        for price, conditions, achieved in steps:
            reached = price + combine(cost(literal) for literal in conditions)
            for literal in achieved:
                if reached < cost(literal):
                    costs[literal] = reached
                    changed = True
    return combine(cost(literal) for literal in problem.goal_literals)
