"""The result of learning: the policy, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import pg3
from pg3.errors import pluralize
from pg3.learning.robustness.verdicts import NONE_GROWN, Grown

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList

# If made problems turn out to have no solution, a policy must solve so many others to be trusted: a
# quarter of those that are made.
_FEW = 10


class Status(StrEnum):
    """How far a learned policy can be trusted.

    One that has `PASSED` solves all training problems and every larger one made from them for which
    a planner finds a plan. One that has `MEMORISED` solves the training problems and fails such a
    larger one. One that is `DOUBTFUL` solves the training problems, and did not pass the tests that
    come before: with objects in another order, and on variations of the problems. It failed some,
    or a limit was reached before; or it fails most larger problems, and no planner solves these.
    One that has `FAILED` does not even solve all training problems, or there were none to learn
    from.
    """

    PASSED = "passed"
    MEMORISED = "memorised"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


class TrainingProblem(NamedTuple):
    """What became of one training problem.

    `steps` is how many the learned policy takes, None if it fails; `left_out` says why the problem
    is of no use, if it is not. Others were `learned_from`, or the policy was only tried on them.
    """

    name: str
    steps: int | None
    left_out: str | None
    learned_from: bool = True


@dataclass(frozen=True, slots=True)
class LearningResult:
    """A learned policy and how it came about.

    `score` is the final training score of the `paper` preset, and for `robust` the number of tests
    that the policy failed (0: it solves every training problem and every grown one).
    `method` names the proposer of the policy, `reason` says why learning stopped, `grown` how the
    policy does on larger problems, and `passed_tests` whether it passed those that come before:
    preset `paper` has none.
    """

    policy: DecisionList
    score: float
    problems: tuple[TrainingProblem, ...]
    method: str
    reason: str
    candidates: int
    expansions: int
    seconds: float
    grown: Grown = NONE_GROWN
    passed_tests: bool = True

    @property
    def used(self) -> tuple[TrainingProblem, ...]:
        """The problems that are not left out."""
        return tuple(problem for problem in self.problems if problem.left_out is None)

    @property
    def solved(self) -> bool:
        """Whether the policy solves every problem that was used for learning, if any was."""
        return all(p.steps is not None for p in self.used or self.problems)

    @property
    def status(self) -> Status:
        """How far the policy can be trusted; preset `paper` tests on training problems only."""
        if not self.used or not self.solved:
            return Status.FAILED
        if self.grown.counterexamples:
            return Status.MEMORISED
        return Status.PASSED if self.passed_tests and not self._is_undecided else Status.DOUBTFUL

    @property
    def failure(self) -> Problem | None:
        """The smallest known problem that the policy should solve and does not, if any.

        One of the altered problems, unlike those that were given, if there is no other.
        """
        return next(iter((*self.grown.counterexamples, *self.grown.altered)), None)

    @property
    def _is_undecided(self) -> bool:
        """Whether little was tested: few larger problems have a plan, as far as anybody knows."""
        solved = self.grown.number - self.grown.failed
        return self.grown.failed > solved or (self.grown.hopeless > 0 and solved < _FEW)

    @property
    def summary(self) -> str:
        """In one line how far the policy can be trusted."""
        rules, number, grown = self.policy.rules, len(self.used), self.grown
        learned, training = pluralize(len(rules), "rule"), pluralize(number, "training problem")
        larger = f"{pluralize(grown.number, 'grown one')} of up to {grown.objects} objects"
        every = "the training problem" if number == 1 else f"all {training}"
        solves = f"{learned}; solves {every}"
        match self.status:
            case Status.FAILED if not self.used:
                return "nothing to learn: every training problem was left out"
            case Status.FAILED:
                solved = sum(problem.steps is not None for problem in self.used)
                return f"{learned}; solves {solved} of {training}"
            case Status.MEMORISED:
                return f"MEMORISED: {learned} from {training}; fails {grown.failed} of {larger}"
            case Status.DOUBTFUL if not self._is_undecided:
                return f"DOUBTFUL: {solves}, but did not pass the tests on variations of them"
        doubt = "DOUBTFUL: " if self.status is Status.DOUBTFUL else ""
        hopeless = f"; {grown.hopeless} more have no solution" if doubt and grown.hopeless else ""
        if grown.number == 0:
            return f"{doubt}{solves}; not tested on larger ones{hopeless}"
        if grown.failed == 0:
            but = ", but fails altered ones" if grown.altered else ""
            return f"{doubt}{solves} and {larger}{but}{hopeless}"
        done = f"{grown.number - grown.failed} of {larger}"
        others = "for the others no planner found a plan either"
        return f"{doubt}{solves} and {done}; {others}{hopeless}"

    def __str__(self) -> str:
        return f"{self.status}: {self.summary}"

    def __repr__(self) -> str:
        return f"<learned policy {self.policy.name}: {self}>"

    def report(self) -> str:
        """What was learned, as text: the outcome on each training problem, then the policy."""
        return pg3.describe(self)

    @property
    def effort(self) -> str:
        """What learning took, in words: policies scored, policies expanded, and seconds."""
        return (
            f"{pluralize(self.candidates, 'candidate')}, "
            f"{self.expansions} expanded, {self.seconds:.2f} s"
        )
