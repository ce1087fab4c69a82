"""Which of the given problems can be learned from: not what teaches nothing or is too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.learning.budget import TIME, LimitReached
from pg3.pddl.model import copies_in
from pg3.planning import PlanStatus, SearchOptions, astar
from pg3.semantics.task import Task
from pg3.storage.schema import Flag, Nothing, Text, TupleOf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.budget import Budget
    from pg3.learning.config import LearnConfig
    from pg3.pddl.model import Problem
    from pg3.policy.rule_book import RuleBook

# Why a problem is left out.
GOAL_HOLDS = "its goal holds at the start"

# A training problem should be small: what takes more memory than this to ground is left out.
_GROUND_MEGABYTES = 1000.0

# The effort of a search, states times ground actions of the problem, is at most this: one or two
# seconds. Problems of training size stay far below it.
_EFFORT = 200_000_000

# In the journal: why a problem is left out, if it is, and whether it is ground.
_FAULT = TupleOf((Nothing(Text()), Flag()))


def most_states(task: Task) -> int:
    """How many states a search may meet, whatever it may expand."""
    return _EFFORT // max(1, task.space.num_actions)


class Selection:
    """The given problems, each with its task, by places.

    `left_out` says for each problem why it is of no use, None if it is of use as far as is known:
    what takes work to find out is found out by `examine`.
    """

    def __init__(
        self, problems: Sequence[Problem], book: RuleBook, config: LearnConfig, budget: Budget
    ) -> None:
        self.problems = problems
        self._too_large: set[int] = set()
        self._config = config
        self._budget = budget
        copies = copies_in(problems)
        self.tasks: list[Task] = []
        self.left_out: list[str | None] = []
        for i, problem in enumerate(problems):
            if i in copies:
                self.tasks.append(self.tasks[copies[i]])
            elif self.tasks:
                self.tasks.append(self.tasks[0].another(problem))
            else:
                self.tasks.append(Task(problem, book.table))
            same = f"it is the same as problem {copies[i] + 1}" if i in copies else None
            self.left_out.append(same or _trivial(problem))

    @property
    def used(self) -> list[int]:
        """The places of the problems that are not left out."""
        return [i for i, why in enumerate(self.left_out) if why is None]

    def examine(self, place: int) -> bool:
        """Ground a problem; whether it can be learned from. One of no use is left out.

        A problem that the planner cannot solve within its limit can: a policy's guidance may. One
        that is too large to ground cannot; the robust preset still tries policies on it.
        """
        if self.left_out[place] is None and not self.is_too_large(place):
            why, task = self._why_left_out(self.tasks[place]), self.tasks[place]
            too_large = why is not None and not task.is_ground and self._budget.met is None
            if too_large and self._config.preset == "robust":
                self._too_large.add(place)
            else:
                self.left_out[place] = why
        return self.left_out[place] is None and not self.is_too_large(place)

    def is_too_large(self, place: int) -> bool:
        """Whether a problem was found to be too large to ground."""
        return place in self._too_large

    def _why_left_out(self, task: Task) -> str | None:
        budget = self._budget

        def found() -> tuple[str | None, bool]:
            budget.check()
            why = self._fault(task)
            # A limit that was reached meanwhile closes the journal: this may be its doing.
            _ = budget.reached
            return why, task.is_ground

        why: str | None
        try:
            why, is_ground = budget.journal.once("left out", _FAULT, found)
        except LimitReached as limit:
            return f"there was no {'time' if limit.reason == TIME else 'memory'} for it"
        # One that is used is ground, and one that is too large is not.
        fits = task.ground(None, _GROUND_MEGABYTES) is None if is_ground else why is not None
        if not fits:
            raise Pg3Error("the journal does not fit: 'left out': the problem is too large")
        return why

    def _fault(self, task: Task) -> str | None:
        budget, config = self._budget, self._config
        seconds, megabytes = budget.limits
        # One problem that is far too large must not take the time of all others.
        if seconds is not None:
            seconds /= 2
        limit = task.ground(seconds, _GROUND_MEGABYTES, megabytes)
        if limit is not None:
            return f"it is too large to ground ({limit} reached)"
        if task.space.is_goal(task.space.initial):
            return GOAL_HOLDS
        seconds, megabytes = budget.limits
        options = SearchOptions(
            expansions=config.astar_expansions,
            seconds=seconds,
            process_megabytes=megabytes,
            generated=most_states(task) if config.preset == "robust" else None,
        )
        status = budget.note(astar(task.space, options).status)
        return "it has no solution" if status == PlanStatus.UNSOLVABLE else None


def _trivial(problem: Problem) -> str | None:
    """Why a problem is of no use, as far as its text tells; derived facts are not in it."""
    if problem.domain.axioms:
        return None
    predicates = {atom.predicate for atom in (*problem.goal, *problem.negative_goal)}
    init = set(problem.init.of_predicates(predicates))
    holds = init.issuperset(problem.goal) and init.isdisjoint(problem.negative_goal)
    return GOAL_HOLDS if holds else None
