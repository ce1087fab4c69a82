"""Numbers of unified-planning problems: linear sums, comparisons, effects and bounds.

unified-planning bounds values by types: an action that would leave the bounds cannot be done. In
pg3 this is a precondition of the action.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.numbers import (
    LARGEST,
    MIRRORED,
    FunctionTerm,
    NumericEffect,
    Sum,
    combine,
    comparison_name,
    numeric_effect,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import NoReturn

    from pg3.integrations.up.names import Names
    from pg3.pddl.formulas import Formula
    from pg3.pddl.numbers import Number

    # Converts a fluent of parameters or objects.
    Convert = Callable[[Any], Atom]


def is_number(type_: Any) -> bool:
    """Whether a type is one of numbers."""
    return bool(type_.is_int_type() or type_.is_real_type())


def number_in(expression: Any) -> Number | None:
    """The number that an expression is, if it is one that pg3 can count with."""
    if not (expression.is_int_constant() or expression.is_real_constant()):
        return None
    number = Fraction(expression.constant_value())
    fits = abs(number) <= LARGEST and number.denominator <= LARGEST
    return plain(number) if fits else None


def linear_sum(expression: Any, convert: Convert) -> Sum | None:
    """The expression as a linear sum; None if it is none."""
    if expression.is_fluent_exp():
        return Sum(((1, FunctionTerm(*convert(expression))),))
    if (number := number_in(expression)) is not None:
        return Sum((), number)
    for operator, is_it in (
        ("+", expression.is_plus()),
        ("-", expression.is_minus()),
        ("*", expression.is_times()),
        ("/", expression.is_div()),
    ):
        if is_it:
            parts = [linear_sum(part, convert) for part in expression.args]
            known = [part for part in parts if part is not None]
            return combine(operator, known) if len(known) == len(parts) else None
    return None


def comparison(word: str, left: Sum, right: Sum) -> Atom:
    """The comparison; as unified-planning has no `>=`, numbers come to the right."""
    if not left.functions:
        word, left, right = MIRRORED[word], right, left
    return Atom(*comparison_name(word, left, right))


class Numbers:
    """The fluents of numbers in a problem's actions and goals; costs and metrics do not count.

    `names` has those that pg3 knows them by; `fail` raises the error for what is not supported,
    with an advice.
    """

    def __init__(self, source: Any, names: Names, fail: Callable[[str, str], NoReturn]) -> None:
        self._fail = fail
        effects = [effect for action in source.actions for effect in action.effects]
        pending = [part for e in effects for part in (e.fluent, e.value, e.condition)]
        pending += [part for action in source.actions for part in action.preconditions]
        pending += source.goals
        found = set()
        while pending:
            expression = pending.pop()
            if expression.is_fluent_exp():
                found.add(expression.fluent())
            pending.extend(expression.args)
        self.fluents = [f for f in source.fluents if f in found and is_number(f.type)]
        changed = {effect.fluent.fluent() for effect in effects}
        self._changing = {names[fluent.name] for fluent in self.fluents if fluent in changed}

    def sum(self, expression: Any, where: str, convert: Convert) -> Sum:
        """The expression as a linear sum."""
        found = linear_sum(expression, convert)
        if found is None:
            self._fail(f"{expression} in {where}", "expected a linear sum of numbers that fit")
        return found

    def effects(self, action: Any, where: str, convert: Convert) -> dict[NumericEffect, Any]:
        """What an action does to numbers, with the types of these."""
        found: dict[FunctionTerm, tuple[NumericEffect, Any]] = {}
        for effect in action.effects:
            if not is_number(effect.fluent.type):
                continue
            what = f"the effect {effect} of {where}"
            if effect.is_conditional() or effect.forall:
                self._fail(what, "expected an effect on a number to happen always")
            function = FunctionTerm(*convert(effect.fluent))
            word = "assign"
            if not effect.is_assignment():
                word = "increase" if effect.is_increase() else "decrease"
            made = numeric_effect(word, function, self.sum(effect.value, where, convert))
            if any(one.name in self._changing for _, one in made.amount.functions):
                self._fail(what, "expected an amount that no action changes")
            if function in found:  # unified-planning adds up
                before = found[function][0]
                if "assign" in (made.word, before.word):
                    self._fail(what, "expected one value for the fluent")
                sign = 1 if made.word == before.word else -1
                made = NumericEffect(before.word, function, before.amount.plus(made.amount, sign))
            found[function] = made, effect.fluent.type
        return dict(found.values())

    def bounds(
        self,
        effects: dict[NumericEffect, Any],
        precondition: Collection[Formula],
        where: str,
    ) -> Iterator[Literal]:
        """What keeps numbers in the bounds of their types."""
        found = {effect: list(_in_bounds(effect, type_)) for effect, type_ in effects.items()}
        for one, other in combinations([effect for effect in effects if found[effect]], 2):
            if _may_be_same(one.function, other.function, precondition):
                what = f"two changes in {where} of a fluent with bounds"
                self._fail(what, "expected a precondition that their objects differ")
        for conditions in found.values():
            yield from conditions


def _may_be_same(one: FunctionTerm, other: FunctionTerm, precondition: Collection[Formula]) -> bool:
    """Whether a precondition leaves it open that two functions are one."""

    def differ(a: str, b: str) -> bool:
        are_objects = a != b and not a.startswith("?") and not b.startswith("?")
        unequal = (Literal(Atom(EQUALS, terms), False) for terms in ((a, b), (b, a)))
        return are_objects or any(literal in precondition for literal in unequal)

    return one.name == other.name and not any(map(differ, one.terms, other.terms))


def _in_bounds(effect: NumericEffect, type_: Any) -> Iterator[Literal]:
    after = effect.amount
    if effect.word != "assign":
        sign = 1 if effect.word == "increase" else -1
        after = Sum(((1, effect.function),)).plus(after, sign)
    for word, bound in ((">=", type_.lower_bound), ("<=", type_.upper_bound)):
        # unified-planning itself refuses an assignment of a number out of bounds.
        if bound is not None and after.functions:
            most = plain(Fraction(bound) - after.constant)
            yield Literal(comparison(word, Sum(after.functions), Sum((), most)))
