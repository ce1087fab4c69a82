"""Numbers: linear sums of functions, comparisons of them, and what actions do to them.

Numbers are exact: integers, or fractions where PDDL has decimals. A comparison is an atom like any
other. Its predicate has the comparison itself for a name, with `$1`, `$2`, ... for the terms (see
`formula_names`): `(>= (fuel ?v) 1)` is `Atom("(>= (fuel $1) 1)", ("?v",))`. So is the value of a
function in a state: `(= (fuel v) 3)` is `Atom("(= (fuel $1) $2)", ("v", "3"))`.

`(goal (f ...))` stands for the number with which a goal compares `(f ...)`, by the same word: so
policies can speak of goals of any number. It occurs as in `(>= (f ?x) (goal (f ?x)))` only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from pg3.pddl.formula_names import TOKEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Number = int | Fraction

COMPARISONS = ("<", "<=", "=", ">=", ">")
MIRRORED = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}
CHANGES = ("increase", "decrease", "assign")
GOAL = "goal"
# What files may say; the kernel counts further.
LARGEST = 2**53
# Of the name of a comparison: nobody writes longer ones, and they are read by recursion.
_MOST_TOKENS = 200
# Of one number: Python converts them in square time, and refuses some thousands.
_MOST_DIGITS = 400

# As mimir and unified-planning read them, too: +3, .5, 5., 1e-05. With an exponent of more digits
# Python would write out as many zeros.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?0*[0-9]{1,3})?")
_QUOTIENT = re.compile(r"\(/ (-?[0-9]{1,20}) ([1-9][0-9]{0,19})\)")
_COMPARISON = re.compile(r"\((<|<=|=|>=|>) (?!.* \$[0-9]+\)$)")
_VALUE = re.compile(r"\(= \((\S+)( \$[0-9]+)*\) \$[0-9]+\)")


def number_of(word: str) -> Number | None:
    """The number that a word is, if it is one, as `number_text` writes them or a file."""
    if quotient := _QUOTIENT.fullmatch(word):
        return plain(Fraction(int(quotient[1]), int(quotient[2])))
    if not _NUMBER.fullmatch(word) or len(word) > _MOST_DIGITS:
        return None
    return plain(Fraction(word))


def plain(number: Number) -> Number:
    """The number as an integer if it is one."""
    return int(number) if number.denominator == 1 else number


def number_text(number: Number) -> str:
    """The number as PDDL writes it: with decimals, or as a quotient where these never end."""
    if number.denominator == 1:
        return str(number)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest > 1:
        return f"(/ {number.numerator} {number.denominator})"
    digits = 1
    while number.denominator and 10**digits % number.denominator:
        digits += 1
    scaled = int(abs(number) * 10**digits)
    sign = "-" if number < 0 else ""
    return f"{sign}{scaled // 10**digits}.{scaled % 10**digits:0{digits}}"


@dataclass(frozen=True, slots=True)
class FunctionTerm:
    """A function of terms; `goal` is the word that a goal compares it by, if that is meant."""

    name: str
    terms: tuple[str, ...] = ()
    goal: str = ""

    def __str__(self) -> str:
        text = f"({' '.join((self.name, *self.terms))})"
        return f"({GOAL} {text})" if self.goal else text

    def substitute(self, binding: Mapping[str, str]) -> FunctionTerm:
        """The function of other terms."""
        terms = tuple([binding.get(term, term) for term in self.terms])
        return FunctionTerm(self.name, terms, self.goal)


@dataclass(frozen=True, slots=True)
class Sum:
    """A linear sum: functions with coefficients, each once, and a constant."""

    functions: tuple[tuple[Number, FunctionTerm], ...] = ()
    constant: Number = 0

    def plus(self, other: Sum, factor: Number = 1) -> Sum:
        """This sum and the other one times the factor."""
        found = {function: coefficient for coefficient, function in self.functions}
        for coefficient, function in other.functions:
            found[function] = found.get(function, 0) + factor * coefficient
        return Sum(
            tuple((plain(c), function) for function, c in found.items() if c),
            plain(self.constant + factor * other.constant),
        )

    def substitute(self, binding: Mapping[str, str]) -> Sum:
        """The sum with other terms."""
        functions = tuple([(c, f.substitute(binding)) for c, f in self.functions])
        return Sum(functions, self.constant)

    def value(self, value_of: Callable[[FunctionTerm], Number | None]) -> Number | None:
        """What the sum amounts to; None where a function has no value."""
        total: Number = self.constant
        for coefficient, function in self.functions:
            value = value_of(function)
            if value is None:
                return None
            total += coefficient * value
        return plain(total)

    def __str__(self) -> str:
        parts = [
            str(function) if c == 1 else f"(* {number_text(c)} {function})"
            for c, function in self.functions
        ]
        if self.constant or not parts:
            parts.append(number_text(self.constant))
        text = parts[0]
        for part in parts[1:]:
            text = f"(+ {text} {part})"
        return text


@dataclass(frozen=True, slots=True)
class NumericEffect:
    """`(increase (f ...) amount)`, or "decrease" or "assign"; the amount never changes."""

    word: str
    function: FunctionTerm
    amount: Sum

    def __str__(self) -> str:
        return f"({self.word} {self.function} {self.amount})"

    def substitute(self, binding: Mapping[str, str]) -> NumericEffect:
        """The effect on other terms."""
        return NumericEffect(
            self.word, self.function.substitute(binding), self.amount.substitute(binding)
        )

    def after(self, before: Number, amount: Number) -> Number:
        """The value after the effect."""
        sign = {"increase": 1, "decrease": -1}.get(self.word)
        return amount if sign is None else plain(before + sign * amount)


def numeric_effect(word: str, function: FunctionTerm, amount: Sum) -> NumericEffect:
    """The effect; to assign a function's own value plus an amount is to increase it."""
    own = Sum(((1, function),))
    if word == "assign" and own.functions[0] in amount.functions:
        return NumericEffect("increase", function, amount.plus(own, -1))
    return NumericEffect(word, function, amount)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the name of a comparison says: `left word right`, of terms `$1`, `$2`, ..."""

    word: str
    left: Sum
    right: Sum

    @property
    def parts(self) -> tuple[str, Sum, Sum]:
        """The word and both sides."""
        return self.word, self.left, self.right

    @property
    def functions(self) -> tuple[FunctionTerm, ...]:
        """The functions on both sides, each once."""
        both = (*self.left.functions, *self.right.functions)
        return tuple(dict.fromkeys(function for _, function in both))

    @property
    def places(self) -> tuple[str, ...]:
        """The terms: `$1`, `$2` and so on."""
        number = max((int(t[1:]) for f in self.functions for t in f.terms), default=0)
        return tuple(f"${i}" for i in range(1, number + 1))

    def holds(self, left: Number, right: Number) -> bool:
        """Whether it holds of two numbers."""
        return compares(self.word, left, right)


def compares(word: str, left: Number, right: Number) -> bool:
    """Whether two numbers compare as the word says."""
    if word in ("<", "<="):
        return left < right or (word == "<=" and left == right)
    if word in (">", ">="):
        return left > right or (word == ">=" and left == right)
    return left == right


def is_comparison(predicate: str) -> bool:
    """Whether a predicate compares numbers."""
    return _COMPARISON.match(predicate) is not None


def is_value(predicate: str) -> bool:
    """Whether atoms of a predicate are values of a function in a state."""
    return _VALUE.fullmatch(predicate) is not None


@lru_cache(maxsize=10_000)
def value_predicate(function: str, arity: int) -> str:
    """The predicate of the values of a function."""
    places = "".join(f" ${i}" for i in range(1, arity + 1))
    return f"(= ({function}{places}) ${arity + 1})"


@lru_cache(maxsize=10_000)
def function_of_value(predicate: str) -> str:
    """The function whose values have this predicate."""
    found = _VALUE.fullmatch(predicate)
    assert found is not None
    return found[1]


def comparison_name(word: str, left: Sum, right: Sum) -> tuple[str, tuple[str, ...]]:
    """The predicate and the terms of the atom for a comparison."""
    terms = tuple(dict.fromkeys(t for s in (left, right) for _, f in s.functions for t in f.terms))
    places = {term: f"${i}" for i, term in enumerate(terms, start=1)}
    return f"({word} {left.substitute(places)} {right.substitute(places)})", terms


def goal_function(word: str, name: str) -> str:
    """The function whose values are the numbers with which goals compare another one."""
    return f"({GOAL} {word} {name})"


def is_goal_function(name: str) -> bool:
    """Whether a function is one of these."""
    return name.startswith(f"({GOAL} ")


@lru_cache(maxsize=10_000)
def read_comparison(predicate: str) -> Comparison | None:
    """What the name of a comparison says; None if it is none, or not written as we do it."""
    tokens = TOKEN.findall(predicate)
    if len(tokens) > _MOST_TOKENS:
        return None
    word = tokens[1]
    try:
        at, left = read_sum(tokens, 2, word)
        at, right = read_sum(tokens, at, word)
    except (IndexError, ValueError):
        return None
    name, terms = comparison_name(word, left, right)
    places = tuple(f"${i}" for i in range(1, len(terms) + 1))
    return Comparison(word, left, right) if (name, terms) == (predicate, places) else None


def comparison_of(predicate: str) -> Comparison:
    """What the name of a comparison says that is known to be one."""
    found = read_comparison(predicate)
    assert found is not None
    return found


def read_sum(tokens: Sequence[str], at: int, word: str = "") -> tuple[int, Sum]:
    """The sum at a place of a text that is in order, and the place after it."""
    if tokens[at] != "(":
        number = number_of(tokens[at])
        if number is None:
            raise ValueError
        return at + 1, Sum((), number)
    head = tokens[at + 1]
    if head in ("+", "-", "*", "/"):
        parts = []
        at += 2
        while tokens[at] != ")":
            at, part = read_sum(tokens, at, word)
            parts.append(part)
        found = combine(head, parts)
        if found is None:
            raise ValueError
        return at + 1, found
    if head == GOAL and tokens[at + 2] == "(":
        end, inner = read_sum(tokens, at + 2)
        [(_, function)] = inner.functions
        return end + 1, Sum(((1, FunctionTerm(function.name, function.terms, word)),))
    end = tokens.index(")", at)
    return end + 1, Sum(((1, FunctionTerm(head, tuple(tokens[at + 2 : end]))),))


def combine(operator: str, parts: Sequence[Sum]) -> Sum | None:
    """The sum that an operator makes of others; None if that is no linear sum."""
    if operator == "-" and len(parts) == 1:
        return Sum().plus(parts[0], -1)
    if len(parts) < 2 or (operator in "-/" and len(parts) > 2):
        return None
    found = parts[0]
    for part in parts[1:]:
        if operator in "+-":
            found = found.plus(part, 1 if operator == "+" else -1)
        elif operator == "/":
            if part.functions or not part.constant:
                return None
            found = Sum().plus(found, Fraction(1) / part.constant)
        else:
            if found.functions and part.functions:
                return None
            factor, other = (part, found) if found.functions else (found, part)
            found = Sum().plus(other, factor.constant)
    return found


def goal_comparisons(
    functions: Iterable[tuple[str, int]], words: Iterable[str] = COMPARISONS
) -> Iterator[str]:
    """The comparisons of functions, given with their arities, with what goals ask of them."""
    for name, arity in functions:
        terms = tuple(f"${i}" for i in range(1, arity + 1))
        for word in words:
            left = Sum(((1, FunctionTerm(name, terms)),))
            right = Sum(((1, FunctionTerm(name, terms, word)),))
            yield comparison_name(word, left, right)[0]
