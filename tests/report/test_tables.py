"""From result lines to the figures of the tables."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pg3.errors import Pg3Error
from pg3.experiments.results import Options, Status
from pg3.report.columns import columns_of
from pg3.report.tables import Cell, Report, compute, visible
from tests.report.fabrication import (
    PAPER_OPTIONS,
    ROBUST_OPTIONS,
    chance,
    failure,
    full,
    network,
    result,
)


def cell(report: Report, domain: str, label: str) -> Cell:
    return next(c for c in report.cells if c.domain == domain and c.column.label == label)


# -- success and time ------------------------------------------------------------------------------


def test_means_and_sample_deviations() -> None:
    lines = [
        result(seed=0, solved=30, bests=((0.5, 0.0), (1.0, 0.9), (2.0, 1.0))),
        result(seed=1, solved=30, bests=((3.0, 1.0),)),
        result(seed=2, solved=0, bests=((0.1, 0.0), (0.2, 0.8))),
    ]
    found = cell(compute(lines), "ferry", "PG3")
    assert found.success.mean == pytest.approx(2 / 3)
    assert found.success.deviation == pytest.approx((1 / 3) ** 0.5)
    # The first policy at 0.9 counts, and a seed that never has one does not.
    assert found.time is not None
    assert (found.time.mean, found.time.count) == (2.0, 2)
    assert found.time.deviation == pytest.approx(2**0.5)
    assert [(s.seed, s.candidates) for s in found.solutions] == [(0, 11), (1, 1)]


def test_no_solution_no_time() -> None:
    lines = [result(seed=seed, solved=26, bests=((1.0, 26 / 30),)) for seed in range(10)]
    found = cell(compute(lines), "ferry", "PG3")
    assert (found.time, found.solutions) == (None, ())
    assert found.time_mean is None
    assert found.time_deviation is None


def test_the_time_is_a_mean_over_the_seeds_with_a_solution() -> None:
    """As in the paper: one seed of ten that finds a policy gives a time without a deviation."""
    never = [result(seed=seed, solved=0, bests=((9.0, 0.0),)) for seed in range(9)]
    one = [*never, result(seed=9, bests=((5.8, 1.0),))]
    found = cell(compute(one), "ferry", "PG3")
    assert found.success.mean == pytest.approx(0.1)
    assert (found.time_mean, found.time_deviation) == (5.8, None)
    # A run that failed has no time, a policy that is later lost has: it was found.
    two = [*one[1:], result(seed=10, solved=0, bests=((1.8, 0.9), (2.0, 0.0)))]
    found = cell(compute([*two, failure("ferry", "pg3", 11)]), "ferry", "PG3")
    assert found.time_mean == pytest.approx(3.8)
    assert found.time_deviation == pytest.approx(8**0.5)


def test_a_rounded_nine_tenths_is_a_solution() -> None:
    assert cell(compute([result(solved=27, bests=((1.0, 0.9),))]), "ferry", "PG3").time is not None


def test_one_seed_has_no_deviation() -> None:
    found = cell(compute([result()]), "ferry", "PG3")
    assert found.success.deviation is None
    assert found.time is not None
    assert found.time.deviation is None


def test_a_failure_counts_as_nothing() -> None:
    lines = [result(seed=0), failure("ferry", "pg3", 1, status=Status.TIME_LIMIT)]
    report = compute(lines)
    found = cell(report, "ferry", "PG3")
    assert found.success.mean == 0.5
    assert (found.count, found.failed, len(found.solutions)) == (2, 1, 1)
    assert [f.line.seed for f in report.failures] == [1]


@pytest.mark.parametrize(
    "changes",
    [{"learning_seconds": 1.7e308}, {"peak_megabytes": 1e300}, {"bests": ((1e308, 1.0),)}],
)
def test_a_figure_that_cannot_be_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Pg3Error, match="ferry, pg3, seed 3: "):
        compute([result(seed=2), result(seed=3, **changes)])


# -- rows and columns ------------------------------------------------------------------------------


def test_the_papers_order_then_ours() -> None:
    lines = [
        result("zoo", "own-method"),
        result("spanner", "robust", options=ROBUST_OPTIONS),
        chance("ferry", 0),
        result("delivery", "pg3"),
        result("aviary", "pg3"),
        network("forest", 0, 1000),
    ]
    report = compute(lines)
    titles = [row.title for row in report.rows]
    assert titles == ["Delivery", "Forest", "Ferry", "Spanner", "aviary", "zoo"]
    labels = [column.label for column in report.columns]
    assert labels == ["PG3", "GNN BC, 1,000 epochs", "Random", "Robust", "own-method"]
    assert cell(report, "aviary", "PG3").paper is None
    assert cell(report, "spanner", "Robust").paper is None
    assert cell(report, "delivery", "PG3").paper is not None


def test_option_sets_are_columns() -> None:
    lines = [
        network("ferry", 0, 100_000),
        network("ferry", 0, 1_000),
        network("ferry", 1, 1_000),
        result(seed=0, options=replace(PAPER_OPTIONS, time_limit=60.0)),
        result(seed=0),
        result(seed=0, options=replace(PAPER_OPTIONS, max_candidates=10)),
    ]
    report = compute(lines)
    assert [column.label for column in report.columns] == [
        "PG3, 10 candidates, no time limit",
        "PG3, 2,500 candidates, no time limit",
        "PG3, 2,500 candidates, time limit 60 s",
        "GNN BC, 1,000 epochs",
        "GNN BC, 100,000 epochs",
    ]
    assert [column.short for column in report.columns][-2:] == ["GNN BC 1k", "GNN BC 100k"]
    assert [report.column_seeds(column) for column in report.columns] == [1, 1, 1, 2, 1]
    assert report.seeds == 2


def test_limits_and_ways_of_a_search_are_columns() -> None:
    printed = replace(PAPER_OPTIONS, max_candidates=None, max_expansions=2500, as_printed=True)
    options = [
        PAPER_OPTIONS,
        replace(PAPER_OPTIONS, accumulate="mean"),
        replace(PAPER_OPTIONS, max_expansions=100),
        printed,
        replace(PAPER_OPTIONS, max_candidates=None),
    ]
    labels = [column.label for column in columns_of([result(options=one) for one in options])]
    assert labels == [
        "PG3, no bound, max score",
        "PG3, 2,500 expansions, as printed, max score",
        "PG3, 2,500 candidates, max score",
        "PG3, 2,500 candidates, mean score",
        "PG3, 2,500 candidates, 100 expansions, max score",
    ]


def test_operators_that_follow_from_the_domain_make_no_column() -> None:
    without = replace(PAPER_OPTIONS, operators=("add-rule",))
    lines = [result("ferry"), result("forest", options=without)]
    assert len(columns_of(lines)) == 1
    # Two sets in one domain do.
    columns = columns_of([*lines, result("ferry", options=without)])
    assert [column.variant for column in columns] == ["all operators", "only add-rule"]


def test_the_folder_of_a_domain_makes_no_column() -> None:
    lines = [
        result(f"mine/{name}", method, options=replace(PAPER_OPTIONS, data=f"mine/{name}"))
        for name in ("hotel", "depot")
        for method in ("pg3", "random")
    ]
    report = compute(lines)
    assert [column.label for column in report.columns] == ["PG3", "Random"]
    assert all(None not in row.cells for row in report.rows)
    assert not report.in_paper, "there is nothing of the paper's to compare with"
    assert not report.has_deviations
    other = result("mine/hotel", options=replace(PAPER_OPTIONS, data="other/mine/hotel"))
    with pytest.raises(Pg3Error, match="mine/hotel: results from two folders of this name"):
        compute([*lines, other])


def test_gaps_are_gaps() -> None:
    lines = [result("ferry", "pg3", s) for s in range(3)]
    lines += [result("forest", "pg3", 0), result("forest", "combo", 0)]
    report = compute(lines)
    ferry = next(row for row in report.rows if row.domain == "ferry")
    assert [c and c.count for c in ferry.cells] == [3, None]
    assert report.seeds == 3


def test_the_order_of_the_lines_does_not_matter() -> None:
    lines = full(seeds=2)
    shuffled = list(lines)
    random.Random(1).shuffle(shuffled)
    assert compute(lines) == compute(shuffled)


def test_the_date_is_that_of_the_newest_line() -> None:
    older = result(seed=1, date="2025-01-01T00:00:00Z")
    assert compute([older, result(), older]).date == "2026-11-16T00:30:00Z"


def test_versions_are_counted() -> None:
    lines = [network("ferry", 0, 10), chance("ferry", 0), chance("ferry", 1)]
    assert [(v.torch, n) for v, n in compute(lines).versions] == [(None, 2), ("2.13.0", 1)]


# -- texts -----------------------------------------------------------------------------------------


def test_what_cannot_be_seen_is_made_visible() -> None:
    assert visible("ferry é 渡") == "ferry é 渡"
    assert visible("a\u202eb\ud800c\0d\ne\t") == r"a\u202eb\ud800c\x00d\ne\t"
    assert visible("a\r\nb\tc", lines=True) == "a\nb   c"


def test_every_text_of_a_line_can_be_written() -> None:
    bad = "x\ud800\n\u202e"
    line = failure(
        bad,
        bad,
        reason=bad,
        policy=bad,
        stopped=bad,
        options=Options(preset=bad, operators=(bad,), accumulate=bad),
    )
    versions = replace(line.versions, pg3=bad, python=bad, platform=bad, torch=bad)
    found = compute([replace(line, versions=versions)])
    shown = found.lines[0]
    texts = [found.rows[0].title, found.columns[0].label, *(shown.options.operators or ())]
    texts.append(str(shown.options.accumulate))
    texts += [str(getattr(shown, name)) for name in ("reason", "policy", "stopped")]
    texts += [str(getattr(shown.versions, name)) for name in ("pg3", "python", "platform", "torch")]
    for text in texts:
        assert text.encode()
        assert "\u202e" not in text
