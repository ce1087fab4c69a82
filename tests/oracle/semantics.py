"""What a problem means: its ground actions, states, successors and goal.

A state is the frozen set of all atoms that are true, static ones included, but none that axioms
derive, nor comparisons of numbers: `closed` adds those. The values of functions are atoms, too.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Action, Atom, Literal, Parameter, Problem
from pg3.pddl.plans import GroundAction
from tests.oracle import numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pg3.pddl.model import Disjunction
    from pg3.pddl.numbers import NumericEffect

State = frozenset[Atom]


@dataclass(frozen=True)
class Case:
    """A conditional effect of a ground action; equality conditions are decided."""

    positive: frozenset[Atom]
    negative: frozenset[Atom]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]


@dataclass(frozen=True)
class Instance:
    """An action with objects in place of its parameters; equality conditions are decided."""

    action: GroundAction
    positive: frozenset[Atom]
    negative: frozenset[Atom]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]
    cost: int
    problem: Problem | None = field(default=None, compare=False, repr=False)
    cases: tuple[Case, ...] = ()
    changes: tuple[NumericEffect, ...] = ()

    @cached_property
    def conditions(self) -> list[Literal]:
        """The preconditions as literals."""
        return [Literal(p) for p in self.positive] + [Literal(p, False) for p in self.negative]

    @cached_property
    def achieved(self) -> list[Literal]:
        """The literals that hold afterwards: what is added, and what is deleted but not added."""
        false = self.deletes - self.adds
        return [Literal(p) for p in self.adds] + [Literal(p, False) for p in false]

    def applicable(self, state: State) -> bool:
        """Whether all preconditions hold."""
        if self.problem is not None:
            state = closed(self.problem, state)
        return self.positive <= state and not self.negative & state

    def successor(self, state: State) -> State:
        """The state after the action: adding comes after deleting."""
        known = state if self.problem is None else closed(self.problem, state)
        happening = [
            case for case in self.cases if case.positive <= known and not case.negative & known
        ]
        deletes = self.deletes.union(*(case.deletes for case in happening))
        after = (state - deletes).union(self.adds, *(case.adds for case in happening))
        if not self.changes or self.problem is None:
            return after
        done = numbers.changed(self.problem, self.changes, state)
        assert done is not None
        before = {numbers.value_atom(f, tuple(t), v) for (f, *t), (v, _) in done.items()}
        return (after - before) | {
            numbers.value_atom(f, tuple(t), v) for (f, *t), (_, v) in done.items()
        }


def substitute(atom: Atom, binding: Mapping[str, str]) -> Atom:
    """The atom with variables replaced; constants stay."""
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.terms))


def candidates(problem: Problem, parameter: Parameter) -> list[str]:
    """The objects that may stand for the parameter, subtypes included, in number order."""
    return [
        one.name for one in problem.all_objects if problem.domain.is_a(one.type, parameter.types)
    ]


def bindings(problem: Problem, parameters: Iterable[Parameter]) -> list[dict[str, str]]:
    """Every typed choice of objects for the parameters, in lexicographic order."""
    parameters = tuple(parameters)
    choices = [candidates(problem, parameter) for parameter in parameters]
    names = [parameter.name for parameter in parameters]
    return [dict(zip(names, objects, strict=True)) for objects in itertools.product(*choices)]


def equalities_hold(conditions: Iterable[Literal], binding: Mapping[str, str]) -> bool:
    """Whether all conditions on "=" hold; other conditions are ignored."""
    for atom, positive in conditions:
        if atom.predicate == EQUALS:
            left, right = substitute(atom, binding).terms
            if (left == right) != positive:
                return False
    return True


def action_cost(problem: Problem, action: Action, binding: Mapping[str, str]) -> int | None:
    """What the ground action costs: 1 where the domain declares no costs, 0 where it is silent.

    None where the cost is a function that has no value in the problem.
    """
    if not problem.domain.has_costs:
        return 1
    if isinstance(action.cost, Atom):
        value = problem.function_values.get(substitute(action.cost, binding))
        return None if value is None else int(value)
    return action.cost or 0


def instances(problem: Problem) -> list[Instance]:
    """All ground actions: as declared, then in object order.

    Those with a false equality condition, or without a cost though they should have one, do not
    exist.
    """
    found = []
    for action in problem.domain.actions:
        for binding in bindings(problem, action.parameters):
            cost = action_cost(problem, action, binding)
            if cost is None or not equalities_hold(action.precondition, binding):
                continue
            conditions = [
                (substitute(atom, binding), positive)
                for atom, positive in action.precondition
                if atom.predicate != EQUALS
            ]
            effects = [(substitute(atom, binding), positive) for atom, positive in action.effects]
            changes = tuple(effect.substitute(binding) for effect in action.numeric)
            if numbers.changed(problem, changes, ()) is None:
                continue
            found.append(
                Instance(
                    GroundAction(action.name, tuple(binding[p.name] for p in action.parameters)),
                    positive=frozenset(atom for atom, positive in conditions if positive),
                    negative=frozenset(atom for atom, positive in conditions if not positive),
                    adds=frozenset(atom for atom, positive in effects if positive),
                    deletes=frozenset(atom for atom, positive in effects if not positive),
                    cost=cost,
                    problem=problem,
                    cases=tuple(cases(problem, action, binding)),
                    changes=changes,
                )
            )
    return found


def cases(problem: Problem, action: Action, binding: Mapping[str, str]) -> Iterator[Case]:
    """The conditional effects of a ground action, for all objects."""
    for effect in action.conditional:
        for more in bindings(problem, effect.variables):
            both = {**binding, **more}
            if not equalities_hold(effect.conditions, both):
                continue
            conditions, effects = (
                [(substitute(atom, both), positive) for atom, positive in literals]
                for literals in (effect.conditions, effect.effects)
            )
            yield Case(
                *(
                    frozenset(a for a, positive in some if positive == sign and a[0] != EQUALS)
                    for some, sign in (
                        (conditions, True),
                        (conditions, False),
                        (effects, True),
                        (effects, False),
                    )
                )
            )


def axiom_instances(problem: Problem) -> list[tuple[list[Literal], Atom]]:
    """All ground axioms whose conditions on "=" hold: the other conditions, and what follows.

    Conditions that become the same are one, as an action's are.
    """
    found = []
    for clause in problem.domain.axioms:
        for binding in bindings(problem, (*clause.parameters, *clause.variables)):
            if equalities_hold(clause.conditions, binding):
                conditions = [
                    Literal(substitute(atom, binding), positive)
                    for atom, positive in clause.conditions
                    if atom.predicate != EQUALS
                ]
                head = Atom(clause.name, tuple(binding[p.name] for p in clause.parameters))
                found.append((list(dict.fromkeys(conditions)), head))
    return found


def closed(problem: Problem, state: State) -> State:
    """The state with all atoms that the domain's axioms derive from it."""
    if not problem.domain.axioms and not problem.domain.has_numbers:
        return state
    # Only now: that module speaks of states as well.
    from tests.oracle.derived import with_derived

    # Kept with the problem: a search asks again for each of a hundred actions.
    known: dict[State, State] = vars(problem).setdefault("closed states", {})
    if state not in known:
        whole = state | numbers.compared(problem, state)
        known[state] = with_derived(problem, problem.domain.axioms, whole)
    return known[state]


def initial_state(problem: Problem) -> State:
    """The atoms of :init, and the values of functions that actions change."""
    return frozenset(problem.init) | numbers.numbers_at_start(problem)


def is_goal(problem: Problem, state: State) -> bool:
    """Whether the state satisfies the problem's goal, negative literals included."""
    state = closed(problem, state)
    return (
        state.issuperset(problem.goal)
        and state.isdisjoint(problem.negative_goal)
        and all(is_satisfied(one, state) for one in problem.disjunctions)
    )


def is_satisfied(disjunction: Disjunction, closed_state: State) -> bool:
    """Whether one of the alternatives holds."""
    return any(
        all((atom in closed_state) == positive for atom, positive in one) for one in disjunction
    )


def open_goals(problem: Problem, state: State) -> int:
    """How many literals of the goal do not hold."""
    state = closed(problem, state)
    return (
        sum(atom not in state for atom in problem.goal)
        + sum(atom in state for atom in problem.negative_goal)
        + sum(not is_satisfied(one, state) for one in problem.disjunctions)
    )


def applicable(problem: Problem, state: State) -> list[GroundAction]:
    """The applicable ground actions, as declared, then in object order."""
    return [one.action for one in instances(problem) if one.applicable(state)]


def find(problem: Problem, action: GroundAction, state: State) -> Instance | None:
    """The instance of a ground action if it is applicable in the state, else None."""
    for one in instances(problem):
        if one.action == action and one.applicable(state):
            return one
    return None
