"""The plots: scales, places of labels, and SVG that is well formed, complete and the same again."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.report.columns import Column
from pg3.report.plots import (
    candidate_panels,
    decades,
    searchers,
    spread,
    styles_of,
    success_panels,
    swatch,
)
from pg3.report.tables import compute
from tests.report.fabrication import PAPER_OPTIONS, chance, full, network, result


def texts(svg: str, kind: str = "") -> list[str | None]:
    """What is written in a plot, in groups of a kind if one is given."""
    groups = [g for g in ET.fromstring(svg).iter("g") if kind in (g.get("class") or "")]
    return [text.text for group in groups for text in group.findall("text")]


def ticks(svg: str) -> list[str | None]:
    """The labels of the axis of seconds."""
    return [text for text in texts(svg) if re.fullmatch(r"[\d,]+ m?s", text or "")]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.02, 30.0, 0.0], (-2, 2)),
        ([], (0, 1)),
        ([0.0], (0, 1)),
        ([1000.0], (3, 4)),
        ([0.001], (-3, -2)),
    ],
)
def test_an_axis_has_whole_decades_at_least_one(
    values: list[float], expected: tuple[int, int]
) -> None:
    assert decades(values) == expected


def test_many_ticks_have_fewer_labels() -> None:
    few = compute([result("zoo", bests=((0.01, 0.5), (10.0, 1.0)))])
    assert ticks(success_panels(few)[0].svg) == ["10 ms", "100 ms", "1 s", "10 s"]
    many = compute([result("zoo", bests=((0.001, 0.5), (9000.0, 1.0)))])
    assert ticks(success_panels(many)[0].svg) == ["1 ms", "100 ms", "10 s", "1,000 s"]


@given(st.lists(st.floats(0, 100), max_size=8).map(sorted))
def test_labels_do_not_overlap_and_stay_inside(places: list[float]) -> None:
    moved = spread(places, 10, 100)
    assert all(b - a >= 10 - 1e-9 for a, b in pairwise(moved))
    assert all(place <= 100 for place in moved)


def test_labels_that_have_room_stay() -> None:
    assert spread([0, 20, 90], 10, 100) == [0, 20, 90]
    assert spread([0, 0, 95, 95], 10, 100) == [0, 10, 90, 100]


def test_methods_keep_their_looks_and_no_two_are_alike() -> None:
    columns = compute(full(seeds=1)).columns
    styles = styles_of(columns)
    assert len({style.marker["marker"] for style in styles.values()}) == len(columns) == 9
    assert len({style.colour for style in styles.values()}) == len(columns)
    assert len(set(map(swatch, styles.values()))) == len(columns)
    robust = next(column for column in columns if column.method == "robust")
    assert styles_of([robust])[robust] == styles[robust]
    many = [Column(f"method-{i}", PAPER_OPTIONS) for i in range(30)]
    assert len(styles_of(many)) == 30


def test_panels_are_well_formed_and_complete() -> None:
    report = compute(full(seeds=2))
    columns = searchers(report)
    assert [column.method for column in columns] == [
        "pg3",
        "policy-evaluation",
        "plan-comparison",
        "combo",
        "goal-count",
        "robust",
    ]
    assert [panel.title for panel in success_panels(report)] == [row.title for row in report.rows]
    for curves in success_panels(report):
        names = texts(curves.svg, "name")
        assert sorted(map(str, names)) == sorted(column.short for column in report.columns)
        assert curves.words.count(" ends at ") == len(report.columns)
        assert "paper" in texts(curves.svg)
    for dots in candidate_panels(report):
        assert len(texts(dots.svg, "value")) == 2 * len(columns)


def test_the_page_sets_the_colours() -> None:
    report = compute(full(seeds=2))
    for panel in [*success_panels(report), *candidate_panels(report)]:
        assert "var(--c0)" in panel.svg
        assert not re.search(r"(stroke|fill): #", panel.svg)


def test_equal_counts_are_one_dot() -> None:
    lines = [result(seed=seed) for seed in range(4)]
    lines.append(result(seed=4, solved=0, bests=((1.0, 0.0),)))
    (panel,) = candidate_panels(compute(lines))
    titles = [title.text for title in ET.fromstring(panel.svg).iter("title")]
    assert titles == ["PG3, seeds 0–3: 11 candidates"]
    assert texts(panel.svg, "value") == ["11", "4/5"]


def test_only_what_counts_candidates_has_dots() -> None:
    assert searchers(compute([chance("ferry", 0), network("ferry", 0, 10)])) == []


def test_a_network_without_learning_time_and_no_curve_at_all() -> None:
    for lines in ([chance("zoo", 0)], [network("zoo", 0, 10, second=0.0)]):
        (panel,) = success_panels(compute(lines))
        ET.fromstring(panel.svg)
        assert panel.data is not None
        assert panel.data["high"] > panel.data["low"]


def test_names_are_neither_formulas_nor_changed() -> None:
    name = "$x_1$ 0.123456 #0067a8"
    (panel,) = candidate_panels(compute([result("zoo", name)]))
    (title,) = ET.fromstring(panel.svg).iter("title")
    assert title.text == f"{name}, seed 0: 11 candidates"
    assert f"{name[:11]}…" in texts(panel.svg)


def test_without_matplotlib_the_extra_is_named_and_other_formats_work() -> None:
    script = """
import sys
sys.modules["matplotlib"] = None
from pg3.errors import Pg3Error
from pg3.report import FORMATS, compute
from tests.report.fabrication import result
report = compute([result()])
for name in ("markdown", "latex", "csv"):
    assert FORMATS[name][1](report)
try:
    FORMATS["html"][1](report)
except Pg3Error as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        'a page with plots needs matplotlib: pip install "pg3[report]" (other formats do not)\n'
    )
