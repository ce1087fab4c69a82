"""How conditions on the goal speak of the atoms that a problem wants false.

A problem's goal may hold `(not (p x))`. A policy asks for it by `(goal (not (p ?x)))`, as
`(not (p ?x))` among a rule's goals says that the goal does not hold `(p ?x)`. That is an atom like
any other: its predicate is the condition itself, with `$1`, `$2`, ... for the terms (see
`formula_names`). So the goal that policies see has one kind of atoms (`Problem.goal_atoms`).
"""

from __future__ import annotations

from functools import lru_cache

_BEGIN, _END = "(goal (not (", ")))"


@lru_cache(maxsize=10_000)
def unwanted_name(predicate: str, arity: int) -> str:
    """The predicate of the condition that atoms of a predicate are wanted false."""
    places = (f"${i}" for i in range(1, arity + 1))
    return f"{_BEGIN}{' '.join((predicate, *places))}{_END}"


@lru_cache(maxsize=10_000)
def unwanted_predicate(name: str) -> str | None:
    """The predicate whose atoms are wanted false, if a name is such a condition's."""
    if not (name.startswith(_BEGIN) and name.endswith(_END)):
        return None
    predicate, *places = name[len(_BEGIN) : -len(_END)].split(" ")
    return predicate if name == unwanted_name(predicate, len(places)) else None
