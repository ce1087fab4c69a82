"""Training problems that are far too large to learn from are deferred until a policy can help.

A user may list a few that no planner solves within its limit, many times larger than the others. To
search there, to shuffle and to vary them would take most of the time and teach nothing. So they are
deferred, and a policy is learned from the others, as if these were all. Then it is carried out on
the deferred ones. Where it fails, but guides a search to a plan, the problem is within reach:
learning begins anew with it among the others, and its policy is taken if it solves more problems.
This goes on until nothing more is solved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.learning.budget import MEMORY, TIME, LimitReached, reason_of
from pg3.learning.policy_search import StopReason
from pg3.learning.training import GUIDED_STEPS
from pg3.planning import Limits, PlanStatus, SearchOptions, astar, execute
from pg3.planning.astar import GOALS_FIRST, SHORT
from pg3.semantics.task import Task
from pg3.storage.schema import Flag, ListOf, Nothing, Whole, list_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.learning.budget import Budget
    from pg3.learning.robustness.portfolio import PortfolioOutcome
    from pg3.pddl.model import Problem
    from pg3.policy.rule_book import PolicyKey, RuleBook

# The effort of a search, states times ground actions of the problem, is at most this: one or two
# seconds. Problems of training size stay far below it.
_EFFORT = 200_000_000

# A problem without a plan is far too large with more than so many times the ground actions of every
# one with a plan. Those of about the same size stay: to regress single goals no plan for all is
# needed.
_TIMES = 5

# A policy that takes more steps than this on a deferred problem does not solve it.
_MAX_STEPS = 1_000_000

_SOLVED, _LIMITS = PlanStatus.SOLVED, frozenset((TIME, MEMORY))


def most_states(task: Task) -> int:
    """How many states a search may meet, whatever it may expand."""
    return _EFFORT // max(1, task.space.num_actions)


def far_too_large(tasks: Sequence[Task], expansions: int, budget: Budget) -> list[int]:
    """The places of those ground tasks to defer; none if no task has a plan.

    The smallest of them has a second try, with goals first; what is larger has none.
    """
    # Not all: what is deferred is compared with what is not.
    shape = ListOf(Whole(0, len(tasks) - 1), most=len(tasks) - 1, increasing=True)
    try:
        places: list[int] = budget.journal.once(
            "put off", shape, lambda: _far_too_large(tasks, expansions, budget)
        )
    except LimitReached:
        return []
    return places


def _far_too_large(tasks: Sequence[Task], expansions: int, budget: Budget) -> list[int]:
    sizes = [task.space.num_actions for task in tasks]
    found: list[int] = []
    if max(sizes) <= _TIMES * min(sizes):
        return found
    statuses = [_search(task, expansions, budget) for task in tasks]
    budget.check()
    largest = max((n for n, s in zip(sizes, statuses, strict=True) if s == _SOLVED), default=0)
    for place in sorted(range(len(tasks)), key=lambda i: sizes[i]):
        if statuses[place] == _SOLVED or not sizes[place] > _TIMES * largest > 0:
            continue
        status = "" if found else _search(tasks[place], expansions, budget, GOALS_FIRST)
        budget.check()
        if status == _SOLVED:
            largest = sizes[place]
        else:
            found.append(place)
    return sorted(found)


def _search(
    task: Task,
    expansions: int,
    budget: Budget,
    weights: tuple[int, int] = SHORT,
    policy: PolicyKey = (),
) -> str:
    """How a search for a plan ends, with a policy's guidance if there is one.

    If a limit ends it, the budget has reached it.
    """
    seconds, megabytes = budget.limits
    options = SearchOptions(
        policy=policy,
        rollout_steps=GUIDED_STEPS if policy else 0,
        expansions=expansions,
        seconds=seconds,
        process_megabytes=megabytes,
        weights=weights,
        generated=most_states(task),
    )
    return budget.note(astar(task.space, options).status)


class Stages:
    """Learning from the problems that are `ready`, and on those deferred for `later`, by places."""

    def __init__(
        self,
        problems: Sequence[Problem],
        ready: Sequence[int],
        later: Sequence[int],
        *,
        book: RuleBook,
        expansions: int,
        budget: Budget,
    ) -> None:
        self._problems = problems
        self._ready = list(ready)
        self._later = list(later)
        self._book = book
        self._expansions = expansions
        self._budget = budget
        # How many steps the policy of the result takes on deferred problems; None where it fails.
        self.steps: dict[int, int | None] = dict.fromkeys(later)

    def run(self, learn: Callable[[Sequence[int], int], PortfolioOutcome]) -> PortfolioOutcome:
        """Learn, and again with what comes within reach.

        `learn` takes the places of the problems to learn from and counts the times.
        """
        everything = sorted([*self._ready, *self._later])
        outcome = learn(self._ready, 1)
        if not self._later:
            return outcome
        self._budget.note(outcome.reason)
        steps = self._solved(outcome.policy, everything)
        stage = 1
        while outcome.reason not in _LIMITS:
            near = [
                i
                for i in self._later
                if steps[i] is None and self._is_in_reach(self._problems[i], outcome.policy)
            ]
            if not near or self._budget.reached is not None:
                break
            stage += 1
            self._later = [i for i in self._later if i not in near]
            self._ready = sorted([*self._ready, *near])
            try:
                again = learn(self._ready, stage)
            except (LimitReached, MemoryError) as limit:
                # Not even ground are the problems that have come within reach.
                self._budget.note(reason_of(limit))
                break
            self._budget.note(again.reason)
            outcome = replace(
                outcome,
                reason=again.reason,
                candidates=outcome.candidates + again.candidates,
                expansions=outcome.expansions + again.expansions,
            )
            found = self._solved(again.policy, everything)
            if _failures(found) >= _failures(steps):
                break
            steps = found
            outcome = replace(again, candidates=outcome.candidates, expansions=outcome.expansions)
        if self._budget.met is not None:
            outcome = replace(outcome, reason=StopReason(self._budget.met))
        self.steps = {i: steps[i] for i in self.steps}
        return outcome

    def _solved(self, policy: PolicyKey, places: Sequence[int]) -> dict[int, int | None]:
        """The steps that a policy takes on problems, carried out without grounding them."""

        def carried_out() -> list[int | None]:
            rules = self._book.policy(policy, self._book.domain.name)
            steps: list[int | None] = []
            for i in places:
                seconds, megabytes = self._budget.limits
                limits = Limits(seconds=seconds, megabytes=megabytes)
                done = execute(self._problems[i], rules, max_steps=_MAX_STEPS, limits=limits)
                self._budget.checked(done.status)
                steps.append(done.steps if done.solved else None)
            return steps

        shape = list_of(Nothing(Whole(0, _MAX_STEPS)), len(places))
        try:
            steps = self._budget.journal.once("carried out", shape, carried_out)
        except LimitReached:
            return dict.fromkeys(places)
        return dict(zip(places, steps, strict=True))

    def _is_in_reach(self, problem: Problem, policy: PolicyKey) -> bool:
        """Whether a search that the policy guides finds a plan."""

        def found() -> bool:
            self._budget.check()
            task = Task(problem, self._book.table)
            seconds, megabytes = self._budget.limits
            if limit := task.ground(seconds, process_megabytes=megabytes):
                self._budget.checked(limit)
            status = _search(task, self._expansions, self._budget, GOALS_FIRST, policy)
            return self._budget.checked(status) == _SOLVED

        try:
            reached: bool = self._budget.journal.once("in reach", Flag(), found)
        except LimitReached:
            return False
        return reached


def _failures(steps: dict[int, int | None]) -> int:
    return list(steps.values()).count(None)
