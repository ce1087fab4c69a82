"""Success against time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.report.curves import Curve, curve_of
from pg3.report.tables import compute
from tests.report.fabrication import chance, failure, result

if TYPE_CHECKING:
    from pg3.experiments.results import ResultLine


def curve(*lines: ResultLine) -> Curve:
    return curve_of(compute(lines).cells[0])


def test_the_mean_of_steps() -> None:
    found = curve(
        result(seed=0, bests=((1.0, 0.5), (3.0, 1.0))),
        result(seed=1, bests=((2.0, 1.0),)),
    )
    assert found.points == ((1.0, 0.25), (2.0, 0.75), (3.0, 1.0))
    assert (found.end, found.final) == (3.0, 1.0)


def test_a_best_may_be_worse() -> None:
    found = curve(result(solved=15, bests=((1.0, 1.0), (2.0, 0.5))))
    assert found.points == ((1.0, 1.0), (2.0, 0.5))


def test_a_failure_is_nothing_throughout() -> None:
    found = curve(result("ferry", "combo", 0, bests=((1.0, 1.0),)), failure(seed=1))
    assert found.points == ((1.0, 0.5),)


def test_what_changes_nothing_is_no_step() -> None:
    found = curve(result(bests=((1.0, 0.0), (2.0, 0.0), (3.0, 1.0))))
    assert found.points == ((1.0, 0.0), (3.0, 1.0))


def test_equal_times_are_one_step() -> None:
    found = curve(
        result(seed=0, bests=((1.0, 1.0),)),
        result(seed=1, bests=((1.0, 1.0),)),
    )
    assert found.points == ((1.0, 1.0),)


def test_the_final_policy_ends_the_curve() -> None:
    found = curve(result(solved=15, bests=((1.0, 1.0),), learning_seconds=5.0))
    assert found.points == ((1.0, 1.0), (5.0, 0.5))


def test_what_learns_nothing_has_no_steps() -> None:
    found = curve(chance("ferry", 0, solved=3))
    assert (found.points, found.final) == ((), 0.1)
