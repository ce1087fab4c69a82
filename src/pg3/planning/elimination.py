"""Actions that a plan can do without: action elimination (Nakhost and Müller 2010).

Step by step from the start: leave the step out, and with it every later one that then cannot be
done. If the goal is still reached, they are gone for good.

Leaving a step out changes few facts, and only the steps that mention these are looked at: a plan
of 100,000 steps takes seconds.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Atom, Problem
    from pg3.pddl.plans import GroundAction, Plan

# So many later steps are looked at for each one that is left out; if that does not decide it, it
# stays. So the work is linear in the length of the plan.
MOST_LOOKS = 1000


@dataclass(frozen=True, slots=True)
class PlanStep:
    """An action as the facts that it needs and those that it sets, each with its truth."""

    action: GroundAction
    needs: dict[Atom, bool]
    sets: dict[Atom, bool]


def plan_steps(problem: Problem, plan: Plan) -> list[PlanStep]:
    """The steps of a plan. What never changes is left out, and so are conditional effects."""
    fluents = problem.domain.fluents
    known: dict[GroundAction, PlanStep] = {}
    for action in plan:
        if action not in known:
            ground = problem.domain.action(action.name).ground(action.objects)
            needs = {
                atom: truth for atom, truth in ground.precondition if atom.predicate in fluents
            }
            # What is deleted and added holds afterwards.
            effects = sorted(ground.effects, key=lambda effect: effect.positive)
            known[action] = PlanStep(action, needs, dict(effects))
    return [known[action] for action in plan]


def eliminate_actions(
    problem: Problem, plan: Plan, most_looks: int | None = MOST_LOOKS
) -> tuple[GroundAction, ...]:
    """A valid plan without actions that it can do without.

    For valid plans of domains without axioms, conditional effects and disjunctive goals.
    """
    steps = plan_steps(problem, plan)
    elimination = _Elimination(problem, steps, most_looks)
    for number in range(len(steps)):
        elimination.leave_out(number)
    return tuple(
        step.action for step, gone in zip(steps, elimination.gone, strict=True) if not gone
    )


class _Elimination:
    def __init__(self, problem: Problem, steps: Sequence[PlanStep], most_looks: int | None) -> None:
        self.gone = [False] * len(steps)
        self._steps = steps
        self._most_looks = most_looks
        self._goals = {atom for atom, _ in problem.goal_literals}
        self._mentions: dict[Atom, list[int]] = {}
        # For each step the facts that have another truth after it than before.
        self._changes: list[set[Atom]] = []
        state = set(problem.init.of_predicates(problem.domain.fluents))
        for number, step in enumerate(steps):
            for atom in step.needs | step.sets:
                self._mentions.setdefault(atom, []).append(number)
            changes = {atom for atom, truth in step.sets.items() if (atom in state) != truth}
            state ^= changes
            self._changes.append(changes)

    def leave_out(self, first: int) -> None:
        """Leave a step out for good if the others can do without it."""
        if self.gone[first]:
            return
        # The facts that are the other way round than they were with the step.
        wrong = set(self._changes[first])
        left_out, kept = [first], {}
        ahead: list[int] = []
        self._look_ahead(wrong, first, ahead)
        looks = 0
        while wrong and ahead:
            number = heappop(ahead)
            step, changes = self._steps[number], self._changes[number]
            if not self.gone[number]:
                looks += 1
                if looks == self._most_looks:
                    return
                if wrong.isdisjoint(step.needs):
                    again = wrong.intersection(step.sets)
                    kept[number] = changes ^ again
                    wrong -= again
                else:
                    left_out.append(number)
                    wrong ^= changes
            while ahead and ahead[0] == number:
                heappop(ahead)
            self._look_ahead(wrong.intersection(step.needs | step.sets), number, ahead)
        if wrong.isdisjoint(self._goals):
            for number in left_out:
                self.gone[number] = True
            for number, changes in kept.items():
                self._changes[number] = changes

    def _look_ahead(self, facts: Iterable[Atom], after: int, ahead: list[int]) -> None:
        """Add the next step that mentions each of these facts."""
        for atom in facts:
            mentions = self._mentions[atom]
            place = bisect_right(mentions, after)
            if place < len(mentions):
                heappush(ahead, mentions[place])
