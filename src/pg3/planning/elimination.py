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
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pg3.pddl.model import Atom, Problem
    from pg3.pddl.plans import GroundAction, Plan

# So many later steps are looked at for each one that is left out; if that does not decide it, it
# stays. So the work is linear in the length of the plan. What pulls more after it is rarely
# something to do without: on plans of policies for three domains 10, 30 and 300 do the same.
MOST_LOOKS = 30


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
    problem: Problem,
    plan: Plan,
    most_looks: int | None = MOST_LOOKS,
    stopping: Callable[[], bool] = lambda: False,
) -> tuple[GroundAction, ...]:
    """A valid plan without actions that it can do without; until `stopping` says so.

    For valid plans of domains without axioms, conditional effects and disjunctive goals.
    """
    elimination = _Elimination(problem, plan_steps(problem, plan), most_looks)
    for number in range(len(plan)):
        if stopping():
            break
        elimination.leave_out(number)
    return tuple(action for action, gone in zip(plan, elimination.gone, strict=True) if not gone)


class _Facts(NamedTuple):
    """A step as numbers of facts."""

    needs: frozenset[int]
    sets: frozenset[int]
    all: frozenset[int]


class _Elimination:
    def __init__(self, problem: Problem, steps: Sequence[PlanStep], most_looks: int | None) -> None:
        self.gone = [False] * len(steps)
        self._most_looks = most_looks
        # Looked up all the time, and numbers are found faster than atoms.
        numbers: dict[Atom, int] = {}

        def number_all(atoms: Iterable[Atom]) -> frozenset[int]:
            return frozenset([numbers.setdefault(atom, len(numbers)) for atom in atoms])

        self._goals = number_all(atom for atom, _ in problem.goal_literals)
        facts: dict[int, _Facts] = {}
        self._steps: list[_Facts] = []
        self._mentions: dict[int, list[int]] = {}
        # For each step the facts that have another truth after it than before.
        self._changes: list[set[int]] = []
        state = set(problem.init.of_predicates(problem.domain.fluents))
        for place, step in enumerate(steps):
            if id(step) not in facts:
                needs, sets = number_all(step.needs), number_all(step.sets)
                facts[id(step)] = _Facts(needs, sets, needs | sets)
            self._steps.append(facts[id(step)])
            for number in facts[id(step)].all:
                self._mentions.setdefault(number, []).append(place)
            changes = {atom for atom, truth in step.sets.items() if (atom in state) != truth}
            state ^= changes
            self._changes.append({numbers[atom] for atom in changes})

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
            place = heappop(ahead)
            step, changes = self._steps[place], self._changes[place]
            if not self.gone[place]:
                looks += 1
                if looks == self._most_looks:
                    return
                if wrong.isdisjoint(step.needs):
                    again = wrong & step.sets
                    kept[place] = changes ^ again
                    wrong -= again
                else:
                    left_out.append(place)
                    wrong ^= changes
            while ahead and ahead[0] == place:
                heappop(ahead)
            self._look_ahead(wrong & step.all, place, ahead)
        if wrong.isdisjoint(self._goals):
            for place in left_out:
                self.gone[place] = True
            for place, changes in kept.items():
                self._changes[place] = changes

    def _look_ahead(self, facts: Iterable[int], after: int, ahead: list[int]) -> None:
        """Add the next step that mentions each of these facts."""
        for number in facts:
            mentions = self._mentions[number]
            place = bisect_right(mentions, after)
            if place < len(mentions):
                heappush(ahead, mentions[place])
