"""Shrinking a problem that a policy fails to a smallest one that it fails in the same way."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pg3.pddl.model import objects_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.analysis.challenge.trial import Failure, Trial
    from pg3.pddl import Problem

T = TypeVar("T")

# Small problems are cheap to try; this bounds the time for a large one that does not shrink.
_TRIES = 5_000


class Shrunk(NamedTuple):
    """A smaller problem; it is minimal if no single part can be removed."""

    problem: Problem
    minimal: bool
    tries: int


def shrink(problem: Problem, trial: Trial, failure: Failure, *, tries: int = _TRIES) -> Shrunk:
    """The problem with as many objects, goals and facts removed as possible.

    What remains is solvable and failed in the same way as the whole. Large parts are tried first,
    then smaller ones, always in the same order. It ends where no single object, goal or fact can be
    removed, or after so many `tries`.
    """
    check = _Check(trial, failure, tries)
    while True:
        before = problem
        for smaller in (_without_objects, _without_goals, _without_facts):
            problem = smaller(problem, check)
        if check.is_over or problem == before:
            return Shrunk(problem, not check.is_over, check.tries)


class _Check:
    """Whether smaller problems are still counterexamples, for a limited number of them."""

    def __init__(self, trial: Trial, failure: Failure, most: int) -> None:
        self._trial = trial
        self._failure = failure
        self._most = most
        self.tries = 0

    @property
    def is_over(self) -> bool:
        """Whether all tries are used up."""
        return self.tries >= self._most

    def holds(self, problem: Problem) -> bool:
        """Whether the problem is solvable and failed in the same way."""
        self.tries += 1
        failure = self._trial.failure(self._trial.execute(problem))
        return (
            failure is not None
            and failure.is_like(self._failure)
            and self._trial.search(problem).solved
        )


def _without_objects(problem: Problem, check: _Check) -> Problem:
    return _reduced(problem, problem.objects, partial(_restricted, problem), check)


def _restricted(problem: Problem, objects: Sequence[object]) -> Problem:
    """The problem with these objects only, and the facts and goals about them alone."""
    kept = [o for o in problem.objects if o in objects]
    names = {o.name for o in (*problem.domain.constants, *kept)}
    return problem.replace(
        objects=kept,
        init=[atom for atom in problem.init if names.issuperset(atom.terms)],
        goal=[goal for goal in problem.goal_literals if names.issuperset(goal.atom.terms)],
        function_values={
            atom: value
            for atom, value in problem.function_values.items()
            if names.issuperset(atom.terms)
        },
        disjunctions=[one for one in problem.disjunctions if objects_of(one) <= names],
    )


def _without_goals(problem: Problem, check: _Check) -> Problem:
    goals = problem.goal_literals
    fewer = _reduced(problem, goals, lambda kept: problem.replace(goal=kept), check)
    return _reduced(fewer, fewer.disjunctions, lambda kept: fewer.replace(disjunctions=kept), check)


def _without_facts(problem: Problem, check: _Check) -> Problem:
    return _reduced(problem, problem.init, lambda facts: problem.replace(init=facts), check)


def _reduced(
    problem: Problem, parts: Sequence[T], make: Callable[[list[T]], Problem], check: _Check
) -> Problem:
    """The problem with some of its parts only: halves go first, single ones last."""
    left = list(parts)
    length = max(1, len(left) // 2)
    while left:
        kept, shorter = 0, False
        # From the end: what a problem lists last depends on what it lists first more often.
        while kept < len(left) and not check.is_over:
            end = len(left) - kept
            rest = left[: max(0, end - length)] + left[end:]
            candidate = make(rest)
            if check.holds(candidate):
                problem, left, shorter = candidate, rest, True
            else:
                kept += length
        if check.is_over or (length == 1 and not shorter):
            break
        length = max(1, length // 2)
    return problem
