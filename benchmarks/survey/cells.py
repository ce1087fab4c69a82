"""Domains on grids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, survey_domain, typed
from pg3.domains.base import Draft, Sizes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pg3.domains.chance import Chance

    Cells = Mapping[str, tuple[int, int]]


def grid_cells(width: int, height: int) -> dict[str, tuple[int, int]]:
    """The cells of a grid by name, row after row."""
    return {f"c-{x}-{y}": (x, y) for y in range(height) for x in range(width)}


def neighbours(cells: Cells) -> list[tuple[str, str]]:
    """The pairs of cells that share a side, each both ways."""
    at = {place: name for name, place in cells.items()}
    return [
        (name, at[there])
        for name, (x, y) in cells.items()
        for there in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))
        if there in at
    ]


def _without(cells: Cells, taken: Collection[str]) -> dict[str, tuple[int, int]]:
    return {name: place for name, place in cells.items() if name not in taken}


def _connected(cells: Cells) -> bool:
    """Whether one can walk from every cell to every other."""
    ways: dict[str, list[str]] = {name: [] for name in cells}
    for one, other in neighbours(cells):
        ways[one].append(other)
    waiting = list(cells)[:1]
    seen = set(waiting)
    while waiting:
        for other in ways[waiting.pop()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return len(seen) == len(cells)


def _holes(chance: Chance, cells: Cells, number: int) -> set[str]:
    """At most so many cells without which the others are still connected."""
    holes: set[str] = set()
    for name in chance.sample(cells, number):
        if _connected(_without(cells, holes | {name})):
            holes.add(name)
    return holes


def _drawn_grid(chance: Chance, sizes: Sizes) -> dict[str, tuple[int, int]]:
    return grid_cells(sizes.draw(chance, "width"), sizes.draw(chance, "height"))


def _visitall(chance: Chance, sizes: Sizes) -> Draft:
    cells = _drawn_grid(chance, sizes)
    cells = _without(cells, _holes(chance, cells, len(cells) // 5))
    names = list(cells)
    start = chance.choose(names)
    wanted = chance.sample(names, chance.between(len(names) // 2, len(names)))
    return Draft(
        objects=typed(names, "place"),
        init=[
            *facts("connected", neighbours(cells)),
            fact("at-robot", start),
            fact("visited", start),
        ],
        goal=facts("visited", ([name] for name in wanted)),
    )


def _reward(chance: Chance, sizes: Sizes) -> Draft:
    cells = _drawn_grid(chance, sizes)
    names = list(cells)
    free = list(_without(cells, _holes(chance, cells, len(cells) // 5)))
    rewards = chance.sample(free, min(len(free), sizes.draw(chance, "rewards")))
    return Draft(
        objects=typed(names, "cell"),
        init=[
            *facts("adjacent", neighbours(cells)),
            *facts("unblocked", ([name] for name in free)),
            *facts("reward", ([name] for name in rewards)),
            fact("at", chance.choose(free)),
        ],
        goal=facts("picked", ([name] for name in rewards)),
    )


def _grid(chance: Chance, sizes: Sizes) -> Draft:
    cells = _drawn_grid(chance, sizes)
    names = list(cells)
    shapes = named("shape", sizes.draw(chance, "shapes"))
    keys = {key: chance.choose(shapes) for key in named("key", sizes.draw(chance, "keys"))}
    # The open cells are connected and every lock has a key in one of them, so all can be opened.
    locked = _holes(chance, cells, sizes.draw(chance, "locks"))
    free = [name for name in names if name not in locked]
    return Draft(
        objects=typed([*names, *shapes, *keys], "object"),
        init=[
            *facts("place", ([name] for name in names)),
            *facts("key", ([key] for key in keys)),
            *facts("shape", ([shape] for shape in shapes)),
            *facts("conn", neighbours(cells)),
            *facts("key-shape", keys.items()),
            *facts("open", ([name] for name in free)),
            *facts("locked", ([name] for name in sorted(locked))),
            *(fact("lock-shape", name, chance.choose([*keys.values()])) for name in sorted(locked)),
            *(fact("at", key, chance.choose(free)) for key in keys),
            fact("at-robot", chance.choose(free)),
            fact("arm-empty"),
        ],
        goal=[
            fact("at", key, chance.choose(names))
            for key in chance.sample(keys, chance.between(1, len(keys)))
        ],
    )


def _goldminer(chance: Chance, sizes: Sizes) -> Draft:
    cells = _drawn_grid(chance, sizes)
    shed = [name for name, (x, _) in cells.items() if x == 0]
    rock = [name for name, (x, _) in cells.items() if x > 0]
    gold = chance.choose([name for name, (x, _) in cells.items() if x == max(cells.values())[0]])
    kinds = {
        name: "soft-rock-at" if name == gold or chance.below(2) else "hard-rock-at" for name in rock
    }
    return Draft(
        objects=typed(cells, "loc"),
        init=[
            *facts("connected", neighbours(cells)),
            *facts("clear", ([name] for name in shed)),
            *(fact(kind, name) for name, kind in kinds.items()),
            fact("gold-at", gold),
            fact("robot-at", chance.choose(shed)),
            fact("bomb-at", chance.choose(shed)),
            fact("laser-at", chance.choose(shed)),
            fact("arm-empty"),
        ],
        goal=[fact("holds-gold")],
    )


def _npuzzle(chance: Chance, sizes: Sizes) -> Draft:
    cells = _drawn_grid(chance, sizes)
    names = list(cells)
    tiles = named("tile", len(names) - 1)
    ways = neighbours(cells)
    at = dict(zip(names[1:], tiles, strict=True))
    empty = names[0]
    for _ in range(sizes.draw(chance, "slides")):
        there = chance.choose([other for one, other in ways if one == empty])
        at[empty] = at.pop(there)
        empty = there
    return Draft(
        objects=[*typed(names, "position"), *typed(tiles, "tile")],
        init=[
            *facts("neighbor", ways),
            fact("empty", empty),
            *(fact("at", at[name], name) for name in names if name in at),
        ],
        goal=facts("at", zip(tiles, names[1:], strict=True)),
    )


CELLS = (
    survey_domain(
        "visitall",
        "IPC 2011",
        _visitall,
        {"width": (2, 5), "height": (2, 5)},
        {"width": (8, 12), "height": (8, 12)},
    ),
    survey_domain(
        "reward",
        "Reward of D2L",
        _reward,
        {"width": (3, 5), "height": (3, 5), "rewards": (1, 4)},
        {"width": (8, 12), "height": (8, 12), "rewards": (8, 12)},
    ),
    survey_domain(
        "grid",
        "IPC 1998",
        _grid,
        {"width": (2, 3), "height": (2, 3), "shapes": (1, 2), "keys": (1, 3), "locks": (0, 2)},
        {"width": (6, 9), "height": (6, 9), "shapes": (2, 4), "keys": (4, 7), "locks": (5, 9)},
    ),
    survey_domain(
        "goldminer",
        "IPC 2008, learning track",
        _goldminer,
        {"width": (2, 4), "height": (2, 3)},
        {"width": (7, 10), "height": (7, 10)},
    ),
    survey_domain(
        "npuzzle",
        "the sliding tiles; IPC 2008, learning track",
        _npuzzle,
        {"width": (2, 3), "height": (2, 3), "slides": (3, 20)},
        {"width": (4, 5), "height": (4, 5), "slides": (100, 200)},
    ),
)
