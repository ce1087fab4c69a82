"""Delete Rule: a rule less."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.scores.base import Plans
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class DeleteRule:
    """The policy without each of its rules in turn, the only one too: |policy| children."""

    def __init__(self, training: Training) -> None:
        pass

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The policy with one rule less."""
        for place in range(len(policy)):
            yield policy[:place] + policy[place + 1 :]
