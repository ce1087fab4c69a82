"""Add Rule: a new rule for some action, at some place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.policy.model import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.scores.base import Plans
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class AddRule:
    """For each action a the rule (Par(a), Pre(a), no goals, a), at each position of the list.

    |A| (|policy| + 1) children.
    """

    def __init__(self, training: Training) -> None:
        self._rules = [
            training.book.number(
                Rule(
                    action.name,
                    action.parameters,
                    action.precondition,
                    (),
                    action.name,
                    tuple(parameter.name for parameter in action.parameters),
                )
            )
            for action in training.domain.actions
        ]

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The policy with each new rule at each place."""
        for rule in self._rules:
            for place in range(len(policy) + 1):
                yield (*policy[:place], rule, *policy[place:])
