"""Forest: a grid with a winding trail to the goal, rocks on the trail, and water beside it.

Half of the places off the trail are water, the others are dirt. So there often are short cuts
through the dirt, and a planner takes them; but only the trail is sure to lead to the goal.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.errors import Pg3Error
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance

_Place = tuple[int, int]

# The longest trail covers two fifths of the grid: in the largest grid of the paper, 57 steps, well
# within the horizon.
_LONGEST = (2, 5)

# A trail has one rock or two, as far as there is room; a very long one up to one in so many steps.
_STEPS_FOR_A_ROCK = 20


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    height, width = sizes.draw(chance, "height"), sizes.draw(chance, "width")
    if height * width == 1:
        raise Pg3Error("impossible sizes: a forest needs at least two places")
    trail = _trail(chance, height, width)
    rocks = _rocks(chance, trail)
    on_trail = set(trail)
    places = [(row, column) for row in range(height) for column in range(width)]
    water = [place for place in places if place not in on_trail and chance.below(2)]

    def init() -> Iterator[Atom]:
        yield Atom("at", (_name(trail[0]),))
        for here, there in pairwise(trail):
            yield Atom("ontrail", (_name(here), _name(there)))
        for place in rocks:
            yield Atom("ishill", (_name(place),))
        for place in water:
            yield Atom("iswater", (_name(place),))
        for place in places:
            for other in _neighbours(place, height, width):
                yield Atom("adjacent", (_name(place), _name(other)))

    return Draft(
        objects=[TypedObject(_name(place), "loc") for place in places],
        init=init(),
        goal=[Atom("at", (_name(trail[-1]),))],
    )


def _trail(chance: Chance, height: int, width: int) -> list[_Place]:
    """A winding path that never passes beside itself, so that it has no short cut in itself.

    It grows at random to a random length. Where it can grow no further, its last place is given
    up for good: so each place is tried once, and the whole takes linear time. If it never becomes
    as long as wanted, the longest path on the way is taken.
    """
    wanted = chance.between(1, max(1, height * width * _LONGEST[0] // _LONGEST[1]))
    path = [(chance.below(height), chance.below(width))]
    came_from: dict[_Place, _Place | None] = {path[0]: None}
    beside = Counter(_neighbours(path[0], height, width))  # how many places of the path are there
    longest, end = 0, path[0]
    while path and longest < wanted:
        around = _neighbours(path[-1], height, width)
        free = [place for place in around if place not in came_from and beside[place] == 1]
        if not free:
            path.pop()
            beside.subtract(around)
            continue
        place = chance.choose(free)
        came_from[place] = path[-1]
        path.append(place)
        beside.update(_neighbours(place, height, width))
        if len(path) - 1 > longest:
            longest, end = len(path) - 1, place
    trail = [end]
    while (before := came_from[trail[-1]]) is not None:
        trail.append(before)
    return trail[::-1]


def _rocks(chance: Chance, trail: list[_Place]) -> list[_Place]:
    """Some places of the trail, but none next to its ends, and no two close together.

    So wherever a rock lies ahead, it is the only one within reach.
    """
    wanted = chance.between(1, max(2, len(trail) // _STEPS_FOR_A_ROCK))
    inner = range(2, len(trail) - 2)
    chosen: set[int] = set()
    for i in chance.sample(inner, len(inner)):
        if len(chosen) < wanted and chosen.isdisjoint(range(i - 2, i + 3)):
            chosen.add(i)
    return [trail[i] for i in sorted(chosen)]


def _neighbours(place: _Place, height: int, width: int) -> list[_Place]:
    row, column = place
    around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [(r, c) for r, c in around if 0 <= r < height and 0 <= c < width]


def _name(place: _Place) -> str:
    return f"r{place[0]}_c{place[1]}"


FOREST = BuiltInDomain(
    name="forest",
    summary="Hike to a place in a grid: round water, over rocks, with a marked trail to help.",
    horizon=100,
    sizes=(
        Size("height", "rows of the grid", train=(8, 10), test=(10, 12)),
        Size("width", "columns of the grid", train=(8, 10), test=(10, 12)),
    ),
    generate=_generate,
)
