"""What every score function offers to the learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.learning.training import NumberedPlan
    from pg3.policy.rule_book import PolicyKey

# For each problem the plan behind a score, None where there is none.
Plans = tuple["NumberedPlan | None", ...]

# How the scores of the problems become one: see `accumulate`.
Accumulation = Literal["max", "mean", "unsolved-mean"]


@dataclass(slots=True)
class Evaluation:
    """A candidate's score (lower is better) and where it comes from.

    `by_problem` are the scores of the single problems before accumulation. `perfect` says that
    nothing is left to improve on these problems. `plans()` gives the plans behind the score, for
    operators that learn from plans; it may take a search, so it is asked only of candidates that
    are expanded. Where scores are equal, less of `total` is progress that the search follows; where
    sizes are equal as well, less of `tie` comes first in the queue.
    """

    score: float
    by_problem: Sequence[float]
    perfect: bool
    plans: Callable[[], Plans]
    total: float = 0.0
    tie: float = 0.0


class Score(Protocol):
    """A score function: Score(policy, domain, training problems) of Algorithm 1."""

    def evaluate(self, policies: Sequence[PolicyKey]) -> list[Evaluation]:
        """The evaluations of a batch of candidates, in order."""
        ...


def accumulate(scores: Sequence[float], how: Accumulation, worst: float) -> float:
    """One score from those of the problems, of which `worst` means "no plan".

    "max" and "mean" are the paper's. "unsolved-mean" counts the problems without a plan first and
    then takes the mean of the others, so that it still falls while some problem has no plan.
    """
    if not scores:
        return 0.0
    if how == "max":
        return max(scores)
    if how == "mean":
        return sum(scores) / len(scores)
    solved = [score for score in scores if score < worst]
    mean = sum(solved) / len(solved) if solved else 0.0
    unsolved = len(scores) - len(solved)
    # Where every problem has a plan, "no plan" may be an infinite score.
    return unsolved * worst + mean if unsolved else mean


def rows(values: bytes, width: int) -> list[list[int]]:
    """The kernel's table of 32-bit integers, policy by policy."""
    table = memoryview(values).cast("i").tolist()
    return [table[start : start + width] for start in range(0, len(table), width)]
