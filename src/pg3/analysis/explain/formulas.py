"""Formulas of ADL in words: "for every passenger p: if p is vip then p is served"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.explain.english import Clause
from pg3.pddl.formula_names import TOKEN
from pg3.pddl.model import OBJECT, Atom
from pg3.pddl.numbers import COMPARISONS, comparison_name, read_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# A formula as nested lists of its words.
Nested = str | list["Nested"]


class Statement(Clause):
    """A statement that is a sentence of its own; its opposite may be the simpler one."""

    def __init__(self, text: str, *, is_negation: bool) -> None:
        super().__init__("it", "is", f"so that {text}")
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "is_negation", is_negation)

    text: str
    is_negation: bool

    def __str__(self) -> str:
        return f"it is not so that {self.text}" if self.is_negation else self.text

    def negated(self, adverb: str = "") -> str:
        """Its negation."""
        word = f"not {adverb}".strip()
        return self.text if self.is_negation else f"it is {word} so that {self.text}"


def statement(
    name: str, terms: Sequence[str], tell: Callable[[Atom, Callable[[str], str]], Clause]
) -> Statement:
    """The formula with these names for its arguments; `tell` puts an atom into words."""
    called = {f"${i}": term for i, term in enumerate(terms, start=1)}
    tokens = iter(TOKEN.findall(name))
    next(tokens)
    formula = _nested(tokens)
    is_negation = formula[0] == "not"
    told = _Teller(called, tell).tell(formula[1] if is_negation else formula)
    return Statement(told, is_negation=is_negation)


def _nested(tokens: Iterator[str]) -> list[Nested]:
    found: list[Nested] = []
    for token in tokens:
        if token == ")":
            break
        found.append(_nested(tokens) if token == "(" else token)
    return found


class _Teller:
    def __init__(
        self, called: dict[str, str], tell: Callable[[Atom, Callable[[str], str]], Clause]
    ) -> None:
        self._called = called
        self._tell = tell

    def _call(self, term: str) -> str:
        return self._called.get(term, term.lstrip("?"))

    def _clause(self, formula: Nested) -> Clause:
        assert not isinstance(formula, str)
        name, *terms = formula
        assert isinstance(name, str)
        if name in COMPARISONS and any(isinstance(term, list) for term in terms):
            left, right = (read_sum(TOKEN.findall(_text(side)), 0)[1] for side in terms)
            return self._tell(Atom(*comparison_name(name, left, right)), self._call)
        return self._tell(Atom(name, tuple(map(str, terms))), self._call)

    def tell(self, formula: Nested) -> str:
        assert not isinstance(formula, str)
        head, *parts = formula
        if head == "not":
            inner = parts[0]
            if inner[0] in ("and", "or", "imply", "exists", "forall", "not"):
                return f"it is not so that {self.tell(inner)}"
            return self._clause(inner).negated()
        if head in ("and", "or"):
            return f" {head} ".join(self._part(part) for part in parts)
        if head == "imply":
            return f"if {self.tell(parts[0])} then {self.tell(parts[1])}"
        if head in ("exists", "forall"):
            word = "for some" if head == "exists" else "for every"
            return f"{word} {_variables(parts[0])}: {self.tell(parts[1])}"
        return str(self._clause(formula))

    def _part(self, formula: Nested) -> str:
        told = self.tell(formula)
        return f"({told})" if formula[0] in ("and", "or", "imply", "exists", "forall") else told


def _text(formula: Nested) -> str:
    """The formula as it is written."""
    return formula if isinstance(formula, str) else f"({' '.join(map(_text, formula))})"


def _variables(words: Nested) -> str:
    """Typed variables as they are spoken of: "passenger p and floor f"."""
    found, waiting = list[str](), list[str]()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "-":
            kind = rest.pop(0)
            kind = kind if isinstance(kind, str) else " or ".join(map(str, kind[1:]))
            found += [one if kind == OBJECT else f"{kind} {one}" for one in waiting]
            waiting.clear()
        else:
            waiting.append(str(word).lstrip("?"))
    return " and ".join((*found, *waiting))
