"""Names of the predicates that stand for formulas.

A condition that is no literal becomes a derived predicate without a name of its own (`adl`). Its
name is the formula itself, with `$1`, `$2`, ... for the arguments: an atom of it is written as the
formula, so that messages, policies and files speak of the user's predicates only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

TOKEN = re.compile(r"[()]|[^\s()]+")
_NEGATION = "(not ("


def is_formula(name: str) -> bool:
    """Whether a predicate has no name of its own."""
    return name.startswith("(")


def formula_name(text: str, variables: Sequence[str]) -> str:
    """The name of the predicate for a formula with these free variables."""
    places = {variable: f"${i}" for i, variable in enumerate(variables, start=1)}
    return _joined(places.get(token, token) for token in TOKEN.findall(text))


@lru_cache(maxsize=10_000)
def formula_text(name: str, terms: tuple[str, ...]) -> str:
    """The formula with these terms; variables bound in it are renamed if they are among them."""
    places = {f"${i}": term for i, term in enumerate(terms, start=1)}
    tokens = TOKEN.findall(name)
    for bound in dict.fromkeys(token for token in tokens if token.startswith("?")):
        fresh, number = bound, 1
        while fresh in terms or (fresh != bound and fresh in tokens):
            number += 1
            fresh = f"{bound}-{number}"
        places[bound] = fresh
    return _joined(places.get(token, token) for token in tokens)


def negated_text(text: str) -> str:
    """The negation of a formula, without a double one."""
    return text[5:-1] if text.startswith(_NEGATION) else f"(not {text})"


def pattern_of(text: str, variables: Sequence[str]) -> str:
    """The same for formulas that differ only in the names of bound variables."""
    numbers: dict[str, str] = {}
    return _joined(
        numbers.setdefault(token, f"?{len(numbers)}") if token.startswith("?") else token
        for token in TOKEN.findall(formula_name(text, variables))
    )


def terms_of(name: str, text: str, terms: Collection[str]) -> tuple[str, ...] | None:
    """The terms with which the formula of a name is written like this; None if with none.

    Each is one of the given ones; the same one may stand at several places.
    """
    pattern, tokens = TOKEN.findall(name), TOKEN.findall(text)
    if len(pattern) != len(tokens):
        return None
    found: dict[str, str] = {}  # of places and of bound variables
    for of_pattern, token in zip(pattern, tokens, strict=True):
        is_place, is_bound = of_pattern.startswith("$"), of_pattern.startswith("?")
        if not is_place and not is_bound:
            fits = of_pattern == token
        else:
            known = found.setdefault(of_pattern, token)
            fits = known == token and (token in terms) == is_place
        if not fits:
            return None
    bound = [token for of_pattern, token in found.items() if of_pattern.startswith("?")]
    if len(set(bound)) < len(bound):
        return None
    return tuple(found[f"${i}"] for i in range(1, len(found) - len(bound) + 1))


def _joined(tokens: Iterable[str]) -> str:
    return re.sub(r"\( | (?=\))", lambda m: m[0].strip(), " ".join(tokens))
