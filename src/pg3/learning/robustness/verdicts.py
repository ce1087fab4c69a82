"""What is known of a policy: the verdict of the test suite, and what it fails beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pg3.learning.config import Preference
    from pg3.pddl.model import Problem
    from pg3.policy.rule_book import PolicyKey


class Verdict(NamedTuple):
    """How a policy did in the tests, what counts most first; less is better.

    `unsolved` counts the problems that it does not solve, as they are or shuffled.
    `failed_perturbed` counts the made problems that it fails; some may have no solution at all.
    `size` is the policy's, and `steps` are those of all solved problems.
    """

    unsolved: int
    failed_perturbed: int
    size: int
    steps: int


class Grown(NamedTuple):
    """How a policy does on problems made from the given ones.

    It was tried on `number` of them, with up to `objects` objects, and fails `failed`. Of these,
    `counterexamples` are some of the smallest for which a planner finds a plan: the others may have
    none. Without any, no failure counts. `altered` are altered problems that it fails though a
    planner finds a plan; no more than a few are looked for. Further made problems are `hopeless`:
    they have no solution, which shows without a search.
    """

    number: int = 0
    objects: int = 0
    failed: int = 0
    counterexamples: tuple[Problem, ...] = ()
    altered: tuple[Problem, ...] = ()
    hopeless: int = 0


NONE_GROWN = Grown()


class Result(NamedTuple):
    """A policy with what is known of it.

    `unsolved` are the places of some given problems that it fails, `num_unsolved` counts all. If it
    `passed_suite`, `grown` is about larger problems than those of the suite, and else about the
    suite. `altered` are counterexamples among altered problems (`made_problems`), which it may fail
    all the same.
    `working` are the places of the given problems that it was learned from.
    """

    policy: PolicyKey
    proposer: str
    verdict: Verdict
    grown: Grown
    working: tuple[int, ...] = ()
    unsolved: tuple[int, ...] = ()
    altered: tuple[Problem, ...] = ()
    passed_suite: bool = False
    num_unsolved: int = 0

    @property
    def is_sound(self) -> bool:
        """Whether no counterexample is known that is like the problems of the user."""
        return not (self.verdict.unsolved or self.unsolved or self.grown.counterexamples)

    @property
    def num_failed(self) -> int:
        """How many given problems and tests of the suite the policy fails."""
        return self.num_unsolved + self.verdict.unsolved + self.verdict.failed_perturbed

    @property
    def failures(self) -> tuple[int, ...]:
        """What the policy fails, what counts most first; less is better.

        Given problems are first: they stay the same, while the suite grows.
        """
        return (
            len(self.unsolved),
            self.verdict.unsolved,
            self.grown.failed if self.grown.counterexamples else 0,
            len(self.altered),
            self.verdict.failed_perturbed,
        )

    def merit(self, prefer: Preference) -> tuple[int, ...]:
        """What tells which of several policies is chosen; less is better.

        Of policies with counterexamples it is the one that fails the fewest given problems and
        tests together: to have memorised the given ones helps nobody.
        """
        size, steps = self.verdict.size, self.verdict.steps
        short = (steps, size) if prefer == "short-plans" else (size, steps)
        failed = 0 if self.is_sound else self.num_failed
        return (not self.is_sound, failed, *self.failures, *short)
