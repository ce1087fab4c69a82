"""What every search operator offers to the learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.scores.base import Plans
    from pg3.policy.rule_book import PolicyKey


class Operator(Protocol):
    """A search operator: from a policy to the policies that are one change away."""

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The changed policies in a fixed order; the same one may come up twice.

        `plans()` gives the plans behind the policy's score (see `scores.base.Evaluation`).
        """
        ...
