"""A Forest problem for docs/reference/domains.md: `python -m benchmarks.forest_picture`.

Writes docs/images/forest.svg, or the file that is named. Text and lines follow the reader's choice
of light or dark; the ground is drawn in colours that stand out on both.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.domains import DOMAINS
from pg3.planning import plan
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pg3.pddl import Problem

# The problem on the picture: one with a long trail, two rocks and a short cut.
SPLIT, SEED, NUMBER = "test", 0, 7

CELL = 40
MARGIN = 16
LEGEND = 290

STYLE = """
  .text { fill: #24292f; font: 15px system-ui, sans-serif }
  .small { fill: #57606a; font: 13px system-ui, sans-serif }
  .dirt { fill: #e3cfa9 } .path { fill: #9fcf8d } .water { fill: #6fa8dc }
  .wave { fill: none; stroke: #cfe4f7; stroke-width: 2; stroke-linecap: round }
  .rock { fill: #7d8590; stroke: #4d545c; stroke-width: 1.5; stroke-linejoin: round }
  .crack { fill: none; stroke: #b9c0c8; stroke-width: 1.5; stroke-linecap: round }
  .step { fill: none; stroke: #2c6e2f; stroke-width: 2.5; stroke-linecap: round;
          stroke-linejoin: round }
  .plan { fill: none; stroke: #a3195b; stroke-width: 3; stroke-dasharray: 2 7;
          stroke-linecap: round; stroke-linejoin: round }
  .hiker { fill: #1b1f24; stroke: #ffffff; stroke-width: 2; paint-order: stroke;
           stroke-linejoin: round }
  .pole { stroke: #1b1f24; stroke-width: 3; stroke-linecap: round }
  .flag { fill: #d1242f; stroke: #ffffff; stroke-width: 1.5; paint-order: stroke }
  @media (prefers-color-scheme: dark) {
    .text { fill: #e6edf3 } .small { fill: #9198a1 }
    .dirt { fill: #c9b48c } .path { fill: #83b873 } .water { fill: #4a86bd }
    .wave { stroke: #a9cbe8 }
  }
"""

Point = tuple[float, float]


def picture(problem: Problem) -> str:
    """The problem as SVG: the grid, and beside it what the signs mean."""
    facts: dict[str, list[tuple[str, ...]]] = {}
    for atom in problem.init:
        facts.setdefault(atom.predicate, []).append(atom.terms)
    trail = _trail(facts)
    rows = 1 + max(_place(name)[0] for name in problem.object_names)
    columns = 1 + max(_place(name)[1] for name in problem.object_names)
    outcome = plan(problem)
    assert outcome.plan is not None
    walked = [trail[0], *(action.objects[1] for action in outcome.plan)]
    water = {name for (name,) in facts["iswater"]}
    rocks = [name for (name,) in facts["ishill"]]

    width, height = columns * CELL + 3 * MARGIN + LEGEND, rows * CELL + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-label="A Forest problem: a grid of dirt and water with a marked trail">',
        f"<style>{STYLE}</style>",
    ]
    for name in problem.object_names:
        kind = "water" if name in water else "path" if name in trail else "dirt"
        lines += _ground(_center(name), kind)
    for here, there in pairwise(trail):
        lines.append(_bridge(_center(here), _center(there)))
    for here, there in pairwise(trail[1:]):
        if here not in rocks:
            lines.append(_chevron(_center(here), _center(there)))
    for name in rocks:
        lines += _rock(_center(name))
    points = " ".join(f"{x:g},{y:g}" for x, y in map(_center, walked))
    lines.append(f'<polyline class="plan" points="{points}"/>')
    lines += _hiker(_center(trail[0]))
    lines += _goal(_center(trail[-1]))
    lines += _legend(columns * CELL + 2 * MARGIN, len(trail) - 1, len(outcome.plan))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _trail(facts: dict[str, list[tuple[str, ...]]]) -> list[str]:
    following = {here: there for here, there in facts["ontrail"]}  # noqa: C416
    trail = [facts["at"][0][0]]
    while trail[-1] in following:
        trail.append(following[trail[-1]])
    return trail


def _place(name: str) -> tuple[int, int]:
    row, column = name[1:].split("_c")
    return int(row), int(column)


def _center(name: str) -> Point:
    row, column = _place(name)
    return MARGIN + (column + 0.5) * CELL, MARGIN + (row + 0.5) * CELL


def _polygon(style: str, center: Point, corners: Iterable[Point]) -> str:
    x, y = center
    points = " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in corners)
    return f'<polygon class="{style}" points="{points}"/>'


def _ground(center: Point, kind: str) -> Iterator[str]:
    x, y = center
    side = CELL - 2
    yield (
        f'<rect class="{kind}" x="{x - side / 2:g}" y="{y - side / 2:g}" '
        f'width="{side}" height="{side}" rx="5"/>'
    )
    if kind == "water":
        for dy in (-5, 6):
            yield f'<path class="wave" d="M{x - 11:g},{y + dy:g} q5.5,-6 11,0 t11,0"/>'


def _bridge(here: Point, there: Point) -> str:
    """The gap between two places of the trail, closed, so that the trail is one piece."""
    (x, y), (dx, _) = _between(here, there)
    wide, high = (CELL / 4, CELL * 0.6) if dx else (CELL * 0.6, CELL / 4)
    return (
        f'<rect class="path" x="{x - wide / 2:g}" y="{y - high / 2:g}" '
        f'width="{wide:g}" height="{high:g}"/>'
    )


def _chevron(here: Point, there: Point) -> str:
    """An arrow head in the middle of a place, towards its neighbour."""
    (x, y), (dx, dy) = here, _between(here, there)[1]
    tip, back, side = 4, -3, 6
    points = [(back, -side), (tip, 0), (back, side)]
    turned = " ".join(f"{x + a * dx - b * dy:g},{y + a * dy + b * dx:g}" for a, b in points)
    return f'<polyline class="step" points="{turned}"/>'


def _between(here: Point, there: Point) -> tuple[Point, Point]:
    """The middle between two neighbours, and the direction from one to the other."""
    (x, y), (to_x, to_y) = here, there
    return ((x + to_x) / 2, (y + to_y) / 2), ((to_x - x) / CELL, (to_y - y) / CELL)


def _rock(center: Point) -> Iterator[str]:
    x, y = center
    yield _polygon("rock", center, [(-13, 10), (-11, -2), (-4, -11), (5, -9), (12, -1), (14, 10)])
    yield f'<path class="crack" d="M{x - 5:g},{y - 5:g} l4,5 l-3,5 M{x + 5:g},{y - 3:g} l2,5"/>'


def _hiker(center: Point) -> Iterator[str]:
    x, y = center
    yield f'<circle class="hiker" cx="{x:g}" cy="{y - 8:g}" r="5.5"/>'
    yield f'<path class="hiker" d="M{x - 9:g},{y + 13:g} q0,-14 9,-14 t9,14 z"/>'


def _goal(center: Point) -> Iterator[str]:
    x, y = center
    yield f'<line class="pole" x1="{x - 7:g}" y1="{y + 13:g}" x2="{x - 7:g}" y2="{y - 13:g}"/>'
    yield _polygon("flag", center, [(-5, -13), (13, -7), (-5, 0)])


def _legend(left: float, trail: int, steps: int) -> Iterator[str]:
    x, y = left + CELL / 2, MARGIN + CELL / 2

    def row(signs: Iterable[str], text: str, small: str) -> Iterator[str]:
        nonlocal y
        yield from signs
        yield f'<text class="text" x="{x + 34:g}" y="{y - 1:g}">{text}</text>'
        yield f'<text class="small" x="{x + 34:g}" y="{y + 16:g}">{small}</text>'
        y += CELL + 14

    yield from row([*_ground((x, y), "dirt"), *_hiker((x, y))], "hiker", "(at A)")
    yield from row([*_ground((x, y), "dirt"), *_goal((x, y))], "goal", "(at B), to become true")
    yield from row(_ground((x, y), "dirt"), "dirt", "walk anywhere")
    yield from row(_ground((x, y), "water"), "water", "(isWater W): no way out again")
    path = [*_ground((x, y), "path"), _chevron((x, y), (x + CELL, y))]
    yield from row(path, "trail", f"(onTrail P Q), {trail} steps to the goal")
    rock = [*_ground((x, y), "path"), *_rock((x, y))]
    yield from row(rock, "rock", "(isHill R): climb, do not walk")
    plan_line = f'<polyline class="plan" points="{x - 17:g},{y:g} {x + 17:g},{y:g}"/>'
    yield from row([plan_line], "what a planner finds", f"{steps} steps, off the trail")


def main(path: str | Path) -> None:
    problem = DOMAINS["forest"].problems(SPLIT, seed=SEED, count=NUMBER)[-1]
    write_atomically(path, picture(problem))


if __name__ == "__main__":
    default = Path(__file__).parents[1] / "docs" / "images" / "forest.svg"
    main(sys.argv[1] if len(sys.argv) > 1 else default)
