"""Lines of a grown problem: longer than those of the given problems, which are laid onto them.

A line is made from that of one given problem, the template: new objects are inserted between its
neighbours, which are related as these were. Another problem's line is laid onto it in order. If
something is only ever said of the first object, or of the last, these are laid onto the first or
the last: nuts at the end of a corridor stay there.

Where each thing has an object of the line for itself, the lines of several problems are not laid
onto each other but put together: a `Queue`.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.structure.maps import Shape

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping, Sequence

    from pg3.learning.robustness.growing.names import Names
    from pg3.learning.robustness.growing.sources import Source
    from pg3.learning.robustness.growing.structure.maps import Map
    from pg3.pddl.model import Atom
    from pg3.pddl.numbers import Number


class Line:
    """A line or an order of a grown problem: its objects, and the static facts between them."""

    def __init__(
        self,
        map_: Map,
        first: Source,
        sources: Sequence[Source],
        length: int,
        names: Names,
        generator: random.Random,
    ) -> None:
        self.map = map_
        self._generator = generator
        self.template = _template(map_, first, sources, length)
        line = map_.line(self.template)
        # For each pair of neighbours the number of new objects between them.
        gaps = [0] * (len(line) - 1)
        for _ in range(max(0, length - len(line)) if map_.lengthens and gaps else 0):
            gaps[generator.randrange(len(gaps))] += 1
        constants = self.template.constants
        name_of = {old: old if old in constants else names.new(old) for old in line}
        self.type = next(
            (self.template.types[old] for old in line if old not in constants),
            self.template.types[line[0]],
        )
        self.objects = [name_of[line[0]]]
        # For each object but the last the template's pair whose facts it has with the next.
        self._pairs: list[tuple[str, str]] = []
        for pair, number in zip(pairwise(line), gaps, strict=True):
            model = next((old for old in reversed(pair) if old not in constants), pair[1])
            new = [names.new(model) for _ in range(number)]
            self.objects += [*new, name_of[pair[1]]]
            self._pairs += [pair] * (number + 1)
        self._line = line

    def facts(self) -> Iterator[Atom]:
        """The static facts between its objects."""
        between = _between(self.template.static, self._line)
        for (x, y), pair in zip(pairwise(self.objects), self._pairs, strict=True):
            yield from _moved(between[pair], pair, (x, y))
        if self.map.shape is Shape.ORDER:
            apart = (self._line[0], self._line[2]) if len(self._line) > 2 else self._pairs[0]
            for i, x in enumerate(self.objects):
                for y in self.objects[i + 2 :]:
                    yield from _moved(between[apart], apart, (x, y))

    def values(self) -> Iterator[tuple[Atom, Number]]:
        """The values of functions of two neighbours."""
        given = self.template.problem.function_values
        between = _between(tuple(given), self._line)
        for (x, y), pair in zip(pairwise(self.objects), self._pairs, strict=True):
            old = between[pair]
            yield from zip(_moved(old, pair, (x, y)), (given[atom] for atom in old), strict=True)

    def placed(self, source: Source) -> dict[str, str]:
        """Where the objects of a problem's line are laid."""
        line = self.map.line(source)
        if not self.map.lengthens:
            return self._by_number(line)
        fixed = {name: self.objects.index(name) for name in line if name in source.constants}
        places: dict[int, int] = {i: fixed[name] for i, name in enumerate(line) if name in fixed}
        if self.map.has_first:
            places.setdefault(0, 0)
        if self.map.has_last and len(line) > 1:
            places.setdefault(len(line) - 1, len(self.objects) - 1)
        places |= {-1: -1, len(line): len(self.objects)}
        for left, right in pairwise(sorted(places)):
            inner = range(places[left] + 1, places[right])
            number = right - left - 1
            if number <= len(inner):
                chosen = sorted(self._generator.sample(inner, number))
            else:
                room = inner or range(
                    max(0, places[left]), min(len(self.objects), places[right] + 1)
                )
                chosen = sorted(self._generator.choices(room, k=number))
            places |= zip(range(left + 1, right), chosen, strict=True)
        return {name: self.objects[places[i]] for i, name in enumerate(line)}

    def _by_number(self, line: Sequence[str]) -> dict[str, str]:
        """Numbers are the same if they have the same name; else the first is the first."""
        room = len(self._line) - len(line)
        start = next((i for i in range(room + 1) if self._line[i : i + len(line)] == list(line)), 0)
        last, constants = len(self.objects) - 1, self.template.constants
        return {
            name: name if name in constants else self.objects[min(start + i, last)]
            for i, name in enumerate(line)
        }

    def model(self, place: int, source: Source) -> str | None:
        """An object of a problem's line that is at an end or between, as the object here is."""
        line = self.map.line(source)
        if len(line) < 2 or place == 0:
            found = line[:1]
        elif place == len(self.objects) - 1:
            found = line[-1:]
        else:
            found = line[1:-1] or line[-1:]
        found = [name for name in found if name not in source.constants]
        return self._generator.choice(found) if found else None


class Queue:
    """A line or an order of a grown problem that is put together from those of given ones."""

    def __init__(self, map_: Map, sources: Sequence[Source], generator: random.Random) -> None:
        self.map = map_
        self.objects: list[str] = []
        self._generator = generator
        template = max(sources, key=lambda source: len(map_.line(source)))
        line = map_.line(template)
        between = _between(template.static, line)
        self._facts = {pair: between[pair] for pair in pairwise(line)}

    def add(self, objects: Sequence[str]) -> None:
        """Add objects in their order; what is there already keeps its place."""
        mixed: list[str] = []
        ours, theirs = list(self.objects), list(objects)
        anchors = [name for name in theirs if name in ours]
        for anchor in (*anchors, None):
            one, ours = _until(anchor, ours)
            two, theirs = _until(anchor, theirs)
            while one or two:
                first = self._generator.randrange(len(one) + len(two)) < len(one)
                mixed.append((one if first else two).pop(0))
            mixed += [] if anchor is None else [anchor]
        self.objects = mixed

    def facts(self) -> Iterator[Atom]:
        """The static facts between its objects."""
        pairs = pairwise if self.map.shape is Shape.LINE else partial(combinations, r=2)
        for x, y in pairs(self.objects):
            # What is said of a constant may differ.
            alike = [pair for pair in self._facts if y == pair[1]] or [*self._facts]
            yield from _moved(self._facts[alike[0]], alike[0], (x, y))


def _until(anchor: str | None, names: list[str]) -> tuple[list[str], list[str]]:
    """The names before one, and those after it."""
    if anchor is None:
        return names, []
    place = names.index(anchor)
    return names[:place], names[place + 1 :]


def _template(map_: Map, first: Source, sources: Sequence[Source], length: int) -> Source:
    """The problem whose line is the longest that is not too long; of numbers the first one's."""
    lengths = [(len(map_.line(source)), source) for source in sources]
    long_enough = [(n, source) for n, source in lengths if n > 1]
    if not map_.lengthens:
        # As many levels as a problem has, a grown one has.
        is_long_enough = len(map_.line(first)) > 1
        return first if is_long_enough else max(long_enough, key=lambda each: each[0])[1]
    fitting = [(n, source) for n, source in long_enough if n <= length]
    if fitting:
        return max(fitting, key=lambda each: each[0])[1]
    return min(long_enough, key=lambda each: each[0])[1]


def _between(atoms: Sequence[Atom], line: Sequence[str]) -> Mapping[tuple[str, str], list[Atom]]:
    """The atoms about two objects of a line, by these in their order."""
    place = {name: i for i, name in enumerate(line)}
    found: dict[tuple[str, str], list[Atom]] = defaultdict(list)
    for atom in atoms:
        if len(atom.terms) == 2 and all(term in place for term in atom.terms):
            one, two = sorted(atom.terms, key=place.__getitem__)
            if one != two:
                found[one, two].append(atom)
    return found


def _moved(atoms: Sequence[Atom], old: tuple[str, str], new: tuple[str, str]) -> Iterator[Atom]:
    binding = dict(zip(old, new, strict=True))
    return (atom.substitute(binding) for atom in atoms)
