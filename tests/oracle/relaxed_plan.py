"""h_FF and landmarks, by definition: native/ground/relaxed_plan.hpp and landmarks.hpp."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Literal
from pg3.pddl.strata import stratify_axioms
from tests.oracle import numbers
from tests.oracle.semantics import axiom_instances, closed, instances

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Atom, Problem
    from tests.oracle.semantics import Case, Instance, State


class Achiever(NamedTuple):
    """An action, with or without one conditional effect, or with `instance` None an axiom.

    Without what never changes. `for_number`: an action done for a comparison, perhaps often.
    """

    price: int
    needs: list[Literal]
    effects: list[Literal]
    instance: Instance | None
    for_number: bool = False


class _Step(NamedTuple):
    instance: Instance
    conditions: list[Literal]  # beyond those of the action
    achieved: list[Literal]
    is_conditional: bool


def _conditions(case: Case) -> list[Literal]:
    return [Literal(a) for a in case.positive] + [Literal(a, False) for a in case.negative]


def _effects(adds: AbstractSet[Atom], deletes: AbstractSet[Atom]) -> list[Literal]:
    return [Literal(a) for a in adds] + [Literal(a, False) for a in deletes - adds]


class RelaxedTask:
    """What can be reached if nothing is ever deleted, in the order of the kernel's numbers."""

    def __init__(self, problem: Problem, *, unit: bool) -> None:
        self.problem = problem
        self._find_reachable()
        actions = [one for one in instances(problem) if self._possible(one.conditions)]
        groups = stratify_axioms(problem.domain.axioms)
        axioms = [
            (conditions, head)
            for group in groups
            for conditions, head in axiom_instances(problem)
            if head.predicate in group and self._possible(conditions)
        ]
        surcharge = any(one.cost == 0 for one in actions)
        steps = [step for one in actions for step in self._steps(one)]
        # Actions come first, then what they do under conditions.
        steps.sort(key=lambda step: step.is_conditional)
        self.complements = self._complements(
            [one.conditions for one in actions]
            + [step.conditions for step in steps if step.is_conditional]
            + [conditions for conditions, _ in axioms]
        )
        self.achievers = [
            Achiever(
                1 if unit else step.instance.cost + surcharge,
                self.literals([*step.instance.conditions, *step.conditions]),
                self.literals(step.achieved),
                step.instance,
            )
            for step in steps
        ]
        self.achievers += [
            Achiever(0, self.literals(conditions), self.literals([Literal(head)]), None)
            for conditions, head in axioms
        ]
        for one in actions:
            price = 1 if unit else one.cost + surcharge
            for literal in self._number_supports(one):
                needs = self.literals(one.conditions)
                self.achievers.append(Achiever(price, needs, [literal], one, for_number=True))
        self.goal = self.literals(problem.goal_literals)

    def _number_supports(self, one: Instance) -> Iterator[Literal]:
        """The comparisons that an action may make as they are wanted, in order."""
        for atom in numbers.instances_in_order(self.problem) if one.changes else ():
            for wanted in (True, False):
                literal = Literal(atom, wanted)
                if self.literals([literal]) and numbers.helps(
                    self.problem, one.changes, atom, wanted
                ):
                    yield literal

    def _times(self, achiever: Achiever, state: State) -> int | None:
        """How often an action is to be done for what it achieves; None if that is no use."""
        if not achiever.for_number:
            return 1
        [(atom, wanted)] = achiever.effects
        if (atom in closed(self.problem, state)) == wanted:
            return None
        assert achiever.instance is not None
        changes = achiever.instance.changes
        return numbers.repetitions(self.problem, changes, atom, wanted, state)

    def _find_reachable(self) -> None:
        problem = self.problem
        self.reached: set[Atom] = {*problem.init, *numbers.possible_comparisons(problem)}
        grounded, axioms = instances(problem), axiom_instances(problem)
        before = -1
        while len(self.reached) > before:
            before = len(self.reached)
            for one in grounded:
                if self._possible(one.conditions):
                    self.reached |= one.adds
                for case in one.cases:
                    if self._possible([*one.conditions, *_conditions(case)]):
                        self.reached |= case.adds
            self.reached.update(head for needs, head in axioms if self._possible(needs))

    def _steps(self, one: Instance) -> Iterator[_Step]:
        """What an action does in any case, and what it does under further conditions."""
        adds, deletes = set(one.adds), set(one.deletes)
        conditional: list[tuple[list[Literal], Case]] = []
        for case in one.cases:
            conditions = [c for c in _conditions(case) if c not in one.conditions]
            opposites = {Literal(atom, not positive) for atom, positive in _conditions(case)}
            never = opposites & {*one.conditions, *_conditions(case)}
            if never or not self._possible([*one.conditions, *conditions]):
                continue
            if any(self._changes(atom) for atom, _ in conditions):
                conditional.append((conditions, case))
            else:
                adds |= case.adds
                deletes |= case.deletes - case.adds
        yield _Step(one, [], _effects(adds, deletes), is_conditional=False)
        for conditions, case in conditional:
            effects = _effects(case.adds - adds, case.deletes - case.adds - adds)
            if any(self._changes(atom) for atom, _ in effects):
                yield _Step(one, conditions, effects, is_conditional=True)

    def _possible(self, conditions: Iterable[Literal]) -> bool:
        """Whether all may hold: what is to be false may be so unless it is a fact for ever."""
        fluents, init = self.problem.domain.fluents, set(self.problem.init)
        return all(
            atom in self.reached if positive else atom.predicate in fluents or atom not in init
            for atom, positive in conditions
        )

    def can_hold(self, goal: Iterable[Literal]) -> bool:
        """Whether no literal is out of reach, or wrong for ever."""
        return self._possible(goal)

    def _order(self, atom: Atom) -> tuple[int, ...]:
        names = [one.name for one in self.problem.all_objects]
        return (
            self.problem.domain.predicate_index[atom.predicate],
            *map(names.index, atom.terms),
        )

    def _changes(self, atom: Atom) -> bool:
        return atom.predicate in self.problem.domain.fluents and atom in self.reached

    def _complements(self, conditions: list[list[Literal]]) -> list[Atom]:
        """The atoms that something wants false, in the order in which that comes up."""
        found: dict[Atom, None] = {}
        derived = {clause.name for clause in self.problem.domain.axioms}
        for group in (*conditions, self.problem.goal_literals):
            wanted = [atom for atom, positive in group if not positive and self._changes(atom)]
            for atom in sorted(wanted, key=self._order):
                if atom.predicate not in derived:
                    found[atom] = None
        return list(found)

    def literals(self, literals: Iterable[Literal]) -> list[Literal]:
        """Those that can change and that something asks for, in number order."""
        kept = {one for one in literals if self._changes(one.atom)}
        positive = sorted((one.atom for one in kept if one.positive), key=self._order)
        negative = sorted((one.atom for one in kept if not one.positive), key=self._order)
        return [Literal(atom) for atom in positive] + [
            Literal(atom, False) for atom in negative if atom in self.complements
        ]

    def true_literals(self, state: State) -> list[Literal]:
        """Those that hold, in number order."""
        state = closed(self.problem, state)
        atoms = sorted((atom for atom in state if self._changes(atom)), key=self._order)
        return [Literal(atom) for atom in atoms] + [
            Literal(atom, False) for atom in self.complements if atom not in state
        ]

    def h_ff(self, state: State, goal: list[Literal]) -> tuple[float, list[Instance]]:
        """The value and the preferred actions of a state; the value is infinite at a dead end."""
        supporters = self._supporters(state)
        if not supporters.keys() >= set(goal):
            return math.inf, []
        plan: set[int] = set()
        pending, seen = list(goal), set(goal)
        while pending:
            supporter = supporters[pending.pop()]
            if supporter is not None:
                plan.add(supporter)
                needs = set(self.achievers[supporter].needs) - seen
                seen |= needs
                pending += needs
        used: dict[Instance | None, int] = {}
        for i in plan:
            times = self._times(self.achievers[i], state)
            assert times is not None
            price = self.achievers[i].price * times
            instance = self.achievers[i].instance
            used[instance] = max(price, used.get(instance, 0))
        total = sum(used.values())
        actions = dict.fromkeys(one.instance for one in self.achievers if one.instance in used)
        return total, [one for one in actions if one is not None and one.applicable(state)]

    def _supporters(self, state: State) -> dict[Literal, int | None]:
        """For each literal that can be reached the number of its supporter, None if it holds.

        Values are final in their order; of equal ones the literal that came last is first.
        """
        values: dict[Literal, float] = {}
        supporters: dict[Literal, int | None] = {}
        final: dict[Literal, float] = {}
        queue: list[tuple[float, int, Literal]] = []
        ticket = itertools.count(0, -1)

        def enqueue(literal: Literal, value: float, supporter: int | None) -> None:
            if value < values.get(literal, math.inf):
                values[literal], supporters[literal] = value, supporter
                heapq.heappush(queue, (value, next(ticket), literal))

        for literal in self.true_literals(state):
            enqueue(literal, 0, None)
        times = [self._times(achiever, state) for achiever in self.achievers]
        prices = [a.price * (t or 0) for a, t in zip(self.achievers, times, strict=True)]
        for number, achiever in enumerate(self.achievers):
            if not achiever.needs and times[number] is not None:
                for effect in achiever.effects:
                    enqueue(effect, prices[number], number)
        while queue:
            value, _, literal = heapq.heappop(queue)
            if literal in final:
                continue
            final[literal] = value
            for number, achiever in enumerate(self.achievers):
                if times[number] is None:
                    continue
                if literal in achiever.needs and final.keys() >= set(achiever.needs):
                    total = prices[number] + sum(final[need] for need in achiever.needs)
                    for effect in achiever.effects:
                        enqueue(effect, total, number)
        return supporters


class Landmarks:
    """The landmarks of a state and a goal, and what is ahead of a way from there."""

    def __init__(self, task: RelaxedTask, start: State, goal: list[Literal], *, unit: bool) -> None:
        self.task, self.goal = task, goal
        self.start = set(task.true_literals(start))
        candidates = {one for achiever in task.achievers for one in achiever.needs}
        self.found = set(goal) | {
            one for one in candidates if not self._reached_without(one) >= set(goal)
        }
        self.prices: dict[Literal, int] = {}
        self.right_after: dict[Literal, set[Literal]] = {one: set() for one in self.found}
        for one in self.found:
            first = self._first_achievers(one)
            self.prices[one] = 1 if unit or not first else min(a.price for a in first)
            if one not in self.start and first:
                for need in set.intersection(*(set(a.needs) for a in first)):
                    self.right_after[need].add(one)

    def _reached_without(self, literal: Literal) -> set[Literal]:
        """What can be reached by achievers that do not need the literal."""
        reached = set(self.start)
        before = -1
        while len(reached) > before:
            before = len(reached)
            for achiever in self.task.achievers:
                if literal not in achiever.needs and reached.issuperset(achiever.needs):
                    reached.update(achiever.effects)
        return reached

    def _first_achievers(self, literal: Literal) -> list[Achiever]:
        reached = self._reached_without(literal)
        return [
            achiever
            for achiever in self.task.achievers
            if literal in achiever.effects
            and literal not in achiever.needs
            and reached.issuperset(achiever.needs)
        ]

    def accepted(self, state: State) -> set[Literal]:
        """Those that hold in a state."""
        return self.found.intersection(self.task.true_literals(state))

    def ahead(self, state: State, accepted: set[Literal]) -> int:
        """What those count that a way with these accepted ones has ahead of it in a state."""
        true = self.accepted(state)
        again = {
            one
            for one in accepted - true
            if one in self.goal or not self.right_after[one] <= accepted
        }
        return sum(self.prices[one] for one in self.found - accepted | again)
