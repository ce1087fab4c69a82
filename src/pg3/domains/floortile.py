"""Floortile: all rows but the lowest one are to be painted, in a chequered pattern.

It can always be done: the robots are in different columns, so each can go down its own to the
lowest row; from there each paints the columns from its own up to the next robot's, each from the
top down.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    rows = sizes.draw(chance, "rows")
    columns, robot_number = sizes.draw_two(chance, "columns", "robots")
    robots = [f"robot{i}" for i in range(1, robot_number + 1)]
    colors = [f"color{i}" for i in range(1, sizes.draw(chance, "colors") + 1)]
    # Row 0 is the lowest one.
    grid = [[f"tile_{row}-{column}" for column in range(columns)] for row in range(rows + 1)]
    starts = [
        grid[chance.below(rows + 1)][column]
        for column in chance.sample(range(columns), robot_number)
    ]
    first = chance.below(len(colors))
    has = [chance.choose(colors) for _ in robots]

    def init() -> Iterator[Atom]:
        for robot, start, color in zip(robots, starts, has, strict=True):
            yield Atom("robot-at", (robot, start))
            yield Atom("robot-has", (robot, color))
        for color in colors:
            yield Atom("available-color", (color,))
        for line in grid:
            for tile in line:
                if tile not in starts:
                    yield Atom("clear", (tile,))
        for below, above in pairwise(grid):
            for low, high in zip(below, above, strict=True):
                yield Atom("up", (high, low))
                yield Atom("down", (low, high))
        for line in grid:
            for one, other in pairwise(line):
                yield Atom("right", (other, one))
                yield Atom("left", (one, other))

    tiles = [tile for line in grid for tile in line]
    return Draft(
        objects=[
            *(TypedObject(robot, "robot") for robot in robots),
            *(TypedObject(tile, "tile") for tile in tiles),
            *(TypedObject(color, "color") for color in colors),
        ],
        init=init(),
        goal=[
            Atom("painted", (grid[row][column], colors[(row + column + first) % len(colors)]))
            for row in range(1, rows + 1)
            for column in range(columns)
        ],
    )


FLOORTILE = BuiltInDomain(
    name="floortile",
    summary="Robots paint a floor in a pattern; nobody can step on what is painted.",
    horizon=5000,
    sizes=(
        Size("rows", "rows to paint", train=(2, 3), test=(9, 11)),
        Size("columns", "columns", train=(2, 4), test=(10, 12)),
        Size("robots", "robots", train=(1, 2), test=(1, 3)),
        Size("colors", "colors", train=(2, 2), test=(2, 2)),
    ),
    counts=(20, 30),
    generate=_generate,
)
