"""h_add and h_max by a naive fixpoint over all ground actions.

The cost of a literal in a state is 0 if it holds, else the least over the actions that achieve it
of the action's cost plus the combined cost of its preconditions. A negative literal is a fact of
its own (a "complement atom"): an action that deletes p, and does not add it, achieves (not p). A
conditional effect is an action of its own, with the preconditions of both; one whose conditions
always hold when the action can be done belongs to the action.

Axioms achieve what they derive, at no cost. That a derived atom is false follows at no cost from
one false condition in each of its axioms; it costs nothing if these depend on each other.

A comparison of numbers is achieved by each action that moves them the right way, done as often as
that takes; for h_max once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.pddl.model import Atom, Literal
from pg3.pddl.strata import stratify_axioms
from tests.oracle import numbers
from tests.oracle.semantics import axiom_instances, closed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pg3.pddl.model import Problem
    from tests.oracle.semantics import Instance, State


def h_add(problem: Problem, instances: list[Instance], state: State, unit: bool = True) -> float:
    """The additive heuristic: the summed costs of the goal's literals; infinity if unreachable."""
    return _relaxed_cost(problem, instances, state, sum, unit)


def h_max(problem: Problem, instances: list[Instance], state: State, unit: bool = True) -> float:
    """The max heuristic: the largest cost of a goal literal. It never overestimates."""
    return _relaxed_cost(problem, instances, state, lambda costs: max(costs, default=0), unit)


def blind(problem: Problem, instances: list[Instance], state: State, unit: bool = True) -> float:
    """The heuristic that knows nothing."""
    del problem, instances, state, unit
    return 0


@dataclass(frozen=True)
class Relaxed:
    """A relaxed action: what it costs, needs and achieves. Facts may be literals or anything."""

    price: int
    conditions: tuple[object, ...]
    achieved: tuple[object, ...]


def _literals(positive: Iterable[Atom], negative: Iterable[Atom]) -> tuple[Literal, ...]:
    return (*(Literal(p) for p in positive), *(Literal(p, False) for p in negative))


class _Task:
    """The ground actions and axioms that can ever matter, as relaxed actions."""

    def __init__(self, problem: Problem, instances: list[Instance], unit: bool) -> None:
        self.problem = problem
        self.fluents = problem.domain.fluents
        self.init = frozenset(problem.init)
        self.comparisons = numbers.possible_comparisons(problem)
        self.axioms = axiom_instances(problem)
        self.known = self._reachable(instances)
        self.circular = self._circular()
        self.number_steps = [
            (one, atom, wanted)
            for one in instances
            for atom in (numbers.all_comparisons(problem) if one.changes else ())
            for wanted in (True, False)
            if self._possible(one.conditions)
        ]
        self.unit = unit
        self.steps = [
            step for one in instances for step in self._of_action(one, 1 if unit else one.cost)
        ]
        for conditions, head in self.axioms:
            if self._possible(conditions):
                self.steps.append(Relaxed(0, self._conditions(conditions), (Literal(head),)))
        self.steps += self._failures()
        self.goal: list[object] = [*self._conditions(problem.goal_literals)]
        for number, one in enumerate(problem.disjunctions):
            self.goal.append(number)
            self.steps += [Relaxed(0, self._conditions(part), (number,)) for part in one]

    def _possible(self, conditions: Iterable[Literal]) -> bool:
        """Whether conditions can ever hold, as far as grounding sees."""
        for atom, positive in conditions:
            if positive and atom not in self.known:
                return False
            if not positive and atom.predicate not in self.fluents and atom in self.init:
                return False
        return True

    def _reachable(self, instances: list[Instance]) -> frozenset[Atom]:
        self.known = self.init | self.comparisons
        steps = [(conditions, [head]) for conditions, head in self.axioms]
        for one in instances:
            steps.append((one.conditions, list(one.adds)))
            steps += [
                ([*one.conditions, *_literals(case.positive, case.negative)], list(case.adds))
                for case in one.cases
            ]
        while True:
            more = {a for conditions, adds in steps if self._possible(conditions) for a in adds}
            if more <= self.known:
                return self.known
            self.known |= more

    def _circular(self) -> frozenset[Atom]:
        """The derived atoms whose group reads itself."""
        found: set[Atom] = set()
        possible = [(c, head) for c, head in self.axioms if self._possible(c)]
        for group in stratify_axioms(self.problem.domain.axioms):
            own = [(c, head) for c, head in possible if head.predicate in group]
            heads = {head for _, head in own}
            if any(positive and atom in heads for c, _ in own for atom, positive in c):
                found |= heads
        return frozenset(found)

    def _conditions(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        """Without those that count as true: a derived atom in a circle is false at no cost."""
        return tuple(one for one in literals if one.positive or one.atom not in self.circular)

    def _of_action(self, one: Instance, price: int) -> Iterator[Relaxed]:
        adds, deletes = set(one.adds), set(one.deletes)
        conditional = []
        for case in one.cases:
            conditions = _literals(case.positive, case.negative)
            contradictory = (
                case.positive & (one.negative | case.negative) or case.negative & one.positive
            )
            if contradictory or not self._possible([*one.conditions, *conditions]):
                continue
            if all(self._is_certain(condition, one) for condition in conditions):
                adds |= case.adds
                deletes |= case.deletes - case.adds
            else:
                conditional.append((conditions, case))
        needed = self._conditions(one.conditions)
        yield Relaxed(price, needed, _literals(adds, deletes - adds))
        for conditions, case in conditional:
            yield Relaxed(
                price,
                tuple(dict.fromkeys((*needed, *self._conditions(conditions)))),
                _literals(case.adds - adds, case.deletes - case.adds - adds),
            )

    def _is_certain(self, condition: Literal, one: Instance) -> bool:
        atom, positive = condition
        if condition in one.conditions or (not positive and atom not in self.known):
            return True
        return atom.predicate not in self.fluents and (atom in self.init) == positive

    def _failures(self) -> Iterator[Relaxed]:
        """What makes derived atoms false."""
        failing: dict[Atom, list[object]] = {}
        for number, (conditions, head) in enumerate(self.axioms):
            if head in self.circular or not self._possible(conditions):
                continue
            fails = ("fails", number)
            failing.setdefault(head, []).append(fails)
            for atom, positive in conditions:
                if atom.predicate in self.fluents and atom in self.known:
                    opposite = Literal(atom, not positive)
                    yield Relaxed(0, self._conditions([opposite]), (fails,))
        for head, reasons in failing.items():
            yield Relaxed(0, tuple(reasons), (Literal(head, False),))


def _relaxed_cost(
    problem: Problem,
    instances: list[Instance],
    state: State,
    combine: Callable[[Iterable[float]], float],
    unit: bool,
) -> float:
    # Kept with the problem: a search asks for each state.
    key = f"relaxed {unit}"
    if key not in vars(problem):
        vars(problem)[key] = _Task(problem, instances, unit)
    task: _Task = vars(problem)[key]
    costs: dict[object, float] = {}
    state = closed(problem, state)

    def cost(fact: object) -> float:
        if isinstance(fact, Literal) and (fact.atom in state) == fact.positive:
            return 0
        return costs.get(fact, math.inf)

    steps = list(task.steps)
    for one, atom, wanted in task.number_steps:
        times = numbers.repetitions(problem, one.changes, atom, wanted, state)
        if times is not None and (atom in state) != wanted:
            price = (1 if unit else one.cost) * (times if combine is sum else 1)
            needed = task._conditions(one.conditions)
            steps.append(Relaxed(price, needed, (Literal(atom, wanted),)))
    changed = True
    while changed:
        changed = False
        for step in steps:
            reached = step.price + combine(cost(fact) for fact in step.conditions)
            for fact in step.achieved:
                if reached < cost(fact):
                    costs[fact] = reached
                    changed = True
    return combine(cost(fact) for fact in task.goal)
