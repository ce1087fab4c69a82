"""The result of goal regression as an entry of a run's journal: result, rules, rounds of repair.

The rules are text, which is checked as that of a policy file. Read back, they get the numbers that
they had: the book gives numbers in the order in which it meets rules.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any

from pg3.errors import Pg3Error
from pg3.learning.regression.learning import RegressionResult
from pg3.policy.derived import needed_definitions
from pg3.policy.model import DecisionList
from pg3.policy.text import parse_policy, write_policy
from pg3.storage.schema import Anything, ListOf, Nothing, ShapeError, Text, TupleOf, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.storage.schema import Place

    # A policy, and how many of its runs failed on each problem.
    Round = tuple[PolicyKey, list[int]]


def section_value(
    result: RegressionResult, rounds: Sequence[Round], book: RuleBook, first: int
) -> tuple[Any, str, Sequence[Round]]:
    """The value of the entry, with the rules that are in the book from the number `first` on."""
    rules = [book.rule(number) for number in range(first, len(book.table))]
    named = tuple(replace(rule, name=f"rule-{i}") for i, rule in enumerate(rules))
    needed = needed_definitions(rules, book.vocabulary.definitions, book.domain)
    return astuple(result), write_policy(DecisionList("rules", named, needed)), rounds


@dataclass(frozen=True, slots=True)
class SectionShape:
    """The shape of such a value; the rules of one that fits are put into the problems' book."""

    training: Training

    def check(self, value: Any, place: Place = ()) -> tuple[RegressionResult, list[Round]]:
        """The result and the rounds."""
        _, text, _ = TupleOf((Anything(), Text(), Anything())).check(value, place)
        self._take(text, (*place, 1))
        numbers = ListOf(Whole(0, len(self.training.book.table) - 1))
        counts = [Whole()] * 5  # from `longest_run` to `solved`
        result = TupleOf((numbers, ListOf(Whole()), *counts, Nothing()))
        rounds = ListOf(TupleOf((numbers, list_of(Whole(), len(self.training)))))
        (policy, ranks, *rest), _, told = TupleOf((result, Text(), rounds)).check(value, place)
        return (
            RegressionResult(tuple(policy), tuple(ranks), *rest),
            [(tuple(key), failed) for key, failed in told],
        )

    def _take(self, text: str, place: Place) -> None:
        book = self.training.book
        try:
            rules = parse_policy(text, book.domain, "its rules")
        except Pg3Error as error:
            raise ShapeError(place, f": {str(error).splitlines()[0]}") from None
        if not set(rules.definitions) <= set(book.vocabulary.definitions):
            raise ShapeError(place, ": the definitions are not those of the run")
        for rule in rules.rules:
            book.number(rule)
