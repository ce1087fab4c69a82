"""Numbers as plain integers for the kernel.

A value is an integer: so many parts of one, `scale` of which make one, so that decimals are exact.
Coefficients and constants are integers, too: a comparison is multiplied by what makes them so, and
an amount has a divisor.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.pddl.numbers import (
    COMPARISONS,
    LARGEST,
    Sum,
    comparison_of,
    is_comparison,
    is_goal_function,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pg3 import _native
    from pg3.pddl.model import Domain, Predicate, Problem
    from pg3.pddl.numbers import Comparison, FunctionTerm

# How a sum compares to 0; the two other words turn the sum round.
_ORDERS = {">=": 0, "<=": 0, ">": 1, "<": 1, "=": 2}


def function_number(function: FunctionTerm, domain: Domain) -> int:
    """The kernel's number of a function; those of goals come after the domain's."""
    number = domain.function_index[function.name]
    if not function.goal:
        return number
    return len(domain.functions) + len(COMPARISONS) * number + COMPARISONS.index(function.goal)


def encode_sum(
    total: Sum, numbers: Mapping[str, int], domain: Domain
) -> tuple[_native.SumCode, int]:
    """The sum times a divisor, over terms whose numbers are given, and the divisor."""
    divisor = lcm(total.constant.denominator, *(c.denominator for c, _ in total.functions))
    functions = [
        (
            int(coefficient * divisor),
            function_number(function, domain),
            [numbers[term] for term in function.terms],
        )
        for coefficient, function in total.functions
    ]
    for number in (divisor, *(c for c, _, _ in functions), int(total.constant * divisor)):
        _check_size(number)
    return (functions, int(total.constant * divisor)), divisor


def encode_comparison(comparison: Comparison, domain: Domain) -> _native.ComparisonCode:
    """A comparison whose terms are numbered as its places."""
    word, left, right = comparison.parts
    difference = right.plus(left, -1) if word in ("<", "<=") else left.plus(right, -1)
    numbers = {place: i for i, place in enumerate(comparison.places)}
    return _ORDERS[word], encode_sum(_with_all_places(difference, comparison), numbers, domain)[0]


def _with_all_places(difference: Sum, comparison: Comparison) -> Sum:
    """The sum with functions that cancel out, too: without a value for them nothing is compared."""
    there = {function for _, function in difference.functions}
    gone = tuple((0, f) for f in comparison.functions if f not in there)
    return Sum((*difference.functions, *gone), difference.constant)


def encode_numbers(
    problem: Problem,
    symbols: Sequence[Predicate],
    objects: Mapping[str, int],
    term_numbers: Iterable[Mapping[str, int]],
) -> _native.NumbersCode | None:
    """The numbers of a problem, whose predicates are given in their order; None if it has none.

    `objects` has the numbers of objects, `term_numbers` for each action those of its terms.
    """
    domain = problem.domain
    if not domain.has_numbers:
        return None
    compared = [
        (i, encode_comparison(comparison_of(symbol.name), domain))
        for i, symbol in enumerate(symbols)
        if is_comparison(symbol.name)
    ]
    effects: list[_native.NumericCode] = []
    divisors = 1
    for i, (action, numbers) in enumerate(zip(domain.actions, term_numbers, strict=True)):
        for effect in action.numeric:
            amount = Sum().plus(effect.amount, -1 if effect.word == "decrease" else 1)
            code, divisor = encode_sum(amount, numbers, domain)
            divisors = lcm(divisors, divisor)
            function = function_number(effect.function, domain)
            terms = [numbers[term] for term in effect.function.terms]
            effects.append((i, effect.word == "assign", function, terms, code, divisor))
    values = problem.function_values
    scale = divisors * lcm(1, *(value.denominator for value in values.values()))
    found = []
    for atom, value in values.items():
        _check_size(int(value * scale))
        of_objects = [objects[term] for term in atom.terms]
        number = _number_of_name(atom.predicate, domain)
        found.append(([number, *of_objects], int(value * scale)))
    _check_size(scale)
    return scale, found, compared, effects


def _number_of_name(name: str, domain: Domain) -> int:
    if not is_goal_function(name):
        return domain.function_index[name]
    _, word, function = name.strip("()").split(" ")
    place = COMPARISONS.index(word)
    return len(domain.functions) + len(COMPARISONS) * domain.function_index[function] + place


def _check_size(number: int) -> None:
    if abs(number) > LARGEST:
        raise Pg3Error(
            "not supported: numbers that are too large and have too many decimals, together"
        )
