"""Comparisons of numbers in words: "the capacity of the van is at least 1"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.explain.english import Clause, words_of
from pg3.pddl.numbers import GOAL, comparison_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Atom
    from pg3.pddl.numbers import FunctionTerm, Sum

_WORDS = {"<": "less than ", "<=": "at most ", "=": "", ">=": "at least ", ">": "more than "}


def comparison_clause(atom: Atom, call: Callable[[str], str]) -> Clause:
    """A comparison as a clause; `call` says what to call a term."""
    comparison = comparison_of(atom.predicate)
    binding = dict(zip(comparison.places, atom.terms, strict=True))
    left = _sum(comparison.left.substitute(binding), call)
    right = _sum(comparison.right.substitute(binding), call)
    return Clause(left, "is", f"{_WORDS[comparison.word]}{right}")


def _sum(total: Sum, call: Callable[[str], str]) -> str:
    parts = [
        f"{'' if factor == 1 else f'{factor} times '}{_function(function, call)}"
        for factor, function in total.functions
    ]
    if total.constant or not parts:
        parts.append(str(total.constant))
    return " plus ".join(parts)


def _function(function: FunctionTerm, call: Callable[[str], str]) -> str:
    if function.goal:
        return f"what the {GOAL} asks"
    name = f"the {' '.join(words_of(function.name))}"
    called = [call(term) for term in function.terms]
    return f"{name} of {' and '.join(called)}" if called else name
