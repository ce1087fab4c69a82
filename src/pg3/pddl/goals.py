"""ADL goals: quantifiers over the problem's objects are written out.

What never changes is decided by the initial state, so that in most problems literals are left: the
goals that policies speak of. What is left of `or` and `exists` are disjunctions of conjunctions of
literals.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.formulas import Junction, Quantified, normal_form
from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.numbers import (
    MIRRORED,
    comparison_of,
    goal_comparisons,
    goal_function,
    is_comparison,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pg3.pddl.formulas import Formula
    from pg3.pddl.model import Disjunction, Domain, TypedObject
    from pg3.pddl.numbers import Number

# More would take minutes and gigabytes.
_MOST_INSTANCES = 1_000_000
_MOST_ALTERNATIVES = 10_000


class Goal(NamedTuple):
    """Literals and disjunctions, all of which are to hold; each once."""

    literals: tuple[Literal, ...]
    disjunctions: tuple[Disjunction, ...]


class TooLargeError(Exception):
    """The goal has too many instances; the message says of what."""


def ground_goal(
    formula: Formula, domain: Domain, objects: Sequence[TypedObject], init: Collection[Atom]
) -> Goal:
    """The goal over these objects; raises `TooLargeError`."""
    writer = _Writer(domain, objects, init)
    literals: dict[Literal, None] = {}
    disjunctions: dict[Disjunction, None] = {}
    goal = normal_form(formula)
    parts = goal.parts if isinstance(goal, Junction) and goal.word == "and" else (goal,)
    # What never changes stays a goal, as it does where all goals are literals.
    asked = [p for p in parts if isinstance(p, Literal) and p.atom.predicate != EQUALS]
    literals |= dict.fromkeys(asked)
    whole = writer.conjunction([writer.ground(part, {}) for part in parts if part not in asked])
    for part in whole.parts if isinstance(whole, Junction) and whole.word == "and" else [whole]:
        if isinstance(part, Literal):
            literals[part] = None
        else:
            disjunctions[tuple(dict.fromkeys(writer.alternatives(part)))] = None
    return Goal(tuple(literals), tuple(disjunctions))


def with_goal_numbers(
    literals: Iterable[Literal], domain: Domain
) -> tuple[tuple[Literal, ...], tuple[Disjunction, ...], dict[Atom, Number]]:
    """Literals in which no comparison has a number of its own, other goals, and the numbers.

    A comparison of a function with a number becomes one with `(goal (f ...))`, so that policies can
    speak of it whatever the number is. Any other one is a disjunction without a choice: it has no
    predicate in the domain.
    """
    found: dict[Literal, None] = {}
    others: dict[Disjunction, None] = {}
    numbers: dict[Atom, Number] = {}
    for literal in literals:
        (name, terms), positive = literal
        if not is_comparison(name):
            found[literal] = None
            continue
        plain = _with_number(name)
        if plain is None or plain[1] not in domain.numeric_functions:
            others[((literal,),)] = None
            continue
        word, function, number = plain
        asked = Atom(goal_function(word, function), terms)
        # Two goals of one word are rare: only the first is one that policies can speak of.
        if numbers.setdefault(asked, number) == number:
            [predicate] = goal_comparisons([(function, len(terms))], (word,))
            found[Literal(Atom(predicate, terms), positive)] = None
        else:
            others[((literal,),)] = None
    return tuple(found), tuple(others), numbers


def _with_number(name: str) -> tuple[str, str, Number] | None:
    """The word, the function and the number, if the comparison is of these and of that order."""
    word, left, right = comparison_of(name).parts
    if not left.functions:
        word, left, right = MIRRORED[word], right, left
    if right.functions or left.constant or [c for c, _ in left.functions] != [1]:
        return None
    function = left.functions[0][1]
    distinct = function.terms == comparison_of(name).places
    return (word, function.name, right.constant) if distinct else None


_TRUE = Junction("and", ())
_FALSE = Junction("or", ())


class _Writer:
    def __init__(
        self, domain: Domain, objects: Sequence[TypedObject], init: Collection[Atom]
    ) -> None:
        self._domain = domain
        self._objects = objects
        self._init = init
        self._instances = 0

    def ground(self, formula: Formula, binding: Mapping[str, str]) -> Formula:
        """A formula in normal form without quantifiers and without what is decided."""
        if isinstance(formula, Literal):
            return self._literal(formula.substitute(binding))
        if isinstance(formula, Junction):
            parts = (self.ground(part, binding) for part in formula.parts)
            return self._joined(formula.word, parts)
        choices = [
            [o.name for o in self._objects if self._domain.is_a(o.type, variable.types)]
            for variable in formula.variables
        ]
        names = [variable.name for variable in formula.variables]
        instances = (
            self._instance(formula, {**binding, **dict(zip(names, chosen, strict=True))})
            for chosen in product(*choices)
        )
        return self._joined("and" if formula.word == "forall" else "or", instances)

    def _instance(self, formula: Quantified, binding: Mapping[str, str]) -> Formula:
        self._instances += 1
        if self._instances > _MOST_INSTANCES:
            raise TooLargeError(f"goals of more than {_MOST_INSTANCES} instances")
        return self.ground(formula.part, binding)

    def _literal(self, literal: Literal) -> Formula:
        atom, positive = literal
        if atom.predicate == EQUALS:
            return _TRUE if (atom.terms[0] == atom.terms[1]) == positive else _FALSE
        if atom.predicate in self._domain.fluents or is_comparison(atom.predicate):
            return literal
        return _TRUE if (atom in self._init) == positive else _FALSE

    def conjunction(self, parts: Iterable[Formula]) -> Formula:
        return self._joined("and", parts)

    def _joined(self, word: str, parts: Iterable[Formula]) -> Formula:
        nothing, everything = (_TRUE, _FALSE) if word == "and" else (_FALSE, _TRUE)
        found: dict[Formula, None] = {}
        for part in parts:
            if part == everything:
                return everything
            if isinstance(part, Junction) and part.word == word:
                found |= dict.fromkeys(part.parts)
            else:
                found[part] = None
        found.pop(nothing, None)
        return next(iter(found)) if len(found) == 1 else Junction(word, tuple(found))

    def alternatives(self, formula: Formula) -> list[tuple[Literal, ...]]:
        """The conjunctions of literals of which one is to hold."""
        if isinstance(formula, Literal):
            return [(formula,)]
        assert isinstance(formula, Junction)
        found: list[tuple[Literal, ...]] = [()] if formula.word == "and" else []
        for part in formula.parts:
            more = self.alternatives(part)
            if formula.word == "or":
                found += more
            else:
                found = [tuple(dict.fromkeys((*a, *b))) for a in found for b in more]
            if len(found) > _MOST_ALTERNATIVES:
                raise TooLargeError(f"goals of more than {_MOST_ALTERNATIVES} alternatives")
        return found
