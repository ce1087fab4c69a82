"""How numbers are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.report import figures


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.00"),
        (0.0, "0.00"),
        (0.5, "0.50"),
        (0.964, "0.96"),
        (299 / 300, "0.996"),
        (0.99999, "0.999"),
        (1 / 300, "0.004"),
        (0.0001, "0.001"),
    ],
)
def test_all_and_none_are_said_of_all_and_none_only(value: float, text: str) -> None:
    assert figures.fraction(value) == text


@given(st.floats(0, 1))
def test_a_fraction_is_near_and_never_a_lie(value: float) -> None:
    text = figures.fraction(value)
    assert abs(float(text) - value) <= 0.005 + 1e-9
    assert (float(text) == 1) == (value == 1)
    assert (float(text) == 0) == (value == 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2132.4, "2132.4"),
        (1.0, "1.0"),
        (0.996, "1.0"),
        (0.99, "0.99"),
        (0.8, "0.80"),
        (0.0371, "0.037"),
        (0.000951, "0.00095"),
        (0.00004, "<0.0001"),
        (0.0, "0.0"),
    ],
)
def test_seconds(value: float, text: str) -> None:
    assert figures.seconds(value) == text


@given(st.floats(0.0001, 1e6))
def test_seconds_keep_two_digits_or_a_tenth(value: float) -> None:
    error = abs(float(figures.seconds(value)) - value)
    assert error <= (0.0501 if value >= 1 else 0.0501 * value)


@pytest.mark.parametrize(
    ("value", "text"), [(1.26, "1.3×"), (9.96, "10×"), (38.4, "38×"), (2443, "2,400×")]
)
def test_factors(value: float, text: str) -> None:
    assert figures.factor(value) == text


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((), ""),
        ((3,), "3"),
        ((0, 1), "0, 1"),
        ((0, 1, 2), "0–2"),
        ((0, 1, 2, 4, 6, 7, 8, 9), "0–2, 4, 6–9"),
    ],
)
def test_seeds(numbers: tuple[int, ...], text: str) -> None:
    assert figures.seeds(numbers) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.8, "0.80 s"), (75, "1 min 15 s"), (120, "2 min"), (3600, "1 h"), (7325, "2 h 2 min")],
)
def test_durations(value: float, text: str) -> None:
    assert figures.duration(value) == text


def test_other_numbers() -> None:
    assert figures.whole(2500) == "2,500"
    assert figures.whole(34.5) == "34.5"
    assert figures.whole(10**400).endswith(",000")
    assert figures.signed(-0.25, 2) == "−0.25"
    assert figures.signed(0.004, 3) == "+0.004"
    assert figures.paper_seconds(0.8) == "0.8"
    assert figures.paper_seconds(None) == "–"
