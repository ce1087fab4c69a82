"""Reading comparisons of numbers and effects on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.lexer import DEEPEST
from pg3.pddl.model import EQUALS, Atom
from pg3.pddl.numbers import (
    GOAL,
    LARGEST,
    FunctionTerm,
    Sum,
    combine,
    comparison_name,
    number_of,
    numeric_effect,
    read_comparison,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pg3.pddl.lexer import Cursor
    from pg3.pddl.numbers import NumericEffect

TOTAL_COST = "total-cost"
_LINEAR = "expected a linear sum, as in (+ (* 2 (f ?x)) 3)"


class NumberReader:
    """Reads at a cursor; `application` reads one of the `functions` applied to terms.

    With `goals` the second side of a comparison may be `(goal (f ...))`.
    """

    def __init__(
        self,
        cursor: Cursor,
        functions: Collection[str],
        application: Callable[[str], Atom],
        *,
        goals: bool,
    ) -> None:
        self._cursor = cursor
        self._functions = functions
        self._application = application
        self._goals = goals

    def is_next(self) -> bool:
        """Whether the comparison at the cursor is one of numbers: `=` is for objects, too."""
        at, word_at = self._cursor.at, self._cursor.word_at
        if word_at(at + 1) != EQUALS:
            return True
        return any(word_at(i) == "(" or number_of(word_at(i)) is not None for i in (at + 2, at + 3))

    def comparison(self) -> Atom:
        """A comparison of two linear sums."""
        cursor = self._cursor
        at = cursor.at
        word = cursor.word_at(at + 1)
        cursor.at += 2
        sides: list[Sum] = []
        while not cursor.is_close:
            is_goal = self._goals and cursor.head == GOAL and len(sides) == 1
            sides.append(self._goal_number(word, sides[0]) if is_goal else self.sum())
        cursor.at += 1
        if len(sides) != 2:
            raise cursor.fail(
                f"'{word}' takes 2 numbers, not {len(sides)}",
                cursor.whole(at),
                hint=f"as in ({word} (f ?x) 1)",
            )
        name, terms = comparison_name(word, *sides)
        if read_comparison(name) is None:
            what = "a comparison of so many functions"
            raise cursor.unsupported(what, cursor.whole(at), hint="expected a shorter one")
        return Atom(name, terms)

    def _goal_number(self, word: str, compared: Sum) -> Sum:
        """`(goal (f ...))`: what a goal asks of the function that it is compared with."""
        cursor = self._cursor
        at = cursor.at
        cursor.at += 2
        asked = self.sum()
        cursor.take_close("')', as 'goal' takes one function")
        if asked != compared or [c for c, _ in asked.functions] != [1] or asked.constant:
            raise cursor.fail(
                "a goal's number is compared with its own function only",
                cursor.whole(at),
                hint="as in (>= (f ?x) (goal (f ?x)))",
            )
        function = asked.functions[0][1]
        return Sum(((1, FunctionTerm(function.name, function.terms, word)),))

    def sum(self, depth: int = 0) -> Sum:
        """A linear sum of functions and numbers."""
        cursor = self._cursor
        at = cursor.at
        if depth == DEEPEST:
            raise cursor.unsupported(f"sums nested deeper than {DEEPEST}", at, "")
        if not cursor.is_open:
            word = cursor.take_word("a number or '(' and a function")
            number = number_of(word)
            if number is None:
                hint = f"did you mean '({word} ...)'?" if word in self._functions else ""
                raise cursor.fail(f"unexpected '{word}'", at, hint=hint or "expected a number")
            if not -LARGEST <= number <= LARGEST or number.denominator > LARGEST:
                what = f"numbers beyond {LARGEST}, or with so many decimals"
                raise cursor.unsupported(what, at, "expected a smaller number")
            return Sum((), number)
        head = cursor.head
        if not head:
            cursor.at += 1
            raise cursor.unexpected("the name of a function")
        if head == TOTAL_COST:
            raise cursor.unsupported("conditions on (total-cost)", at + 1, "expected a function")
        if head not in ("+", "-", "*", "/") or head in self._functions:
            return Sum(((1, FunctionTerm(*self._application(head))),))
        cursor.at += 2
        parts = []
        while not cursor.is_close:
            parts.append(self.sum(depth + 1))
        cursor.at += 1
        if len(parts) < 2 and not (head == "-" and parts):
            raise cursor.fail(f"'{head}' takes 2 numbers, not {len(parts)}", cursor.whole(at))
        found = combine(head, parts)
        if found is None:
            what = "a quotient" if head == "/" else "a product of functions"
            what = f"'{head}' of {len(parts)} numbers" if len(parts) > 2 and head in "-/" else what
            raise cursor.unsupported(f"{what} ({head})", cursor.whole(at), _LINEAR)
        return found

    def change(self) -> NumericEffect:
        """`(increase (f ...) amount)`, or another word; whether the amount changes, is not seen."""
        cursor = self._cursor
        word = cursor.head
        cursor.at += 2
        function = cursor.head
        if not function:
            raise cursor.unexpected("'(' and a function")
        if function == TOTAL_COST:
            what = f"effects on (total-cost) other than 'increase' ({word})"
            raise cursor.unsupported(what, cursor.at + 1, "expected (increase (total-cost) ...)")
        changed = FunctionTerm(*self._application(function))
        amount = self.sum()
        cursor.take_close(f"')', as '{word}' takes a function and an amount")
        return numeric_effect(word, changed, amount)
