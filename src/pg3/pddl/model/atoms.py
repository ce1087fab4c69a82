"""Atoms and literals, and long sequences of ground atoms as integers.

A term is a string: a variable begins with "?", anything else names a constant or an object.
Equality is the predicate "=".
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, overload

from pg3.pddl.formula_names import formula_text, is_formula, negated_text
from pg3.pddl.numbers import (
    Number,
    function_of_value,
    is_value,
    number_of,
    number_text,
    value_predicate,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from pg3.pddl.model.domain import Domain, Predicate

EQUALS = "="


def substitute(terms: Iterable[str], binding: Mapping[str, str]) -> tuple[str, ...]:
    """The terms with each one replaced that the binding has; the others stay."""
    return tuple([binding.get(term, term) for term in terms])


class Atom(NamedTuple):
    """A predicate applied to terms, e.g. `Atom("at", ("?c", "?l"))`."""

    predicate: str
    terms: tuple[str, ...] = ()

    def __str__(self) -> str:
        if is_formula(self.predicate):
            return formula_text(self.predicate, self.terms)
        return f"({' '.join((self.predicate, *self.terms))})"

    def __repr__(self) -> str:
        return str(self)  # states are shown as sets of atoms

    def substitute(self, binding: Mapping[str, str]) -> Atom:
        """The atom with each term replaced that the binding has; the others stay."""
        predicate, terms = self
        # Half the time of Atom(...): problems are made by millions of substitutions.
        return tuple.__new__(Atom, (predicate, tuple([binding.get(t, t) for t in terms])))


def value_atom(function: Atom, value: Number) -> Atom:
    """The fact of a state that a function has a value."""
    name, terms = function
    return Atom(value_predicate(name, len(terms)), (*terms, number_text(value)))


def value_of(fact: Atom) -> tuple[Atom, Number] | None:
    """The function and its value, if a fact is of that kind."""
    if not is_value(fact.predicate):
        return None
    value = number_of(fact.terms[-1])
    assert value is not None
    return Atom(function_of_value(fact.predicate), fact.terms[:-1]), value


class Literal(NamedTuple):
    """An atom or its negation."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else negated_text(str(self.atom))

    def __repr__(self) -> str:
        return str(self)

    @property
    def negated(self) -> Literal:
        """The literal that holds exactly where this one does not."""
        return Literal(self.atom, not self.positive)

    def substitute(self, binding: Mapping[str, str]) -> Literal:
        """The literal with each term replaced that the binding has; the others stay."""
        return Literal(self.atom.substitute(binding), self.positive)


def decode_atoms(
    symbols: Sequence[Predicate], names: Sequence[str], codes: bytes | memoryview
) -> Iterator[Atom]:
    """The atoms in a code: for each the number of its symbol, then those of its objects.

    See `Atoms`.
    """
    values = iter(memoryview(codes).cast("i"))
    described = [(symbol.name, range(symbol.arity)) for symbol in symbols]
    for symbol in values:
        name, places = described[symbol]
        # Half the time of Atom(...).
        yield tuple.__new__(Atom, (name, tuple([names[next(values)] for _ in places])))


class Atoms(Sequence[Atom]):
    """An immutable sequence of ground atoms, kept as integers: problems can have millions.

    `codes` holds for each atom the number of its predicate followed by the numbers of its objects,
    as 32-bit integers in the machine's byte order; `names` are the objects in number order.
    """

    __slots__ = ("__dict__", "codes", "domain", "names")

    def __init__(self, domain: Domain, names: tuple[str, ...], codes: bytes) -> None:
        self.domain = domain
        self.names = names
        self.codes = codes

    @classmethod
    def of(cls, domain: Domain, names: tuple[str, ...], atoms: Iterable[Atom]) -> Atoms:
        """The given atoms, in their order, over objects known by name."""
        number = {name: i for i, name in enumerate(names)}
        symbols = domain.predicate_index
        codes: list[int] = []
        for predicate, terms in atoms:
            codes.append(symbols[predicate])
            codes += [number[term] for term in terms]
        return cls(domain, names, array("i", codes).tobytes())

    def over(self, names: tuple[str, ...]) -> Atoms:
        """The same atoms over these objects, which may be others or in another order."""
        if names == self.names:
            return self
        number = {name: i for i, name in enumerate(names)}
        if not all(name in number for name in self.names):
            return Atoms.of(self.domain, names, self)
        new = [number[name] for name in self.names]
        widths = [range(predicate.arity) for predicate in self.domain.predicates]
        values = iter(memoryview(self.codes).cast("i"))
        codes: list[int] = []
        for symbol in values:
            codes.append(symbol)
            codes += [new[next(values)] for _ in widths[symbol]]
        return Atoms(self.domain, names, array("i", codes).tobytes())

    @cached_property
    def _offsets(self) -> list[int]:
        arities = [predicate.arity for predicate in self.domain.predicates]
        codes = memoryview(self.codes).cast("i")
        offsets, at = [], 0
        while at < len(codes):
            offsets.append(at)
            at += 1 + arities[codes[at]]
        return offsets

    @cached_property
    def _number(self) -> int:
        widths = [1 + predicate.arity for predicate in self.domain.predicates]
        codes = memoryview(self.codes).cast("i")
        number = at = 0
        while at < len(codes):
            number += 1
            at += widths[codes[at]]
        return number

    def __len__(self) -> int:
        return self._number

    def _atom(self, at: int) -> Atom:
        rest = memoryview(self.codes)[at * array("i").itemsize :]
        return next(decode_atoms(self.domain.predicates, self.names, rest))

    def of_predicates(self, names: Collection[str]) -> Iterator[Atom]:
        """Those of the atoms that have one of these predicates; the others are not decoded."""
        described = [(p.name, p.name in names, 1 + p.arity) for p in self.domain.predicates]
        values = memoryview(self.codes).cast("i")
        at = 0
        while at < len(values):
            name, is_wanted, width = described[values[at]]
            if is_wanted:
                yield Atom(name, tuple([self.names[o] for o in values[at + 1 : at + width]]))
            at += width

    @overload
    def __getitem__(self, index: int) -> Atom: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Atom, ...]: ...
    def __getitem__(self, index: int | slice) -> Atom | tuple[Atom, ...]:
        if isinstance(index, slice):
            return tuple(self._atom(at) for at in self._offsets[index])
        return self._atom(self._offsets[index])

    def __iter__(self) -> Iterator[Atom]:
        return decode_atoms(self.domain.predicates, self.names, self.codes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Atoms):
            return NotImplemented
        if self.names == other.names and self.domain.predicates == other.domain.predicates:
            return self.codes == other.codes
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} atoms>"
