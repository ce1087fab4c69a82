"""The numbers of a domain for the exported C: what is compared, and what actions change.

Of a function the first number is its value in a state; the next ones are those that goals compare
it with, in the order of the words. Values are integers there: so many parts of one (`c_runtime.c`).
"""

from __future__ import annotations

from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.numbers import COMPARISONS, Sum, comparison_of, goal_comparisons, is_comparison
from pg3.pddl.reading.number_reader import TOTAL_COST
from pg3.policy.number_encoding import encode_comparison, encode_sum

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3 import _native
    from pg3.pddl.model import Domain, Predicate

_EACH = 1 + len(COMPARISONS)


class NumberSum(NamedTuple):
    """Coefficients of numbers, each with its terms, and a constant."""

    values: tuple[tuple[int, int, tuple[int, ...]], ...]
    constant: int


class Change(NamedTuple):
    """What an action does to a number: adds the amount divided by the divisor, or assigns it."""

    action: int
    assigns: bool
    number: int
    terms: tuple[int, ...]
    amount: NumberSum
    divisor: int


class NumberTables:
    """The numbers of a domain, whose predicates include all comparisons that are asked for."""

    def __init__(self, domain: Domain, predicates: Sequence[Predicate]) -> None:
        self._domain = domain
        self._compared = {
            one.name: i for i, one in enumerate(predicates) if is_comparison(one.name)
        }

    @property
    def _has_numbers(self) -> bool:
        return bool(self._domain.numeric_functions or self._compared)

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of all functions; none if they are for costs only."""
        return tuple(f.name for f in self._domain.functions) if self._has_numbers else ()

    @property
    def arities(self) -> list[int]:
        """Of each number; -1 where there is none."""
        found = []
        for function in self._domain.functions if self._has_numbers else ():
            of_goals = function.arity if function.name in self._domain.numeric_functions else -1
            found.append(-1 if function.name == TOTAL_COST else function.arity)
            found += [of_goals] * len(COMPARISONS)
        return found

    @property
    def goals(self) -> list[int]:
        """For each number of a goal the predicate that compares a function with it; else -1."""
        found = []
        for function in self._domain.functions if self._has_numbers else ():
            names = goal_comparisons([(function.name, function.arity)])
            found += [-1, *(self._compared.get(name, -1) for name in names)]
        return found

    @property
    def comparisons(self) -> list[tuple[int, int, NumberSum]]:
        """Each as its predicate, how the sum compares to 0, and the sum over its places."""
        found = []
        for name, number in self._compared.items():
            order, code = encode_comparison(comparison_of(name), self._domain)
            found.append((number, order, self._sum(code)))
        return found

    @cached_property
    def changes(self) -> list[Change]:
        """Of all actions, in their order; terms are parameters, or -1 - n for constant n."""
        domain = self._domain
        constants = {one.name: -1 - i for i, one in enumerate(domain.constants)}
        found = []
        for number, action in enumerate(domain.actions):
            terms = constants | {one.name: i for i, one in enumerate(action.parameters)}
            for effect in action.numeric:
                amount = Sum().plus(effect.amount, -1 if effect.word == "decrease" else 1)
                code, divisor = encode_sum(amount, terms, domain)
                changed = domain.function_index[effect.function.name] * _EACH
                of_terms = _numbers(effect.function.terms, terms)
                assigns = effect.word == "assign"
                found.append(Change(number, assigns, changed, of_terms, self._sum(code), divisor))
        return found

    @property
    def divisor(self) -> int:
        """What the parts that make one are a multiple of, so that amounts are exact."""
        return lcm(1, *(change.divisor for change in self.changes))

    def _sum(self, code: _native.SumCode) -> NumberSum:
        functions, constant = code
        count = len(self._domain.functions)
        values = []
        for coefficient, function, terms in functions:
            of_goal = divmod(function - count, len(COMPARISONS))
            number = function * _EACH
            if function >= count:
                number = of_goal[0] * _EACH + 1 + of_goal[1]
            values.append((coefficient, number, tuple(terms)))
        return NumberSum(tuple(values), constant)


def _numbers(terms: Sequence[str], numbers: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(numbers[term] for term in terms)
