"""The plots of the page, drawn with matplotlib: SVG in the page whose colours its style sets.

A method has the same colour, dashes and marker everywhere, so that colour is never needed to tell
methods apart. Needs matplotlib, which comes with the extra `pg3[report]`.
"""

from __future__ import annotations

import logging
import math
import re
import statistics
import warnings
from dataclasses import dataclass
from functools import cache
from io import StringIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pg3.errors import Pg3Error
from pg3.report.columns import LOOKS
from pg3.report.curves import Curve, curve_of
from pg3.report.figures import NONE, fraction, named_seeds, whole
from pg3.report.paper import PAPER

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
except ImportError as error:
    raise Pg3Error(
        'a page with plots needs matplotlib: pip install "pg3[report]" (other formats do not)'
    ) from error

# What it says of its cache of fonts is nothing to a reader of reports.
logging.getLogger("matplotlib").setLevel(logging.ERROR)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from pg3.report.columns import Column
    from pg3.report.tables import Cell, Report, Row

# Panels are drawn in the size in which a phone shows them, in points.
_WIDTH = 384.0

# The looks of the columns, in the order in which they are given out; methods that the paper or we
# have keep theirs when others are missing.
_COLOURS = (
    "#0067a8",
    "#c25a94",
    "#008a64",
    "#c27c00",
    "#8a5140",
    "#7446b0",
    "#73777d",
    "#d14b00",
    "#3d2c86",
    "#3f4247",
)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "h", "d")
_LINES = ("-", "--", ":", "-.", "--", "-.", ":", "-", "-.", "--")

# The first methods keep their looks; two are left for others.
_KEPT = {method: number for number, method in enumerate(LOOKS) if number < len(_MARKERS) - 2}

# The light colours of the page's style; in the SVG stand their names, for any other style.
_SOFT, _LINE, _PAPER = "#5b5f66", "#dededa", "#ffffff"
_NAMES = {colour: f"var(--c{number})" for number, colour in enumerate(_COLOURS)}
_NAMES |= {_SOFT: "var(--soft)", _LINE: "var(--line)", _PAPER: "var(--paper)"}

# The ticks of more decades than this get a label only every second one.
_MANY_DECADES = 4

_THEIRS = "The paper's PG3: mean time to a policy that solves 90 %"

# What savefig would write about itself: the same results give the same bytes.
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot under its title, in words for those who do not see it, and as data for the script."""

    title: str
    words: str
    svg: Markup
    data: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """How a column looks in all plots; the number is that of its colour in the page's style."""

    number: int

    @property
    def name(self) -> str:
        """The class of its elements in the page."""
        return f"m{self.number}"

    @property
    def colour(self) -> str:
        """Its colour."""
        return _COLOURS[self.number]

    @property
    def marker(self) -> dict[str, Any]:
        """How its marker is plotted."""
        return {
            "marker": _MARKERS[self.number],
            "linestyle": "",
            "markersize": 9 if _MARKERS[self.number] == "*" else 6,
            "markerfacecolor": self.colour,
            "markeredgecolor": _PAPER,
            "markeredgewidth": 0.8,
        }

    @property
    def line(self) -> dict[str, Any]:
        """How its line is plotted."""
        return {"color": self.colour, "linestyle": _LINES[self.number]}


def styles_of(columns: Sequence[Column]) -> dict[Column, Style]:
    """A style for each column; with more than ten columns some are used again."""
    free = [i for i in range(len(_MARKERS)) if i not in _KEPT.values()]
    taken: set[int] = set()
    styles: dict[Column, Style] = {}
    for column in columns:
        number = _KEPT.get(column.method)
        if number is None or number in taken:
            number = free.pop(0) if free else len(styles) % len(_MARKERS)
        taken.add(number)
        styles[column] = Style(number)
    return styles


@cache
def swatch(style: Style) -> Markup:
    """A short piece of a column's line, for a legend."""
    figure, axes = _blank(34, 14, 0, 1, 0, 0)
    axes.set_axis_off()
    axes.plot([0.03, 0.97], [0.5, 0.5], linewidth=1.7, **style.line)
    axes.plot([0.5], [0.5], **style.marker)
    return _svg(figure, f"swatch {style.name}")


# -- success against time --------------------------------------------------------------------------


def success_panels(report: Report) -> list[Panel]:
    """A panel a domain, a step curve a method, all on one axis of seconds."""
    times = [PAPER[row.domain, "pg3"].time for row in report.rows if (row.domain, "pg3") in PAPER]
    for curve in map(curve_of, report.cells):
        if curve.points:
            times += [curve.end, *(since for since, _ in curve.points)]
    # Below a tenth of a millisecond there is nothing to see but the clock.
    scale = decades(max(time, 1e-4) for time in times if time)
    styles = styles_of(report.columns)
    return [_success_panel(row, scale, styles) for row in report.rows]


def _success_panel(row: Row, scale: tuple[int, int], styles: dict[Column, Style]) -> Panel:
    cells = [cell for cell in row.cells if cell is not None]
    curves = {cell.column: curve_of(cell) for cell in cells}
    left, right = 34 / _WIDTH, 1 - 94 / _WIDTH
    figure, axes = _blank(_WIDTH, 236, left, right, 30, 12)
    _log_axis(axes, scale, _seconds)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.5, 0.9, 1], labels=["0", "0.5", "0.9", "1"])
    axes.hlines([0, 0.5, 1], 0, 1, _LINE, linewidth=1, transform=axes.get_yaxis_transform())
    axes.axhline(0.9, color=_SOFT, linewidth=1, linestyle=(0, (1, 3)))
    for cell in sorted(cells, key=lambda cell: cell.column.is_main):
        _draw_curve(axes, curves[cell.column], scale, cell.column, styles[cell.column])
    paper = PAPER.get((row.domain, "pg3"))
    if paper is not None and paper.time is not None:
        axes.plot(
            [paper.time],
            [0.9],
            linestyle="",
            marker="D",
            markersize=6.5,
            markerfacecolor=_PAPER,
            markeredgecolor=_COLOURS[0],
            gid="theirs",
        )
        axes.text(paper.time, 0.82, "paper", ha="center", va="top", color=_SOFT, gid="halo")
    _label_ends(axes, cells, styles)
    ends = "; ".join(f"{c.column.label} ends at {fraction(c.success.mean)}" for c in cells)
    return Panel(
        row.title,
        f"{row.title}: mean test success over seconds of learning. {ends}.",
        _svg(figure, f"success {row.domain}", {"theirs": _THEIRS}),
        {
            "low": scale[0],
            "high": scale[1],
            "left": left,
            "right": right,
            "curves": [
                [
                    cell.column.label,
                    styles[cell.column].name,
                    cell.success.mean if not curves[cell.column].points else 0,
                    [[float(f"{x:.4g}"), float(f"{y:.4g}")] for x, y in curves[cell.column].points],
                ]
                for cell in cells
            ],
        },
    )


def _draw_curve(
    axes: Axes, curve: Curve, scale: tuple[int, int], column: Column, style: Style
) -> None:
    low, high = 10.0 ** scale[0], 10.0 ** scale[1]
    looks = style.line | {
        "linewidth": 2.8 if column.is_main else 1.7,
        "gid": f"line {style.name}",
    }
    if not curve.points:
        axes.plot([low, high], [curve.final] * 2, **looks)
        return
    times = [max(since, low) for since, _ in curve.points]
    end = max(curve.end, times[-1])
    values = [value for _, value in curve.points]
    axes.plot([times[0], *times, end], [0, *values, values[-1]], drawstyle="steps-post", **looks)
    axes.plot(
        [end, high],
        [curve.final] * 2,
        color=style.colour,
        linewidth=1.2,
        alpha=0.35,
        gid=f"line {style.name}",
    )
    axes.plot([end], [curve.final], gid=f"line {style.name}", **style.marker)


def _label_ends(axes: Axes, cells: Sequence[Cell], styles: dict[Column, Style]) -> None:
    """The names at the right, each beside its line's end as far as they do not overlap."""
    ordered = sorted(cells, key=lambda cell: -cell.success.mean)
    wanted = [1 - cell.success.mean for cell in ordered]
    beside = axes.get_yaxis_transform()
    for cell, place in zip(ordered, spread(wanted, 0.067, 1.0), strict=True):
        style = styles[cell.column]
        gid = f"line {style.name}"
        axes.plot(
            [1, 1.03],
            [cell.success.mean, 1 - place],
            color=style.colour,
            linewidth=1,
            alpha=0.6,
            transform=beside,
            gid=gid,
        )
        axes.plot([1.055], [1 - place], transform=beside, gid=gid, **style.marker)
        axes.text(
            1.085,
            1 - place,
            cell.column.short,
            va="center",
            transform=beside,
            parse_math=False,
            fontsize=11,
            gid=f"name {gid}",
        )


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


# -- candidates to the first solution --------------------------------------------------------------


def searchers(report: Report) -> list[Column]:
    """The columns whose runs count candidates."""
    return [
        column
        for column in report.columns
        if any(
            line.candidates is not None
            for cell in report.column_cells(column)
            for line in cell.lines
        )
    ]


def candidate_counts(cell: Cell) -> list[int]:
    """The candidates to the first solution, of the seeds that have one, in ascending order."""
    return sorted(s.candidates for s in cell.solutions if s.candidates is not None)


def candidate_panels(report: Report) -> list[Panel]:
    """A panel a domain, a line of dots a method, all on one axis of candidates."""
    scale = decades([1.0, *(float(n) for cell in report.cells for n in candidate_counts(cell))])
    styles = styles_of(report.columns)
    columns = searchers(report)
    return [_candidate_panel(row, columns, scale, styles) for row in report.rows]


def _candidate_panel(
    row: Row, columns: Sequence[Column], scale: tuple[int, int], styles: dict[Column, Style]
) -> Panel:
    figure, axes = _blank(_WIDTH, 46 + 22 * len(columns), 84 / _WIDTH, 1 - 96 / _WIDTH, 24, 22)
    _log_axis(axes, scale, lambda exponent: whole(10**exponent))
    axes.set_ylim(len(columns) - 0.5, -0.5)
    axes.set_yticks([])
    axes.hlines(range(len(columns)), 0, 1, _LINE, linewidth=1, transform=axes.get_yaxis_transform())

    def write(x: float, y: float, text: str, **looks: Any) -> None:
        place = axes.get_yaxis_transform()
        axes.text(x, y, text, va="center", transform=place, parse_math=False, **looks)

    # The places of the names, the medians and the seeds, in parts of the axis.
    names, medians, found = (
        (x / _WIDTH - axes.get_position().x0) / axes.get_position().width
        for x in (0, _WIDTH - 44, _WIDTH - 2)
    )
    titles: dict[str, str] = {}
    write(medians, -0.85, "median", ha="right", color=_SOFT)
    write(found, -0.85, "seeds", ha="right", color=_SOFT)
    for y, column in enumerate(columns):
        style, cell = styles[column], row.cell(column)
        write(names, y, column.short, ha="left", fontsize=11)
        if cell is None:
            write(found, y, "not run", ha="right", color=_SOFT)
            continue
        counts = candidate_counts(cell)
        for count in sorted(set(counts)):
            same = tuple(s.seed for s in cell.solutions if s.candidates == count)
            axes.plot(
                [count],
                [y],
                linestyle="",
                marker="o",
                # The area stands for the number of seeds.
                markersize=6.4 * len(same) ** 0.5,
                markerfacecolor=style.colour,
                markeredgecolor=_PAPER,
                alpha=0.8,
                gid=f"dot n{len(titles)}",
            )
            words = f"{column.label}, {named_seeds(same)}: {whole(count)} candidates"
            titles[f"dot n{len(titles)}"] = words
        median = whole(statistics.median(counts)) if counts else NONE
        write(medians, y, median, ha="right", fontsize=11, gid="value")
        write(found, y, f"{len(counts)}/{cell.count}", ha="right", fontsize=11, gid="value")
    return Panel(
        row.title,
        f"{row.title}: candidates to the first solution, a dot for equal seeds",
        _svg(figure, f"candidates {row.domain}", titles),
    )


# -- axes, and SVG for the page --------------------------------------------------------------------


def _blank(
    width: float, height: float, left: float, right: float, bottom: float, top: float
) -> tuple[Figure, Axes]:
    """A figure of a size in points with axes that draw nothing by themselves."""
    figure = Figure(figsize=(width / 72, height / 72))
    low, high = bottom / height, 1 - top / height
    axes = figure.add_axes((left, low, right - left, high - low))
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=10, labelcolor=_SOFT, pad=5)
    axes.patch.set_visible(False)
    return figure, axes


def decades(values: Iterable[float]) -> tuple[int, int]:
    """The exponents of the smallest axis of at least one decade that shows all positive values."""
    logarithms = [math.log10(value) for value in values if value > 0] or [0.0]
    # A value that is a power of ten up to rounding needs no decade more.
    low = math.floor(min(logarithms) + 1e-9)
    return low, max(math.ceil(max(logarithms) - 1e-9), low + 1)


def _log_axis(axes: Axes, scale: tuple[int, int], label: Any) -> None:
    low, high = scale
    step = 2 if high - low > _MANY_DECADES else 1
    axes.set_xscale("log")
    axes.set_xlim(10.0**low, 10.0**high)
    for exponent in range(low, high + 1):
        axes.axvline(10.0**exponent, color=_LINE, linewidth=1)
    axes.xaxis.set_major_locator(FixedLocator([10.0**e for e in range(low, high + 1, step)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: label(round(math.log10(x)))))


def _seconds(exponent: int) -> str:
    return f"{10 ** (exponent + 3):g} ms" if -3 <= exponent < 0 else f"{10.0**exponent:,.4g} s"


def _svg(figure: Figure, salt: str, titles: Mapping[str, str] = MappingProxyType({})) -> Markup:
    """The figure as an element of the page.

    An artist's gid becomes the class of its group, and the group gets the title of that gid.
    """
    for artist in figure.findobj():
        artist.set_clip_on(False)
    text = StringIO()
    # A font may lack a letter of some name: the reader's browser will have one.
    with warnings.catch_warnings(), mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        warnings.simplefilter("ignore")
        figure.savefig(text, format="svg", metadata=_NO_METADATA, transparent=True)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->|<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)

    def group(match: re.Match[str]) -> str:
        gid, end = match.groups()
        # A name of matplotlib's own, such as "axes_1", says nothing and is in every figure.
        opening = "<g" if re.search(r"_\d+$", gid) else f'<g class="{gid}"'
        title = Markup("<title>{}</title>").format(titles[gid]) if gid in titles else ""
        return f"{opening}{end}{title}"

    # Only what stands in a tag is changed, no name: matplotlib has escaped these.
    svg = re.sub(r"\s*(<[^<>]*>)\s*", _tag, svg)
    return Markup(re.sub(r'<g id="([^"]*)"(/?>)', group, svg))


def _tag(match: re.Match[str]) -> str:
    """A tag of matplotlib's as it stands in the page: shorter, and with the page's colours."""
    tag = re.sub(
        r' (?:xmlns|xmlns:xlink|version)="[^"]*"| transform="rotate\(-0 [^"]*"', "", match[1]
    )
    tag = re.sub(r" font-family: [^;\"]*;", "", tag.replace("xlink:href", "href"))
    # A hundredth of a point is fine enough.
    tag = re.sub(r"\s*\n\s*", "", re.sub(r"(\.\d\d)\d+", r"\1", tag))
    return re.sub(r"#[0-9a-f]{6}\b", lambda colour: _NAMES.get(colour[0], colour[0]), tag)
