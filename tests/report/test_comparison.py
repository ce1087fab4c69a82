"""Our figures next to the paper's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pg3.report.comparison import Comparison, Verdict, compare
from pg3.report.paper import PaperCell
from pg3.report.tables import Summary, compute
from tests.report.fabrication import result


def compared(
    success: tuple[float, float | None],
    time: tuple[float, float | None] | None,
    paper: PaperCell | None,
) -> Comparison | None:
    cell = compute([result()]).cells[0]
    return compare(
        replace(
            cell,
            success=Summary(*success, 10),
            time=None if time is None else Summary(*time, 10),
            paper=paper,
        )
    )


def test_without_the_paper_there_is_nothing_to_compare() -> None:
    assert compared((1.0, 0.0), (1.0, 0.1), None) is None


@pytest.mark.parametrize(
    ("ours", "paper", "text"),
    [
        (1.0, 1.00, "="),
        (0.304, 0.30, "="),
        (0.5, 0.30, "▲ +0.20"),
        (0.81, 1.00, "▼ −0.19"),
        (0.9967, 1.00, "▼ −0.004"),
        (0.001, 0.00, "▲ +0.001"),
    ],
)
def test_success(ours: float, paper: float, text: str) -> None:
    found = compared((ours, 0.0), None, PaperCell(paper, 0.0, None, None))
    assert found is not None
    assert str(found.success) == text


@pytest.mark.parametrize(
    ("ours", "paper", "text"),
    [
        (None, None, "="),
        (1.0, None, "▲ found"),
        (None, 1.0, "▼ none"),
        (0.05, 1.5, "▲ 30×"),
        (3.0, 1.5, "▼ 2.0×"),
        (1.51, 1.5, "="),
        (0.0, 1.5, "▲ 1,500,000×"),
    ],
)
def test_time(ours: float | None, paper: float | None, text: str) -> None:
    time = None if ours is None else (ours, None)
    found = compared((1.0, 0.0), time, PaperCell(1.0, 0.0, paper, None))
    assert found is not None
    assert str(found.time) == text


def test_a_deviation_is_neither_good_nor_bad() -> None:
    found = compared((0.5, 0.5), (1.0, 0.1), PaperCell(0.5, 0.32, 1.0, 0.8))
    assert found is not None
    assert found.success_deviation is not None
    assert found.time_deviation is not None
    assert str(found.success_deviation) == "↑ +0.18"
    assert str(found.time_deviation) == "↓ 8.0×"
    assert {found.success_deviation.verdict, found.time_deviation.verdict} == {
        Verdict.MORE,
        Verdict.LESS,
    }


def test_no_deviation_no_difference() -> None:
    found = compared((1.0, None), (1.0, None), PaperCell(1.0, 0.0, 1.0, 0.5))
    assert found is not None
    assert (found.success_deviation, found.time_deviation) == (None, None)
