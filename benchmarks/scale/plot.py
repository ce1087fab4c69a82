"""The picture of docs/results/scale.md: microseconds a step by objects, both log, as SVG."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Series = Mapping[str, Sequence[tuple[int, float]]]

WIDTH, HEIGHT = 720, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 40, 50
OBJECTS = (1_000, 100_000)
LABELS = {-1: "0.1 µs", 0: "1 µs", 1: "10 µs", 2: "100 µs", 3: "1 ms", 4: "10 ms", 5: "100 ms"}
LABELS |= {6: "1 s", 7: "10 s"}
# Told apart also by people who do not see red and green alike.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#666666")
LABEL_HEIGHT = 14.0


def write_plot(path: Path, ours: Series, theirs: Series) -> None:
    """Draw (objects, microseconds) by domain: solid lines for pg3, dashed ones for pymimir."""
    values = [y for series in (ours, theirs) for points in series.values() for _, y in points]
    low = math.floor(math.log10(min(values)))
    high = math.ceil(math.log10(max(values)))

    def place(objects: float, microseconds: float) -> tuple[float, float]:
        across = math.log(objects / OBJECTS[0]) / math.log(OBJECTS[1] / OBJECTS[0])
        up = (math.log10(microseconds) - low) / (high - low)
        x = LEFT + across * (WIDTH - LEFT - RIGHT)
        return x, HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">Median time of a step: pg3 solid,'
        " pymimir dashed</text>",
    ]
    for exponent in range(low, high + 1):
        _, y = place(OBJECTS[0], 10.0**exponent)
        parts.append(_line(LEFT, y, WIDTH - RIGHT, y, "#dddddd"))
        label = LABELS.get(exponent, f"1e{exponent} µs")
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for objects in (1_000, 10_000, 100_000):
        x, _ = place(objects, 10.0**low)
        parts.append(_line(x, TOP, x, HEIGHT - BOTTOM, "#dddddd"))
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{objects:,}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">objects</text>')

    ends: list[tuple[float, float, str, str]] = []
    for colour, (name, points) in zip(COLOURS, ours.items(), strict=False):
        drawn = [place(*point) for point in points]
        parts += _curve(drawn, colour, dashed=False)
        ends.append((drawn[-1][1], drawn[-1][0], name, colour))
        parts += _curve([place(*point) for point in theirs.get(name, ())], colour, dashed=True)
    floor = 0.0
    for y, x, name, colour in sorted(ends):
        floor = max(y, floor + LABEL_HEIGHT)
        parts.append(f'<text x="{x + 10:.1f}" y="{floor + 4:.1f}" fill="{colour}">{name}</text>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}"/>'


def _curve(points: list[tuple[float, float]], colour: str, *, dashed: bool) -> list[str]:
    if not points:
        return []
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    line = f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
    return [line] + [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points
    ]
