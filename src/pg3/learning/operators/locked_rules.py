"""Operators that keep the rules that a user has locked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pg3.learning.operators.base import Operator
    from pg3.learning.scores.base import Plans
    from pg3.policy.rule_book import PolicyKey


class LockedRules:
    """Another operator without the children that have lost one of the locked rules.

    What counts is the child, whatever the operator did: it has all locked rules, in their order;
    other rules may stand before, between and after them.
    """

    def __init__(self, operator: Operator, locked: PolicyKey) -> None:
        self._operator = operator
        self._locked = locked

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The operator's children that have the locked rules."""
        for child in self._operator.children(policy, plans):
            if locked_places(child, self._locked) is not None:
                yield child


def locked_places(policy: PolicyKey, locked: PolicyKey) -> Sequence[int] | None:
    """Where the locked rules stand in a policy, the first places of several; None if not all do."""
    places: list[int] = []
    for place, number in enumerate(policy):
        if len(places) < len(locked) and number == locked[len(places)]:
            places.append(place)
    return places if len(places) == len(locked) else None
