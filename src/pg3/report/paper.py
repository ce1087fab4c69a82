"""The numbers that the paper reports: its Table 1 (means) and its Table 2 (standard deviations).

"Eval" is the fraction of test problems that the final policy solves, "Time" the seconds until a
policy is found that solves at least 90 % of them; both over ten seeds with 30 test problems each.
A missing time ("--" in the paper) means that no such policy was found; a missing deviation of a
time, that at most one seed found one.

The deviations are those of a sample (divided by n - 1): where one seed of ten solves everything and
the others nothing, the paper has 0.10 and 0.32, where a population's deviation would be 0.30.
"""

from __future__ import annotations

from dataclasses import dataclass

# How long the paper trained its network.
EPOCHS = 100_000

# The methods in the order of the paper's columns, by the name they have here.
METHODS = (
    "pg3",
    "policy-evaluation",
    "plan-comparison",
    "combo",
    "goal-count",
    "gnn",
    "random",
)

# A line a domain; for each method Eval and Time.
_TABLE_1 = """
delivery  1.00   1.5  0.00    --  0.10   5.8  0.20 2132.4  1.00   27.9  0.40 39.9  0.00 --
forest    1.00 107.2  1.00 605.1  0.16  51.5  1.00  815.4  0.89  662.4  0.13   --  0.03 --
gripper   1.00  79.5  0.00    --  0.20   0.8  0.00     --  0.00     --  0.06   --  0.00 --
miconic   1.00 434.8  0.00    --  0.10 316.6  0.00     --  0.90 2415.3  0.12   --  0.13 --
ferry     1.00  16.1  0.00    --  0.90   1.8  0.00     --  1.00 5705.2  0.11 11.8  0.00 --
spanner   1.00  17.7  1.00   6.8  0.56   2.1  1.00   31.2  1.00    5.2  0.37 18.1  0.06 --
"""

_TABLE_2 = """
delivery  0.00   0.8  0.00    --  0.32    --  0.42 1659.3  0.00   19.4  0.41 27.8  0.00 --
forest    0.00  80.0  0.00 472.2  0.30    --  0.00  689.2  0.33  517.6  0.07   --  0.03 --
gripper   0.00  20.8  0.00    --  0.42   0.2  0.00     --  0.00     --  0.13   --  0.00 --
miconic   0.00 606.1  0.00    --  0.30    --  0.00     --  0.31 1810.6  0.12   --  0.05 --
ferry     0.00   5.2  0.00    --  0.32   0.3  0.00     --  0.00 2340.0  0.18   --  0.00 --
spanner   0.00  15.9  0.00   3.0  0.53   0.4  0.00   17.6  0.00    2.0  0.42 12.5  0.04 --
"""


@dataclass(frozen=True, slots=True)
class PaperCell:
    """What the paper says of one method in one domain."""

    success: float
    success_deviation: float
    time: float | None
    time_deviation: float | None


def _cells() -> dict[tuple[str, str], PaperCell]:
    means, deviations = _rows(_TABLE_1), _rows(_TABLE_2)
    cells = {}
    for domain, row in means.items():
        for i, method in enumerate(METHODS):
            success, time = row[2 * i : 2 * i + 2]
            success_deviation, time_deviation = deviations[domain][2 * i : 2 * i + 2]
            assert success is not None and success_deviation is not None
            cells[domain, method] = PaperCell(success, success_deviation, time, time_deviation)
    return cells


def _rows(table: str) -> dict[str, list[float | None]]:
    rows = {}
    for line in table.split("\n"):
        domain, *figures = line.split() or [""]
        if domain:
            assert len(figures) == 2 * len(METHODS)
            rows[domain] = [None if figure == "--" else float(figure) for figure in figures]
    return rows


# By domain, in the paper's order, and method.
PAPER = _cells()

DOMAINS = tuple(dict.fromkeys(domain for domain, _ in PAPER))
