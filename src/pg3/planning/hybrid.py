"""A plan for a problem, by a policy where it knows the way and by search where it does not.

The policy is carried out first, on the problem as it is, never grounded. Where it stops short (it
does not apply, comes back to a state, or has used up its steps), a portfolio of searches takes
over, each with a share of the effort:

- A* guided by the policy (Algorithm 3): it goes through the policy's own steps for free, so it
  looks for the few actions that bring the policy on its way again, as often as need be;
- satisficing search that prefers what the policy does in each state;
- satisficing search from the start, as if there were no policy.

What has to do with the policy may use a fifth of the time and of the expansions, and a quarter of
the memory. The rest is for the search from the start alone: a misleading policy costs little more
than that. Without limits the search from the start may meet as many states as all others together.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.errors import pluralize
from pg3.planning.astar import SearchOptions
from pg3.planning.execution import ExecutionStatus, execute
from pg3.planning.limits import Limits, as_limits
from pg3.planning.satisficing import SatisficingOptions
from pg3.planning.search import PlanStatus, run_search
from pg3.semantics.task import Task
from pg3.semantics.validation import validate

if TYPE_CHECKING:
    from pg3.pddl.given import ProblemLike
    from pg3.pddl.plans import GroundAction
    from pg3.planning.execution import Execution
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList
    from pg3.semantics.validation import Validation

# The states that a search with the policy may meet at each place in the first round; twice as many
# in each further one. Not expansions: each state is evaluated, and a guided expansion can meet
# thousands. A rollout is not cut short by it, as it may be on its way to the goal.
_FIRST_ROUND = 1000

# What everything with the policy may use: the part of the time and of the expansions, and that of
# the memory.
_POLICY_EFFORT, _POLICY_MEMORY = 0.2, 0.25

# So long a rollout goes to the goal or to where the policy fails; one that comes back to a state
# ends there.
_ROLLOUT = 1_000_000

# Between two looks at the limits, while the policy's steps are done once more in the ground task.
_STEPS_AT_A_TIME = 1000


@dataclass(frozen=True, slots=True)
class GuidedSolve:
    """A validated plan, or why there is none.

    `execution` is what the policy did by itself. A plan is the first `kept` of its steps, then
    `found`: what the search found from there, `from_policy` telling for each action whether the
    policy proposed it. Where the policy reached the goal, nothing had to be found. `validation` is
    the independent checker's word on the whole plan, and it is yes; None if there is no plan.
    """

    status: PlanStatus
    execution: Execution
    kept: int
    found: tuple[GroundAction, ...]
    from_policy: tuple[bool, ...]
    expansions: int
    validation: Validation | None
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status is PlanStatus.SOLVED

    def __repr__(self) -> str:
        found = str(self.status)
        if self.validation is not None:
            found = f"{pluralize(self.validation.steps, 'step')}, {self.kept} by the policy alone"
        return f"<guided plan: {found}>"

    @property
    def plan(self) -> tuple[GroundAction, ...] | None:
        """The plan, or None if there is none."""
        if self.execution.solved:
            return self.execution.plan
        return (*islice(self.execution.actions(), self.kept), *self.found) if self.solved else None


def solve_guided(
    problem: ProblemLike | Task,
    policy: PolicyLike,
    *,
    max_steps: int | None = None,
    limits: Limits = Limits(),
    plan_path: str | Path | None = None,
) -> GuidedSolve:
    """Solve a problem with a policy that need not be perfect.

    `max_steps` is for the policy alone: after so many steps the searches take over. They begin
    where the policy stopped, for a cycle where that began. What the policy did may have led into a
    dead end, so if the search does not find a plan among the first thousand states there, it begins
    again from half way, a quarter of the way and so on back to the start; then come the satisficing
    searches, then everything once more with twice as many states. When the policy's part of a limit
    is used up, one satisficing search from the start has all that is left. They so
    find a plan if there is one, and say "unsolvable" only if there is none; `limits` holds for
    everything together.

    The plan has been validated; AssertionError if the checker, which shares no code with what makes
    plans, should reject it. With `plan_path` the actions are in that file at the end, if there is a
    plan; OSError if they cannot be written.
    """
    task, policy = Task.with_policy(problem, policy)
    clock = _Clock(as_limits(limits).seconds)

    def follow(seconds: float | None) -> Execution:
        told = replace(limits, seconds=seconds)
        return execute(task, policy, max_steps=max_steps, limits=told, plan_path=plan_path)

    execution = follow(clock.left(_POLICY_EFFORT))
    limit = None
    if not execution.solved:
        limit = task.ground(clock.left(), limits.megabytes)
        # Where no search is possible, the policy may have all of the time.
        if limit is not None and execution.status is ExecutionStatus.TIME_LIMIT:
            execution = follow(clock.left())
    search = _Search(task, policy, execution, limits, clock)
    if execution.solved:
        return search.outcome(PlanStatus.SOLVED, execution.check(), execution.steps)
    if limit is not None:
        return search.outcome(PlanStatus(limit))
    outcome = search.run()
    if plan_path is not None and outcome.plan is not None:
        Path(plan_path).write_text("".join(f"{action}\n" for action in outcome.plan), "utf-8")
    return outcome


class _Clock:
    """The time that is left of a limit."""

    def __init__(self, seconds: float | None) -> None:
        self._start = time.perf_counter()
        self._seconds = seconds

    def elapsed(self) -> float:
        return time.perf_counter() - self._start

    def left(self, part: float = 1.0) -> float | None:
        """What is left of the limit, or of a part of it."""
        return None if self._seconds is None else max(0.0, part * self._seconds - self.elapsed())


class _Search:
    """The search from places along what the policy did, the latest first."""

    def __init__(
        self,
        task: Task,
        policy: DecisionList,
        execution: Execution,
        limits: Limits,
        clock: _Clock,
    ) -> None:
        self._task = task
        self._rules = task.rule_numbers(policy)
        self._execution = execution
        self._limits = limits
        self._clock = clock
        self._expansions = 0
        self._out_of_memory = False

    def run(self) -> GuidedSolve:
        states = self._states()
        places = _places(len(states) - 1)
        budget = _FIRST_ROUND
        while self._is_policys_turn():
            guided = [(place, self._guided) for place in places] + [(places[0], self._preferring)]
            for place, search in guided:
                if place in places:
                    ended = self._try(search(states[place]), budget, place, places)
                    if ended is not None:
                        return ended
            ended = self._try(SatisficingOptions(), len(guided) * budget, 0, places)
            if ended is not None:
                return ended
            budget *= 2
        found = run_search(
            self._task.space,
            SatisficingOptions(
                expansions=self._expansions_left(),
                seconds=self._clock.left(),
                megabytes=self._limits.megabytes,
            ),
        )
        self._expansions += found.expansions
        if found.status == PlanStatus.SOLVED:
            return self._plan(0, found.steps)
        return self.outcome(PlanStatus(found.status))

    def _is_policys_turn(self) -> bool:
        return (
            self._clock.left(_POLICY_EFFORT) != 0
            and self._expansions_left(_POLICY_EFFORT) != 0
            and not self._out_of_memory
        )

    def _guided(self, start: int) -> SearchOptions:
        return SearchOptions(policy=self._rules, rollout_steps=_ROLLOUT, start=start)

    def _preferring(self, start: int) -> SatisficingOptions:
        return SatisficingOptions(policy=self._rules, start=start)

    def _try(
        self,
        options: SearchOptions | SatisficingOptions,
        budget: int,
        place: int,
        places: list[int],
    ) -> GuidedSolve | None:
        """How everything ends if it ends with this search, else None.

        A place from which there is no plan is struck off the list.
        """
        most = self._limits.megabytes
        found = run_search(
            self._task.space,
            replace(
                options,
                expansions=self._expansions_left(_POLICY_EFFORT),
                generated=budget,
                seconds=self._clock.left(_POLICY_EFFORT),
                megabytes=None if most is None else _POLICY_MEMORY * most,
            ),
        )
        self._expansions += found.expansions
        if found.status == PlanStatus.SOLVED:
            return self._plan(place, found.steps)
        if found.status == PlanStatus.UNSOLVABLE:
            if place == 0:
                return self.outcome(PlanStatus.UNSOLVABLE)
            places.remove(place)
        elif found.status == PlanStatus.MEMORY_LIMIT:
            self._out_of_memory = True
        return None

    def _expansions_left(self, part: float = 1.0) -> int | None:
        """What is left of the limit, or of a part of it."""
        most = self._limits.expansions
        return None if most is None else max(0, int(part * most) - self._expansions)

    def _states(self) -> list[int]:
        """The numbers of the states that the policy went through, up to where it began to repeat.

        Or up to where its share of the limits ends: the ground task keeps every state.
        """
        space, most = self._task.space, self._limits.megabytes
        states = [space.initial]
        met = {space.initial: 0}
        for step, action in enumerate(self._execution.actions()):
            state = space.apply(states[-1], self._task.action_number(action))
            if state in met:
                return states[: met[state] + 1]
            met[state] = len(states)
            states.append(state)
            if step % _STEPS_AT_A_TIME == 0:
                if self._clock.left(_POLICY_EFFORT) == 0:
                    break
                if most is not None and space.bytes() > _POLICY_MEMORY * most * 2**20:
                    self._out_of_memory = True
                    break
        return states

    def _plan(self, place: int, steps: list[tuple[int, bool]]) -> GuidedSolve:
        found = tuple(self._task.decode_action(action) for action, _ in steps)
        from_policy = tuple(proposed for _, proposed in steps)
        kept = islice(self._execution.actions(), place)
        validation = validate(self._task.problem, (*kept, *found))
        return self.outcome(PlanStatus.SOLVED, validation, place, found, from_policy)

    def outcome(
        self,
        status: PlanStatus,
        validation: Validation | None = None,
        kept: int = 0,
        found: tuple[GroundAction, ...] = (),
        from_policy: tuple[bool, ...] = (),
    ) -> GuidedSolve:
        if validation is not None and not validation.valid:
            raise AssertionError(f"the validator rejects the plan: {validation.message}")
        return GuidedSolve(
            status,
            self._execution,
            kept,
            found,
            from_policy,
            self._expansions,
            validation,
            self._clock.elapsed(),
        )


def _places(last: int) -> list[int]:
    """The last place, half way to it, a quarter of the way, and so on to the start."""
    places = [last]
    while places[-1] > 0:
        places.append(places[-1] // 2)
    return places
