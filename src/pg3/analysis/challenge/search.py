"""The search for a problem that a policy fails."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.challenge.cases import Case, can_be_stated, states_on
from pg3.analysis.challenge.shrinking import shrink
from pg3.analysis.challenge.trial import MEGABYTES
from pg3.errors import pluralize
from pg3.learning.robustness.perturbations.random_starts import started_from
from pg3.planning import PlanStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.analysis.challenge.trial import Failure, Trial
    from pg3.pddl import Problem
    from pg3.pddl.plans import GroundAction
    from pg3.planning import Execution


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A solvable problem that the policy fails.

    `found` is the case of the search and `failure` what happened there; `problem` is its shrunk
    form, `outcome` what the policy does on that, and `plan` a valid plan for it. `minimal`: no
    single object, goal or fact can be removed.
    """

    found: Case
    failure: Failure
    problem: Problem
    outcome: Failure
    plan: tuple[GroundAction, ...]
    minimal: bool

    def __repr__(self) -> str:
        return f"<counterexample: {self.problem!r}, {self.outcome.reason}>"


class Search(NamedTuple):
    """The result of a search: a counterexample or None, and what was tried.

    `undecided` counts the failed cases that are not known to be solvable, and those that a limit
    cut off.
    """

    counterexample: Counterexample | None
    tried: int
    undecided: int

    def __repr__(self) -> str:
        found = "no counterexample" if self.counterexample is None else repr(self.counterexample)
        return f"<challenge: {found} in {pluralize(self.tried, 'problem')}>"


def find_counterexample(
    cases: Iterator[Case],
    trial: Trial,
    *,
    problems: int | None = None,
    seconds: float | None = None,
    smallest: bool = True,
    advance: Callable[[], None] = lambda: None,
) -> Search:
    """Try cases until the policy fails a solvable one; shrink that one if `smallest`.

    At most so many `problems` are tried, and none is begun after so many `seconds`. A problem that
    is not known to be solvable is no counterexample.
    """
    start = time.monotonic()
    tried = undecided = 0
    for case in islice(cases, problems):
        if seconds is not None and time.monotonic() - start >= seconds:
            break
        tried += 1
        execution = trial.execute(case.problem)
        if not execution.solved:
            solvable, unsolvable = _solvable(case.problem, execution, trial)
            if solvable is not None:
                return Search(_counterexample(case, solvable, trial, smallest), tried, undecided)
            undecided += not unsolvable
        advance()
    return Search(None, tried, undecided)


def _solvable(problem: Problem, execution: Execution, trial: Trial) -> tuple[Problem | None, bool]:
    """A failed problem that has a plan, if one is found, and whether the given one has none.

    It is the problem itself, or the same from a later state of the policy's plan: there the policy
    fails again, and a plan may be easier to find.
    """
    task = trial.task(problem)
    if trial.failure(execution) is None or task.ground(megabytes=MEGABYTES) is not None:
        return None, False
    status = trial.search(task).status
    if status is PlanStatus.SOLVED:
        return problem, False
    if status is PlanStatus.UNSOLVABLE:
        return None, True
    way = states_on(task, execution.plan)
    for state in (way[-1], way[len(way) // 2]):
        if not can_be_stated(task, state):
            continue
        later = started_from(problem, task.atoms(state))
        if trial.failure(trial.execute(later)) is not None and trial.search(later).solved:
            return later, False
    return None, False


def _counterexample(case: Case, problem: Problem, trial: Trial, smallest: bool) -> Counterexample:
    failure = trial.failure(trial.execute(problem))
    assert failure is not None
    minimal = False
    if smallest:
        problem, minimal, _ = shrink(problem, trial, failure)
    outcome = trial.failure(trial.execute(problem))
    plan = trial.search(problem).plan
    assert outcome is not None
    assert plan is not None
    return Counterexample(case, failure, problem, outcome, plan, minimal)
