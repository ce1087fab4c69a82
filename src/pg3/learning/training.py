"""The training problems as a learner sees them: ground, with their plans, ready for scoring."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pg3 import _native
from pg3.learning.budget import Budget
from pg3.learning.evaluator import LOCAL
from pg3.planning import PlanStatus, SatisficingOptions, SearchOptions, astar, satisficing
from pg3.planning.astar import GOALS_FIRST, SHORT
from pg3.policy.rule_book import PolicyKey, RuleBook
from pg3.semantics.task import Task
from pg3.storage.schema import ListOf, Nothing, ShapeError, TupleOf, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.learning.evaluator import Evaluator, Executions
    from pg3.pddl.model import Domain, Problem
    from pg3.planning.astar import Found
    from pg3.storage.schema import Place

# Larger counts than this do not fit the kernel's numbers and mean nothing.
MANY = 2**31 - 1

# A policy that needs more steps than this for a problem of training size goes round in circles.
MAX_STEPS = 1000

# The effort of a search for any plan, states times ground actions of the problem, is at most this:
# some tenths of a second. Problems of training size stay far below it.
_EFFORT = 50_000_000


# A lazy search evaluates the states that it expands, A* all that it generates. So it may expand so
# many times as many.
_FOR_SOME_PLAN = 10


def most_states(space: _native.StateSpace) -> int:
    """How many states a search for any plan may generate."""
    return _EFFORT // max(1, space.num_actions)


# A plan in the kernel's numbers of ground actions.
NumberedPlan = tuple[int, ...]


class Training:
    """Training problems with one book of rules, on which candidate policies are tried out.

    Problems may come as tasks that share the book's table, with all that is known of them.
    `expansions` limits each search for a plan, and a plan of more steps than the `horizon` is none;
    `jobs` is how many problems are worked on at once, which changes no result. `indices` are the
    problems' places among those that the user gave. All that takes long ends with LimitReached when
    the `budget` is used up. Batches of policies are tried out by the `evaluator`, which changes no
    result either.
    """

    def __init__(
        self,
        problems: Sequence[Problem | Task],
        *,
        book: RuleBook | None = None,
        expansions: int = 1000,
        horizon: int | None = None,
        jobs: int = 1,
        indices: Sequence[int] | None = None,
        budget: Budget | None = None,
        evaluator: Evaluator = LOCAL,
        any_plan: bool = False,
    ) -> None:
        self.domain: Domain = problems[0].domain
        self.book = RuleBook(self.domain) if book is None else book
        self.budget = Budget() if budget is None else budget
        self.tasks = tuple(
            self._grounded(problem if isinstance(problem, Task) else Task(problem, self.book.table))
            for problem in problems
        )
        self.expansions = expansions
        self.horizon = horizon
        self.jobs = jobs
        self.indices = tuple(range(len(problems)) if indices is None else indices)
        self.native = _native.TrainingSet([task.space for task in self.tasks], jobs)
        self._evaluator = evaluator
        self._any_plan = any_plan
        # Shared with all parts of this training: no plan is looked for twice.
        self._plan_of: dict[Task, NumberedPlan | None] = {}
        self._states: list[list[int]] | None = None
        self._traces: list[tuple[int, int]] = []

    def task(self, problem: Problem) -> Task:
        """A ground task for one more problem, which does not become a part of the training."""
        return self._grounded(self.tasks[0].another(problem))

    def _grounded(self, task: Task) -> Task:
        if task.is_ground:
            return task
        seconds, megabytes = self.budget.limits
        if limit := task.ground(seconds, process_megabytes=megabytes):
            self.budget.checked(limit)
        return task

    def __len__(self) -> int:
        return len(self.tasks)

    def subset(self, indices: Sequence[int]) -> Training:
        """Some of the problems, with the same book and plans."""
        return self._with([self.tasks[i] for i in indices], [self.indices[i] for i in indices])

    def joined(self, tasks: Sequence[Task], indices: Sequence[int]) -> Training:
        """These problems and then others."""
        return self._with([*self.tasks, *tasks], [*self.indices, *indices])

    def _with(self, tasks: Sequence[Task], indices: Sequence[int]) -> Training:
        other = Training(
            tasks,
            book=self.book,
            expansions=self.expansions,
            horizon=self.horizon,
            jobs=self.jobs,
            indices=indices,
            budget=self.budget,
            evaluator=self._evaluator,
            any_plan=self._any_plan,
        )
        other._plan_of = self._plan_of
        return other

    def with_plans(self) -> Training:
        """Those of the problems that have a plan; all if there is none.

        On the others few candidate policies have one, so that most look alike to a search.
        """
        planned = [i for i, plan in enumerate(self.plans) if plan is not None]
        return self if len(planned) in (0, len(self)) else self.subset(planned)

    def on_this_machine(self) -> Training:
        """The same problems, on which policies are tried out here.

        Wherever they were before, no effort has been made on these, so that limits are the same.
        """
        part = self.subset(range(len(self)))
        part._evaluator = LOCAL
        return part

    def guided_plan(
        self,
        policy: PolicyKey,
        problem: int,
        rollout: int,
        weights: tuple[int, int] = SHORT,
    ) -> NumberedPlan | None:
        """The plan that the policy's guidance leads to on one problem (Algorithm 3)."""
        options = SearchOptions(policy=policy, rollout_steps=rollout, weights=weights)
        found = self._search(problem, options)
        if found.status != PlanStatus.SOLVED:
            return None
        if self.horizon is not None and len(found.steps) > self.horizon:
            return None
        return tuple(action for action, _ in found.steps)

    def _search(self, problem: int, options: SearchOptions) -> Found:
        """A search within the limits of this training and of its budget."""
        seconds, megabytes = self.budget.limits
        space = self.tasks[problem].space
        options = replace(
            options,
            expansions=self.expansions,
            seconds=seconds,
            process_megabytes=megabytes,
            generated=most_states(space) if self._any_plan else None,
        )
        found = astar(space, options)
        self.budget.checked(found.status)
        return found

    def is_solvable(self, problem: int, state: int, policy: PolicyKey = ()) -> bool:
        """Whether a search for some plan finds one from a state of a problem within its limit.

        It has a second try that prefers the actions of a policy, if there is one: a policy that
        fails may know most of the way.
        """
        seconds, megabytes = self.budget.limits
        space = self.tasks[problem].space
        for guide in dict.fromkeys(((), policy)):
            options = SatisficingOptions(
                policy=guide,
                start=state,
                expansions=_FOR_SOME_PLAN * self.expansions,
                generated=most_states(space),
                seconds=seconds,
                process_megabytes=megabytes,
            )
            status = satisficing(space, options).status
            self.budget.checked(status)
            if status in (PlanStatus.SOLVED, PlanStatus.UNSOLVABLE):
                return status == PlanStatus.SOLVED
        return False

    @property
    def plans(self) -> tuple[NumberedPlan | None, ...]:
        """For each problem the plan of A* with h_add alone; None where the limit came first."""
        self.find_plans()
        return tuple(self._plan_of[task] for task in self.tasks)

    def find_plans(self) -> None:
        """Make `plans` now: a run with a journal must come to them at the same point always.

        With `any_plan`, where the limit came first, the search is tried again with goals first.
        """
        missing = [i for i, task in enumerate(self.tasks) if task not in self._plan_of]
        if not missing:
            return

        def plan(problem: int) -> NumberedPlan | None:
            found = self.guided_plan((), problem, 0)
            if found is None and self._any_plan:
                return self.guided_plan((), problem, 0, GOALS_FIRST)
            return found

        plans = self._recalled_plans(missing, lambda: tuple(map(plan, missing)))
        self._plan_of |= zip((self.tasks[i] for i in missing), plans, strict=True)

    def recalled_plans(
        self, find: Callable[[], tuple[NumberedPlan | None, ...]]
    ) -> tuple[NumberedPlan | None, ...]:
        """The plans that the journal has for all problems, else those that are found."""
        return self._recalled_plans(range(len(self)), find)

    def _recalled_plans(
        self, places: Sequence[int], find: Callable[[], tuple[NumberedPlan | None, ...]]
    ) -> tuple[NumberedPlan | None, ...]:
        spaces = [self.tasks[i].space for i in places]
        shapes = [Nothing(Steps(s, s.initial, s.is_goal)) for s in spaces]
        plans = self.budget.journal.once("plans", TupleOf(shapes), find)
        return tuple(None if plan is None else tuple(plan) for plan in plans)

    @property
    def states_of_interest(self) -> list[list[int]]:
        """For each problem the states of that plan, on which policies are told apart.

        A policy's answers there are its semantic identifier (appendix, "Additional GPS
        Optimizations").
        """
        if self._states is None:
            self._states = []
            for task, plan in zip(self.tasks, self.plans, strict=True):
                states, state = [], task.space.initial
                for action in plan or ():
                    states.append(state)
                    state = task.space.apply(state, action)
                self._states.append(states)
        return self._states

    # Batches of policies on all problems: tables of 32-bit integers, policy by policy.

    def guided(self, policies: Sequence[PolicyKey], rollout: int) -> bytes:
        """The steps of the plan that a policy's guidance leads to which it does not take.

        Negative where there is no plan.
        """
        mismatches, traces = self._evaluator.guided(self, policies, rollout)
        if self.budget.journal.is_kept:
            self._traces += traces
        return mismatches

    def executed(self, policies: Sequence[PolicyKey], max_steps: int) -> Executions:
        """What each policy comes to, carried out."""
        return self._evaluator.executed(self, policies, max_steps)

    def compared(self, policies: Sequence[PolicyKey], plans: Sequence[NumberedPlan]) -> bytes:
        """The steps of the given plans, one a problem, that a policy does not take."""
        return self._evaluator.compared(self, policies, plans)

    def identified(self, policies: Sequence[PolicyKey]) -> list[int]:
        """The semantic identifiers of policies that were just scored."""
        return self._evaluator.identified(self, policies)

    @property
    def effort(self) -> int:
        """The states that were expanded to score policies here: the same on every machine."""
        return self.native.expansions

    def take_traces(self) -> list[tuple[int, int]]:
        """What the searches since the last call have left for `remember`."""
        traces, self._traces = self._traces, []
        return traces

    def remember(self, effort: int, traces: Sequence[Sequence[int]]) -> None:
        """Take over the effort of an earlier run with the traces of its searches."""
        self.native.remember(effort, [(problem, trace) for problem, trace in traces])

    def solved_steps(
        self, policy: PolicyKey, max_steps: int = MAX_STEPS, seconds: float | None = None
    ) -> list[int | None]:
        """For each problem how many steps the policy takes to the goal; None if it fails.

        `seconds` are given whatever is left; problems that they do not suffice for are failures.
        """
        # Here, whoever the evaluator is: one policy is no batch.
        if seconds is None:
            status, solved, steps, _ = self.native.executed(
                [policy], max_steps, *self.budget.limits
            )
            self.budget.checked(status)
        else:
            _, solved, steps, _ = self.native.executed([policy], max_steps, seconds)
        return [
            taken if done else None
            for done, taken in zip(
                memoryview(solved).cast("i"), memoryview(steps).cast("i"), strict=True
            )
        ]

    def failures_from(
        self, policy: PolicyKey, starts: Sequence[Sequence[int]], max_steps: int = MAX_STEPS
    ) -> list[tuple[int, int]]:
        """Those of the given states of the problems from which the policy does not reach the goal.

        Each with its problem's place.
        """
        status, solved = self.native.executed_from([policy], starts, max_steps, *self.budget.limits)
        self.budget.checked(status)
        states = [(problem, state) for problem, group in enumerate(starts) for state in group]
        return [
            state
            for state, done in zip(states, memoryview(solved).cast("i"), strict=True)
            if not done
        ]

    def tried(
        self,
        policy: PolicyKey,
        like: PolicyKey,
        starts: Sequence[Sequence[int]],
        max_steps: int = MAX_STEPS,
    ) -> list[int | None]:
        """For each problem the steps of a policy from the first of the given states to the goal.

        None if it does not reach the goal from all of them. It is fast if the policy differs from
        the one before, `like`, in a few rules.
        """
        status, steps = self.native.tried(policy, like, starts, max_steps, *self.budget.limits)
        self.budget.checked(status)
        return [taken if taken >= 0 else None for taken in memoryview(steps).cast("i")]

    def agreements(self, policy: PolicyKey, problem: int, plan: NumberedPlan) -> list[bool]:
        """For each step of a plan whether the policy takes it (Algorithm 4)."""
        space = self.tasks[problem].space
        return self.budget.answered(space.compare(policy, plan, *self.budget.limits))

    def action(self, policy: PolicyKey, problem: int, state: int) -> int:
        """The number of the policy's action in a state of a problem; negative if it has none."""
        space = self.tasks[problem].space
        return self.budget.answered(space.policy_action(policy, state, *self.budget.limits))


@dataclass(frozen=True, slots=True)
class Steps:
    """The shape of what can be done from a state on: a list of actions by number.

    With `ends`, the state after them must be one of which that holds.
    """

    space: _native.StateSpace
    start: int
    ends: Callable[[int], bool] | None = None

    def check(self, value: Any, place: Place = ()) -> list[int]:
        """The actions."""
        actions = ListOf(Whole(0, self.space.num_actions - 1)).check(value, place)
        state = self.start
        for i, action in enumerate(actions):
            state = self.space.apply(state, action)
            if state < 0:
                raise ShapeError((*place, i), ": an action is expected that can be done there")
        if self.ends is not None and not self.ends(state):
            raise ShapeError(place, ": actions are expected that reach the goal")
        return actions
