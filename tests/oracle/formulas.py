"""ADL formulas by direct evaluation: nested tuples of words, over the objects of a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom
from pg3.pddl.reading.typed_lists import type_text
from tests.oracle.semantics import bindings, closed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.pddl.model import Parameter, Problem
    from tests.oracle.semantics import State

# ("or", f, g), ("imply", f, g), ("not", f), ("forall", parameters, f), or an Atom.
Formula = Atom | tuple[object, ...]


def is_true(formula: Formula, problem: Problem, state: State, binding: Mapping[str, str]) -> bool:
    """Whether the formula holds in a state with these objects for its free variables."""
    known = closed(problem, state)

    def holds(one: Formula, bound: Mapping[str, str]) -> bool:
        if isinstance(one, Atom):
            terms = tuple(bound.get(term, term) for term in one.terms)
            if one.predicate == EQUALS:
                return terms[0] == terms[1]
            return Atom(one.predicate, terms) in known
        word, *parts = one
        if word == "not":
            return not holds(parts[0], bound)  # type: ignore[arg-type]
        if word in ("exists", "forall"):
            variables: tuple[Parameter, ...] = parts[0]  # type: ignore[assignment]
            found = [
                holds(parts[1], {**bound, **more})  # type: ignore[arg-type]
                for more in bindings(problem, variables)
            ]
            return any(found) if word == "exists" else all(found)
        values = [holds(part, bound) for part in parts]  # type: ignore[arg-type]
        if word == "imply":
            return not values[0] or values[1]
        return all(values) if word == "and" else any(values)

    return holds(formula, binding)


def text_of(formula: Formula) -> str:
    """The formula as PDDL."""
    if isinstance(formula, Atom):
        return f"({' '.join((formula.predicate, *formula.terms))})"
    word, *parts = formula
    if word in ("exists", "forall"):
        variables: tuple[Parameter, ...] = parts[0]  # type: ignore[assignment]
        names = " ".join(f"{v.name} - {type_text(v.types)}" for v in variables)
        return f"({word} ({names}) {text_of(parts[1])})"  # type: ignore[arg-type]
    return f"({' '.join((str(word), *(text_of(p) for p in parts)))})"  # type: ignore[arg-type]
