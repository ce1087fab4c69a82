"""What every search operator offers to the learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.policy.rule_book import PolicyKey
    from pg3.scores.base import Plans


class Operator(Protocol):
    """A search operator: from a policy to the policies one change away."""

    name: str

    def children(self, policy: PolicyKey, plans: PlansOf) -> Iterator[PolicyKey]:
        """The changed policies in a fixed order; the same one may come up twice."""
        ...


class PlansOf(Protocol):
    """Gives the plans behind the policy's score when asked (see `scores.base.Evaluation`)."""

    def __call__(self) -> Plans: ...
