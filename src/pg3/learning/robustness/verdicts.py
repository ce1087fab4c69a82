"""Verdicts of the test suite on policies, and which of several policies is chosen."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.policy.rule_book import PolicyKey

# A policy that takes more than so many times the fewest steps wanders: of such policies some passed
# all tests and failed larger problems (docs/concepts/learning.md, Transport).
_WANDERING = 1.1


class Verdict(NamedTuple):
    """How a policy did in the tests, what counts most first; less is better.

    `unsolved` counts the problems that it does not solve, as they are or shuffled.
    `failed_perturbed` counts the states of perturbed problems, and those after random walks, from
    which it fails; some may have no solution at all. `size` is the policy's, and `steps` are those
    of all solved problems.
    """

    unsolved: int
    failed_perturbed: int
    size: int
    steps: int

    def no_worse_than(self, other: Verdict) -> bool:
        """Whether no more tests fail; solved problems count more than perturbed ones."""
        return (self.unsolved, self.failed_perturbed) <= (other.unsolved, other.failed_perturbed)


class Proposer(Enum):
    """What kind of learner proposed a policy."""

    SEARCH = auto()
    REGRESSION = auto()
    MACRO_REGRESSION = auto()

    @property
    def is_regression(self) -> bool:
        """Whether its rules come from regressed plans, so that each is right where it applies."""
        return self is not Proposer.SEARCH


class Result(NamedTuple):
    """A policy with the verdict on it, the name of the member that proposed it, and its kind."""

    verdict: Verdict
    member: str
    policy: PolicyKey
    proposer: Proposer = Proposer.SEARCH


def choose(results: Sequence[Result]) -> Result:
    """The best of at least one result, the earlier of equals.

    Of the policies that fail the fewest tests, one that wanders is likely to fail in larger
    problems. So those that need few steps come first; of these, the smallest, which says what to do
    without saying more.
    """
    solved = min(result.verdict.unsolved for result in results)
    quickest = min(r.verdict.steps for r in results if r.verdict.unsolved == solved)

    def merit(result: Result) -> tuple[int, int, bool, int, int]:
        verdict = result.verdict
        wanders = verdict.steps > quickest * _WANDERING
        return verdict.unsolved, verdict.failed_perturbed, wanders, verdict.size, verdict.steps

    return min(results, key=merit)
