"""Success against time, as SVG: a panel a domain, a step curve a method, all on one time axis."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pg3.report.curves import Curve, curve_of
from pg3.report.figures import fraction
from pg3.report.log_scale import LogScale
from pg3.report.markup import Markup, join, tag
from pg3.report.paper import PAPER
from pg3.report.plot_styles import WIDTH, Style, coordinate, marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.report.columns import Column
    from pg3.report.tables import Cell, Report, Row

_CURVE_HEIGHT = 236.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, WIDTH - 94, 12.0, _CURVE_HEIGHT - 30
_LABEL_GAP = 13.0


def time_scale(report: Report) -> LogScale:
    """The axis of seconds, the same in every panel."""
    times = [PAPER[row.domain, "pg3"].time for row in report.rows if (row.domain, "pg3") in PAPER]
    for cell in report.cells:
        curve = curve_of(cell)
        if curve.points:
            times += [curve.end, *(since for since, _ in curve.points)]
    # Below a tenth of a millisecond there is nothing to see but the clock.
    return LogScale.around([max(time, 1e-4) for time in times if time], _LEFT, _RIGHT)


def success_panel(row: Row, scale: LogScale, styles: dict[Column, Style]) -> Markup:
    """The curves of one domain."""
    # The two that matter most are drawn last, on top of the others.
    cells = [cell for cell in row.cells if cell is not None]
    drawn = sorted(cells, key=lambda cell: cell.column.method in ("pg3", "robust"))
    curves = {cell.column: curve_of(cell) for cell in cells}
    lines = [_curve(curves[cell.column], scale, styles[cell.column]) for cell in drawn]
    paper = PAPER.get((row.domain, "pg3"))
    summary = "; ".join(
        f"{cell.column.label} ends at {fraction(cell.success.mean)}" for cell in cells
    )
    return tag(
        "svg",
        tag("title", f"{row.title}: mean test success over seconds of learning. {summary}."),
        _time_axes(scale),
        *lines,
        None if paper is None or paper.time is None else _paper_mark(scale.place(paper.time)),
        *_end_labels(cells, styles),
        tag("line", class_="cross", x1=0, x2=0, y1=_TOP, y2=_BOTTOM),
        viewBox=f"0 0 {WIDTH:g} {_CURVE_HEIGHT:g}",
        role="img",
        data_low=scale.low,
        data_high=scale.high,
        data_left=coordinate(_LEFT),
        data_right=coordinate(_RIGHT),
        data_width=coordinate(WIDTH),
        data_curves=_curve_data(cells, curves, styles),
    )


def _curve_data(
    cells: Sequence[Cell], curves: dict[Column, Curve], styles: dict[Column, Style]
) -> str:
    """The curves for the script that shows values under the pointer."""
    return json.dumps(
        [
            [
                cell.column.label,
                styles[cell.column].colour,
                cell.success.mean if not curves[cell.column].points else 0,
                [
                    [float(f"{since:.4g}"), float(f"{value:.4g}")]
                    for since, value in curves[cell.column].points
                ],
            ]
            for cell in cells
        ],
        separators=(",", ":"),
    )


def _height(success: float) -> float:
    return _BOTTOM - success * (_BOTTOM - _TOP)


def _time_axes(scale: LogScale) -> Markup:
    parts = []
    for value, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = coordinate(_height(value))
        parts.append(tag("line", class_="grid", x1=_LEFT, x2=_RIGHT, y1=y, y2=y))
        parts.append(
            tag("text", label, class_="tick end", x=_LEFT - 6, y=coordinate(float(y) + 3.5))
        )
    y = coordinate(_height(0.9))
    parts.append(tag("line", class_="grid ninety", x1=_LEFT, x2=_RIGHT, y1=y, y2=y))
    parts.append(tag("text", "0.9", class_="tick end", x=_LEFT - 6, y=coordinate(float(y) + 5)))
    for exponent, labelled in scale.ticks():
        x = coordinate(scale.place(10.0**exponent))
        parts.append(tag("line", class_="grid", x1=x, x2=x, y1=_TOP, y2=_BOTTOM))
        if labelled:
            parts.append(tag("text", _time_label(exponent), class_="tick mid", x=x, y=_BOTTOM + 15))
    return join(parts)


def _time_label(exponent: int) -> str:
    return f"{10 ** (exponent + 3):g} ms" if -3 <= exponent < 0 else f"{10.0**exponent:,.4g} s"


def _paper_mark(x: float) -> Markup:
    """Where the paper's PG3 has, on average, its first solution."""
    return tag(
        "g",
        tag("title", "The paper's PG3: mean time to a policy that solves 90 %"),
        tag("path", class_="theirs", d="M0 -6L5 0L0 6L-5 0Z"),
        tag("text", "paper", class_="tick mid halo", y=18),
        transform=f"translate({coordinate(x)} {coordinate(_height(0.9))})",
    )


def _curve(curve: Curve, scale: LogScale, style: Style) -> Markup:
    final = coordinate(_height(curve.final))
    if not curve.points:
        flat = tag("path", class_="curve", d=f"M{_LEFT:g} {final}H{_RIGHT:g}")
        return tag("g", flat, class_=f"line {style.colour}", stroke_dasharray=style.dashes)
    pieces = [f"M{coordinate(scale.place(curve.points[0][0]))} {coordinate(_height(0))}"]
    for since, value in curve.points:
        pieces.append(f"H{coordinate(scale.place(since))}V{coordinate(_height(value))}")
    end = max(curve.end, curve.points[-1][0])
    x = coordinate(scale.place(end))
    return tag(
        "g",
        tag("path", class_="curve", d=f"{''.join(pieces)}H{x}", stroke_dasharray=style.dashes),
        tag("path", class_="after", d=f"M{x} {final}H{_RIGHT:g}"),
        marker(style, scale.place(end), float(final)),
        class_=f"line {style.colour}",
    )


def _end_labels(cells: Sequence[Cell], styles: dict[Column, Style]) -> list[Markup]:
    """The names at the right, each beside its line's end as far as they do not overlap."""
    ordered = sorted(cells, key=lambda cell: -cell.success.mean)
    wanted = [_height(cell.success.mean) for cell in ordered]
    labels = []
    for cell, y, place in zip(ordered, wanted, spread(wanted, _LABEL_GAP, _BOTTOM), strict=True):
        style = styles[cell.column]
        label = tag(
            "g",
            tag(
                "path",
                class_="leader",
                d=f"M{_RIGHT:g} {coordinate(y)}L{_RIGHT + 8:g} {coordinate(place)}",
            ),
            marker(style, _RIGHT + 14, place),
            tag("text", cell.column.short, class_="name", x=_RIGHT + 22, y=coordinate(place + 3.5)),
            class_=f"line {style.colour}",
        )
        labels.append(label)
    return labels


def spread(places: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Ascending places moved apart to at least `gap`, the last at most at `lowest`.

    Each stays as near to where it wants to be as going down first and up again allows.
    """
    result: list[float] = []
    for place in places:
        result.append(max(place, result[-1] + gap) if result else place)
    bound = lowest
    for i in range(len(result) - 1, -1, -1):
        result[i] = min(result[i], bound)
        bound = result[i] - gap
    return result
