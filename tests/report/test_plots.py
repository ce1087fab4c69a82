"""The plots: scales, places of labels, and SVG that is well formed."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.report.candidate_plot import candidate_panel, candidate_scale, searchers
from pg3.report.columns import Column
from pg3.report.log_scale import LogScale
from pg3.report.plot_styles import styles_of
from pg3.report.success_plot import spread, success_panel, time_scale
from pg3.report.tables import compute
from tests.report.fabrication import PAPER_OPTIONS, chance, full, network, result


def test_a_scale_has_whole_decades() -> None:
    scale = LogScale.around([0.02, 30.0, 0.0], 0, 100)
    assert (scale.low, scale.high) == (-2, 2)
    assert scale.place(1.0) == 50
    assert (scale.place(0), scale.place(1e9)) == (0, 100)
    assert [exponent for exponent, labelled in scale.ticks() if labelled] == [-2, -1, 0, 1, 2]


@pytest.mark.parametrize(
    ("values", "decades"), [([], (0, 1)), ([0.0], (0, 1)), ([1000.0], (3, 4)), ([0.001], (-3, -2))]
)
def test_a_scale_has_at_least_one_decade(values: list[float], decades: tuple[int, int]) -> None:
    scale = LogScale.around(values, 0, 1)
    assert (scale.low, scale.high) == decades


def test_many_ticks_have_fewer_labels() -> None:
    scale = LogScale(-3, 5, 0, 1)
    assert [exponent for exponent, labelled in scale.ticks() if labelled] == [-3, -1, 1, 3, 5]


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
    assert len({style.marker for style in styles.values()}) == len(columns) == 9
    assert len({style.colour for style in styles.values()}) == len(columns)
    robust = columns[-1]
    assert styles_of([robust])[robust] == styles[robust]
    many = [Column(f"method-{i}", PAPER_OPTIONS) for i in range(30)]
    assert len(styles_of(many)) == 30


def test_panels_are_well_formed_and_complete() -> None:
    report = compute(full(seeds=2))
    styles = styles_of(report.columns)
    for row in report.rows:
        curves = ET.fromstring(success_panel(row, time_scale(report), styles))
        names = [text.text for text in curves.iter("text") if text.get("class") == "name"]
        assert sorted(map(str, names)) == sorted(column.short for column in report.columns)
        columns = searchers(report)
        dots = ET.fromstring(candidate_panel(row, columns, candidate_scale(report), styles))
        assert [column.method for column in columns] == [
            "pg3",
            "policy-evaluation",
            "plan-comparison",
            "combo",
            "goal-count",
            "robust",
        ]
        values = [text.text for text in dots.iter("text") if text.get("class") == "value end"]
        assert len(values) == 2 * len(columns)


def test_equal_counts_are_one_dot() -> None:
    lines = [result(seed=seed) for seed in range(4)]
    lines.append(result(seed=4, solved=0, bests=((1.0, 0.0),)))
    report = compute(lines)
    panel = candidate_panel(
        report.rows[0], report.columns, candidate_scale(report), styles_of(report.columns)
    )
    dots = list(ET.fromstring(panel).iter("circle"))
    assert [dot[0].text for dot in dots] == ["PG3, seeds 0–3: 11 candidates"]
    assert ">4/5<" in panel


def test_only_what_counts_candidates_has_dots() -> None:
    assert searchers(compute([chance("ferry", 0), network("ferry", 0, 10)])) == []


def test_a_network_without_learning_time_and_no_curve_at_all() -> None:
    for lines in ([chance("zoo", 0)], [network("zoo", 0, 10, second=0.0)]):
        report = compute(lines)
        scale = time_scale(report)
        ET.fromstring(success_panel(report.rows[0], scale, styles_of(report.columns)))
        assert scale.high > scale.low
