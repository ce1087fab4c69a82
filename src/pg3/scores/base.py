"""What every score function offers to the learner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pg3.policy.rule_book import PolicyKey
    from pg3.training import NumberedPlan

# For each problem the plan behind a score, None where there is none.
Plans = tuple["NumberedPlan | None", ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A candidate's score (lower is better, 0 is perfect) and where it comes from.

    `by_problem` are the scores of the single problems before accumulation. `plans()` gives the
    plans behind the score, for operators that learn from plans; it may take a search, so it is
    asked only of candidates that are expanded.
    """

    score: float
    by_problem: tuple[float, ...]
    plans: Callable[[], Plans]


class Score(Protocol):
    """A score function: Score(policy, domain, training problems) of Algorithm 1."""

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        ...
