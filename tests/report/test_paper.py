"""The paper's numbers: all there, and those of the paper."""

from __future__ import annotations

from itertools import product

import pytest

from pg3.report.paper import DOMAINS, METHODS, PAPER, PaperCell
from pg3.report.tables import summary


def test_every_method_in_every_domain() -> None:
    assert DOMAINS == ("delivery", "forest", "gripper", "miconic", "ferry", "spanner")
    assert set(PAPER) == set(product(DOMAINS, METHODS))


def test_some_cells() -> None:
    assert PAPER["delivery", "pg3"] == PaperCell(1.00, 0.00, 1.5, 0.8)
    assert PAPER["delivery", "plan-comparison"] == PaperCell(0.10, 0.32, 5.8, None)
    assert PAPER["gripper", "combo"] == PaperCell(0.00, 0.00, None, None)
    assert PAPER["spanner", "gnn"] == PaperCell(0.37, 0.42, 18.1, 12.5)
    assert PAPER["miconic", "random"] == PaperCell(0.13, 0.05, None, None)


@pytest.mark.parametrize("solved", [1, 2])
def test_the_deviations_are_those_of_a_sample(solved: int) -> None:
    """Seeds that solve all or nothing: the mean tells how many there were."""
    ours = summary([1.0] * solved + [0.0] * (10 - solved))
    domain, method = {1: ("delivery", "plan-comparison"), 2: ("gripper", "plan-comparison")}[solved]
    cell = PAPER[domain, method]
    assert (round(ours.mean, 2), round(ours.deviation or 0, 2)) == (
        cell.success,
        cell.success_deviation,
    )
