"""h_add, h_max and h_FF by a naive fixpoint over all ground actions.

The cost of a literal in a state is 0 if it holds, else the least over the actions that achieve it
of the action's cost plus the combined cost of its preconditions. A negative literal is a fact of
its own (a "complement atom"): an action that deletes p, and does not add it, achieves (not p).

Axioms achieve what they derive, at no cost. That a derived atom is false costs nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pg3.pddl.model import Literal
from pg3.pddl.strata import stratify_axioms
from tests.oracle.semantics import axiom_instances, closed, reachable

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


def h_ff(
    problem: Problem, instances: list[Instance], state: State, unit: bool = True
) -> tuple[float, list[Instance]]:
    """The FF heuristic with supporters from h_add, and the preferred actions.

    A literal's supporter is the first action, or else axiom in the order of strata, with the least
    price plus summed costs of conditions. An axiom has the price 1 but does not count in the plan.
    If some action that can be reached is free, each costs 1 more. The preferred actions are those
    of the relaxed plan that are applicable.
    """
    some_are_free = any(one.cost == 0 for one in reachable(problem, instances))
    prices = {one.action: 1 if unit else one.cost + some_are_free for one in instances}
    groups = stratify_axioms(problem.domain.axioms)
    axioms = sorted(
        axiom_instances(problem),
        key=lambda axiom: next(i for i, group in enumerate(groups) if axiom[1].predicate in group),
    )
    steps: list[_Step] = [
        (prices[one.action], one.conditions, one.achieved, one) for one in instances
    ]
    steps += [(1, conditions, [Literal(head)], None) for conditions, head in axioms]
    cost = _literal_costs(problem, steps, state, sum)
    if math.inf in map(cost, problem.goal_literals):
        return math.inf, []
    plan: set[int] = set()
    open_literals, seen = list(problem.goal_literals), set(problem.goal_literals)
    while open_literals:
        literal = open_literals.pop()
        if cost(literal) == 0:
            continue
        values = [
            price + sum(map(cost, conditions)) if literal in achieved else math.inf
            for price, conditions, achieved, _ in steps
        ]
        supporter = values.index(min(values))
        plan.add(supporter)
        needs = set(steps[supporter][1]) - seen
        seen |= needs
        open_literals += needs
    actions = [one for i in sorted(plan) if (one := steps[i][3]) is not None]
    total = sum(prices[one.action] for one in actions)
    return total, [one for one in actions if one.applicable(state)]


# What it costs, needs and achieves; the action, or None for an axiom.
_Step = tuple[float, list[Literal], list[Literal], "Instance | None"]


def _relaxed_cost(
    problem: Problem,
    instances: list[Instance],
    state: State,
    combine: Callable[[Iterable[float]], float],
    unit: bool,
) -> float:
    steps: list[_Step] = [
        (1 if unit else one.cost, one.conditions, one.achieved, one) for one in instances
    ]
    steps += [(0, needs, [Literal(head)], None) for needs, head in axiom_instances(problem)]
    cost = _literal_costs(problem, steps, state, combine)
    return combine(cost(literal) for literal in problem.goal_literals)


def _literal_costs(
    problem: Problem,
    steps: list[_Step],
    state: State,
    combine: Callable[[Iterable[float]], float],
) -> Callable[[Literal], float]:
    costs: dict[Literal, float] = {}
    derived = problem.domain.derived
    state = closed(problem, state)

    def cost(literal: Literal) -> float:
        if (literal.atom in state) == literal.positive:
            return 0
        if literal.atom.predicate in derived and not literal.positive:
            return 0
        return costs.get(literal, math.inf)

    changed = True
    while changed:
        changed = False
        for price, conditions, achieved, _ in steps:
            reached = price + combine(cost(literal) for literal in conditions)
            for literal in achieved:
                if reached < cost(literal):
                    costs[literal] = reached
                    changed = True
    return cost
