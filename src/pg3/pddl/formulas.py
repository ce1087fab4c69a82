"""Conditions of ADL as values: `and`, `or`, `imply`, `not`, `exists` and `forall`, nested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.pddl.model import Literal, Parameter
from pg3.pddl.reading.typed_lists import typed_names

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Junction:
    """Formulas joined by a word: "and", "or", "imply" (two of them) or "not" (one)."""

    word: str
    parts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.word, *map(str, self.parts)))})"


@dataclass(frozen=True, slots=True)
class Quantified:
    """A formula for some ("exists") or all ("forall") objects; no variable is bound twice."""

    word: str
    variables: tuple[Parameter, ...]
    part: Formula

    def __str__(self) -> str:
        return f"({self.word} ({' '.join(typed_names(self.variables))}) {self.part})"


Formula = Literal | Junction | Quantified


def normal_form(formula: Formula, positive: bool = True) -> Formula:
    """The formula, or its negation, with `not` before predicates only and without `imply`."""
    if isinstance(formula, Literal):
        return formula if positive else formula.negated
    if isinstance(formula, Quantified):
        word = formula.word if positive else _DUAL[formula.word]
        return Quantified(word, formula.variables, normal_form(formula.part, positive))
    if formula.word == "not":
        return normal_form(formula.parts[0], not positive)
    parts = formula.parts
    if formula.word == "imply":
        parts = (Junction("not", (parts[0],)), parts[1])
    word = "and" if formula.word == "and" else "or"
    word = word if positive else _DUAL[word]
    return Junction(word, tuple(_flattened(word, [normal_form(p, positive) for p in parts])))


_DUAL = {"and": "or", "or": "and", "exists": "forall", "forall": "exists"}


def _flattened(word: str, parts: list[Formula]) -> Iterator[Formula]:
    for part in parts:
        if isinstance(part, Junction) and part.word == word:
            yield from part.parts
        else:
            yield part


def free_variables(formula: Formula) -> tuple[str, ...]:
    """The variables that the formula does not bind, in the order of the text."""
    return tuple(dict.fromkeys(_free(formula, frozenset())))


def _free(formula: Formula, bound: frozenset[str]) -> Iterator[str]:
    if isinstance(formula, Literal):
        yield from (t for t in formula.atom.terms if t.startswith("?") and t not in bound)
    elif isinstance(formula, Junction):
        for part in formula.parts:
            yield from _free(part, bound)
    else:
        yield from _free(formula.part, bound | {v.name for v in formula.variables})
