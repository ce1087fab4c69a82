"""Operators that leave some rules alone: those that a user has locked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pg3.learning.operators.base import Operator
    from pg3.learning.scores.base import Plans
    from pg3.policy.rule_book import PolicyKey


class Keeping:
    """Another operator without the children that have lost one of the kept rules.

    What counts is the child, not what the operator did to get there: it has all kept rules, in
    their order; other rules may stand before, between and after them. So it holds for every
    operator, whatever it does.
    """

    def __init__(self, operator: Operator, kept: PolicyKey) -> None:
        self._operator = operator
        self._kept = kept

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The operator's children that have the kept rules."""
        for child in self._operator.children(policy, plans):
            if kept_places(child, self._kept) is not None:
                yield child


def kept_places(policy: PolicyKey, kept: PolicyKey) -> Sequence[int] | None:
    """Where the kept rules stand in a policy, the first places of several; None if not all do."""
    places: list[int] = []
    for place, number in enumerate(policy):
        if len(places) < len(kept) and number == kept[len(places)]:
            places.append(place)
    return places if len(places) == len(kept) else None
