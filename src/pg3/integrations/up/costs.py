"""Action costs of a unified-planning problem, as integers for the kernel.

unified-planning allows fractions; multiplied by their common denominator they rank plans the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pg3.errors import Pg3Error
from pg3.pddl.reading.conditions import LARGEST_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class CostError(Pg3Error):
    """Costs that pg3 cannot express; plans can still be found without them."""


@dataclass(frozen=True)
class Costs:
    """For each action by name a number or a static fluent, and the fluents' values.

    Numbers are to be multiplied by `scale`, see `amount`.
    """

    expressions: Mapping[str, Any]
    values: Mapping[Any, Mapping[Any, Any]]
    scale: int

    def amount(self, number: Any) -> int:
        """A constant as the integer that stands for it."""
        return int(_fraction(number) * self.scale)


def find_costs(problem: Any, values: Callable[[Any], Iterable[tuple[Any, Any]]]) -> Costs | None:
    """The costs that the problem minimises; None if it minimises none.

    `values` gives the ground instances of a fluent with their initial values. CostError if a cost
    is not a number or a static fluent, is negative or too large.
    """
    metrics = [m for m in problem.quality_metrics if m.is_minimize_action_costs()]
    if not metrics:
        return None
    static = problem.get_static_fluents()
    expressions: dict[str, Any] = {}
    for action in problem.actions:
        cost = metrics[0].get_action_cost(action)
        cost = None if cost is None else cost.simplify()
        expressions[action.name] = cost
        if cost is None or cost.is_int_constant() or cost.is_real_constant():
            continue
        if not (cost.is_fluent_exp() and cost.fluent() in static):
            raise CostError(f"the cost of action '{action.name}' is an expression: {cost}")
    fluents = dict.fromkeys(
        cost.fluent() for cost in expressions.values() if cost is not None and cost.is_fluent_exp()
    )
    found = {fluent: dict(values(fluent)) for fluent in fluents}
    numbers = [
        *(cost for cost in expressions.values() if cost is not None and not cost.is_fluent_exp()),
        *(value for of_fluent in found.values() for value in of_fluent.values()),
    ]
    fractions = [_fraction(number) for number in numbers]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    for fraction in fractions:
        if not 0 <= fraction * scale <= LARGEST_NUMBER:
            raise CostError(f"a cost of {fraction} is negative or too large")
    return Costs(expressions, found, scale)


def _fraction(number: Any) -> Fraction:
    number = number.simplify()
    if not (number.is_int_constant() or number.is_real_constant()):
        raise CostError(f"a cost is an expression: {number}")
    return Fraction(number.constant_value())
