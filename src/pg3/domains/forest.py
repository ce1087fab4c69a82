"""Forest: a grid with a winding trail to the goal, rocks on the trail, and water beside it.

Half of the places off the trail are water, the others are dirt. So there often are short cuts
through the dirt, and a planner takes them; but only the trail is sure to lead to the goal.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes, Split
from pg3.errors import Pg3Error
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance

_Place = tuple[int, int]

# A trail has one rock or two; a very long one up to one in so many steps.
_STEPS_FOR_A_ROCK = 20


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    height, width = sizes.draw(chance, "height"), sizes.draw(chance, "width")
    if height * width == 1:
        raise Pg3Error("impossible sizes: a forest needs at least two places")
    trail = _trail(chance, height, width)
    places = [(row, column) for row in range(height) for column in range(width)]
    on_trail = set(trail)
    water = [place for place in places if place not in on_trail and chance.below(2)]
    most = min(max(2, len(trail) // _STEPS_FOR_A_ROCK), len(trail) - 2)
    rocks = chance.sample(trail[1:-1], chance.between(min(1, most), most))

    def init() -> Iterator[Atom]:
        yield Atom("at", (_name(trail[0]),))
        for step in pairwise(trail):
            yield Atom("ontrail", (_name(step[0]), _name(step[1])))
        for place in sorted(rocks):
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
    """A winding path through the grid that never meets itself.

    It is the way from the root to some other place in a random depth-first tree of the grid. It
    covers at most half of the grid, so that the largest test problems stay below their horizon.
    """
    root = (chance.below(height), chance.below(width))
    came_from: dict[_Place, _Place] = {root: root}
    path = [root]
    goals: list[_Place] = []
    longest = max(1, height * width // 2)
    while path:
        free = [place for place in _neighbours(path[-1], height, width) if place not in came_from]
        if not free:
            path.pop()
            continue
        place = chance.choose(free)
        came_from[place] = path[-1]
        path.append(place)
        if len(path) <= longest + 1:
            goals.append(place)
    trail = [chance.choose(goals)]
    while trail[-1] != root:
        trail.append(came_from[trail[-1]])
    return trail[::-1]


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
    sizes=(Size("height", "rows of the grid"), Size("width", "columns of the grid")),
    splits={
        "train": Split(10, {"height": (8, 10), "width": (8, 10)}),
        "test": Split(30, {"height": (10, 12), "width": (10, 12)}),
    },
    generate=_generate,
    # The paper does without Induce Rule here: trails make it remember single steps.
    operators=("add-condition", "delete-condition", "delete-rule", "add-rule"),
)
