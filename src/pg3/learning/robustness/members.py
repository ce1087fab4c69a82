"""The members of the portfolio: settings of the search over policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pg3.learning.scores.base import Accumulation


class Member(NamedTuple):
    """A way to search: how induced rules are made, and how scores are accumulated.

    A patient one scores all induced rules and takes the best instead of the first that helps.
    """

    name: str
    induce: bool = True
    generalise: bool = True
    every_plan: bool = False
    accumulation: Accumulation = "max"
    patient: bool = False


MEMBERS = (
    Member("general rules"),
    Member("no induced rules", induce=False),
    Member("no induced rules, mean score", induce=False, accumulation="mean"),
    Member("specific rules", generalise=False, every_plan=True, accumulation="mean"),
    Member("general rules, mean score", every_plan=True, accumulation="mean"),
)


# Where all others fail: with derived predicates and shortest paths, if the domain has such things.
EXTENDED_MEMBERS = (
    Member("larger language, patient", every_plan=True, accumulation="mean", patient=True),
    Member("larger language, patient, one plan at a time", accumulation="mean", patient=True),
    Member("larger language", every_plan=True),
    Member("larger language, one plan at a time"),
    Member("larger language, mean score", every_plan=True, accumulation="mean"),
    Member(
        "larger language, specific rules", generalise=False, every_plan=True, accumulation="mean"
    ),
)
