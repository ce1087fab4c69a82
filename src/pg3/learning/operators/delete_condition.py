"""Delete Condition: a literal less in some rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.policy.encoding import ConditionKind, encode_literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.scores.base import Plans
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey


class DeleteCondition:
    """Each rule without each of its literals in turn, those of the action's precondition excepted.

    At most the sum of |Pre| + |Goal| over the rules. Parameters stay: they may be the action's.
    """

    def __init__(self, training: Training) -> None:
        self._domain = training.domain
        self._table = training.book.table
        self._shortened: dict[int, list[int]] = {}

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The policy with one condition less."""
        for place, number in enumerate(policy):
            for shortened in self.shorter(number):
                yield (*policy[:place], shortened, *policy[place + 1 :])

    def shorter(self, number: int) -> list[int]:
        """The rule without each literal that may go, in the order of these."""
        shortened = self._shortened.get(number)
        if shortened is None:
            action, arguments, types, literals = self._table.get(number)
            schema = self._domain.actions[action]
            index = self._domain.predicate_index
            terms = {p.name: a for p, a in zip(schema.parameters, arguments, strict=True)}
            terms |= {c.name: -1 - i for i, c in enumerate(self._domain.constants)}
            needed = [
                tuple(encode_literal(literal, ConditionKind.STATE, terms, index))
                for literal in schema.precondition
            ]
            shortened = self._shortened[number] = [
                self._table.add(
                    (action, arguments, types, [*literals[:place], *literals[place + 1 :]])
                )
                for place, literal in enumerate(literals)
                if tuple(literal) not in needed
            ]
        return shortened
