"""The slow twin of the native problem reader: the lists of a problem by nested Python lists.

It reads what stands inside :objects, :init and :goal of a text with matching parentheses and says
either what is there, or the place of the first fault.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import OBJECT, Atom, Domain, Predicate, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_NUMBER = 2**31 - 1
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class Rejected(Exception):  # noqa: N818
    """The text has a fault at `place`, an offset from its beginning."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class Word(NamedTuple):
    """A word in lower case."""

    text: str
    place: int


class Group(NamedTuple):
    """Everything between two parentheses; `end` is the place of the closing one."""

    items: list[Word | Group]
    place: int
    end: int

    @property
    def head(self) -> str:
        """The first item if it is a word, else nothing."""
        return self.items[0].text if self.items and isinstance(self.items[0], Word) else ""

    def place_of(self, index: int) -> int:
        """Where an item stands, or the closing parenthesis if there are not so many."""
        return self.items[index].place if index < len(self.items) else self.end


@dataclass
class Lists:
    """What a problem's lists say, each thing once."""

    objects: list[TypedObject] = field(default_factory=list)
    init: list[Atom] = field(default_factory=list)
    goal: list[Atom] = field(default_factory=list)
    negative_goal: list[Atom] = field(default_factory=list)
    values: dict[Atom, int] = field(default_factory=dict)
    repeated_constants: int = 0
    joined_facts: int = 0


def read_lists(text: str, domain: Domain) -> Lists:
    """The lists of the problem in the text; `Rejected` at the first fault."""
    return _Reader(domain).read(_nested(text))


def _nested(text: str) -> Group:
    stack: list[tuple[int, list[Word | Group]]] = [(0, [])]
    for match in re.finditer(r";[^\n\r]*|[()]|[^\s();]+", text):
        token = match.group()
        if token == "(":
            stack.append((match.start(), []))
        elif token == ")":
            begin, items = stack.pop()
            stack[-1][1].append(Group(items, begin, match.start()))
        elif not token.startswith(";"):
            stack[-1][1].append(Word(token.lower(), match.start()))
    only = stack[0][1][0]
    assert isinstance(only, Group)
    return only


class _Reader:
    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.predicates = {one.name: one for one in domain.predicates}
        self.functions = {"total-cost": Predicate("total-cost", ())}
        self.functions |= {one.name: one for one in domain.functions}
        self.type_of = {one.name: one.type for one in domain.constants}
        self.lists = Lists()

    def read(self, problem: Group) -> Lists:
        sections = {item.head: item for item in problem.items if isinstance(item, Group)}
        if ":objects" in sections:
            self.objects(sections[":objects"])
        self.init(sections[":init"])
        self.goal(sections[":goal"])
        return self.lists

    # -- :objects -------------------------------------------------------------------------------

    def objects(self, section: Group) -> None:
        entries: list[tuple[Word, list[Word]]] = []
        waiting: list[Word] = []
        items = section.items
        i = 1
        while i < len(items):
            if waiting and isinstance(items[i], Word) and items[i][0] == "-":
                types = self.types(section, i + 1)
                entries += [(name, types) for name in waiting]
                waiting = []
                i += 2
            else:
                waiting.append(_name(items[i]))
                i += 1
        entries += [(name, []) for name in waiting]

        seen = set()
        for name, types in entries:
            if name.text in seen:
                raise Rejected(name.place)
            seen.add(name.text)
            for word in types:
                if word.text not in self.domain.subtypes:
                    raise Rejected(word.place)
            if len({word.text for word in types}) > 1:
                raise Rejected(types[0].place)
            type_name = types[0].text if types else OBJECT
            if name.text not in self.type_of:
                self.type_of[name.text] = type_name
                self.lists.objects.append(TypedObject(name.text, type_name))
            elif self.type_of[name.text] == type_name:
                self.lists.repeated_constants += 1
            else:
                raise Rejected(name.place)

    def types(self, section: Group, index: int) -> list[Word]:
        if index >= len(section.items):
            raise Rejected(section.end)
        item = section.items[index]
        if isinstance(item, Word):
            return [_name(item)]
        if item.head != "either":
            raise Rejected(item.place)
        if len(item.items) == 1:
            raise Rejected(item.end)
        return [_name(one) for one in item.items[1:]]

    # -- :init ----------------------------------------------------------------------------------

    def init(self, section: Group) -> None:
        first_true: dict[Atom, int] = {}
        first_false: dict[Atom, int] = {}
        for element in self.facts(section):
            if isinstance(element, Word):
                raise Rejected(element.place)
            if element.head == "not":
                first_false.setdefault(self.sole_atom(element), element.place)
            elif element.head == "=":
                self.value(element)
            elif _is_timed(element):
                raise Rejected(element.place)
            else:
                first_true.setdefault(self.atom(element), element.place)
        clashes = [
            max(first_true[atom], first_false[atom])
            for atom in first_true.keys() & first_false.keys()
        ]
        if clashes:
            raise Rejected(min(clashes))
        self.lists.init = list(first_true)

    def facts(self, section: Group) -> Iterator[Word | Group]:
        for element in section.items[1:]:
            if isinstance(element, Group) and element.head == "and":
                self.lists.joined_facts += 1
                yield from self.facts(element)
            else:
                yield element

    def value(self, element: Group) -> None:
        if len(element.items) < 2:
            raise Rejected(element.end)
        of = element.items[1]
        if isinstance(of, Word) or not of.head:
            raise Rejected(of.place)
        atom = self.application(of, self.functions)
        if len(element.items) < 3:
            raise Rejected(element.end)
        number = element.items[2]
        if isinstance(number, Group) or not _NUMBER.fullmatch(number.text):
            raise Rejected(number.place)
        value = Fraction(number.text)
        if not 0 <= value <= LARGEST_NUMBER:
            raise Rejected(number.place)
        if value.denominator > 1:  # rounded, but not to 0
            value = Fraction(max(1, math.floor(value + Fraction(1, 2))))
        if value and atom.predicate == "total-cost":
            raise Rejected(number.place)
        if len(element.items) > 3:
            raise Rejected(element.place_of(3))
        if (
            atom.predicate != "total-cost"
            and self.lists.values.setdefault(atom, int(value)) != value
        ):
            raise Rejected(element.place)

    # -- :goal ----------------------------------------------------------------------------------

    def goal(self, section: Group) -> None:
        if len(section.items) < 2:
            raise Rejected(section.end)
        self.condition(section.items[1])
        if len(section.items) > 2:
            raise Rejected(section.place_of(2))

    def condition(self, item: Word | Group) -> None:
        if isinstance(item, Group) and not item.items:
            return  # an empty conjunction, also inside of another one
        if isinstance(item, Group) and item.head == "and":
            for one in item.items[1:]:
                self.condition(one)
            return
        positive, atom = self.literal(item)
        atoms = self.lists.goal if positive else self.lists.negative_goal
        if atom not in atoms:
            atoms.append(atom)

    def literal(self, item: Word | Group) -> tuple[bool, Atom]:
        if isinstance(item, Word):
            raise Rejected(item.place)
        if item.head != "not":
            return True, self.atom(item)
        if len(item.items) < 2:
            raise Rejected(item.end)
        positive, atom = self.literal(item.items[1])
        if len(item.items) > 2:
            raise Rejected(item.place_of(2))
        return not positive, atom

    # -- atoms ----------------------------------------------------------------------------------

    def sole_atom(self, negation: Group) -> Atom:
        if len(negation.items) < 2:
            raise Rejected(negation.end)
        atom = self.atom(negation.items[1])
        if len(negation.items) > 2:
            raise Rejected(negation.place_of(2))
        return atom

    def atom(self, item: Word | Group) -> Atom:
        if isinstance(item, Word):
            raise Rejected(item.place)
        if not item.head:
            raise Rejected(item.place_of(0))
        return self.application(item, self.predicates)

    def application(self, item: Group, symbols: dict[str, Predicate]) -> Atom:
        if item.head not in symbols:
            raise Rejected(item.place_of(0))
        symbol = symbols[item.head]
        for argument in item.items[1:]:
            if isinstance(argument, Group):
                raise Rejected(argument.place)
        arguments = [one for one in item.items[1:] if isinstance(one, Word)]
        if len(arguments) != symbol.arity:
            raise Rejected(item.place)
        for argument, parameter in zip(arguments, symbol.parameters, strict=True):
            type_name = self.type_of.get(argument.text)
            if type_name is None or not self.domain.is_a(type_name, parameter.types):
                raise Rejected(argument.place)
        return Atom(symbol.name, tuple(word.text for word in arguments))


def _name(item: Word | Group) -> Word:
    if isinstance(item, Group) or item.text.startswith(("?", ":", "-", "=")):
        raise Rejected(item.place)
    return item


def _is_timed(element: Group) -> bool:
    items = element.items
    return (
        element.head == "at"
        and len(items) > 2
        and isinstance(items[1], Word)
        and isinstance(items[2], Group)
    )
