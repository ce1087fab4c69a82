"""A problem under construction, and the choices that all generators of the third set make."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from pg3.domains.base import Range

T = TypeVar("T")


class Sketch:
    """Objects, facts and goals so far, in the order in which they were added.

    A sketch is `big` for tests, and its `size` goes from 0 to 1 within its kind. `rng` is Python's
    own, of which every choice is made in a fixed order.
    """

    def __init__(self, rng: Random, big: bool, size: float) -> None:
        self.rng = rng
        self.big = big
        self.size = size
        self.objects: list[TypedObject] = []
        self.init: dict[Atom, None] = {}
        self.goal: dict[Atom, None] = {}
        self._numbers: Counter[str] = Counter()

    def new(self, type_: str, number: int = 1) -> list[str]:
        """So many new objects of a type, named after it."""
        names = []
        for _ in range(number):
            self._numbers[type_] += 1
            names.append(f"{type_}{self._numbers[type_]}")
        self.objects += [TypedObject(name, type_) for name in names]
        return names

    def one(self, type_: str) -> str:
        """A new object of a type."""
        return self.new(type_)[0]

    def fact(self, predicate: str, *arguments: str) -> None:
        """Add a fact, unless it is there."""
        self.init[Atom(predicate, arguments)] = None

    def both(self, predicate: str, a: str, b: str) -> None:
        """Add a fact in both directions."""
        self.fact(predicate, a, b)
        self.fact(predicate, b, a)

    def holds(self, predicate: str, *arguments: str) -> bool:
        """Whether this is a fact."""
        return Atom(predicate, arguments) in self.init

    def want(self, predicate: str, *arguments: str) -> None:
        """Add a goal, unless it is there."""
        self.goal[Atom(predicate, arguments)] = None

    def likely(self, probability: float) -> bool:
        """Whether chance has it so."""
        return self.rng.random() < probability

    def choose(self, options: Sequence[T]) -> T:
        """One of the options, each as likely."""
        return self.rng.choice(options)

    def between(self, low: int, high: int) -> int:
        """One of low, ..., high, each as likely."""
        return self.rng.randint(low, high)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in random order."""
        copy = list(items)
        self.rng.shuffle(copy)
        return copy

    def some(self, items: Sequence[T], small: Range, big: Range | None = None) -> list[T]:
        """As many different items as a range says (another one if big), or all there are."""
        low, high = big if self.big and big is not None else small
        return self.rng.sample(items, min(len(items), self.rng.randint(low, high)))

    def grown(self, low: int, high: int) -> int:
        """A number that grows with the size, give or take some."""
        drawn = low + self.size * (high - low) + self.rng.uniform(-0.7, 0.7)
        return max(low, min(high, round(drawn)))

    def pair(self) -> int:
        """Mostly one, sometimes two."""
        return 2 if self.likely(0.2) else 1

    def perhaps_two(self, above: float, probability: float) -> int:
        """Two with some probability where the size is above a bound, else one."""
        return 1 + (self.size > above and self.likely(probability))

    def ways(self, nodes: Sequence[str], shapes: Sequence[str]) -> list[tuple[str, str]]:
        """A connected map: a line, a grid, a tree, or a graph, which is a tree and some more."""
        shape = self.choose(shapes)
        if shape == "grid":
            return _grid(nodes)
        ways = []
        for i in range(1, len(nodes)):
            j = i - 1 if shape == "line" else self.rng.randrange(max(0, i - 5), i)
            ways.append((nodes[j], nodes[i]))
        for _ in range(len(nodes) // 3 if shape == "graph" else 0):
            a, b = self.rng.sample(nodes, 2)
            if (a, b) not in ways and (b, a) not in ways:
                ways.append((a, b))
        return ways


def _grid(nodes: Sequence[str]) -> list[tuple[str, str]]:
    width = max(1, int(len(nodes) ** 0.5))
    ways = []
    for i, node in enumerate(nodes):
        if i % width:
            ways.append((nodes[i - 1], node))
        if i >= width:
            ways.append((nodes[i - width], node))
    return ways


def of_kind(names: Sequence[str], kind: str) -> list[str]:
    """The names of objects of this type, or of types that begin like it."""
    return [name for name in names if name.startswith(kind)]
